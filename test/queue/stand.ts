import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import type { Chunker } from "docsluice/Chunker"
import type { ChunkSink } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import type { Embedder } from "docsluice/Embedder"
import * as Ledger from "docsluice/Ledger"
import type { Summary } from "docsluice/Outcome"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import { type ParseError, type Parser } from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Queue from "docsluice/Queue"
import * as Source from "docsluice/Source"
import type { SourceFile } from "docsluice/SourceFile"
import * as MemorySink from "docsluice/testing/MemorySink"
import type { Tokenizer } from "docsluice/Tokenizer"
import { Deferred, Effect, Layer, Stream } from "effect"
import { byLine, characters, parsed, parser } from "../pipeline/fakes.ts"

/** A folder of documents. */
export interface Folder {
  readonly root: string
  readonly write: (path: string, text: string) => void
  readonly remove: (path: string) => void
}

export const folder = (count: number) =>
  Effect.acquireRelease(
    Effect.sync((): Folder => {
      const root = join(mkdtempSync(join(tmpdir(), "docsluice-queue-")), "docs")
      const write = (path: string, text: string) => {
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), text)
      }
      mkdirSync(root, { recursive: true })
      for (let index = 0; index < count; index++) write(`${index}.pdf`, `document ${index}`)
      return { root, write, remove: (path) => rmSync(join(root, path)) }
    }),
    ({ root }) => Effect.sync(() => rmSync(dirname(root), { recursive: true, force: true }))
  ).pipe(Effect.tap(Effect.sleep("40 millis")))

export type Services = Ledger.Ledger | DeadLetter.DeadLetter | Tokenizer

/** The memory of all runs of a test, with an id that stores know. */
export const memory: Layer.Layer<Services, Ledger.LedgerError> = Layer.unwrapScoped(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-queue-"))),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
    ),
    (directory) => Layer.mergeAll(Ledger.layer({ directory }), DeadLetter.layerMemory, characters)
  )
)

export interface Given {
  readonly store: MemorySink.Store
  /** A second target, as the process that finds the files gets it, or as a worker does. */
  readonly second?: (whose: "run" | "worker") => ChunkSink.Removing
  readonly parse?: (source: SourceFile) => Effect.Effect<ParsedDocument, ParseError>
  readonly mode?: Pipeline.Mode
  readonly onFailure?: "dead-letter" | "fail"
  readonly stop?: Effect.Effect<void>
  /** Found after the files of the folder. */
  readonly also?: ReadonlyArray<SourceFile>
  /** Of a run through a queue. */
  readonly depth?: number
  readonly onProgress?: (progress: Pipeline.Progress) => Effect.Effect<void>
}

/** One way to make a run. */
export type Runner = (folder: Folder, given: Given) => Effect.Effect<Summary, unknown, Services>

const sourceOf = ({ root }: Folder, { also = [] }: Given) => {
  const { files, scope } = Discovery.folder({ root, name: "docs" })
  return Source.within(scope, Stream.concat(files, Stream.fromIterable(also)))
}

const options = (folder: Folder, given: Given, sink: ChunkSink.Removing) => ({
  source: sourceOf(folder, given),
  chunker: byLine,
  sinks: given.second === undefined ? [sink] : [sink, given.second("run")],
  sinkRetry: { attempts: 1 },
  state: { mode: given.mode ?? ("sync" as const) },
  onFailure: given.onFailure,
  onProgress: given.onProgress,
  stop: given.stop
})

const parsing = ({ parse }: Given): Layer.Layer<Parser> =>
  parser(parse ?? ((source) => Effect.succeed(parsed(source, `the text of ${source.path}, ${source.size} bytes`))))

/** In this process, without a queue. */
export const alone: Runner = (folder, given) =>
  Effect.flatMap(MemorySink.make(given.store), (sink) => Pipeline.run(options(folder, given, sink))).pipe(
    Effect.provide([parsing(given), NodeContext.layer])
  )

/** A worker of this process until its scope closes. */
export const worker = (
  folder: Folder,
  given: Given,
  name: string,
  chunker: Partial<Chunker> = {},
  embedder?: Embedder.Service
) =>
  Effect.gen(function* () {
    const stop = yield* Deferred.make<void>()
    const sink = yield* MemorySink.make(given.store)
    const fiber = yield* Effect.fork(
      Queue.work({
        name,
        stop: Deferred.await(stop),
        equip: () =>
          Effect.succeedSome({
            chunker: { ...byLine, ...chunker },
            sinks: given.second === undefined ? [sink] : [sink, given.second("worker")],
            embedder,
            sinkRetry: { attempts: 1 },
            concurrency: 4,
            files: (path: string) =>
              Discovery.folder({ root: folder.root, name: "docs", filesFrom: [path], ordered: false }).files
          })
      })
    )
    return Effect.zipRight(Deferred.succeed(stop, undefined), fiber)
  })

/** A coordinator, whose workers are elsewhere. */
export const coordinate =
  (queue: Layer.Layer<Queue.Queue, unknown>): Runner =>
  (folder, given) =>
    Effect.flatMap(MemorySink.make(given.store), (sink) => Queue.run(options(folder, given, sink))).pipe(
      Effect.provide(Layer.mergeAll(parsing(given), queue, NodeContext.layer))
    )

/** With a coordinator and two workers, over a queue. */
export const queued =
  (queue: Layer.Layer<Queue.Queue, unknown>): Runner =>
  (folder, given) =>
    Effect.gen(function* () {
      const ends = [yield* worker(folder, given, "left"), yield* worker(folder, given, "right")]
      const summary = yield* Effect.either(
        Queue.run({ ...options(folder, given, yield* MemorySink.make(given.store)), depth: given.depth })
      )
      yield* Effect.all(ends, { concurrency: 2 })
      return yield* summary
    }).pipe(Effect.provide(Layer.mergeAll(parsing(given), queue, NodeContext.layer)))
