import * as NodeContext from "@effect/platform-node/NodeContext"
/**
 * The package for programs without Effect: promises, async iterables and plain objects.
 *
 * Promises reject with the tagged error itself: compare its `_tag`. An aborted `signal` ends everything at once and rejects
 * with its reason.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as AutoChunker from "./AutoChunker.ts"
import type { Chunker } from "./Chunker.ts"
import { ChunkSink } from "./ChunkSink.ts"
import * as DeadLetter from "./DeadLetter.ts"
import * as Discovery from "./Discovery.ts"
import type { DocumentChunk } from "./DocumentChunk.ts"
import { type Embedder, none } from "./Embedder.ts"
import * as AsyncChunkers from "./internal/async/chunker.ts"
import { defaultLayers } from "./internal/async/defaultLayers.ts"
import * as AsyncEmbedders from "./internal/async/embedder.ts"
import { aborted, iterable, promise } from "./internal/async/promise.ts"
import * as AsyncSinks from "./internal/async/sink.ts"
import * as AsyncSources from "./internal/async/source.ts"
import type { Summary } from "./Outcome.ts"
import type { ParsedDocument } from "./ParsedDocument.ts"
import { type Parser, serving } from "./Parser.ts"
import * as Pipeline from "./Pipeline.ts"
import type { ParseOptions } from "./service/ParseOptions.ts"
import * as Source from "./Source.ts"
import type { SourceFile } from "./SourceFile.ts"
import * as State from "./State.ts"
import type { Tokenizer } from "./Tokenizer.ts"

/**
 * A file of your own: a name, and its bytes or a function that reads them.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncFile = AsyncSources.AsyncFile

/**
 * A splitting strategy of your own: spans of the Markdown, in ascending order.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncChunker = AsyncChunkers.AsyncChunker

/**
 * A span of a document's Markdown.
 *
 * @since 0.1.0
 * @category models
 */
export type Piece = AsyncChunkers.Piece

/**
 * A target of your own.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncSink = AsyncSinks.AsyncSink

/**
 * Source of vectors: `"hash"` (offline and lexical, no model), a function of your own (`{ model, embed }`), a server that speaks
 * OpenAI's protocol (`{ model, baseUrl, apiKey }`), or an embedder of this package as a layer.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncEmbedder = AsyncEmbedders.AsyncEmbedder

/**
 * A sink of this package (`Jsonl.layer({ file })`), a service, or an object with promises.
 *
 * @since 0.1.0
 * @category models
 */
export type Target = AsyncSink | ChunkSink.Service | Layer.Layer<ChunkSink, unknown, FileSystem.FileSystem | Path.Path>

/**
 * The parser and the tokenizer.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServiceOptions {
  /** `embedded` (default), or the service's base address. */
  readonly service?: string | undefined
  /** Needed unless the service is embedded or on a loopback address. */
  readonly apiKey?: string | undefined
  readonly parseOptions?: ParseOptions | undefined
  /** Default `o200k_base`. */
  readonly tokenizer?: "o200k_base" | "cl100k_base" | "chars" | undefined
  /** A parser and a tokenizer of your own, in place of all the above. */
  readonly layer?: Layer.Layer<Parser | Tokenizer, unknown> | undefined
  /** Ends everything at once. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The files to parse: those below a root, or files of your own.
 *
 * @since 0.1.0
 * @category models
 */
export type SourceOptions =
  | (Discovery.Options & { readonly files?: undefined })
  | {
      readonly files: AsyncIterable<AsyncFile> | Iterable<AsyncFile>
      /** First part of every document id. */
      readonly name: string
      /** True when these are only some of the files of this name: one that is not among them is not gone. Default false. */
      readonly partial?: boolean | undefined
      readonly root?: undefined
    }

/**
 * A folder for the memory of runs, and the use that a run makes of it, see `Pipeline.StateOptions`.
 *
 * @since 0.1.0
 * @category models
 */
export interface AsyncState extends Omit<Pipeline.StateOptions, "request"> {
  /** The folder, as `--state` of the command line. */
  readonly directory: string
}

/**
 * @since 0.1.0
 * @category models
 */
