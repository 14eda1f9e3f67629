/** The programs of the promise interface. `Async` loads them with its first call. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as AutoChunker from "../../AutoChunker.ts"
import type { Chunker } from "../../Chunker.ts"
import * as Discovery from "../../Discovery.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { type Embedder, none } from "../../Embedder.ts"
import type { Extraction } from "../../Extraction.ts"
import type { Summary } from "../../Outcome.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import * as Parser from "../../Parser.ts"
import type * as Pipeline from "../../Pipeline.ts"
import type { Readers } from "../../Readers.ts"
import { merge } from "../../service/ParseOptions.ts"
import * as Source from "../../Source.ts"
import type { FileError, SourceFile } from "../../SourceFile.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import type { OptionError } from "../base/optionError.ts"
import * as Located from "../corpus/located.ts"
import * as Means from "../corpus/means.ts"
import * as Members from "../corpus/members.ts"
import * as Once from "../corpus/once.ts"
import * as Http from "../target/http.ts"
import * as SourceTarget from "../target/sourceTarget.ts"
import * as AsyncChunkers from "./chunker.ts"
import { defaultLayers } from "./defaultLayers.ts"
import * as AsyncEmbedders from "./embedder.ts"
import * as AsyncExtractions from "./extraction.ts"
import * as AsyncLoggers from "./logger.ts"
import * as AsyncMeans from "./means.ts"
import * as AsyncMembers from "./members.ts"
import type {
  AsyncState,
  ChunksOptions,
  ExtractOptions,
  IngestOptions,
  RootOptions,
  ServiceOptions,
  SourceOptions
} from "./options.ts"
import { aborted, iterable, promise } from "./promise.ts"
import * as AsyncReaders from "./reader.ts"
import * as AsyncSources from "./source.ts"

/** See `Async.ingest`. */
export const ingest = (options: IngestOptions): Promise<Summary> => {
  const { deadLetters, onFailure, onProgress, ordered, stop } = options
  const { directory, ...state }: Partial<AsyncState> =
    typeof options.state === "string" ? { directory: options.state } : (options.state ?? {})
  const run = Effect.gen(function* () {
    yield* AsyncMembers.check(options, AsyncMembers.ingest)
    yield* Members.checkValue(AsyncMembers.ingest.sinks, options.sinks, "sinks")
    const { mode } = state
    const given = yield* AsyncMeans.given({ ...options, to: options.sinks, state: directory, mode, onFailure })
    const means = yield* Means.make(given)
    const files = options.files === undefined ? Located.make(options, means.outputs) : Located.own(source(options))
    return yield* Once.ingest<unknown, unknown>(means, files, {
      ...state,
      deadLetters,
      ordered,
      onProgress: onProgress && ((progress: Pipeline.Progress) => Effect.promise(async () => onProgress(progress))),
      stop: stop && aborted(stop)
    })
  })
  const alone = run.pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  return promise(AsyncLoggers.logged(options.logger)(alone), options.signal)
}

/** See `Async.parse`. */
export const parse = (file: string | AsyncSources.AsyncFile, options: ServiceOptions): Promise<ParsedDocument> => {
  const parsed = Effect.flatMap(single(file), (found) => Parser.parseWith(found, options.parseOptions ?? {}))
  const checked = Effect.zipRight(Members.check(options, AsyncMembers.parse), provideLayout(parsed, options))
  return promise(AsyncLoggers.logged(options.logger)(checked), options.signal)
}

/** See `Async.extract`. */
export const extract = (
  file: string | AsyncSources.AsyncFile,
  schema: object,
  options: ExtractOptions
): Promise<Extraction<unknown>> => {
  const extracted = Effect.gen(function* () {
    const target = yield* AsyncExtractions.target(schema)
    return yield* Parser.extract(yield* single(file), target, options)
  })
  const checked = Effect.zipRight(Members.check(options, AsyncMembers.extract), provideLayout(extracted, options))
  return promise(AsyncLoggers.logged(options.logger)(checked), options.signal)
}

/** Provides what the files of an address need until the stream ends. */
const reached = <A, E, R>(files: Stream.Stream<A, E, R>) =>
  Stream.unwrapScoped(
    Effect.map(Effect.all([Layer.build(Http.layer), Effect.scope]), ([client, scope]) =>
      Stream.provideSomeContext(files, Context.add(client, Scope.Scope, scope))
    )
  )

