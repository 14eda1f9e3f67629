/**
 * The stage that turns source files into parsed documents.
 *
 * @since 0.1.0
 */
import type { AiError } from "@effect/ai/AiError"
import type { LanguageModel } from "@effect/ai/LanguageModel"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dual } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Chunker, Part } from "./Chunker.ts"
import * as Extraction from "./Extraction.ts"
import * as FileType from "./internal/base/fileType.ts"
import * as Limits from "./internal/base/limits.ts"
import { oneEffect } from "./internal/base/oneEffect.ts"
import { sha256 } from "./internal/base/sha256.ts"
import { charged, CurrentFile, type Known, stepping } from "./internal/client/currentFile.ts"
import { faultOf } from "./internal/client/fileValues.ts"
import { hold, mostHeld } from "./internal/client/heldFile.ts"
import { changedBy, type Parsed, parsedBy, type Step, typed } from "./internal/client/ownParser.ts"
import type { ParseError } from "./internal/client/parseError.ts"
import { askForPicture } from "./internal/client/pictures.ts"
import { CurrentRun, type RunState } from "./internal/client/runState.ts"
import { checkParts, optionsOf, refuseOptions, type Request, withoutFormats } from "./internal/client/serving.ts"
import { fileHash, measure } from "./internal/discovery/fileHash.ts"
import * as FigureDescriber from "./internal/figures/describe.ts"
import { read } from "./internal/reading/read.ts"
import type { TypeReader } from "./internal/reading/readBytes.ts"
import { type Terms, termsOf } from "./internal/server/terms.ts"
import * as ParseCache from "./ParseCache.ts"
import { fromData, hasFormats, type ParsedDocument, type ParsedWith, redacts } from "./ParsedDocument.ts"
import { Readers } from "./Readers.ts"
import type { RequestGate } from "./RequestGate.ts"
import { type Answer, Client } from "./service/Client.ts"
import { type InvalidOptions, merge, type ParseOptions, validate } from "./service/ParseOptions.ts"
import {
  type FileChanged,
  type FileError,
  type FileUnreadable,
  type SourceFile,
  TextUnreadable,
  UnsupportedFile
} from "./SourceFile.ts"
import * as Stage from "./Stage.ts"

export { FigureError } from "./internal/base/figureError.ts"
export { type Parsed, type Step } from "./internal/client/ownParser.ts"
export { ParseError } from "./internal/client/parseError.ts"
export { type Cost, type Terms } from "./internal/server/terms.ts"

export { type Request } from "./internal/client/serving.ts"
export {
  type Description,
  type Figure,
  type FigureDescriber,
  type ModelOptions as FigureModelOptions
} from "./internal/figures/describe.ts"

/**
 * @since 0.1.0
 * @category services
 */
export class Parser extends Context.Tag("docsluice/Parser")<Parser, Parser.Service>() {}

export declare namespace Parser {
  /**
   * A parser is used by its `parse` alone, so that `{ ...parser, parse }` wraps all of it; {@link mapDocument} does so by name.
   *
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /**
     * Parses one file with the parser's options and those of the request (`{}`: none), retries included. Holds the answer; interruption
     * frees everything.
     */
    readonly parse: (file: SourceFile, request: Request) => Effect.Effect<ParsedDocument, ParseError>
    /**
     * The terms of the answers to a request. Fails, before anything is sent, where the parser cannot answer it: for options outside the
     * bounds of the interface, for any option of a parser that takes none, and where its own options leave out a part that the chunker
     * cannot do without. None: any two such parsers are assumed to give the same answers, so that switching them does not parse again.
     */
    readonly terms: (request: Request) => Effect.Effect<Option.Option<Terms>, InvalidOptions>
    /** True for a file that `parse` reads on this machine, without a service. Absent: for no file. */
    readonly readsHere?: ((file: SourceFile) => Effect.Effect<boolean>) | undefined
    /** The gate that its requests pass; none for a parser that sends no requests. */
    readonly gate?: RequestGate.Service | undefined
    /** Names of the changes that {@link mapDocument} makes, in order; with other ones, stored documents are chunked again. */
    readonly steps?: ReadonlyArray<string> | undefined
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
  const own = yield* validate(options)
  const answers = remembered((request) =>
    Either.map(optionsOf(own, request), (asked) => answering({ client, cache, since }, asked))
  )
  return Parser.of({ ...readingTexts(answers), gate: client.gate })
})

