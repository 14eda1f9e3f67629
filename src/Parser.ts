/**
 * The stage that turns source files into parsed documents.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { dual, identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Chunker, Part } from "./Chunker.ts"
import * as Extraction from "./Extraction.ts"
import * as FileType from "./internal/base/fileType.ts"
import * as Limits from "./internal/base/limits.ts"
import { oneEffect } from "./internal/base/oneEffect.ts"
import { faultOf } from "./internal/client/fileValues.ts"
import { hold, mostHeld } from "./internal/client/heldFile.ts"
import { CurrentRun, type RunState, RunStopped } from "./internal/client/runState.ts"
import { checkParts, optionsFor, refuseOptions } from "./internal/client/serving.ts"
import { fileHash } from "./internal/discovery/fileHash.ts"
import { read, type TypeReader } from "./internal/reading/read.ts"
import { Foreign, foreign } from "./internal/run/documentError.ts"
import * as Credits from "./internal/server/credits.ts"
import * as ParseCache from "./ParseCache.ts"
import { fromData, hasFormats, type Means, type ParsedDocument, type ParsedWith, redacts } from "./ParsedDocument.ts"
import { Readers } from "./Readers.ts"
import type { RequestGate } from "./RequestGate.ts"
import { type Answer, Client } from "./service/Client.ts"
import { type InvalidOptions, merge, type ParseOptions, resolve, validate } from "./service/ParseOptions.ts"
import { ServiceError } from "./service/ServiceError.ts"
import {
  type FileChanged,
  FileError,
  type FileUnreadable,
  type SourceFile,
  TextUnreadable,
  UnsupportedFile
} from "./SourceFile.ts"
import * as Stage from "./Stage.ts"

/**
 * Everything that parsing one file can end with: an answer of the service, the file itself, an error of a parser of one's own (`Foreign`),
 * or the stop of the run before the file's turn.
 *
 * @since 0.1.0
 * @category errors
 */
export const ParseError = Schema.Union(...ServiceError.members, ...FileError.members, Foreign, RunStopped)

/**
 * @since 0.1.0
 * @category errors
 */
export type ParseError = typeof ParseError.Type

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
  /** What the service can do now about what earlier answers lacked; default nothing. */
  readonly means?: Means | undefined
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
    /**
     * The same parser with these options over its own, member by member; `formats` replace its own. Fails for options outside the
     * bounds of the interface, and for any option of a parser that takes none.
     */
    readonly asking: (options: ParseOptions) => Effect.Effect<Parser.Service, InvalidOptions>
    /**
     * Reads a file of a type that this parser reads on this machine, as `parse` does; none for another type. Absent: the parser reads
     * nothing so.
     */
    readonly reads?: ((file: SourceFile) => Effect.Effect<Option.Option<ParsedDocument>, FileError>) | undefined
    /** The gate that its requests pass; none for a parser that sends no requests. */
    readonly gate?: RequestGate.Service | undefined
    /** Without them, any two parsers are assumed to give the same answers, so switching parsers does not parse again. */
    readonly terms?: Terms | undefined
  }
}

const termsOf = (
  { abilities = [], identity }: Pick<Client.Service, "abilities" | "identity">,
  options: ParseOptions
): Terms => {
  const resolved = resolve(options)
  const most = resolved.pdf.maxPages ?? Limits.maxPages.max
  return {
    identity,
    optionsHash: ParseCache.optionsHash(options),
    retain: !resolved.zeroDataRetention,
    means: {
      ocr: abilities.includes("ocr"),
      timeout: options.timeout === undefined && abilities.includes("parts") ? null : resolved.timeout
    },
    worstCase: (file, known) => {
      const type = FileType.fromName(file.path)
      // Read on this machine, or not at all.
      if (Option.isNone(type)) return { pages: 1, credits: 0 }
      const pdf = type.value === "pdf"
      const pages = pdf ? Math.min(known ?? most, most) : 1
      return { pages, credits: Credits.ofParse(resolved, { numPages: pages }) }
    }
  }
}

