import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { NodeContext } from "@effect/platform-node"
import * as lancedb from "@lancedb/lancedb"
import * as arrow from "apache-arrow"
import { ChromaClient } from "chromadb"
import type { ChunkSink } from "docsluice/ChunkSink"
import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import * as Chroma from "docsluice/sinks/Chroma"
import * as LanceDb from "docsluice/sinks/LanceDb"
import { DocumentId } from "docsluice/SourceFile"
import { Effect, type Scope } from "effect"
/**
 * Rows per second into LanceDB: this package's sink and a bare loop of `mergeInsert` over Arrow tables, in turns. With `--chroma` also
 * into a Chroma server at that address, compared with a bare loop of `upsert`.
 *
 *     npm run bench -- sinks-lancedb [--rows 20000] [--rounds 5] [--batch 2000] [--chroma http://127.0.0.1:8000]
 *
 * A bare loop writes id, document, text, the rest of the chunk as JSON, and the vector, and replaces rows with the same id; for Chroma
 * the rest is flat metadata. `finishMs` is the time of the sink's `finish`: compaction and the full-text index.
 */
const { values: given } = parseArgs({
  options: {
    rows: { type: "string", default: "20000" },
    rounds: { type: "string", default: "5" },
    batch: { type: "string", default: "2000" },
    chroma: { type: "string" }
  }
})
const rows = Number(given.rows)
const rounds = Number(given.rounds)
const batchSize = Number(given.batch)
const dimensions = 384
const space = { model: "bench", dimensions, normalized: false, metric: "cosine" } as const

let seed = 1
const random = (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}
const words = Array.from({ length: 5000 }, (_, at) => `w${at.toString(36)}${"abcdef".slice(at % 5)}`)
const text = (): string => {
  let made = ""
  while (made.length < 800) made += `${words[Math.floor(random() * random() * 5000)]} `
  return made
}

const chunkAt = (at: number): DocumentChunk =>
  new DocumentChunk({
    id: ChunkId.make(at.toString(16).padStart(32, "0")),
    documentId: DocumentId.make(`root/${Math.floor(at / 16)}.md`),
    source: `${Math.floor(at / 16)}.md`,
    index: at % 16,
    text: text(),
    embedText: "",
    tokens: 100,
    start: 0,
    end: 500,
    pages: [1, 2],
    boxes: [{ page: 1, bbox: [0, 0.1, 0.2, 0.3] }],
    headingPath: [{ depth: 1, text: "A heading" }],
    kinds: ["paragraph"],
    blockIds: ["b1"],
    notes: [],
    metadata: { title: "a title", pages: 3 },
    embedding: Array.from({ length: dimensions }, () => random() - 0.5)
  })

type Batches = ReadonlyArray<ReadonlyArray<DocumentChunk>>

const batches: Batches = Array.from({ length: Math.ceil(rows / batchSize) }, (_, part) =>
  Array.from({ length: batchSize }, (_, at) => chunkAt(part * batchSize + at))
)

interface Measured {
  readonly rowsPerSecond: number
  readonly cpuMs: number
  readonly finishMs?: number
}

const measure = async (write: () => Promise<unknown>): Promise<Measured> => {
  const wall = performance.now()
  const cpu = process.cpuUsage()
  await write()
  const elapsed = performance.now() - wall
  const { user, system } = process.cpuUsage(cpu)
  return { rowsPerSecond: (batches.length * batchSize * 1000) / elapsed, cpuMs: (user + system) / 1000 }
}

const throughSink = (open: Effect.Effect<ChunkSink.Service, unknown, Scope.Scope>): Promise<Measured> =>
  Effect.gen(function* () {
    const sink = yield* open
    const prepared = yield* sink.prepare(space)
    const writing = yield* Effect.promise(() =>
      measure(() => Effect.runPromise(Effect.forEach(batches, (batch) => prepared.write(batch), { discard: true })))
    )
    const began = performance.now()
    yield* prepared.finish
    const finishMs = performance.now() - began
    yield* sink.clear ?? Effect.void
    return { ...writing, finishMs }
  }).pipe(Effect.scoped, Effect.runPromise)

const rest = ({ id: _id, documentId: _document, text: _text, embedding: _vector, ...others }: DocumentChunk) =>
  JSON.stringify(others)

const folder = mkdtempSync(join(tmpdir(), "docsluice-bench-"))

const ourLance = LanceDb.make({ directory: join(folder, "ours") }).pipe(Effect.provide(NodeContext.layer))

