import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Entry } from "../../DeadLetter.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { Removed } from "../../DocumentRemoval.ts"
import type { Extraction } from "../../Extraction.ts"
import type { OptionError } from "../../OptionError.ts"
import type { Summary } from "../../Outcome.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import * as Parser from "../../Parser.ts"
import type { Progress } from "../../Pipeline.ts"
import type { Readers } from "../../Readers.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import type { SourceFile } from "../../SourceFile.ts"
import * as Tokenizer from "../../Tokenizer.ts"
import type { Added, Service, Status } from "../corpus/contract.ts"
import * as Open from "../corpus/open.ts"
import type { CitedHit, SearchOptions } from "../target/storeSearch.ts"
import * as AsyncChunkers from "./chunker.ts"
import { parser } from "./defaultLayers.ts"
import * as AsyncEmbedders from "./embedder.ts"
import * as AsyncExtractions from "./extraction.ts"
import * as AsyncLoggers from "./logger.ts"
import type {
  AsyncSource,
  CallOptions,
  ExtractCall,
  HandleIngestOptions,
  OpenOptions,
  RetryOptions,
  Target
} from "./options.ts"
import { source } from "./programs.ts"
import { aborted, iterable, promise } from "./promise.ts"
import * as AsyncReaders from "./reader.ts"
import * as AsyncSources from "./source.ts"
import * as AsyncTargets from "./target.ts"

/** A corpus whose calls are promises; see `Async.AsyncCorpus`. */
export interface Handle {
  readonly ingest: (source: AsyncSource, options?: HandleIngestOptions) => Promise<Summary>
  readonly add: (file: AsyncSources.AsyncFile, options?: CallOptions) => Promise<Added>
  readonly search: (query: string, options?: SearchOptions & CallOptions) => Promise<ReadonlyArray<CitedHit>>
  readonly remove: (source: string, options?: CallOptions) => Promise<Removed>
  readonly retry: (options?: RetryOptions) => Promise<Summary>
  readonly status: (options?: CallOptions) => Promise<Status>
  readonly failures: (options?: CallOptions) => Promise<ReadonlyArray<Entry>>
  readonly parse: (
    file: string | AsyncSources.AsyncFile,
    options?: CallOptions & { readonly parseOptions?: ParseOptions | undefined }
  ) => Promise<ParsedDocument>
  readonly extract: (
    file: string | AsyncSources.AsyncFile,
    schema: object,
    options?: ExtractCall
  ) => Promise<Extraction<unknown>>
  readonly chunks: (source: AsyncSource, options?: CallOptions) => AsyncIterable<DocumentChunk>
  readonly close: () => Promise<void>
}

/** See `Async.open`. */
export const open = async (options: OpenOptions): Promise<Handle> => {
  const logged = AsyncLoggers.logged(options.logger)
  const scope = Effect.runSync(Scope.make())
  const close = (): Promise<void> => promise(logged(Scope.close(scope, Exit.void)), undefined)
  try {
    const node = await promise(logged(Layer.buildWithScope(NodeContext.layer, scope)), undefined)
    const readers = await promise(logged(Layer.buildWithScope(AsyncReaders.layer(options.readers), scope)), undefined)
    const made = Effect.provide(Scope.extend(corpus(options), scope), Context.merge(node, readers))
    return handle(await promise(logged(made), undefined), options, readers, close)
  } catch (error) {
    await close()
    throw error
  }
}

const corpus = (options: OpenOptions) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<NodeContext.NodeContext>()
    const { concurrency, embedder, lookAhead, maxBytesInFlight, mode, outageLimit, sinkRetry, state, uploads } = options
    const services = options.layer === undefined ? null : yield* Layer.build(options.layer)
    const parsing = services ?? (yield* Layer.build(parser(options)))
    const opening = (target: Target) =>
      typeof target === "string"
        ? target
        : Effect.provide(
            Effect.flatMap(AsyncTargets.target(target), ({ open }) => open),
            context
          )
    return yield* Open.corpus<unknown>({
      to: isList(options.to) ? options.to.map(opening) : [opening(options.to)],
      embedder:
        embedder === undefined ? Effect.succeed(undefined) : AsyncEmbedders.embedder(embedder, options.dispatcher),
      asStamped: embedder !== "none",
      chunker: AsyncChunkers.given(options.chunker),
      parser: Context.get(parsing, Parser.Parser),
      tokenizer:
        services === null
          ? yield* Open.tokenizer(Tokenizer.layer(options.tokenizer ?? "o200k_base"))
          : Effect.succeed(Context.get(services, Tokenizer.Tokenizer)),
      concurrency,
      lookAhead,
      maxBytesInFlight,
      outageLimit,
      sinkRetry,
      state,
      uploads,
      mode
    })
  })

const isList = <A>(given: A | ReadonlyArray<A>): given is ReadonlyArray<A> => Array.isArray(given)

const handle = (
  corpus: Service,
  { logger }: OpenOptions,
  readers: Context.Context<Readers>,
  end: () => Promise<void>
): Handle => {
  const logged = AsyncLoggers.logged(logger)
  const run = <A, E>(effect: Effect.Effect<A, E>, { signal }: CallOptions = {}): Promise<A> =>
    promise(logged(Effect.provide(effect, readers)), signal)
  const provided = Layer.merge(AsyncLoggers.logging(logger), Layer.succeedContext(readers))
  let closing: Promise<void> | undefined
  return {
    ingest: (given, { onProgress, signal, stop, ...options } = {}) => {
      const asked = {
        ...options,
        onProgress: onProgress && ((progress: Progress) => Effect.promise(async () => onProgress(progress))),
        stop: stop && aborted(stop)
      }
      return run(corpus.ingest<unknown>(located(given), asked), { signal })
    },
    add: (file, options) => run(Effect.flatMap(AsyncSources.sourceFile("uploads", file), corpus.add), options),
    search: (query, { signal, ...options } = {}) => run(corpus.search(query, options), { signal }),
    remove: (source, options) => run(corpus.remove(source), options),
    retry: ({ empty = false, signal } = {}) => run(empty ? corpus.retryEmpty : corpus.retry, { signal }),
    status: (options) => run(corpus.status, options),
    failures: (options) => run(corpus.failures, options),
    parse: (file, { parseOptions = {}, signal } = {}) =>
      run(
        Effect.flatMap(fileOf(file), (found) => corpus.parse(found, parseOptions)),
        { signal }
      ),
    extract: (file, schema, { signal, ...options } = {}) =>
      run(
        Effect.flatMap(Effect.all([fileOf(file), AsyncExtractions.target(schema)]), ([found, target]) =>
          corpus.extract(found, target, options)
        ),
        { signal }
      ),
    chunks: (given, { signal } = {}) =>
      iterable(Stream.provideSomeLayer(corpus.chunks<unknown>(located(given)), provided), signal),
    close: () => {
      closing ??= end()
      return closing
    }
  }
}

const fileOf = (file: string | AsyncSources.AsyncFile): Effect.Effect<string | SourceFile, OptionError> =>
  typeof file === "string" ? Effect.succeed(file) : AsyncSources.sourceFile("file", file)

/** Files of the program's own as a source; everything else is read by the corpus. */
const located = (given: AsyncSource) => {
  if (typeof given === "string" || !("files" in given)) return given
  return given.files === undefined ? given : source(given, [])
}
