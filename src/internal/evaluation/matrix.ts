import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SinkError } from "../../ChunkSink.ts"
import * as DeadLetter from "../../DeadLetter.ts"
import * as EmbeddingCache from "../../EmbeddingCache.ts"
import * as Ledger from "../../Ledger.ts"
import type { Summary } from "../../Outcome.ts"
import * as ParseCache from "../../ParseCache.ts"
import * as State from "../../State.ts"
import type { OptionError } from "../base/optionError.ts"
import type { CorpusSource, IngestFailure, SearchFailure, Service } from "../corpus/contract.ts"
import * as Made from "../corpus/make.ts"
import * as Means from "../corpus/means.ts"
import * as Searching from "../corpus/searching.ts"
import * as ChunkerTarget from "../target/chunkerTarget.ts"
import * as RerankerTarget from "../target/rerankerTarget.ts"
import * as Secret from "../target/secret.ts"
import type { Reranking, SearchOptions } from "../target/storeSearch.ts"
import { Comparison, Run } from "./comparison.ts"
import type { Question } from "./question.ts"
import type { Result } from "./report.ts"
import * as Running from "./run.ts"

/** Ways of searching a store, as search options name them. */
export const ways = { words: "words", vectors: "vectors", fused: "hybrid" } as const

export type Way = keyof typeof ways

/** Kinds of stores that need no server. */
export type LocalStore = "libsql" | "lancedb"

/** All combinations are searched. */
export interface Axes {
  readonly chunkers: ReadonlyArray<ChunkerTarget.Settings>
  /** Spellings. */
  readonly embedders: ReadonlyArray<string>
  /** Spellings. */
  readonly rerankers: ReadonlyArray<string>
  readonly stores: ReadonlyArray<LocalStore>
  readonly by: ReadonlyArray<Way>
}

/** What documents are read with. */
export interface Reading extends Pick<
  Means.Given<SinkError>,
  "parser" | "service" | "tokenizer" | "tokenizerName" | "readers"
> {
  /** Folder of a state, or its address, whose caches are used and filled; its ledger is neither read nor written. */
  readonly state: string
}

export interface Given extends Reading {
  readonly axes: Axes
  readonly documents: CorpusSource
  /** Folder that the stores are made in. */
  readonly folder: string
  readonly search: Pick<SearchOptions, "diversity" | "filter" | "minScore" | "perDocument" | "vectorWeight" | "window">
  readonly options: Running.Options
  /** Called when the documents of a combination are stored. */
  readonly onStored: (name: string, summary: Summary) => Effect.Effect<void>
}

/** A store to be filled. */
interface Combination {
  readonly chunker: ChunkerTarget.Settings
  readonly embedder: string
  readonly store: LocalStore
}

const combinations = ({ chunkers, embedders, stores }: Axes): ReadonlyArray<Combination> =>
  chunkers.flatMap((chunker) => embedders.flatMap((embedder) => stores.map((store) => ({ chunker, embedder, store }))))

/** The ways that differ: without vectors, words are all there is. */
const waysOf = (by: ReadonlyArray<Way>, embedder: string): ReadonlyArray<Way> =>
  embedder === "none" ? ["words"] : [...new Set(by)]

const nameOf = ({ chunker, embedder, store }: Combination, { stores }: Axes): string =>
  [
    `${chunker.kind ?? ChunkerTarget.defaultName} ${chunker.maxTokens ?? ""}`.trim(),
    embedder,
    ...(stores.length > 1 ? [store] : [])
  ].join(", ")

/** Answers, vectors and scores that were paid for, of a state that may be in use; those of models are opened by the first that needs them. */
const caches = (state: string) =>
  Effect.gen(function* () {
    const { cache, embeddings } = yield* State.places(state)
    const vectors = yield* Layer.memoize(EmbeddingCache.layer({ directory: embeddings }))
    return { parses: ParseCache.layer({ directory: cache }), vectors }
  })