const single = (file: string | AsyncSources.AsyncFile): Effect.Effect<SourceFile, FileError | OptionError> =>
  typeof file === "string" ? Discovery.file(file) : AsyncSources.sourceFile("file", file)

/** Runs with the layers of {@link layers}; their parser asks for pages and blocks, under the parse options given. */
const provideLayout = <A, E>(
  effect: Effect.Effect<A, E, Parser.Parser>,
  options: ServiceOptions
): Effect.Effect<A, unknown> => {
  const chunker = AutoChunker.make()
  if (options.layer !== undefined) {
    const served = Effect.provideServiceEffect(effect, Parser.Parser, Parser.serving(chunker))
    return Effect.provide(served, layers(options))
  }
  const parseOptions = merge(chunker.needs?.asks ?? {}, options.parseOptions ?? {})
  return Effect.provide(effect, layers({ ...options, parseOptions }))
}

/** See `Async.discover`. */
export const discover = (
  options: RootOptions & Pick<ServiceOptions, "logger" | "readers" | "signal">
): AsyncIterable<Discovery.Found> => {
  const provided = Layer.merge(AsyncReaders.layer(options.readers), AsyncLoggers.logging(options.logger))
  const files = Effect.map(AsyncMembers.check(options, AsyncMembers.discover), () => source(options).files)
  return iterable(Stream.provideSomeLayer(reached(Stream.unwrap(files)), provided), options.signal)
}

/** See `Async.chunks`. */
export const chunks = (options: ChunksOptions): AsyncIterable<DocumentChunk> => {
  const { onFailure } = options
  const split = (
    chunker: Chunker,
    parser: Parser.Parser.Service,
    embedder: Embedder.Service,
    file: SourceFile
  ): Effect.Effect<ReadonlyArray<DocumentChunk>, unknown, Tokenizer> =>
    parser.parse(file, {}).pipe(
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
  const through = (chunker: Chunker, parser: Parser.Parser.Service, embedder: Embedder.Service) =>
    source(options).files.pipe(
      Stream.filter((found) => found._tag !== "Unsupported"),
      Stream.mapEffect(
        (found) =>
          found._tag === "Unusable"
            ? failed(found.path, found.error)
            : Effect.catchAll(split(chunker, parser, embedder, found), (error) => failed(found.path, error)),
        { concurrency: options.concurrency ?? 8 }
      ),
      Stream.flatMap((document) => Stream.fromIterable(document))
    )
  const all = Effect.gen(function* () {
    yield* AsyncMembers.check(options, AsyncMembers.chunks)
    const chunker = yield* Means.chunker(AsyncChunkers.given(options.chunker))
    const parser = yield* Parser.serving(chunker)
    yield* parser.gate?.within({ concurrency: options.concurrency }) ?? Effect.void
    const made =
      options.embedder === undefined ? none : yield* AsyncEmbedders.embedder(options.embedder, options.dispatcher)
    return through(chunker, parser, made ?? none)
  })
  const provided = Stream.provideLayer(
    reached(Stream.unwrapScoped(all)),
    Layer.merge(layers(options), NodeContext.layer)
  )
  return iterable(Stream.provideSomeLayer(provided, AsyncLoggers.logging(options.logger)), options.signal)
}

export const layers = (options: ServiceOptions): Layer.Layer<Parser.Parser | Tokenizer | Readers, unknown> =>
  Layer.merge(options.layer ?? defaultLayers(options), AsyncReaders.layer(options.readers))

/** The files of the options. */
export const source = (options: SourceOptions): Source.Source<unknown, SourceTarget.Requirements> => {
  if (options.files === undefined) return SourceTarget.open(options)
  const { files, name, partial } = options
  const given =
    Symbol.asyncIterator in files
      ? AsyncSources.iterated(
          () => files,
          (cause) => cause
        )
      : Stream.fromIterable(files)
  // Together as they came: a state on a server is asked once for each part.
  const made = Stream.mapChunksEffect(given, (part) =>
    Effect.map(
      Effect.forEach(part, (file) => AsyncSources.sourceFile(name, file)),
      Chunk.unsafeFromArray
    )
  )
  const all = Source.make({ name, files: made })
  return partial === true ? Source.part(all, identity) : all
}
