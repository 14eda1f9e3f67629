import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { NodeContext } from "@effect/platform-node"
import { PGVectorStore } from "@langchain/community/vectorstores/pgvector"
import type { ChunkSink } from "docsluice/ChunkSink"
import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import { DocumentId } from "docsluice/SourceFile"
import { Effect, type Scope } from "effect"
import Libsql from "libsql"
import { Pool } from "pg"
import * as PostgresCpu from "./postgresCpu.ts"
import * as Postgres from "./postgresServer.ts"
/**
 * Rows per second into each store: this package's sink, a bare loop over the same driver, and LangChain's store, in turns.
 *
 *     npm run bench -- sinks [--rows 20000] [--rounds 5] [--characters 800] [--postgres URL]
 *
 * A bare loop writes id, document, text, the rest of the chunk as JSON, and the vector, in batches of 500, and replaces rows with the
 * same id; it has no full-text index. `finishMs` is the time of the sink's full-text index after the rows are written. Without
 * `--postgres` a separate server is started, which never calls fsync. `cpuMs` is the client's CPU time, `allCpuMs` includes the database
 * server's: on a loaded machine it is more reliable than wall time.
 */
const { values: given } = parseArgs({
  options: {
    rows: { type: "string", default: "20000" },
    rounds: { type: "string", default: "5" },
    characters: { type: "string", default: "800" },
    postgres: { type: "string" }
  }
})
const rows = Number(given.rows)
const rounds = Number(given.rounds)
const batchSize = 500
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
  while (made.length < Number(given.characters)) made += `${words[Math.floor(random() * random() * 5000)]} `
  return made
}

const chunkAt = (at: number): DocumentChunk =>
  new DocumentChunk(
    {
      id: ChunkId.make(
        `${((at * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0")}${at.toString(16).padStart(24, "0")}`
      ),
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
    },
    true
  )

const batchAt = (from: number): ReadonlyArray<DocumentChunk> =>
  Array.from({ length: batchSize }, (_, at) => chunkAt(from + at))

interface Measured {
  readonly rowsPerSecond: number
  readonly cpuMs: number
  readonly allCpuMs: number
  readonly finishMs?: number
}

/** CPU time of the database server; 0 until it is known. */
let serverCpu = (): number => 0

const measure = async (write: () => Promise<unknown>, count: number): Promise<Measured> => {
  const wall = performance.now()
  const cpu = process.cpuUsage()
  const before = serverCpu()
  await write()
  const elapsed = performance.now() - wall
  const { user, system } = process.cpuUsage(cpu)
  const cpuMs = (user + system) / 1000
  return { rowsPerSecond: (count / elapsed) * 1000, cpuMs, allCpuMs: cpuMs + serverCpu() - before }
}

type Open = Effect.Effect<ChunkSink.Service, unknown, Scope.Scope>

const throughSink = (open: Open, batches: ReadonlyArray<ReadonlyArray<DocumentChunk>>): Promise<Measured> =>
  Effect.gen(function* () {
    const sink = yield* open
    const prepared = yield* sink.prepare(space)
    const writing = yield* Effect.promise(() =>
      measure(
        () => Effect.runPromise(Effect.forEach(batches, (batch) => prepared.write(batch), { discard: true })),
        rows
      )
    )
    const began = performance.now()
    yield* prepared.finish
    const finishMs = performance.now() - began
    yield* sink.clear ?? Effect.void
    return { ...writing, finishMs }
  }).pipe(Effect.scoped, Effect.runPromise)

const floats = (vector: ArrayLike<number>): Buffer => Buffer.from(Float32Array.from(vector).buffer)

const rest = ({ id: _id, documentId: _document, text: _text, embedding: _vector, ...others }: DocumentChunk) =>
  JSON.stringify(others)

const bareLibSql = async (file: string, batches: ReadonlyArray<ReadonlyArray<DocumentChunk>>): Promise<Measured> => {
  const db = new Libsql(file)
  db.prepare("PRAGMA journal_mode=WAL").all([])
  db.exec("PRAGMA synchronous=FULL; PRAGMA cache_size=-16384")
  db.exec("CREATE TABLE chunks (id TEXT PRIMARY KEY, document TEXT, text TEXT, rest TEXT, embedding BLOB)")
  const places = Array.from({ length: batchSize }, () => "(?, ?, ?, ?, ?)").join(", ")
  const statement = db.prepare<Array<ReadonlyArray<unknown>>>(`INSERT OR REPLACE INTO chunks VALUES ${places}`)
  const measured = await measure(async () => {
    for (const batch of batches) {
      const parameters: Array<unknown> = []
      for (const chunk of batch) {
        parameters.push(chunk.id, chunk.documentId, chunk.text, rest(chunk), floats(chunk.embedding ?? []))
      }
      db.exec("BEGIN IMMEDIATE")
      statement.run(parameters)
      db.exec("COMMIT")
    }
  }, rows)
  db.close()
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true })
  return measured
}

const binaryVector = (vector: ArrayLike<number>): Buffer => {
  const bytes = Buffer.allocUnsafe(4 + 4 * vector.length)
  let at = bytes.writeInt32BE(vector.length * 65_536, 0)
  for (let component = 0; component < vector.length; component++) at = bytes.writeFloatBE(vector[component] ?? 0, at)
  return bytes
}

