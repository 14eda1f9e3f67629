import * as NodeContext from "@effect/platform-node/NodeContext"
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
import type { Progress } from "../../Pipeline.ts"
import { Readers } from "../../Readers.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import type { SourceFile } from "../../SourceFile.ts"
import type { Added, Service, Status } from "../corpus/contract.ts"
import * as Members from "../corpus/members.ts"
import * as Open from "../corpus/open.ts"
import type { CitedHit, SearchOptions } from "../target/storeSearch.ts"
import * as AsyncExtractions from "./extraction.ts"
import * as AsyncLoggers from "./logger.ts"
import * as AsyncMeans from "./means.ts"
import * as AsyncMembers from "./members.ts"
import type {
  AsyncSource,
  CallOptions,
  ExtractCall,
  HandleIngestOptions,
  OpenOptions,
  RetryOptions
} from "./options.ts"
import { source } from "./programs.ts"
import { aborted, iterable, promise } from "./promise.ts"
import * as AsyncSources from "./source.ts"

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
    const opening = Effect.gen(function* () {
      yield* Members.check(options, AsyncMembers.open)
      const given = yield* AsyncMeans.given(options)
      const corpus = yield* Open.corpus({ ...given, uploads: options.uploads })
      return handle(corpus, options, given.readers, close)
    })
    return await promise(logged(Effect.provide(Scope.extend(opening, scope), node)), undefined)
  } catch (error) {
    await close()
    throw error
  }
}

const handle = (
  corpus: Service,
  { logger }: OpenOptions,
  readers: Readers.Service,
  end: () => Promise<void>
): Handle => {
  const logged = AsyncLoggers.logged(logger)
  const run = <A, E>(effect: Effect.Effect<A, E>, { signal }: CallOptions = {}): Promise<A> =>
    promise(logged(Effect.provideService(effect, Readers, readers)), signal)
  const provided = Layer.merge(AsyncLoggers.logging(logger), Layer.succeed(Readers, readers))
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
  return given.files === undefined ? given : source(given)
}