/**
 * A parser that sends files to the client, all with the same options, and reads those of the types of `Readers` itself. Options outside the
 * bounds of the interface are refused here, before anything is sent.
 *
 * A file that is read here costs nothing and is not cached: its Markdown is its text, and it has no other formats. With `redactPII` it fails
 * with `TextUnreadable`, since nothing would be redacted.
 *
 * Answers are cached in the `ParseCache` of the context in which the parser is made, or else of the context in which it parses.
 * With a cache, the bytes are hashed first, and only files whose answer is not cached are sent. A file of at most 1 MiB is read once
 * for both, and held until its answer is there, retries included. A larger one is read again for each attempt; it is sent without being
 * hashed first when the cache has neither an answer nor a request in flight for a file of its size. The same bytes under two names
 * of one type cost one request, even at the same time; each answer has the name of its file. A type that the service
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
  yield* oneEffect
  const client = yield* Client
  const cache = yield* Effect.serviceOption(ParseCache.ParseCache)
  const since = cached.refresh === true ? yield* Clock.currentTimeMillis : null
  const asking = (asked: ParseOptions): Parser.Service => ({
    ...readingTexts(answering({ client, cache, since }, asked), asked),
    asking: (options) => Effect.map(validate(merge(asked, options)), asking),
    serving: (chunker) => Effect.map(optionsFor(chunker, asked), asking)
  })
  return Parser.of(asking(yield* validate(options)))
})

type Answering = Required<Pick<Parser.Service, "parse" | "terms">> & Pick<Parser.Service, "gate">

/** Reads the types of `Readers` itself; the others are left to the parser. */
const readingTexts = <P extends Pick<Parser.Service, "parse">>(
  parser: P,
  options: ParseOptions
): P & Required<Pick<Parser.Service, "reads">> => {
  const readerOf = (file: SourceFile) =>
    Effect.map(Readers, ({ whoReads }) => {
      const by = whoReads(FileType.extensionOf(file.path))
      return by?._tag === "Here" ? by.reader : undefined
    })
  return {
    ...parser,
    reads: (file) =>
      Effect.flatMap(readerOf(file), (reader) =>
        reader === undefined ? Effect.succeedNone : Effect.asSome(readHere(file, reader, options))
      ),
    parse: (file: SourceFile, known?: Known) =>
      Effect.suspend(() => {
        const fault = faultOf(file)
        if (fault !== null) return fault
        return Effect.flatMap(readerOf(file), (reader) =>
          reader === undefined ? parser.parse(file, known) : readHere(file, reader, options)
        )
      })
  }
}

const readHere = (
  file: SourceFile,
  reader: TypeReader,
  options: ParseOptions
): Effect.Effect<ParsedDocument, FileError> =>
  redacts(options)
    ? new TextUnreadable({ path: file.path, reason: "Redaction" })
    : Effect.flatMap(CurrentRun, (run) =>
        Effect.map(read(file, reader, run?.hashed), ({ contentHash, data, structure, warnings }) => {
          const document = fromData(file, contentHash, data, { options, origin: "local" })
          return { ...document, warnings: [...warnings, ...document.warnings], ...(structure && { structure }) }
        })
      )

const unsupported: Parser.Service["parse"] = ({ path }) =>
  new UnsupportedFile({ path, extension: FileType.extensionOf(path) })

/**
 * A parser of the types of `Readers` alone, which needs no service. Every other type fails with `UnsupportedFile`. Of the options only
 * `redactPII` has an effect, as with {@link make}; the other formats that they name are empty.
 *
 * @since 0.1.0
 * @category constructors
 */
export const texts = (options: ParseOptions = {}): Parser.Service => {
  const parser: Parser.Service = {
    ...readingTexts({ parse: unsupported, terms: termsOf({ identity: "local" }, options) }, options),
    serving: (chunker) => Effect.as(checkParts(chunker, []), parser),
    asking: (asked) => Effect.map(validate(merge(options, asked)), texts)
  }
  return parser
}

/** The sources of answers: the client, and a cache in front of it. */
interface Origin {
  readonly client: Client.Service
  /** The cache in the context when the parser was made. */
  readonly cache: Option.Option<Cache>
  /** Cached answers older than this are ignored, in milliseconds since the epoch; null: none are. */
  readonly since: number | null
}

type Cache = ParseCache.ParseCache.Service

/** The answer of the service that parsed these bytes before, where it was another one. */
const former = (
  cache: Cache,
  key: ParseCache.CacheKey & { readonly retain: boolean },
  { identity = key.identity }: Known
): Effect.Effect<Option.Option<Answer>> =>
  identity === key.identity || !key.retain
    ? Effect.succeedNone
    : Effect.catchAll(cache.get({ ...key, identity }), (error) =>
        Effect.as(
          Effect.logWarning(`${error.message}; ${key.contentHash} may be parsed, and paid for, again`),
          Option.none<Answer>()
        )
      )

