import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import type { Chunker } from "docsluice/Chunker"
import { type ChunkSink, mapPrepared, type SinkError } from "docsluice/ChunkSink"
import * as DeadLetter from "docsluice/DeadLetter"
import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import * as Ledger from "docsluice/Ledger"
import { layerFunction } from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import * as Source from "docsluice/Source"
import * as SourceFile from "docsluice/SourceFile"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer, type Scope, Stream } from "effect"
import * as Postgres from "./postgresServer.ts"
/**
 * Documents per second through the pipeline and a ledger into a sink, without the cost of parsing, for many small documents.
 *
 *     npm run bench -- sinks-ingest [--documents 1000] [--chunks 4] [--rounds 3] [--sinks jsonl,fs,libsql,pgvector] [--ways replaced,single,written]
 *
 * In turns: the sink itself, which replaces documents in batches; `single`, one document per call; `written`, a sink that cannot replace,
 * so that chunks are only written. `again`: the same with every document changed, from the second generation on.
 */
const { values: given } = parseArgs({
  options: {
    documents: { type: "string", default: "1000" },
    chunks: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    sinks: { type: "string", default: "jsonl,fs,libsql,pgvector" },
    ways: { type: "string", default: "replaced,single,written" }
  }
})
const documents = Number(given.documents)
const perDocument = Number(given.chunks)
const dimensions = 384
const space = { model: "bench", dimensions, normalized: true, metric: "cosine" } as const
const vector = Array.from({ length: dimensions }, (_, at) => Math.sin(at + 1) / Math.sqrt(dimensions / 2))
const paragraph = "What a small document says, over and over, so that it is about as long as a paragraph is. ".repeat(5)

const file = (index: number, edition: number): SourceFile.SourceFile =>
  SourceFile.fromBytes({
    root: "bench",
    path: `${index % 50}/${index}.md`,
    bytes: new TextEncoder().encode(`${index} ${edition}`)
  })

const parser = layerFunction("bench", (_source, bytes) =>
  Effect.map(bytes, (all) => {
    const name = new TextDecoder().decode(all)
    const contentHash = Buffer.from(name).toString("hex").padEnd(64, "0")
    return { contentHash, markdown: `${name} ${paragraph}`, metadata: { numPages: 1 } }
  })
)

const chunker: Chunker = {
  name: "bench",
  configuration: "{}",
  chunk: ({ contentHash, documentId, markdown, source }) =>
    Effect.succeed({
      chunks: Array.from({ length: perDocument }, (_, index) =>
        DocumentChunk.make(
          {
            id: ChunkId.make(`${contentHash.slice(0, 24)}${Buffer.from(documentId).toString("hex")}${10 + index}`),
            documentId,
            source,
            index,
            text: markdown,
            embedText: markdown,
            tokens: 100,
            start: 0,
            end: markdown.length,
            pages: [1],
            boxes: [],
            headingPath: [{ depth: 1, text: "A heading" }],
            kinds: ["paragraph"],
            blockIds: [],
            notes: [],
            metadata: { title: "a title" },
            embedding: vector
          },
          true
        )
      ),
      unplaced: [],
      ambiguousMarkers: []
    })
}

interface Measured {
  readonly perSecond: number
  readonly cpuMs: number
}

/** One run; the edition determines the documents' text. */
const ingest = (sink: ChunkSink.Service, edition: number) =>
  Effect.gen(function* () {
    const wall = performance.now()
    const cpu = process.cpuUsage()
    const summary = yield* Pipeline.run({
      source: Source.make({
        name: "bench",
        files: Stream.map(Stream.range(0, documents - 1), (index) => file(index, edition))
      }),
      chunker,
      sinks: [sink],
      space,
      concurrency: 32,
      state: {}
    })
    if (summary.stored !== documents) throw new Error(`only ${summary.stored} documents were stored`)
    const { system, user } = process.cpuUsage(cpu)
    return { perSecond: (documents * 1000) / (performance.now() - wall), cpuMs: (user + system) / 1000 }
  })