export type IngestOptions = ServiceOptions &
  SourceOptions &
  Pick<
    Pipeline.RunOptions,
    "concurrency" | "outageLimit" | "maxBytesInFlight" | "onFailure" | "lookAhead" | "sinkRetry"
  > & {
    /** Default: `AutoChunker` with its defaults. */
    readonly chunker?: Chunker | AsyncChunker | undefined
    /** Two of one target, or one inside another's folder, reject before any work. */
    readonly sinks: ReadonlyArray<Target>
    /** Report and store in the order of the source rather than of completion; default false. */
    readonly ordered?: boolean | undefined
    /** Adds a vector to every chunk before it is stored; default: none. */
    readonly embedder?: AsyncEmbedder | undefined
    /**
     * Folder of the ledger, the paid answers and vectors, and the dead letters, the same as `--state` of the command line. The next
     * run with it does only the work that is left. One run at a time. Default: nothing is remembered.
     */
    readonly state?: string | AsyncState | undefined
    /** File for the dead letters; default: in the `state`, and without one none are kept beyond the summary. */
    readonly deadLetters?: string | undefined
    /** Called after every file; the run waits for it. */
    readonly onProgress?: ((progress: Pipeline.Progress) => void | Promise<void>) | undefined
    /** Stops the run when aborted: no new file is started, those in flight are stored, and the summary's status is 130. */
    readonly stop?: AbortSignal | undefined
  }

/**
 * Discovers, parses, splits and stores. One failed document rejects nothing: see `failures` of the summary, and `stopped` for
 * the cause of a run that ended early. Rejects for a wrong root or argument, an unfit target, or the failure of `files`.
 *
 * @since 0.1.0
 * @category running
 */
export const ingest = (options: IngestOptions): Promise<Summary> => {
  const { concurrency, deadLetters, embedder, lookAhead, maxBytesInFlight } = options
  const { onFailure, onProgress, ordered, outageLimit, sinkRetry, stop } = options
  const common = Effect.gen(function* () {
    return {
      chunker: chunkerOf(options.chunker),
      sinks: yield* Effect.forEach(options.sinks, target),
      embedder: embedder === undefined ? undefined : yield* AsyncEmbedders.embedder(embedder),
      concurrency,
      lookAhead,
      maxBytesInFlight,
      onFailure,
      ordered,
      outageLimit,
      sinkRetry,
      onProgress: onProgress && ((progress: Pipeline.Progress) => Effect.promise(async () => onProgress(progress))),
      stop: stop && aborted(stop)
    }
  })
  const { directory, ...state } =
    typeof options.state === "string" ? { directory: options.state } : (options.state ?? {})
  const letters = deadLetters === undefined ? undefined : DeadLetter.layer(deadLetters)
  const found = source(options, directory)
  const run =
    directory === undefined
      ? Effect.flatMap(common, (rest) => Pipeline.run({ ...rest, source: found })).pipe(
          Effect.provide(layers(options)),
          Effect.provide(letters ?? DeadLetter.layerMemory)
        )
      : Effect.flatMap(common, (rest) => Pipeline.run({ ...rest, source: found, state })).pipe(
          Effect.provide(layers(options)),
          Effect.provide(Layer.merge(State.layer(directory), letters ?? Layer.empty))
        )
  return promise(run.pipe(Effect.scoped, Effect.provide(NodeContext.layer)), options.signal)
}

/**
 * Parses one file: a path of this machine, or a file of your own. With pages and blocks, unless the parse options say otherwise.
 *
 * @since 0.1.0
 * @category running
 */
export const parse = (file: string | AsyncFile, options: ServiceOptions = {}): Promise<ParsedDocument> => {
  const found = typeof file === "string" ? Discovery.file(file) : Effect.succeed(AsyncSources.sourceFile("file", file))
  const parsed = Effect.gen(function* () {
    const parser = yield* serving(AutoChunker.make())
    return yield* parser.parse(yield* found)
  })
  return promise(Effect.provide(parsed, layers(options)), options.signal)
}

/**
 * The files below a root, and what cannot be parsed there; see `Discovery.discover`.
 *
 * @since 0.1.0
 * @category running
 */
export const discover = (
  options: Discovery.Options & { readonly signal?: AbortSignal | undefined }
): AsyncIterable<Discovery.Found> => iterable(Discovery.discover(options), options.signal)