const answering = ({ cache, client, since: start }: Origin, options: ParseOptions): Answering => {
  const terms = termsOf(client, options)
  const retain = terms.retain

  const asked = (
    file: SourceFile,
    known: Known,
    keep?: ParseCache.Keep
  ): Effect.Effect<Answer, ParseCache.ParseFailure> => (known.paying ?? identity)(client.parse(file, options, keep))

  const lookedUp = (
    cache: Cache,
    { contentHash, file }: Content,
    request: ParseCache.Unseen,
    known: Known
  ): Effect.Effect<ParsedDocument, ParseCache.ParseFailure> => {
    const key = { ...request, contentHash }
    const answer = Effect.map(
      cache.getOrParse(key, (keep) => asked(file, known, keep)),
      ({ answer, origin }) => fromData(file, answer.contentHash, answer.data, { options, origin })
    )
    return request.since !== null
      ? answer
      : Effect.flatMap(former(cache, key, known), (before) =>
          Option.isSome(before)
            ? Effect.succeed(fromData(file, contentHash, before.value.data, { options, origin: "cache" }))
            : answer
        )
  }

  /** A large file that the cache cannot know is sent without being read for its hash first. */
  const unseen = (
    cache: Cache,
    file: SourceFile,
    request: ParseCache.Unseen,
    known: Known
  ): Effect.Effect<Option.Option<ParsedDocument>, ParseCache.ParseFailure> =>
    file.size <= mostHeld || known.contentHash !== undefined || cache.parseUnseen === undefined
      ? Effect.succeedNone
      : Effect.map(
          cache.parseUnseen(request, (keep) => asked(file, known, keep)),
          Option.map(({ answer, origin }) => fromData(file, answer.contentHash, answer.data, { options, origin }))
        )

  const kept = (
    cache: Cache,
    run: RunState | null,
    file: SourceFile,
    known: Known
  ): Effect.Effect<ParsedDocument, ParseCache.ParseFailure> => {
    const type = ParseCache.typeOf(file.path)
    if (Option.isNone(type)) {
      return new UnsupportedFile({ path: file.path, extension: FileType.extensionOf(file.path) })
    }
    const { identity, optionsHash } = terms
    const since = known.since ?? start
    const request = { type: type.value, optionsHash, identity, retain, since, size: file.size }
    return Effect.flatMap(unseen(cache, file, request, known), (sent) =>
      Option.isSome(sent)
        ? Effect.succeed(sent.value)
        : Effect.flatMap(contentOf(file, known.contentHash), (content) => {
            run?.hashed?.(content.contentHash)
            return lookedUp(cache, content, request, known)
          })
    )
  }

  return {
    terms,
    gate: client.gate,
    parse: (file, known = {}) =>
      Effect.contextWithEffect((context: Context.Context<never>) => {
        const used = Option.orElse(cache, () => Context.getOption(context, ParseCache.ParseCache))
        return Option.isSome(used)
          ? kept(used.value, Context.get(context, CurrentRun), file, known)
          : Effect.map(asked(file, known), ({ contentHash, data }) => fromData(file, contentHash, data, { options }))
      })
  }
}

/** A file whose hash is known; a small one with its bytes, so that it is read once. */
interface Content {
  readonly file: SourceFile
  readonly contentHash: string
}

const contentOf = (
  file: SourceFile,
  known: string | undefined
): Effect.Effect<Content, FileUnreadable | FileChanged> => {
  if (known !== undefined) return Effect.succeed({ file, contentHash: known })
  return file.size <= mostHeld
    ? Effect.map(hold(file), (held) => ({ file: held, contentHash: held.contentHash }))
    : Effect.map(fileHash(file), (contentHash) => ({ file, contentHash }))
}

const isParseError = Schema.is(ParseError)

