/**
 * A state on PostgreSQL as it grows: rows and bytes of a document, time of a document in a first run and in a re-run over unchanged files, and
 * memory of the process; parse and store are stubs, and files are not read. Next to a state in a folder.
 *
 *     npm run bench -- stateGrowth [1000 10000 …]
 */
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import * as ChunkSink from "docsluice/ChunkSink"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Source from "docsluice/Source"
import { make, type SourceFile } from "docsluice/SourceFile"
import * as State from "docsluice/State"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Layer, Stream } from "effect"
import { Client } from "pg"
import { sha256 } from "../src/internal/base/sha256.ts"
import * as Postgres from "./postgresServer.ts"

const given = process.argv.slice(2).map(Number)
const sizes = given.length === 0 ? [1000, 10_000] : given

/** As long as those of real trees. */
const pathOf = (at: number): string => `department-${at % 50}/project-${at % 1000}/document-${at}-final.pdf`

const fileOf = (at: number): SourceFile =>
  make({
    root: "docs",
    path: pathOf(at),
    size: 10_000 + at,
    fingerprint: { _tag: "Stat", modified: 1n, changed: 1n, inode: BigInt(at) },
    open: Stream.empty
  })

/** Ten chunks a document. */
const markdown = Array.from({ length: 10 }, (_, at) => `# Part ${at}\n\n${"some words ".repeat(18)}`).join("\n\n")

const parser = Parser.layerFunction("bench", (file) => Effect.succeed({ contentHash: sha256(file.path), markdown }))

const sink = ChunkSink.make({
  id: "stub:",
  name: "stub",
  open: () => Effect.succeed({}),
  write: () => Effect.void,
  remove: () => Effect.void
})

/** Peak of the memory in use, sampled after full collections. */
const measured = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    globalThis.gc?.()
    let peak = 0
    const timer = setInterval(() => {
      const { arrayBuffers, heapUsed } = process.memoryUsage()
      peak = Math.max(peak, heapUsed + arrayBuffers)
    }, 20)
    const before = process.cpuUsage()
    const began = performance.now()
    yield* run
    const used = process.cpuUsage(before)
    clearInterval(timer)
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    globalThis.gc?.()
    return {
      milliseconds: performance.now() - began,
      cpu: (used.user + used.system) / 1000,
      peakMB: Math.round(Math.max(peak, heapUsed + arrayBuffers) / 1e6)
    }
  })

const runOver = (count: number) =>
  Effect.gen(function* () {
    const made = yield* sink
    return yield* Pipeline.run({
      source: Source.make({
        name: "docs",
        files: Stream.map(Stream.range(0, count - 1, 1024), fileOf)
      }),
      chunker: MarkdownChunker.make({ maxTokens: 60 }),
      sinks: [made],
      concurrency: 32,
      state: { mode: "sync" }
    })
  })

const bytesOf = async (url: string, schema: string) => {
  const client = new Client(url)
  await client.connect()
  await client.query(`VACUUM ANALYZE "${schema}".document`)
  const { rows } = await client.query<{ name: string; bytes: string; count: string }>(
    `SELECT relname AS name, pg_total_relation_size(c.oid) AS bytes, (xpath('/row/c/text()', query_to_xml(format('SELECT count(*) AS c FROM %I.%I', n.nspname, relname), false, true, '')))[1]::text AS count
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND relkind = 'r'`,
    [schema]
  )
  await client.end()
  return rows.map(({ bytes, count, name }) => ({ name, bytes: Number(bytes), rows: Number(count) }))
}

const each = (total: number, count: number): number => Math.round((total / count) * 1000)

const rounds = (count: number, state: Layer.Layer<State.State, State.StateError>) =>
  Effect.gen(function* () {
    const run = Effect.provide(runOver(count), Layer.mergeAll(state, Tokenizer.layer("chars"), parser))
    const first = yield* measured(run)
    const again = yield* measured(run)
    const third = yield* measured(run)
    const best = again.milliseconds < third.milliseconds ? again : third
    return {
      first: { microsecondsEach: each(first.milliseconds, count), peakMB: first.peakMB },
      again: {
        microsecondsEach: each(best.milliseconds, count),
        cpuMicrosecondsEach: each(best.cpu, count),
        peakMB: best.peakMB
      }
    }
  })

const server = await Postgres.start()
const folder = mkdtempSync(join(tmpdir(), "docsluice-growth-"))
try {
  const results = []
  for (const count of sizes) {
    const schema = `growth${count}`
    // Sequential: they share the cores.
    const onServer = await Effect.runPromise(
      rounds(count, State.layerPostgres({ url: `${server.url}?schema=${schema}` }))
    )
    const tables = await bytesOf(server.url, schema)
    const inFolder = await Effect.runPromise(
      rounds(count, Layer.provide(State.layer(join(folder, schema)), NodeContext.layer))
    )
    const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    results.push({
      documents: count,
      bytesEach: Math.round(bytes / count),
      rowsEach: Math.round((rows / count) * 100) / 100,
      tables: tables.filter(({ rows }) => rows >= count / 2),
      onServer,
      inFolder
    })
  }
  const machine = `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
  console.log(JSON.stringify({ bench: "stateGrowth", chunksEach: 10, results, machine }, null, 2))
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
