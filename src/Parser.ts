/**
 * The stage that turns source files into parsed documents.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Chunker, Part } from "./Chunker.ts"
import { checkParts, optionsFor } from "./internal/client/serving.ts"
import { fileHash } from "./internal/discovery/fileHash.ts"
import * as ParseCache from "./ParseCache.ts"
import { fromData, type ParsedDocument } from "./ParsedDocument.ts"
import { CurrentRun, type RunStopped } from "./RunState.ts"
import { type Answer, Client } from "./service/Client.ts"
import * as Credits from "./service/Credits.ts"
import * as FileType from "./service/FileType.ts"
import * as Limits from "./service/Limits.ts"
import { type InvalidOptions, type ParseOptions, resolve, validate } from "./service/ParseOptions.ts"
import type { ServiceError } from "./service/ServiceError.ts"
import { type FileError, type SourceFile, UnsupportedFile } from "./SourceFile.ts"

/**
 * Everything that parsing one file can end with: an answer of the service, the file itself, or the stop of the run before the
 * file's turn.
 *
 * @since 0.1.0
 * @category errors
 */
export type ParseError = ServiceError | FileError | RunStopped

/**
 * Cost of an answer, in pages and credits.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cost {
  readonly pages: number
  readonly credits: number
}

/**
 * Identity, options and prices of a parser, the same for every file.
 *
 * @since 0.1.0
 * @category models
 */
export interface Terms {
  /** Base address, or `embedded` and the engine's version. */
  readonly identity: string
  /** From `ParseCache.optionsHash`. */
  readonly optionsHash: string
  /** True when answers may be cached; false with `zeroDataRetention`. */
  readonly retain: boolean
  /** Upper bound of a file's cost; `pages` is its page count, null when unknown. */
  readonly worstCase: (file: SourceFile, pages: number | null) => Cost
}

/**
 * Facts about a file that are known before it is parsed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Known {
  /** SHA-256 of the bytes, lower-case hexadecimal; when absent, the bytes are read to compute it if it is needed. */
  readonly contentHash?: string | undefined
  /** Identity of the service that parsed these bytes before, when it is not the present one. */
  readonly identity?: string | undefined
  /** Cached answers older than this are ignored, in milliseconds since the epoch. */
  readonly since?: number | undefined
  /** Wraps each call of the service so that it is charged to the budget; a cached answer is not charged. */
  readonly paying?: (<E>(ask: Effect.Effect<Answer, E>) => Effect.Effect<Answer, E | RunStopped>) | undefined
}

/**
 * @since 0.1.0
 * @category services
 */
export class Parser extends Context.Tag("docsluice/Parser")<Parser, Parser.Service>() {}

export declare namespace Parser {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Parses one file with the parser's options, retries included. Holds the answer; interruption frees everything. */
    readonly parse: (file: SourceFile, known?: Known) => Effect.Effect<ParsedDocument, ParseError>
    /**
     * The same parser, asking for the parts of the answer that the chunker works on, under the parser's own options. Fails where
     * those leave out a part that the chunker cannot do without. A parser that wraps another one wraps this one's result as well.
     */
    readonly serving: (chunker: Pick<Chunker, "name" | "needs">) => Effect.Effect<Parser.Service, InvalidOptions>
    /** Without them, any two parsers are assumed to give the same answers, so switching parsers does not parse again. */
    readonly terms?: Terms | undefined
  }
}

const termsOf = (identity: string, options: ParseOptions): Terms => {
  const resolved = resolve(options)
  const most = resolved.pdf.maxPages ?? Limits.maxPages.max
  return {
    identity,
    optionsHash: ParseCache.optionsHash(options),
    retain: !resolved.zeroDataRetention,
    worstCase: (file, known) => {
      const pdf = Option.contains(FileType.fromName(file.path), "pdf")
      const pages = pdf ? Math.min(known ?? most, most) : 1
      return { pages, credits: Credits.ofParse(resolved, { numPages: pages }) }
    }
  }
}

/**
 * A parser that sends every file to the client with the same options. Options outside the bounds of the interface are refused
 * here, before anything is sent.
 *
 * Answers are cached in the `ParseCache` of the context in which the parser is made, or else of the context in which it parses.
 * With a cache, the bytes are hashed first, and only files whose answer is not cached are sent. The same bytes under two names
 * of one type cost one request, even at the same time; the name in each answer is that of its own file. A type that the service
 * does not accept is refused, even if its bytes are known. An answer is in the cache before its request counts as done. With
 * `zeroDataRetention` nothing is cached.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (
  options?: ParseOptions,
  cached?: {
    /** Ignore answers cached before now, and replace them; default false. */
    readonly refresh?: boolean | undefined
  }
) => Effect.Effect<Parser.Service, InvalidOptions, Client> = Effect.fnUntraced(function* (options = {}, cached = {}) {
  const client = yield* Client
  const cache = yield* Effect.serviceOption(ParseCache.ParseCache)
  const since = cached.refresh === true ? yield* Clock.currentTimeMillis : null
  const asking = (asked: ParseOptions): Parser.Service => ({
    ...answering({ client, cache, since }, asked),
    serving: (chunker) => Effect.map(optionsFor(chunker, options), asking)
  })
  return Parser.of(asking(yield* validate(options)))
})