/** The answers to one request, and their terms. */
interface Answers {
  readonly options: ParseOptions
  readonly terms: Terms
  /** Asks for a file that is not read on this machine. */
  readonly ask: (file: SourceFile) => Effect.Effect<ParsedDocument, ParseError>
}

type Answering = (request: Request) => Either.Either<Answers, InvalidOptions>

/** Keeps the result for the last request: a run asks the same of every file. */
const remembered = (answering: Answering): Answering => {
  let last: { readonly of: Request; readonly answers: ReturnType<Answering> } | null = null
  return ({ chunker, options }) => {
    if (last === null || last.of.chunker !== chunker || last.of.options !== options) {
      last = { of: { chunker, options }, answers: answering({ chunker, options }) }
    }
    return last.answers
  }
}

/** Reads the types of `Readers` itself; the others are asked for. */
const readingTexts = (answering: Answering): Parser.Service => {
  const byOf = (file: SourceFile) => Effect.map(Readers, ({ whoReads }) => whoReads(FileType.extensionOf(file.path)))
  return {
    terms: (request) => Either.map(answering(request), ({ terms }) => Option.some(terms)),
    readsHere: (file) => Effect.map(byOf(file), (by) => by?._tag === "Here"),
    parse: (file, request) =>
      Effect.suspend(() => {
        const fault = faultOf(file)
        if (fault !== null) return fault
        return Effect.flatMap(answering(request), ({ ask, options }) =>
          Effect.flatMap(byOf(file), (by) => {
            if (by?._tag === "Here") return readHere(file, by.reader, options)
            return by?._tag === "Picture" ? askForPicture(file, ask) : ask(file)
          })
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

const unsupported: Answers["ask"] = ({ path }) => new UnsupportedFile({ path, extension: FileType.extensionOf(path) })

/**
 * A parser of the types of `Readers` alone, which needs no service. Every other type fails with `UnsupportedFile`. Of the options only
 * `redactPII` has an effect, as with {@link make}; the other formats that they name are empty.
 *
 * @since 0.1.0
 * @category constructors
 */
export const texts = (options: ParseOptions = {}): Parser.Service =>
  readingTexts(
    remembered(({ chunker, options: over }) =>
      Either.map(
        Either.flatMap(checkParts(chunker, []), () =>
          over === undefined ? Either.right(options) : validate(merge(options, over))
        ),
        (asked): Answers => ({ options: asked, terms: termsOf({ identity: "local" }, asked), ask: unsupported })
      )
    )
  )

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

const answering = ({ cache, client, since: start }: Origin, options: ParseOptions): Answers => {
  const terms = termsOf(client, options)
  const retain = terms.retain

  const asked = (
    file: SourceFile,
    known: Known,
    keep?: ParseCache.Keep
  ): Effect.Effect<Answer, ParseCache.ParseFailure> =>
    charged(known, client.parse(file, options, keep), ({ data }) => data.metadata)

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
    file.size <= mostHeld ||
    file.estimated === true ||
    known.contentHash !== undefined ||
    cache.parseUnseen === undefined
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
    options,
    terms,
    ask: (file) =>
      Effect.contextWithEffect((context: Context.Context<never>) => {
        const used = Option.orElse(cache, () => Context.getOption(context, ParseCache.ParseCache))
        const known = Context.get(context, CurrentFile)
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
    : Effect.map(measure(file), ({ hash, size }) => ({
        file: file.estimated === true ? { ...file, size, estimated: undefined } : file,
        contentHash: hash
      }))
}

/**
 * @since 0.1.0
 * @category models
 */
export interface FunctionOptions {
  /** Parts next to the Markdown in answers for PDFs; a chunker that requires another part is refused. Default none. */
  readonly answers?: ReadonlyArray<Part> | undefined
  /** As in `Terms`; default: the pages of a PDF, one of any other file, and no credits. */
  readonly worstCase?: Terms["worstCase"] | undefined
}

/**
 * A parser of your own. It gets every file, those of the types of `Readers` too; `texts` reads them. It gives Markdown, or a
 * {@link Parsed}, and may use services: those of the context in which the parser is made.
 *
 * `bytes` are those of the file; without them the file is read once more, for its hash. An error of your own becomes
 * `Foreign`, with its tag and message; one of `ParseError` stays as it is, so that a run stops as for ours. A throw and a defect fail that
 * document in a run, and end a stream of `parseAll`. Another `name` is another parser: a run with a state parses its documents again.
 *
 * ```ts
 * import { Parser } from "docsluice"
 * import { Effect } from "effect"
 *
 * const parser = Parser.fromFunction("subtitles 1", (_file, bytes) =>
 *   Effect.map(bytes, (all) => new TextDecoder().decode(all).replace(/^\d+\n.*-->.*\n/gm, ""))
 * )
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromFunction = <E extends { readonly message: string }, R>(
  name: string,
  parse: (
    file: SourceFile,
    bytes: Effect.Effect<Uint8Array, FileUnreadable | FileChanged>
  ) => Effect.Effect<string | Parsed, E, R>,
  { answers = [], worstCase = ofPages }: FunctionOptions = {}
): Effect.Effect<Parser.Service, never, R> =>
  Effect.map(Effect.context<R>(), (context) => {
    const terms: Terms = { identity: name, optionsHash: sha256(name), retain: false, worstCase }
    const checked = ({ chunker, options = {} }: Request) =>
      Either.flatMap(checkParts(chunker, answers), () => refuseOptions(options))
    return Parser.of({
      terms: (request) => Either.map(checked(request), () => Option.some(terms)),
      parse: (file, request) =>
        Effect.flatMap(
          checked(request),
          () =>
            faultOf(file) ??
            parsedBy(file, fileHash(file), (bytes) =>
              Effect.provide(
                typed(name, () => parse(file, bytes)),
                context
              )
            )
        )
    })
  })

const ofPages: Terms["worstCase"] = (file, pages) => ({
  pages: FileType.extensionOf(file.path) === "pdf" ? (pages ?? Limits.maxPages.max) : 1,
  credits: 0
})

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
 * As {@link fromFunction}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFunction = <E extends { readonly message: string }, R>(
  ...parser: Parameters<typeof fromFunction<E, R>>
): Layer.Layer<Parser, never, R> => Layer.effect(Parser, fromFunction<E, R>(...parser))

/**
 * Changes every document of a parser, before it is chunked: in a run with a state and without, in a plan, and as a stage. Answers are
 * cached as the service gave them, so that another `f` costs no request.
 *
 * A document has its text more than once: in `markdown`, in `pages` and `blocks`, in headings of `structure`, in `metadata`, and in the
 * members of formats that were asked for; a text that is changed in one of them stays in the others. `Chunker.mapChunks` changes the text
 * that is stored. Where `f` changes `markdown` and leaves the `structure` of a text, whose offsets no longer fit, the structure is left out.
 * An error of `f` becomes `Foreign`, with its tag and message, and fails the document.
 *
 * ```ts
 * import { Parser } from "docsluice"
 * import { Effect } from "effect"
 *
 * const titled = Parser.mapDocument({
 *   name: "titled by path 1",
 *   f: (document) => Effect.succeed({ ...document, metadata: { ...document.metadata, title: document.source } })
 * })
 * ```
 *
 * @since 0.1.0
 * @category combinators
 */
export const mapDocument: {
  <E extends { readonly message: string }>(step: Step<E>): (self: Parser.Service) => Parser.Service
  <E extends { readonly message: string }>(self: Parser.Service, step: Step<E>): Parser.Service
} = dual(2, <E extends { readonly message: string }>(self: Parser.Service, step: Step<E>): Parser.Service => ({
  ...self,
  steps: [...(self.steps ?? []), step.name],
  parse: (file, request) => Effect.flatMap(self.parse(file, request), stepping(changedBy(step)))
}))

/**
 * Writes a description of each figure of a PDF into its document, before it is chunked: as an image by its description, in the place of the
 * figure, so that the chunk there has the figure's box and page. Needs blocks, and reads the file again where there are figures.
 *
 * A picture, by the hash of its bytes, is described once for each `name`: descriptions are kept in the `ParseCache` of the context in which
 * it parses. One that fails leaves its figure without, is in `undescribed` and `warnings` of the document, and is asked for again by the next
 * run. In a run each description is charged to the budget and counted in the summary, and the first that does not fit stops the run. Pictures
 * are sent as they are, whatever the parse options redact. A plan describes nothing: a document with a picture that is not described yet
 * counts there as one to be parsed.
 *
 * ```ts
 * import { Parser } from "docsluice"
 * import { Effect } from "effect"
 *
 * const described = Effect.gen(function* () {
 *   const describer = yield* Parser.figureModel({ model: "gpt-5-mini" })
 *   return yield* Parser.describeFigures(yield* Parser.Parser, describer)
 * })
 * ```
 *
 * @since 0.1.0
 * @category combinators
 */
export const describeFigures: {
  <E>(describer: FigureDescriber.FigureDescriber<E>): (self: Parser.Service) => Describing
  <E>(self: Parser.Service, describer: FigureDescriber.FigureDescriber<E>): Describing
} = dual(2, <E>(self: Parser.Service, describer: FigureDescriber.FigureDescriber<E>): Describing =>
  Effect.map(FigureDescriber.make(describer), ({ described, name }) => ({
    ...self,
    steps: [...(self.steps ?? []), name],
    parse: (file, request) => Effect.flatMap(self.parse(file, request), stepping(described(file)))
  }))
)

type Describing = Effect.Effect<Parser.Service, never, Scope.Scope>

/**
 * A describer that asks the language model of the context, any of `@effect/ai` that takes pictures.
 *
 * @since 0.1.0
 * @category constructors
 */
export const figureModel: (
  options: FigureDescriber.ModelOptions
) => Effect.Effect<FigureDescriber.FigureDescriber<AiError>, never, LanguageModel> = FigureDescriber.ofModel

/**
 * The parser of the context for a chunker: it asks for the parts of the answer that the chunker works on. Fails, before anything is sent,
 * when the parser's options leave out a part that the chunker cannot do without. `Pipeline` and `Plan` do this by themselves.
 *
 * @since 0.1.0
 * @category combinators
 */
export const serving = (
  chunker: Pick<Chunker, "name" | "needs">
): Effect.Effect<Parser.Service, InvalidOptions, Parser> =>
  Effect.flatMap(Parser, (parser) => {
    const asked = (request: Request): Request => ({ ...request, chunker: request.chunker ?? chunker })
    const served: Parser.Service = {
      ...parser,
      parse: (file, request) => parser.parse(file, asked(request)),
      terms: (request) => parser.terms(asked(request))
    }
    return Effect.as(served.terms({}), served)
  })

/**
 * Parses one file.
 *
 * @since 0.1.0
 * @category combinators
 */
export const parse = (file: SourceFile): Effect.Effect<ParsedDocument, ParseError, Parser> =>
  Effect.flatMap(Parser, (parser) => parser.parse(file, {}))

/**
 * Parses one file with options that override those of the parser; the result's type has the members of the formats asked for. Fails with
 * `InvalidOptions` where the parser leaves one of them out.
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
export const parseWith: {
  <const O extends ParseOptions>(options: O): (file: SourceFile) => Asked<ParsedWith<O>>
  <const O extends ParseOptions>(file: SourceFile, options: O): Asked<ParsedWith<O>>
} = dual(2, <const O extends ParseOptions>(file: SourceFile, options: O): Asked<ParsedWith<O>> =>
  Effect.flatMap(Parser, (parser) =>
    Effect.filterOrFail(
      parser.parse(file, { options }),
      (document): document is ParsedDocument & ParsedWith<O> => hasFormats(document, options),
      () => withoutFormats(options)
    )
  )
)

type Asked<A, E = never> = Effect.Effect<A, ParseError | E, Parser>

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
export const extract: {
  <A, I>(schema: Shape<A, I>, options?: Extraction.Options): (file: SourceFile) => Extracting<A>
  <A, I>(file: SourceFile, schema: Shape<A, I>, options?: Extraction.Options): Extracting<A>
} = dual(
  ([first]) => Predicate.isTagged(first, "SourceFile"),
  <A, I>(file: SourceFile, schema: Shape<A, I>, options: Extraction.Options = {}): Extracting<A> =>
    Effect.gen(function* () {
      const target = "jsonSchema" in schema ? schema : yield* Extraction.fromSchema(schema)
      const document = yield* parseWith(file, Extraction.parseOptionsOf(target, options))
      return yield* Extraction.decode(document, target)
    })
)

type Shape<A, I> = Schema.Schema<A, I> | Extraction.Target<A>
type Extracting<A> = Asked<Extraction.Extraction<A>, Extraction.ExtractionError>

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
 * Holds as many documents as `Stage.Options` says. Lowers the gate's limit to `concurrency`, which
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
  Stream.unwrapScoped(
    Effect.map(limited(options), (parser) => Stage.make(Stage.isFile, (file) => parser.parse(file, {}), options)(files))
  )
)

const limited = ({
  chunker,
  concurrency
}: StageOptions): Effect.Effect<Parser.Service, InvalidOptions, Parser | Scope.Scope> =>
  Effect.tap(
    chunker === undefined ? Parser : serving(chunker),
    ({ gate }) => gate?.within({ concurrency }) ?? Effect.void
  )