const bareLance = async (): Promise<Measured> => {
  const connection = await lancedb.connect(join(folder, "bare"))
  const vectorType = new arrow.FixedSizeList(dimensions, new arrow.Field("item", new arrow.Float32(), true))
  const schema = new arrow.Schema([
    ...["id", "document", "text", "rest"].map((name) => new arrow.Field(name, new arrow.Utf8(), false)),
    new arrow.Field("vector", vectorType, true)
  ])
  const table = await connection.createEmptyTable("chunks", schema)
  const texts = (values: ReadonlyArray<string>) => arrow.vectorFromArray([...values], new arrow.Utf8())
  const measured = await measure(async () => {
    for (const batch of batches) {
      const floats = new Float32Array(batch.length * dimensions)
      for (const [row, { embedding = [] }] of batch.entries()) floats.set(embedding, row * dimensions)
      const child = arrow.makeData({ type: new arrow.Float32(), length: floats.length, data: floats })
      const vector = arrow.makeVector(arrow.makeData({ type: vectorType, length: batch.length, nullCount: 0, child }))
      const data = new arrow.Table(schema, {
        id: texts(batch.map(({ id }) => id)),
        document: texts(batch.map(({ documentId }) => documentId)),
        text: texts(batch.map(({ text }) => text)),
        rest: texts(batch.map(rest)),
        vector
      })
      await table.mergeInsert("id").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data)
    }
  })
  await connection.dropTable("chunks")
  connection.close()
  return measured
}

const bareChroma = async (url: string): Promise<Measured> => {
  const { hostname, port } = new URL(url)
  const client = new ChromaClient({ host: hostname, port: Number(port) })
  const collection = await client.createCollection({ name: "bench-bare", embeddingFunction: null })
  const measured = await measure(async () => {
    for (const batch of batches) {
      await collection.upsert({
        ids: batch.map(({ id }): string => id),
        embeddings: batch.map(({ embedding = [] }) => [...embedding]),
        documents: batch.map(({ text }) => text),
        metadatas: batch.map((chunk) => ({ document: chunk.documentId, rest: rest(chunk) }))
      })
    }
  })
  await client.deleteCollection({ name: "bench-bare" })
  return measured
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const summary = (measured: ReadonlyArray<Measured>) => ({
  rowsPerSecond: Math.round(median(measured.map(({ rowsPerSecond }) => rowsPerSecond))),
  cpuMs: Math.round(median(measured.map(({ cpuMs }) => cpuMs))),
  ...(measured[0]?.finishMs !== undefined && {
    finishMs: Math.round(median(measured.map(({ finishMs }) => finishMs ?? 0)))
  })
})

const ratio = (ours: ReadonlyArray<Measured>, other: ReadonlyArray<Measured>): number =>
  median(ours.map((one, round) => one.rowsPerSecond / (other[round]?.rowsPerSecond ?? 0)))

const main = async (): Promise<void> => {
  const { chroma } = given
  const contestants: Readonly<Record<string, () => Promise<Measured>>> = {
    lancedb: () => throughSink(ourLance),
    "bare lancedb": bareLance,
    ...(chroma !== undefined && {
      chroma: () => throughSink(Chroma.make({ url: chroma, collection: "bench-ours" })),
      "bare chroma": () => bareChroma(chroma)
    })
  }
  const measured = new Map<string, Array<Measured>>(Object.keys(contestants).map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) {
      const one = await run()
      if (round >= 0) measured.get(name)?.push(one)
    }
  }
  const of = (name: string) => measured.get(name) ?? []
  const named = (names: ReadonlyArray<string>) =>
    Object.fromEntries(names.filter((name) => of(name).length > 0).map((name) => [name, summary(of(name))]))
  const result = {
    bench: "sinks-lancedb",
    ours: { rows, batchSize, dimensions, ...named(["lancedb", "chroma"]) },
    peers: named(["bare lancedb", "bare chroma"]),
    ratio: {
      "lancedb / bare lancedb": ratio(of("lancedb"), of("bare lancedb")),
      ...(chroma !== undefined && { "chroma / bare chroma": ratio(of("chroma"), of("bare chroma")) })
    },
    machine: { cpus: cpus().length, model: cpus()[0]?.model ?? "", memory: totalmem(), node: process.version }
  }
  console.log(JSON.stringify(result, null, 2))
}

await main().finally(() => rmSync(folder, { recursive: true, force: true }))