/** The sources of answers: the client, and a cache in front of it. */
interface Origin {
  readonly client: Client.Service
  /** The cache in the context when the parser was made. */
  readonly cache: Option.Option<ParseCache.ParseCache.Service>
  /** Cached answers older than this are ignored, in milliseconds since the epoch; null: none are. */
  readonly since: number | null
}

const answering = (
  { cache, client, since: start }: Origin,
  options: ParseOptions
): Required<Pick<Parser.Service, "parse" | "terms">> => {
  const terms = termsOf(client.identity, options)
  const retain = terms.retain
  const renames = resolve(options).redactPII === false

  const former = (
    cache: ParseCache.ParseCache.Service,
    key: ParseCache.CacheKey
  ): Effect.Effect<Option.Option<Answer>> =>
    retain && key.identity !== terms.identity
      ? Effect.orElseSucceed(cache.get(key), Option.none<Answer>)
      : Effect.succeedNone

  const asked = (file: SourceFile, known: Known): Effect.Effect<ParsedDocument, ParseError> =>
    Effect.map((known.paying ?? identity)(client.parse(file, options)), ({ contentHash, data }) =>
      fromData(file, contentHash, data)
    )

  const kept = Effect.fnUntraced(function* (cache: ParseCache.ParseCache.Service, file: SourceFile, known: Known) {
    const type = yield* Effect.mapError(
      ParseCache.typeOf(file.path),
      () => new UnsupportedFile({ path: file.path, extension: FileType.extensionOf(file.path) })
    )
    const run = yield* CurrentRun
    const contentHash = known.contentHash ?? (yield* fileHash(file))
    run?.hashed?.(contentHash)
    const since = known.since ?? start
    const key = { contentHash, type, optionsHash: terms.optionsHash, identity: known.identity ?? terms.identity }
    const before = since === null ? yield* former(cache, key) : Option.none()
    if (Option.isSome(before)) return fromData(file, contentHash, before.value.data, "cache", renames)
    const { answer, origin } = yield* cache.getOrParse({ ...key, identity: terms.identity, retain, since }, (keep) =>
      (known.paying ?? identity)(client.parse(file, options, keep))
    )
    return fromData(file, answer.contentHash, answer.data, origin, renames)
  })

  return {
    terms,
    parse: (file, known = {}) =>
      Effect.flatMap(Effect.serviceOption(ParseCache.ParseCache), (near) => {
        const used = Option.orElse(cache, () => near)
        return Option.isNone(used) ? asked(file, known) : kept(used.value, file, known)
      })
  }
}

/**
 * A parser of your own, which gives the same answers to every chunker.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromFunction = (
  parse: Parser.Service["parse"],
  options: {
    /** Parts next to the Markdown in answers for PDFs; a chunker that requires another part is refused. Default none. */
    readonly answers?: ReadonlyArray<Part> | undefined
    readonly terms?: Terms | undefined
  } = {}
): Parser.Service => {
  const { answers = [], terms } = options
  const parser: Parser.Service = {
    parse,
    serving: (chunker) => Effect.as(checkParts(chunker, answers), parser),
    ...(terms && { terms })
  }
  return parser
}

/**
 * As {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: ParseOptions = {},
  cached: { readonly refresh?: boolean | undefined } = {}
): Layer.Layer<Parser, InvalidOptions, Client> => Layer.effect(Parser, make(options, cached))

/**
 * The parser for a chunker: it asks for the parts of the answer that the chunker works on. Fails, before anything is sent, when the
 * parser's options leave out a part that the chunker cannot do without. `Pipeline` and `Plan` do this by themselves.
 *
 * @since 0.1.0
 * @category combinators
 */
export const serving = (
  chunker: Pick<Chunker, "name" | "needs">
): Effect.Effect<Parser.Service, InvalidOptions, Parser> => Effect.flatMap(Parser, (parser) => parser.serving(chunker))

/**
 * Parses one file.
 *
 * @since 0.1.0
 * @category combinators
 */
export const parse = (file: SourceFile): Effect.Effect<ParsedDocument, ParseError, Parser> =>
  Effect.flatMap(Parser, (parser) => parser.parse(file))

/**
 * Parses every file of a stream, at most `concurrency` at a time, in the order of the files unless `ordered` is false (then in
 * order of completion). The first failure ends the stream: to go on, handle errors in {@link parse}.
 *
 * Holds at most `concurrency` answers that wait for their turn, and the one given out.
 *
 * @since 0.1.0
 * @category combinators
 */
export const parseAll =
  (options: { readonly concurrency: number; readonly ordered?: boolean | undefined }) =>
  <E, R>(files: Stream.Stream<SourceFile, E, R>): Stream.Stream<ParsedDocument, E | ParseError, R | Parser> =>
    Stream.mapEffect(files, parse, { concurrency: options.concurrency, unordered: options.ordered === false })
