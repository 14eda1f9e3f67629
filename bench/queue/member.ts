/** One process of a run through a queue: a coordinator, a worker, or a bare loop of BullMQ that does the same. Its task is its argument. */
import { NodeContext } from "@effect/platform-node"
import * as Discovery from "docsluice/Discovery"
import * as Embedder from "docsluice/Embedder"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as Queue from "docsluice/Queue"
import * as RequestGate from "docsluice/RequestGate"
import * as Client from "docsluice/service/Client"
import * as PgVector from "docsluice/sinks/PgVector"
import * as State from "docsluice/State"
import * as Tokenizer from "docsluice/Tokenizer"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Deferred, Effect, Layer, Logger, LogLevel, Option, Schema } from "effect"
import * as Bare from "./bare.ts"

const Task = Schema.Struct({
  role: Schema.Literal("coordinator", "worker", "bare"),
  queue: Schema.String,
  /** Address of the database of state and chunks. */
  database: Schema.String,
  service: Schema.String,
  folder: Schema.String,
  /** Requests in flight of a worker. */
  concurrency: Schema.Int,
  depth: Schema.optional(Schema.Int)
})

export type Task = typeof Task.Type

/** One chunk a section, as the bare loop makes them. */
const chunker = MarkdownChunker.make({ maxTokens: 500 })

const services = (task: Task) =>
  Parser.layer().pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        State.layerPostgres({ url: task.database, lease: "8 seconds" }),
        Client.layer({ baseUrl: task.service, apiKey: "none" }).pipe(
          Layer.provide([RequestGate.layer({ concurrency: task.concurrency }), UndiciHttpClient.layer()])
        ),
        Tokenizer.layer("chars"),
        Queue.layer({ address: task.queue })
      )
    ),
    Layer.provideMerge(NodeContext.layer)
  )

const sink = (task: Task) => PgVector.make({ url: task.database })

const coordinated = (task: Task) =>
  Effect.gen(function* () {
    const started = performance.now()
    const summary = yield* Queue.run({
      source: Discovery.folder({ root: task.folder, name: "docs" }),
      chunker,
      embedder: Embedder.hash,
      sinks: [yield* sink(task)],
      state: { mode: "sync" },
      ...(task.depth !== undefined && { depth: task.depth })
    })
    const { discovered, exit, failed, failures, notAttempted, requests, stored, unchanged } = summary
    const ms = performance.now() - started
    const peakMb = process.resourceUsage().maxRSS / 1024
    const counts = { discovered, stored, unchanged, failed, notAttempted, requests, exit }
    process.stdout.write(
      `${JSON.stringify({ ...counts, stopped: summary.stopped ?? null, first: failures[0] ?? null, ms, peakMb })}\n`
    )
  })

const worked = (task: Task) =>
  Effect.gen(function* () {
    const stop = yield* Deferred.make<void>()
    process.once("SIGTERM", () => Deferred.unsafeDone(stop, Effect.void))
    yield* Queue.work({
      stop: Deferred.await(stop),
      onRun: ({ _tag, problem }) => Effect.sync(() => process.stdout.write(`${_tag} ${problem}\n`)),
      equip: () =>
        Effect.map(sink(task), (store) =>
          Option.some({
            chunker,
            embedder: Embedder.hash,
            sinks: [store],
            concurrency: task.concurrency,
            files: (path: string) => Discovery.folder({ root: task.folder, name: "docs", filesFrom: [path] }).files
          })
        )
    })
    process.stdout.write(`${JSON.stringify({ peakMb: process.resourceUsage().maxRSS / 1024 })}\n`)
  })

const task = Schema.decodeUnknownSync(Schema.parseJson(Task))(process.argv[2])
const main =
  task.role === "bare"
    ? Effect.promise(() => Bare.run(task))
    : (task.role === "coordinator" ? coordinated(task) : worked(task)).pipe(
        Effect.scoped,
        Effect.provide(services(task)),
        Logger.withMinimumLogLevel(LogLevel.Error)
      )
Effect.runPromise(main).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  }
)
