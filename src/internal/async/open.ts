import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Entry } from "../../DeadLetter.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { Extraction } from "../../Extraction.ts"
import type { Summary } from "../../Outcome.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import type { Progress } from "../../Pipeline.ts"
import { Readers } from "../../Readers.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import type { SourceFile } from "../../SourceFile.ts"
import * as Verification from "../../Verification.ts"
import type { OptionError } from "../base/optionError.ts"
import * as Rules from "../base/rules.ts"
import type { Added, ChangeOptions, CorpusSource, FigureOptions, Service, Status } from "../corpus/contract.ts"
import type { StoreGeneration } from "../corpus/generations.ts"
import * as Members from "../corpus/members.ts"
import * as Open from "../corpus/open.ts"
import type { FigurePicture } from "../look/figure.ts"
import type { Removed } from "../run/removal.ts"
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
import type { AsyncTool, ToolOptions } from "./tools.ts"

type FigureCall = [
  of: Parameters<Service["figure"]>[0],
  box: Parameters<Service["figure"]>[1],
  options?: FigureOptions & CallOptions
]

/** A corpus whose calls are promises; see `Async.AsyncCorpus`. */
export interface Handle {
  readonly ingest: (source: AsyncSource, options?: HandleIngestOptions) => Promise<Summary>
  readonly add: (file: AsyncSources.AsyncFile, options?: CallOptions) => Promise<Added>
  readonly search: (query: string, options?: SearchOptions & CallOptions) => Promise<ReadonlyArray<CitedHit>>
  readonly verify: (quote: string, options?: Verification.Options & CallOptions) => Promise<Verification.Verdict>
  readonly verifySentences: (
    text: string,
    options?: Verification.Options & CallOptions
  ) => Promise<ReadonlyArray<Verification.Verdict>>
  readonly remove: (source: string, options?: CallOptions) => Promise<Removed>
  readonly retry: (options?: RetryOptions) => Promise<Summary>
  readonly status: (options?: CallOptions) => Promise<Status>
  readonly generations: (options?: CallOptions) => Promise<ReadonlyArray<StoreGeneration>>
  readonly switch: (options?: ChangeOptions & CallOptions) => Promise<ReadonlyArray<StoreGeneration>>
  readonly rollback: (options?: ChangeOptions & CallOptions) => Promise<ReadonlyArray<StoreGeneration>>
  readonly drop: (options?: ChangeOptions & CallOptions) => Promise<ReadonlyArray<StoreGeneration>>
  readonly failures: (options?: CallOptions) => Promise<ReadonlyArray<Entry>>
  readonly parse: (
    file: string | AsyncSources.AsyncFile,
    options?: CallOptions & { readonly parseOptions?: ParseOptions | undefined }
  ) => Promise<ParsedDocument>
  readonly figure: (...asked: FigureCall) => Promise<FigurePicture>
  readonly extract: (
    file: string | AsyncSources.AsyncFile,
    schema: object,
    options?: ExtractCall
  ) => Promise<Extraction<unknown>>
  readonly chunks: (source: AsyncSource, options?: CallOptions) => AsyncIterable<DocumentChunk>
  readonly tools: (options?: ToolOptions) => Promise<ReadonlyArray<AsyncTool>>
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
      yield* Members.checkParts(options, AsyncMembers.open)
      const given = yield* AsyncMeans.given(options)
      const corpus = yield* Open.corpus({ ...given, uploads: options.uploads })
      return handle(corpus, options, { readers: given.readers, scope }, close)
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
  { readers, scope }: { readonly readers: Readers.Service; readonly scope: Scope.Scope },
  end: () => Promise<void>
): Handle => {
  const logged = AsyncLoggers.logged(logger)
  const run = <A, E>(effect: Effect.Effect<A, E>, { signal }: CallOptions = {}): Promise<A> =>
    promise(logged(Effect.provideService(effect, Readers, readers)), signal)
  const provided = Layer.merge(AsyncLoggers.logging(logger), Layer.succeed(Readers, readers))
  const changing =
    (change: Service["switch"]): Handle["switch"] =>
    ({ signal, ...options } = {}) =>
      run(change(options), { signal })
  const verifying =
    <A, E>(
      check: (text: string, corpus: Service, options: Verification.Options) => Effect.Effect<A, E>
    ): ((text: string, options?: Verification.Options & CallOptions) => Promise<A>) =>
    (text, { signal, ...options } = {}) =>
      run(
        Members.checkValue(Rules.string, text, "text").pipe(
          Effect.zipRight(Members.check(options, AsyncMembers.verification)),
          Effect.zipRight(Effect.suspend(() => check(text, corpus, options)))
        ),
        { signal }
      )
  let closing: Promise<void> | undefined
  return {
    ingest: (given, { onProgress, signal, stop, ...options } = {}) => {
      const asked = {
        ...options,
        onProgress: onProgress && ((progress: Progress) => Effect.promise(async () => onProgress(progress))),
        stop: stop && aborted(stop)
      }
      const checked = Members.check({ onProgress, stop }, AsyncMembers.progress)
      return run(
        Effect.zipRight(
          checked,
          Effect.flatMap(located(given), (files) => corpus.ingest(files, asked))
        ),
        { signal }
      )
    },
    add: (file, options) => run(Effect.flatMap(AsyncSources.sourceFile("uploads", file), corpus.add), options),
    search: (query, { signal, ...options } = {}) => run(corpus.search(query, options), { signal }),
    verify: verifying(Verification.verify),
    verifySentences: verifying(Verification.verifySentences),
    remove: (source, options) => run(corpus.remove(source), options),
    retry: (options = {}) => {
      const { empty = false } = options
      return run(
        Effect.zipRight(Members.check(options, AsyncMembers.retry), empty ? corpus.retryEmpty : corpus.retry),
        options
      )
    },
    status: (options) => run(corpus.status, options),
    generations: (options) => run(corpus.generations, options),
    switch: changing(corpus.switch),
    rollback: changing(corpus.rollback),
    drop: changing(corpus.drop),
    failures: (options) => run(corpus.failures, options),
    parse: (file, options = {}) => {
      const { parseOptions = {} } = options
      const found = Effect.zipRight(Members.check(options, AsyncMembers.parseCall), fileOf(file))
      return run(
        Effect.flatMap(found, (found) => corpus.parse(found, parseOptions)),
        options
      )
    },
    figure: (of, box, { signal, ...options } = {}) => run(corpus.figure(of, box, options), { signal }),
    extract: (file, schema, { signal, ...options } = {}) => {
      const checked = Members.check(options, AsyncMembers.extractCall)
      const asked = Effect.zipRight(checked, Effect.all([fileOf(file), AsyncExtractions.target(schema)]))
      return run(
        Effect.flatMap(asked, ([found, target]) => corpus.extract(found, target, options)),
        { signal }
      )
    },
    chunks: (given, { signal } = {}) => {
      const chunks = Stream.unwrap(Effect.map(located(given), (files) => corpus.chunks(files)))
      return iterable(Stream.provideSomeLayer(chunks, provided), signal)
    },
    tools: async (options) => {
      const { make } = await import("./tools.ts")
      return make(corpus, options, { run, scope })
    },
    close: () => {
      closing ??= end()
      return closing
    }
  }
}

const fileOf = (file: string | AsyncSources.AsyncFile): Effect.Effect<string | SourceFile, OptionError> =>
  typeof file === "string" ? Effect.succeed(file) : AsyncSources.sourceFile("file", file)

/** Files of the program's own as a source; everything else is read by the corpus. */
const located = (given: AsyncSource): Effect.Effect<CorpusSource<unknown>, OptionError> =>
  Predicate.hasProperty(given, "files") && given.files !== undefined
    ? Effect.as(AsyncMembers.checkOwn(given), source(given))
    : Effect.succeed(given)
