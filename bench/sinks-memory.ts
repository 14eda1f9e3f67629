import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { NodeContext } from "@effect/platform-node"
import type { Chunker } from "docsluice/Chunker"
import * as DeadLetter from "docsluice/DeadLetter"
import { ChunkId, DocumentChunk, PackedVector } from "docsluice/DocumentChunk"
import * as Ledger from "docsluice/Ledger"
import { layerFunction } from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import * as Source from "docsluice/Source"
import * as SourceFile from "docsluice/SourceFile"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Stream } from "effect"
import * as Postgres from "./postgresServer.ts"
/**
 * Peak memory of a process that ingests 200,000 chunks through the pipeline and a ledger, without the cost of parsing.
 *
 *     npm run bench -- sinks-memory [--documents 12500] [--chunks 16] [--sinks libsql,pgvector]
 *
 * A chunk has 800 characters and a vector of 384 dimensions. `idle` is the same process with one document: the memory of the loaded code.
 */
const { values: given } = parseArgs({
  options: {
    documents: { type: "string", default: "12500" },
    chunks: { type: "string", default: "16" },
    sinks: { type: "string", default: "libsql,pgvector" },
    child: { type: "string" },
    url: { type: "string", default: "" }
  }
})
const perDocument = Number(given.chunks)
const dimensions = 384
const space = { model: "bench", dimensions, normalized: false, metric: "cosine" } as const

const parser = layerFunction("bench", (source) =>
  Effect.sync(() => {
    const section = `${source.path} says what it has to say, and says it at length. `.repeat(16).slice(0, 799)
    const markdown = Array.from({ length: perDocument }, () => section).join("\n")
    const contentHash = Buffer.from(source.path).toString("hex").padEnd(64, "0")
    return { contentHash, markdown, metadata: { numPages: 1 } }
  })
)

/** Gives each chunk a different vector, packed as an embedder packs it. */
const chunker: Chunker = {
  name: "bench",
  configuration: "{}",
  chunk: ({ contentHash, documentId, markdown, source }) =>
    Effect.sync(() => {
      const vectors = new Float32Array(perDocument * dimensions).map((_, at) => Math.sin(at + markdown.length))
      return {
        chunks: Array.from({ length: perDocument }, (_, index) => {
          const text = markdown.slice(index * 800, index * 800 + 799)
          const embedding = new PackedVector(vectors.buffer, index * dimensions * 4, dimensions)
          const id = ChunkId.make(`${contentHash.slice(0, 28)}${(index + 4096).toString(16)}`)
          return new DocumentChunk(
            {
              id,
              documentId,
              source,
              index,
              text,
              embedText: text,
              tokens: 160,
              start: index * 800,
              end: index * 800 + text.length,
              pages: [1],
              boxes: [{ page: 1, bbox: [0, 0.1, 0.2, 0.3] }],
              headingPath: [{ depth: 1, text: "A heading" }],
              kinds: ["paragraph"],
              blockIds: [],
              notes: [],
              metadata: { title: "a title" },
              embedding
            },
            { disableValidation: true }
          )
        }),
        unplaced: [],
        ambiguousMarkers: []
      }
    })
}

const file = (index: number): SourceFile.SourceFile =>
  SourceFile.fromBytes({ root: "bench", path: `${index}.md`, bytes: new TextEncoder().encode(`${index}`) })

const ingest = (kind: string, documents: number, folder: string) =>
  Effect.gen(function* () {
    const sink = yield* kind === "pgvector"
      ? PgVector.make({ url: given.url })
      : LibSql.make({ file: join(folder, "chunks.db") })
    const began = performance.now()
    const summary = yield* Pipeline.run({
      source: Source.make({ name: "bench", files: Stream.map(Stream.range(0, documents - 1), file) }),
      chunker,
      sinks: [sink],
      space,
      concurrency: 16,
      state: {}
    })
    if (summary.stored !== documents) throw new Error(`${summary.stored} documents were stored`)
    const seconds = (performance.now() - began) / 1000
    yield* sink.clear ?? Effect.void
    return { chunks: summary.chunks.added, seconds: Math.round(seconds) }
  }).pipe(
    Effect.scoped,
    Effect.provide([
      Ledger.layer({ directory: join(folder, "state") }),
      Tokenizer.layer("chars"),
      DeadLetter.layerMemory,
      parser
    ]),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )

const asChild = async (kind: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "docsluice-bench-"))
  try {
    const done = await ingest(kind, Number(given.documents), folder)
    process.send?.({ ...done, peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const measured = (kind: string, url: string, documents: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const args = ["--child", kind, "--documents", documents, "--chunks", given.chunks, "--url", url]
    const child = fork(fileURLToPath(import.meta.url), args, { stdio: ["ignore", "inherit", "inherit", "ipc"] })
    child.once("message", resolve)
    child.once("exit", (code) => code !== 0 && reject(new Error(`the run into ${kind} ended with ${code}`)))
  })

const main = async (): Promise<void> => {
  if (given.child !== undefined) return asChild(given.child)
  const kinds = given.sinks.split(",")
  const server = kinds.includes("pgvector") ? await Postgres.start() : null
  try {
    const ours: Record<string, unknown> = { idle: await measured("libsql", "", "1") }
    // oxlint-disable-next-line eslint/no-await-in-loop -- one after the other
    for (const kind of kinds) ours[kind] = await measured(kind, server?.url ?? "", given.documents)
    const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? "", memory: totalmem(), node: process.version }
    console.log(JSON.stringify({ bench: "sinks-memory", ours, peers: {}, ratio: null, machine }, null, 2))
  } finally {
    await server?.stop()
  }
}

await main()
