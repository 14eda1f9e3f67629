import { type ChildProcess, fork } from "node:child_process"
import { createServer } from "node:http"
import { availableParallelism, cpus } from "node:os"
import { parseArgs } from "node:util"
import * as Otlp from "@effect/opentelemetry/Otlp"
import { FetchHttpClient } from "@effect/platform"
import {
  AutoChunker,
  ChunkSink,
  Client,
  DeadLetter,
  Embedder,
  Parser,
  Pipeline,
  RequestGate,
  SourceFile,
  Tokenizer,
  UndiciHttpClient
} from "docsluice"
import { Effect, Layer, Logger, Stream, Tracer } from "effect"
/**
 * What spans cost: small documents through a service that answers at once, without a tracer, with one that drops its spans, and with
 * an exporter that sends them to a collector as JSON. CPU of processes of their own, in turns.
 *
 *     npm run bench -- telemetry [--files 1000] [--rounds 5] [--concurrency 16]
 */

type Mode = "none" | "dropped" | "exported"

interface Task {
  readonly mode: Mode
  readonly base: string
  readonly files: number
  readonly concurrency: number
}

const markdown =
  "# Station\n\nThe gauge is read at dawn and at dusk, and cleaned after every storm of the season.\n\n".repeat(5)

const dropping = Layer.setTracer(
  Tracer.make({
    span: (name, parent, context, links, startTime, kind) => ({
      _tag: "Span",
      name,
      spanId: "0",
      traceId: "0",
      parent,
      context,
      links,
      kind,
      sampled: true,
      attributes: new Map(),
      status: { _tag: "Started", startTime },
      end: () => {},
      attribute: () => {},
      event: () => {},
      addLinks: () => {}
    }),
    context: (run) => run()
  })
)

const tracers: Readonly<Record<Mode, (base: string) => Layer.Layer<never>>> = {
  none: () => Layer.empty,
  dropped: () => dropping,
  exported: (base) =>
    Otlp.layerJson({
      baseUrl: base,
      resource: { serviceName: "bench" },
      tracerExportInterval: "1 second",
      replaceLogger: Logger.defaultLogger
    }).pipe(Layer.provide(FetchHttpClient.layer))
}

const bytes = new TextEncoder().encode("<p>read at dawn and at dusk</p>".repeat(85))

const sink = ChunkSink.make({
  id: "memory:bench",
  name: "bench",
  open: () => Effect.void,
  write: () => Effect.void
})

const ingest = ({ base, concurrency, files, mode }: Task) =>
  Effect.gen(function* () {
    return yield* Pipeline.run({
      source: Stream.map(Stream.range(1, files), (index) =>
        SourceFile.fromBytes({ root: "bench", path: `${index}.html`, bytes })
      ),
      chunker: AutoChunker.make({ maxTokens: 512 }),
      embedder: Embedder.hash,
      sinks: [yield* sink],
      concurrency
    })
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.mergeAll(
        Parser.layer().pipe(
          Layer.provide(Client.layer({ baseUrl: base })),
          Layer.provide([RequestGate.layer({ concurrency }), UndiciHttpClient.layer()])
        ),
        Tokenizer.layer("chars"),
        DeadLetter.layerMemory,
        tracers[mode](base)
      )
    )
  )

/** Milliseconds of CPU a document, after a run to warm up. */
const measure = async (task: Task): Promise<number> => {
  await Effect.runPromise(ingest({ ...task, files: Math.ceil(task.files / 2) }))
  const before = process.cpuUsage()
  const summary = await Effect.runPromise(ingest(task))
  const { system, user } = process.cpuUsage(before)
  if (summary.stored !== task.files) throw new Error(`stored ${summary.stored} of ${task.files}`)
  return (user + system) / 1000 / task.files
}

const inChild = (task: Task): Promise<number> =>
  new Promise((resolve, reject) => {
    const child: ChildProcess = fork(new URL(import.meta.url), [], { execArgv: process.execArgv })
    child.on("message", (value) => resolve(Number(value)))
    child.on("exit", (status) => (status === 0 ? undefined : reject(new Error(`a child ended with ${status}`))))
    child.send(task)
  })

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN

const rounded = (value: number): number => Math.round(value * 1000) / 1000

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      files: { type: "string", default: "1000" },
      rounds: { type: "string", default: "5" },
      concurrency: { type: "string", default: "16" }
    }
  })
  const answer = JSON.stringify({ success: true, data: { markdown, metadata: { numPages: 1 } } })
  let spans = 0
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const traces = request.url?.endsWith("/v1/traces") === true
      if (traces) spans += Buffer.concat(parts).toString().split('"spanId"').length - 1
      response.setHeader("content-type", "application/json")
      response.end(request.url?.endsWith("/parse") === true ? answer : "{}")
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  const [files, concurrency] = [Number(values.files), Number(values.concurrency)]
  const results: Record<Mode, Array<number>> = { none: [], dropped: [], exported: [] }
  const modes = ["none", "dropped", "exported"] as const
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const mode of modes) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- in turns, so that they do not disturb each other
      results[mode].push(await inChild({ mode, base, files, concurrency }))
    }
  }
  server.close()
  const [none, dropped, exported] = modes.map((mode) => median(results[mode]))
  const added = (value: number | undefined): number => rounded((value ?? Number.NaN) - (none ?? Number.NaN))
  console.log(
    JSON.stringify(
      {
        bench: "telemetry",
        files,
        rounds: Number(values.rounds),
        ours: { cpuMsPerDocument: rounded(none ?? Number.NaN) },
        peers: {
          dropped: { cpuMsPerDocument: rounded(dropped ?? Number.NaN), addedMs: added(dropped) },
          exported: { cpuMsPerDocument: rounded(exported ?? Number.NaN), addedMs: added(exported), spans }
        },
        ratio: { exported: rounded((exported ?? Number.NaN) / (none ?? Number.NaN)) },
        machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
      },
      null,
      2
    )
  )
}

if (process.send === undefined) await main()
else {
  process.once("message", (task: Task) => {
    void measure(task).then((value) => {
      process.send?.(value)
      process.disconnect()
    })
  })
}