const ways = ["replaced", "single", "written"] as const
type Way = (typeof ways)[number]

const by = (way: Way, sink: ChunkSink.Service): ChunkSink.Service =>
  mapPrepared(
    { ...sink, capabilities: { ...sink.capabilities, replace: sink.capabilities.replace && way !== "written" } },
    ({ replace, replaceAll, ...prepared }): ChunkSink.Prepared => ({
      ...prepared,
      ...(replace && way !== "written" && { replace }),
      ...(replaceAll && way === "replaced" && { replaceAll })
    })
  )

type Open = (
  folder: string
) => Effect.Effect<ChunkSink.Service, SinkError, FileSystem.FileSystem | Path.Path | Scope.Scope>

const measure = (make: Open, way: Way) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "docsluice-bench-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const ledger = yield* Layer.build(
      Layer.mergeAll(Ledger.layer({ directory: join(folder, "state") }), Tokenizer.layer("chars"), parser).pipe(
        Layer.merge(DeadLetter.layerMemory),
        Layer.provide(NodeContext.layer)
      )
    )
    const sink = by(way, yield* make(folder))
    const first = yield* Effect.provide(ingest(sink, 0), ledger)
    const again = yield* Effect.provide(ingest(sink, 1), ledger)
    yield* sink.clear ?? Effect.void
    return { first, again }
  }).pipe(Effect.scoped)

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const summary = (measured: ReadonlyArray<{ readonly first: Measured; readonly again: Measured }>) => ({
  firstPerSecond: Math.round(median(measured.map(({ first }) => first.perSecond))),
  firstCpuMs: Math.round(median(measured.map(({ first }) => first.cpuMs))),
  againPerSecond: Math.round(median(measured.map(({ again }) => again.perSecond))),
  againCpuMs: Math.round(median(measured.map(({ again }) => again.cpuMs)))
})

const main = async (): Promise<void> => {
  const wanted = new Set(given.sinks.split(","))
  const server = wanted.has("pgvector") && (await Postgres.missing()) === null ? await Postgres.start() : null
  const sinks: Readonly<Record<string, Open>> = {
    jsonl: (folder) => Jsonl.make({ file: join(folder, "chunks.jsonl") }),
    fs: (folder) => Filesystem.make({ directory: join(folder, "chunks") }),
    libsql: (folder) => LibSql.make({ file: join(folder, "chunks.db") }),
    ...(server !== null && { pgvector: () => PgVector.make({ url: server.url }) })
  }
  const results = new Map<string, Array<{ readonly first: Measured; readonly again: Measured }>>()
  for (let round = -1; round < Number(given.rounds); round++) {
    for (const [name, make] of Object.entries(sinks).filter(([name]) => wanted.has(name))) {
      for (const way of ways.filter((way) => given.ways.includes(way))) {
        const one = await Effect.runPromise(Effect.provide(measure(make, way), NodeContext.layer))
        const key = `${name} ${way}`
        if (round >= 0) results.set(key, [...(results.get(key) ?? []), one])
      }
    }
  }
  await server?.stop()
  const of = (wanted: boolean) =>
    Object.fromEntries(
      [...results].filter(([key]) => key.endsWith("replaced") === wanted).map(([key, all]) => [key, summary(all)])
    )
  const ratio = Object.fromEntries(
    Object.keys(sinks).map((name) => [
      `${name} replaced / single`,
      median(
        (results.get(`${name} replaced`) ?? []).map(
          ({ first }, round) => first.perSecond / (results.get(`${name} single`)?.[round]?.first.perSecond ?? 0)
        )
      )
    ])
  )
  const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? "", memory: totalmem(), node: process.version }
  console.log(JSON.stringify({ bench: "sinks-ingest", ours: of(true), peers: of(false), ratio, machine }, null, 2))
}

await main()