/**
 * @since 0.1.0
 * @category models
 */
export type ChunksOptions = ServiceOptions &
  SourceOptions & {
    /** Default: `AutoChunker` with its defaults. */
    readonly chunker?: Chunker | AsyncChunker | undefined
    /** Adds a vector to every chunk; default: none. */
    readonly embedder?: AsyncEmbedder | undefined
    /** Documents that are parsed at a time, and requests in flight at most; default 8. */
    readonly concurrency?: number | undefined
    /** Called for each document that fails; without it the iterable fails with the document's error. */
    readonly onFailure?: ((source: string, error: unknown) => void) | undefined
  }

/**
 * The chunks of all documents, for programs that store them themselves: a document's chunks together and in order, documents in
 * the order of the source. Holds the chunks of a few documents beyond those consumed.
 *
 * @since 0.1.0
 * @category running
 */
export const chunks = (options: ChunksOptions): AsyncIterable<DocumentChunk> => {
  const { onFailure } = options
  const chunker = chunkerOf(options.chunker)
  const split = (
    parser: Parser.Service,
    embedder: Embedder.Service,
    file: SourceFile
  ): Effect.Effect<ReadonlyArray<DocumentChunk>, unknown, Tokenizer> =>
    parser.parse(file).pipe(
      Effect.flatMap(chunker.chunk),
      Effect.flatMap((chunked) => embedder.embed(chunked.chunks))
    )
  const failed = (path: string, error: unknown): Effect.Effect<ReadonlyArray<DocumentChunk>, unknown> =>
    onFailure === undefined
      ? Effect.fail(error)
      : Effect.sync(() => {
          onFailure(path, error)
          return []
        })
  const through = (parser: Parser.Service, embedder: Embedder.Service) =>
    source(options, undefined).files.pipe(
      Stream.filter((found) => found._tag !== "Unsupported"),
      Stream.mapEffect(
        (found) =>
          found._tag === "Unusable"
            ? failed(found.path, found.error)
            : Effect.catchAll(split(parser, embedder, found), (error) => failed(found.path, error)),
        { concurrency: options.concurrency ?? 8 }
      ),
      Stream.flatMap((document) => Stream.fromIterable(document))
    )
  const limited = Effect.tap(
    serving(chunker),
    ({ gate }) => gate?.within({ concurrency: options.concurrency }) ?? Effect.void
  )
  const made = options.embedder === undefined ? Effect.succeed(none) : AsyncEmbedders.embedder(options.embedder)
  const all = Stream.unwrapScoped(Effect.zipWith(limited, made, through))
  return iterable(Stream.provideLayer(all, layers(options)), options.signal)
}

const layers = (options: ServiceOptions): Layer.Layer<Parser | Tokenizer, unknown> =>
  options.layer ??
  defaultLayers({
    service: options.service ?? "embedded",
    apiKey: options.apiKey,
    parseOptions: options.parseOptions ?? {},
    tokenizer: options.tokenizer ?? "o200k_base"
  })

const source = (options: SourceOptions, state: string | undefined): Source.Source<unknown> => {
  if (options.files === undefined) {
    const { exclude = [] } = options
    return Discovery.folder(state === undefined ? options : { ...options, exclude: [...exclude, state] })
  }
  const { files, name, partial } = options
  const given =
    Symbol.asyncIterator in files
      ? AsyncSources.iterated(
          () => files,
          (cause) => cause
        )
      : Stream.fromIterable(files)
  const all = Source.make({ name, files: Stream.map(given, (file) => AsyncSources.sourceFile(name, file)) })
  return partial === true ? Source.part(all, identity) : all
}

const chunkerOf = (chunker: Chunker | AsyncChunker = AutoChunker.make()): Chunker =>
  "split" in chunker ? AsyncChunkers.chunker(chunker) : chunker

const target = (
  given: Target
): Effect.Effect<ChunkSink.Service, unknown, FileSystem.FileSystem | Path.Path | Scope.Scope> => {
  if (!("id" in given)) return Effect.map(Layer.build(given), (context) => Context.get(context, ChunkSink))
  return Effect.succeed("capabilities" in given ? given : AsyncSinks.sink(given))
}