/**
 * A parser of your own, which gives the same answers to every chunker. It gets every file, those of the types of `Readers` too; `texts`
 * reads them.
 * An error of one's own, with a tag and a message, becomes `Foreign`. What it throws is a defect, as what it dies of: in a run that document
 * fails with either.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromFunction = (
  parse: (
    file: SourceFile,
    known?: Known
  ) => Effect.Effect<ParsedDocument, ParseError | { readonly _tag: string; readonly message: string }>,
  options: {
    /** Parts next to the Markdown in answers for PDFs; a chunker that requires another part is refused. Default none. */
    readonly answers?: ReadonlyArray<Part> | undefined
    readonly terms?: Terms | undefined
  } = {}
): Parser.Service => {
  const { answers = [], terms } = options
  const parser: Parser.Service = {
    parse: (file, known) =>
      Effect.mapError(
        Effect.suspend(() => parse(file, known)),
        (error) => (isParseError(error) ? error : foreign(error))
      ),
    serving: (chunker) => Effect.as(checkParts(chunker, answers), parser),
    asking: (options) => Effect.as(refuseOptions(options), parser),
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
 * Parses one file with options that override those of the parser; the result's type has the members of the formats asked for.
 *
 * ```ts
 * import * as Parser from "docsluice/Parser"
 * import type { SourceFile } from "docsluice/SourceFile"
 * import { Effect } from "effect"
 *
 * const links = (file: SourceFile) =>
 *   Effect.map(Parser.parseWith(file, { formats: [{ type: "links" }] }), (page) => page.links.length)
 * ```
 *
 * @since 0.1.0
 * @category combinators
 */
export const parseWith = <const Options extends ParseOptions>(
  file: SourceFile,
  options: Options
): Effect.Effect<ParsedWith<Options>, ParseError | InvalidOptions, Parser> =>
  Parser.pipe(
    Effect.flatMap((parser) => parser.asking(options)),
    Effect.flatMap((asked) => asked.parse(file)),
    Effect.filterOrDieMessage(
      (document) => hasFormats(document, options),
      `${file.path}: the parser left out a member of a format that was asked for`
    )
  )

/**
 * Parses one file and asks the service for data of a schema's shape: the JSON Schema is sent, the answer decoded. Fails with
 * `ExtractionError` where the answer does not conform. The target is an Effect Schema, or of another kind by `Extraction`.
 *
 * ```ts
 * import * as Parser from "docsluice/Parser"
 * import type { SourceFile } from "docsluice/SourceFile"
 * import { Effect, Schema } from "effect"
 *
 * const Invoice = Schema.Struct({ number: Schema.String, total: Schema.Number })
 *
 * const total = (file: SourceFile) => Effect.map(Parser.extract(file, Invoice), ({ value }) => value.total)
 * ```
 *
 * @since 0.1.0
 * @category combinators
 */
export const extract = <A, I>(
  file: SourceFile,
  schema: Schema.Schema<A, I> | Extraction.Target<A>,
  options: Extraction.Options = {}
): Effect.Effect<Extraction.Extraction<A>, ParseError | InvalidOptions | Extraction.ExtractionError, Parser> =>
  Effect.gen(function* () {
    const target = "jsonSchema" in schema ? schema : yield* Extraction.fromSchema(schema)
    const document = yield* parseWith(file, Extraction.parseOptionsOf(target, options))
    return yield* Extraction.decode(document, target)
  })

/**
 * @since 0.1.0
 * @category models
 */
export interface StageOptions extends Stage.Options {
  /** Asks for the parts of an answer that this chunker works on, as {@link serving} does. */
  readonly chunker?: Pick<Chunker, "name" | "needs"> | undefined
}

/** A parser that was asked to serve a chunker may refuse. */
type Refusal<O> = O extends { readonly chunker: object } ? InvalidOptions : never

/**
 * Parses every file of a stream, at most `concurrency` at a time, in the order of the files unless `ordered` is false (then in order of
 * completion). What is no file passes: what `Discovery.discover` found besides, for instance. The first failure ends the stream, or comes
 * out as a `Stage.Rejected` where `failures` is `keep`.
 *
 * Holds at most `concurrency` answers that wait for their turn, and the one given out. Lowers the gate's limit to `concurrency`, which
 * is reached with the first answer.
 *
 * @since 0.1.0
 * @category combinators
 */
export const parseAll: {
  <const O extends StageOptions>(
    options: O
  ): Stage.Stage<
    SourceFile,
    ParsedDocument,
    Stage.Ending<O, ParseError> | Refusal<O>,
    Parser,
    Stage.Kept<O, ParseError>
  >
  <A, E, R, const O extends StageOptions>(
    files: Stream.Stream<A, E, R> & Stage.Fitting<A, SourceFile>,
    options: O
  ): Stream.Stream<
    ParsedDocument | Stage.Kept<O, ParseError> | Exclude<A, SourceFile>,
    E | Stage.Ending<O, ParseError> | Refusal<O>,
    R | Parser
  >
} = dual(2, <A, E, R>(files: Stream.Stream<A, E, R> & Stage.Fitting<A, SourceFile>, options: StageOptions) =>
  Stream.unwrapScoped(Effect.map(limited(options), (parser) => Stage.make(Stage.isFile, parser.parse, options)(files)))
)

const limited = ({
  chunker,
  concurrency
}: StageOptions): Effect.Effect<Parser.Service, InvalidOptions, Parser | Scope.Scope> =>
  Effect.tap(
    chunker === undefined ? Parser : serving(chunker),
    ({ gate }) => gate?.within({ concurrency }) ?? Effect.void
  )