const barePg = async (pool: Pool, batches: ReadonlyArray<ReadonlyArray<DocumentChunk>>): Promise<Measured> => {
  await pool.query(
    `CREATE TABLE bare (id text PRIMARY KEY, document text, text text, rest jsonb, embedding vector(${dimensions}))`
  )
  const places = Array.from({ length: batchSize }, (_, row) => {
    const first = row * 5
    return `($${first + 1}, $${first + 2}, $${first + 3}, $${first + 4}, $${first + 5})`
  })
  const sql = `INSERT INTO bare VALUES ${places.join(", ")} ON CONFLICT (id) DO UPDATE SET document = excluded.document,
    text = excluded.text, rest = excluded.rest, embedding = excluded.embedding`
  const measured = await measure(async () => {
    for (const batch of batches) {
      const parameters: Array<unknown> = []
      for (const chunk of batch) {
        parameters.push(chunk.id, chunk.documentId, chunk.text, rest(chunk), binaryVector(chunk.embedding ?? []))
      }
      // oxlint-disable-next-line eslint/no-await-in-loop -- one batch after the other
      await pool.query(sql, parameters)
    }
  }, rows)
  await pool.query("DROP TABLE bare")
  return measured
}

const nothing = { embedDocuments: async () => [], embedQuery: async () => [] }

const langChain = async (url: string, batches: ReadonlyArray<ReadonlyArray<DocumentChunk>>): Promise<Measured> => {
  const store = await PGVectorStore.initialize(nothing, {
    postgresConnectionOptions: { connectionString: url },
    tableName: "langchain",
    dimensions
  })
  store.pool.on("error", () => {})
  const measured = await measure(async () => {
    for (const batch of batches) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- one batch after the other
      await store.addVectors(
        batch.map(({ embedding = [] }) => [...embedding]),
        batch.map((chunk) => ({
          pageContent: chunk.text,
          metadata: { id: chunk.id, document: chunk.documentId, rest: rest(chunk) }
        }))
      )
    }
  }, rows)
  await store.pool.query("DROP TABLE langchain")
  await store.end()
  return measured
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const summary = (measured: ReadonlyArray<Measured>) => ({
  rowsPerSecond: Math.round(median(measured.map(({ rowsPerSecond }) => rowsPerSecond))),
  cpuMs: Math.round(median(measured.map(({ cpuMs }) => cpuMs))),
  allCpuMs: Math.round(median(measured.map(({ allCpuMs }) => allCpuMs))),
  ...(measured[0]?.finishMs !== undefined && {
    finishMs: Math.round(median(measured.map(({ finishMs }) => finishMs ?? 0)))
  })
})

/** Median over the rounds of the ratio of the two rates in the same round. */
const ratio = (ours: ReadonlyArray<Measured>, other: ReadonlyArray<Measured>): number =>
  median(ours.map((one, round) => one.rowsPerSecond / (other[round]?.rowsPerSecond ?? 0)))

/** The inverse ratio of the total CPU times: more is better. */
const cpuRatio = (ours: ReadonlyArray<Measured>, other: ReadonlyArray<Measured>): number =>
  median(ours.map((one, round) => (other[round]?.allCpuMs ?? 0) / one.allCpuMs))

const folder = mkdtempSync(join(tmpdir(), "docsluice-bench-"))
const libSql = Effect.suspend(() => LibSql.make({ file: join(folder, "ours.db") })).pipe(
  Effect.provide(NodeContext.layer)
)

const compare = async (url: string): Promise<unknown> => {
  const pool = new Pool({ connectionString: url }).on("error", () => {})
  await pool.query("CREATE EXTENSION IF NOT EXISTS vector")
  serverCpu = await PostgresCpu.make(pool)
  const batches = Array.from({ length: Math.ceil(rows / batchSize) }, (_, at) => batchAt(at * batchSize))
  const contestants: Readonly<Record<string, () => Promise<Measured>>> = {
    libsql: () => throughSink(libSql, batches),
    "bare libsql": () => bareLibSql(join(folder, "bare.db"), batches),
    pgvector: () => throughSink(PgVector.make({ url, table: "ours" }), batches),
    "bare pg, binary": () => barePg(pool, batches),
    PGVectorStore: () => langChain(url, batches)
  }
  const measured = new Map<string, Array<Measured>>(Object.keys(contestants).map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- they take turns
      const one = await run()
      if (round >= 0) measured.get(name)?.push(one)
    }
  }
  await pool.end()
  const of = (name: string) => measured.get(name) ?? []
  return {
    ours: { rows, dimensions, libsql: summary(of("libsql")), pgvector: summary(of("pgvector")) },
    peers: Object.fromEntries(
      ["bare libsql", "bare pg, binary", "PGVectorStore"].map((name) => [name, summary(of(name))])
    ),
    ratio: {
      "libsql / bare libsql": ratio(of("libsql"), of("bare libsql")),
      "pgvector / bare pg, binary": ratio(of("pgvector"), of("bare pg, binary")),
      "pgvector / PGVectorStore": ratio(of("pgvector"), of("PGVectorStore"))
    },
    cpuRatio: {
      "libsql / bare libsql": cpuRatio(of("libsql"), of("bare libsql")),
      "pgvector / bare pg, binary": cpuRatio(of("pgvector"), of("bare pg, binary")),
      "pgvector / PGVectorStore": cpuRatio(of("pgvector"), of("PGVectorStore"))
    }
  }
}

const main = async (): Promise<void> => {
  const server: Postgres.PostgresServer =
    given.postgres === undefined ? await Postgres.start() : { url: given.postgres, stop: async () => {} }
  try {
    const result = await compare(server.url)
    const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? "", memory: totalmem(), node: process.version }
    console.log(JSON.stringify({ bench: "sinks", ...Object(result), machine }, null, 2))
  } finally {
    await server.stop()
  }
}

await main().finally(() => rmSync(folder, { recursive: true, force: true }))