type Caches = Effect.Effect.Success<ReturnType<typeof caches>>

/** Errors of documents, stores and embedders. */
export type Failure =
  | IngestFailure
  | SearchFailure
  | OptionError
  | SinkError
  | ParseCache.ParseCacheError
  | EmbeddingCache.EmbeddingCacheError

/** A corpus that remembers nothing but what was paid for. */
export const corpus = (given: Corpus) => Effect.flatMap(caches(given.state), (paid) => over(paid, given))

type Corpus = Reading & Pick<Means.Given<SinkError>, "to" | "chunker"> & { readonly embedder: string }

const over = ({ parses, vectors }: Caches, given: Corpus) =>
  Effect.gen(function* () {
    const means = yield* Means.make<SinkError>({ ...given, state: undefined, mode: undefined })
    const memory = yield* Layer.build(Layer.mergeAll(Ledger.layerMemory, DeadLetter.layerMemory, parses))
    const embedder = yield* means.embedder(vectors)
    const environment = given.embedder === "none" ? null : yield* Secret.environment
    const queries = yield* Searching.vectors(embedder, environment)
    return yield* Made.make({ means, memory, embedder, reranker: "none", vectors: queries, uploads: "uploads" })
  })

const corpusOf = (given: Given, paid: Caches, { chunker, embedder, store }: Combination, at: number) =>
  Effect.gen(function* () {
    const { parser, readers, service, state, tokenizer, tokenizerName } = given
    const path = yield* Path.Path
    const to = [`${store}:${path.join(given.folder, `${at}${store === "libsql" ? ".db" : ""}`)}`]
    return yield* over(paid, { parser, readers, service, state, tokenizer, tokenizerName, to, chunker, embedder })
  })

/** A way of searching a store, with the reranker and its spelling. */
interface Asking {
  readonly by: Way
  readonly rerank: string
  readonly reranker: Reranking
}

const measured = (filled: Service, { by, reranker }: Asking, questions: ReadonlyArray<Question>, given: Given) =>
  Running.measure<SearchFailure, never>(
    questions,
    (text, { limit }) => filled.search(text, { ...given.search, limit, mode: ways[by], rerank: reranker }),
    given.options
  )

/**
 * Stores the documents in every way and searches each store in every way, one after another. A document is parsed and embedded once, and a
 * chunk is reranked once for a question.
 */
export const run = (
  questions: ReadonlyArray<Question>,
  given: Given
): Effect.Effect<Comparison, Failure, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { axes, documents } = given
    const paid = yield* caches(given.state)
    const environment = yield* Secret.environment
    const rerankers = yield* Effect.forEach(axes.rerankers, (rerank) =>
      Effect.map(RerankerTarget.ofSpelling(rerank, { environment, cache: paid.vectors }), (reranker) => ({
        rerank,
        reranker
      }))
    )
    const runs = yield* Effect.forEach(combinations(axes), (combination, at) =>
      Effect.gen(function* () {
        const { chunker, embedder, store } = combination
        const name = nameOf(combination, axes)
        const filled = yield* corpusOf(given, paid, combination, at)
        yield* given.onStored(name, yield* filled.ingest(documents))
        const all = waysOf(axes.by, embedder).flatMap((by) => rerankers.map((one): Asking => ({ by, ...one })))
        return yield* Effect.forEach(all, (asking) =>
          Effect.map(measured(filled, asking, questions, given), (result: Result) => {
            const { by, rerank } = asking
            return Run.make({
              name: [name, by, ...(rerankers.length > 1 ? [rerank] : [])].join(", "),
              settings: {
                chunker: chunker.kind ?? ChunkerTarget.defaultName,
                maxTokens: chunker.maxTokens ?? 0,
                embedder,
                store,
                by,
                rerank
              },
              result
            })
          })
        )
      }).pipe(Effect.scoped)
    )
    return Comparison.make({ version: 1, runs: runs.flat() })
  }).pipe(Effect.scoped)
