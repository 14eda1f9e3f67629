/**
 * Documents and the stores that hold them behind one handle: ingest, add, search, remove, retry.
 *
 * Parser, model, caches, stores and the lock of the state live as long as the handle. Calls that write run one after another, all others
 * next to them.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { SinkError } from "./ChunkSink.ts"
import type { EmbeddingCacheError } from "./EmbeddingCache.ts"
import { oneEffect } from "./internal/base/oneEffect.ts"
import type { OptionError } from "./internal/base/optionError.ts"
import type * as contract from "./internal/corpus/contract.ts"
import * as members from "./internal/corpus/members.ts"
import * as open from "./internal/corpus/open.ts"
import type * as options from "./internal/corpus/options.ts"
import * as parts from "./internal/corpus/parts.ts"
import * as spelling from "./internal/target/spelling.ts"
import * as Parser from "./Parser.ts"
import type { InvalidAddress } from "./service/Client.ts"
import type { InvalidOptions } from "./service/ParseOptions.ts"
import type { StateError } from "./State.ts"
import * as Tokenizer from "./Tokenizer.ts"
import type { InvalidProxy } from "./UndiciHttpClient.ts"

export { OptionError } from "./internal/base/optionError.ts"

export {
  AddError,
  type AddFailure,
  type Added,
  type ChunksFailure,
  CorpusClosed,
  type CorpusSource,
  type FigureFailure,
  type FigureOptions,
  type IngestFailure,
  type IngestOptions,
  type ParseFailure,
  type SearchFailure,
  type ChangeOptions,
  type GenerationsFailure,
  type Status
} from "./internal/corpus/contract.ts"
export { FigureError } from "./internal/base/figureError.ts"
export { type FigurePicture } from "./internal/look/figure.ts"
export { type StoreGeneration } from "./internal/corpus/generations.ts"
export { type ListedDocument, type ReadOnlyCorpus, type ReadOptions } from "./internal/target/readOnlyCorpus.ts"
export {
  type Citation,
  type CitedHit,
  type Expand,
  SearchError,
  type SearchOptions
} from "./internal/target/storeSearch.ts"

/**
 * @since 0.1.0
 * @category services
 */
export class Corpus extends Context.Tag("docsluice/Corpus")<Corpus, Corpus.Service>() {}

export declare namespace Corpus {
  /**
   * @since 0.1.0
   * @category services
   */
  export type Service = contract.Service
}

/**
 * A target: its spelling as on the command line, `libsql:store.db` for instance; a sink; or the effect that makes one,
 * `LibSql.make({ file })` for instance, which is then closed with the corpus.
 *
 * @since 0.1.0
 * @category models
 */
export type Target = options.Target

/**
 * True for a text whose kind of target there is, as one of a configuration has to be before it is given as `to`; what follows the kind is
 * checked when it is opened.
 *
 * @since 0.1.0
 * @category guards
 */
export const isTarget: (text: string) => text is spelling.SinkSpelling = spelling.isTarget

/**
 * True for `none`, `hash`, and a text whose kind of embedder there is.
 *
 * @since 0.1.0
 * @category guards
 */
export const isEmbedder: (text: string) => text is spelling.EmbedderSpelling = spelling.isEmbedder

/**
 * True for `none`, and a text whose kind of reranker there is.
 *
 * @since 0.1.0
 * @category guards
 */
export const isReranker: (text: string) => text is spelling.RerankerSpelling = spelling.isReranker

/**
 * Options of a corpus with a parser of the context.
 *
 * @since 0.1.0
 * @category models
 */
export type PartsOptions = options.PartsOptions

/**
 * Options of a corpus.
 *
 * @since 0.1.0
 * @category models
 */
export type Options = options.Options

/**
 * A language model of your own.
 *
 * @since 0.1.0
 * @category models
 */
export type Model = options.Model

/**
 * A corpus cannot be opened: an option that cannot be used, or a state that is locked or damaged. Nothing was written.
 *
 * @since 0.1.0
 * @category errors
 */
export type OpenError =
  | OptionError
  | StateError
  | SinkError
  | EmbeddingCacheError
  | InvalidAddress
  | InvalidProxy
  | InvalidOptions

/**
 * Opens a corpus. Targets are created by the first call that writes; a corpus that only searches locks nothing but its state.
 *
 * The end of the scope refuses further calls with `CorpusClosed` and waits for those that run.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: Options
): Effect.Effect<Corpus.Service, OpenError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    yield* oneEffect
    yield* members.checkParts(options, members.corpus)
    const { apiKey, model, tokenizer = "o200k_base", ...words } = options
    const spelled = model === undefined || typeof model === "string"
    return yield* open.given(options, {
      parser: yield* parts.parser(options),
      service: spelled ? { ...words, model, key: apiKey !== undefined && apiKey !== "none" } : null,
      tokenizer: yield* parts.tokenizer(Tokenizer.layer(tokenizer)),
      tokenizerName: tokenizer
    })
  })

/**
 * {@link make} as a layer.
 *
 * ```ts
 * import { NodeContext } from "@effect/platform-node"
 * import * as Corpus from "docsluice/Corpus"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const docs = yield* Corpus.Corpus
 *   yield* docs.ingest("handbooks")
 *   for (const { citation } of yield* docs.search("gauge calibration")) yield* Effect.log(citation.label)
 * })
 * const corpus = Corpus.layer({ to: "libsql:store.db", embedder: "hash", state: ".docsluice" })
 * export const main = program.pipe(Effect.provide(corpus), Effect.provide(NodeContext.layer))
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<Corpus, OpenError, FileSystem.FileSystem | Path.Path> =>
  Layer.scoped(Corpus, make(options))

/**
 * As {@link make}, with the parser and the tokenizer of the context.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeParts = (
  options: PartsOptions
): Effect.Effect<
  Corpus.Service,
  OpenError,
  Parser.Parser | Tokenizer.Tokenizer | FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function* () {
    yield* oneEffect
    yield* members.checkParts(options, members.parts)
    const [parser, tokenizer] = yield* Effect.all([Parser.Parser, Tokenizer.Tokenizer])
    return yield* open.given(options, { parser, service: null, tokenizer: Effect.succeed(tokenizer) })
  })

/**
 * {@link makeParts} as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerParts = (
  options: PartsOptions
): Layer.Layer<Corpus, OpenError, Parser.Parser | Tokenizer.Tokenizer | FileSystem.FileSystem | Path.Path> =>
  Layer.scoped(Corpus, makeParts(options))
