import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { NodeContext } from "@effect/platform-node"
import type { ChunkSink, SinkError } from "docsluice/ChunkSink"
import * as LanceDb from "docsluice/sinks/LanceDb"
import * as LibSql from "docsluice/sinks/LibSql"
import * as PgVector from "docsluice/sinks/PgVector"
import { Effect } from "effect"
import { Pool } from "pg"
import * as PostgresCpu from "./postgresCpu.ts"
import * as Postgres from "./postgresServer.ts"
import * as Bare from "./query/bare.ts"
import * as Chunks from "./query/chunks.ts"
/**
 * Filling a store of many chunks and asking it, by this package's sink and by hand over the same driver, in turns: each batch and each
 * question goes to one and then to the other.
 *
 *     npm run bench -- query [--chunks 20000] [--questions 200] [--words 200] [--limit 10] [--stores libsql,pgvector,lancedb]
 *
 * By hand, a store has an index of stemmed words and one of vectors where it has any (`query/bare.ts`), and a hit is its row, with what
 * is JSON parsed. Ours is ranked, judged and highlighted. `fill` includes `finish`. `wallMs` of questions are the median and p95, `cpuMs` is the mean
 * CPU time of one in this process; in `fill` it is all, the PostgreSQL server's included. The server never calls fsync.
 */
const { values: given } = parseArgs({
  options: {
    chunks: { type: "string", default: "20000" },
    questions: { type: "string", default: "200" },
    words: { type: "string", default: "200" },
    limit: { type: "string", default: "10" },
    stores: { type: "string", default: "libsql,pgvector,lancedb" }
  }
})
const count = Number(given.chunks)
const limit = Number(given.limit)

interface Spent {
  readonly wall: number
  readonly cpu: number
}

const rounded = (value: number): number => Number(value.toPrecision(3))

/** CPU time in milliseconds of this process, and of a server where there is one. */
type Clock = () => number

const ownCpu: Clock = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

const timed = async (clock: Clock, work: () => Promise<unknown>): Promise<Spent> => {
  const [wall, cpu] = [performance.now(), clock()]
  await work()
  return { wall: performance.now() - wall, cpu: clock() - cpu }
}

const sum = (all: ReadonlyArray<Spent>): Spent => ({
  wall: all.reduce((total, { wall }) => total + wall, 0),
  cpu: all.reduce((total, { cpu }) => total + cpu, 0)
})

/** Parts of a run that are measured, of ours and of the store by hand. */
interface Pair {
  readonly ours: ReadonlyArray<Spent>
  readonly bare: ReadonlyArray<Spent>
}

const filled = async (sink: ChunkSink.Prepared, bare: Bare.Bare, clock: Clock): Promise<Pair> => {
  const [ours, others]: [Array<Spent>, Array<Spent>] = [[], []]
  for (const batch of Chunks.batches(count, Number(given.words))) {
    ours.push(await timed(clock, () => Effect.runPromise(sink.write(batch))))
    others.push(await timed(clock, () => bare.write(batch)))
  }
  const wrote = { ours: sum(ours), bare: sum(others) }
  return {
    ours: [wrote.ours, await timed(clock, () => Effect.runPromise(sink.finish))],
    bare: [wrote.bare, await timed(clock, () => bare.finish())]
  }
}

const ways = ["words", "vectors", "fused"] as const
type Way = (typeof ways)[number]

const asked = async (sink: ChunkSink.Service, bare: Bare.Bare, way: Way): Promise<Pair> => {
  const [ours, others]: [Array<Spent>, Array<Spent>] = [[], []]
  const all = Chunks.questions(Number(given.questions))
  // Some questions first, so that both are warm.
  const first = all.slice(0, Math.ceil(all.length / 5))
  for (const [at, { text, vector }] of [...first, ...all].entries()) {
    const query = { text: way === "vectors" ? "" : text, ...(way !== "words" && { vector }), limit }
    const search = () => Effect.runPromise(sink.search?.(query) ?? Effect.succeed([]))
    const own = await timed(ownCpu, search)
    const other = await timed(ownCpu, async () => {
      if (way !== "vectors") await bare.search({ text }, limit)
      if (way !== "words") await bare.search({ text: "", vector }, limit)
    })
    if (at < first.length) continue
    ours.push(own)
    others.push(other)
  }
  return { ours, bare: others }
}

const quantile = (all: ReadonlyArray<Spent>, part: number): number =>
  all.map(({ wall }) => wall).toSorted((left, right) => left - right)[Math.floor(part * (all.length - 1))] ?? 0

const ofQuestions = ({ bare, ours }: Pair) => {
  const of = (all: ReadonlyArray<Spent>) => ({
    wallMs: [rounded(quantile(all, 0.5)), rounded(quantile(all, 0.95))],
    cpuMs: rounded(sum(all).cpu / all.length)
  })
  const p95 = quantile(ours, 0.95) / quantile(bare, 0.95)
  return { ours: of(ours), bare: of(bare), ratio: { p95: rounded(p95), cpu: rounded(sum(ours).cpu / sum(bare).cpu) } }
}

const ofFill = ({ bare, ours }: Pair) => {
  const of = (all: ReadonlyArray<Spent>) => ({
    writeMs: Math.round(all[0]?.wall ?? 0),
    finishMs: Math.round(all[1]?.wall ?? 0),
    cpuMs: Math.round(sum(all).cpu)
  })
  const [own, other] = [sum(ours), sum(bare)]
  return {
    ours: of(ours),
    bare: of(bare),
    ratio: { wall: rounded(own.wall / other.wall), cpu: rounded(own.cpu / other.cpu) }
  }
}

const measured = (
  open: Effect.Effect<ChunkSink.Service, SinkError, Effect.Effect.Context<ReturnType<typeof LibSql.make>>>,
  opened: () => Promise<Bare.Bare>,
  clock: Clock
) =>
  Effect.gen(function* () {
    const sink = yield* open
    const bare = yield* Effect.acquireRelease(Effect.promise(opened), ({ close }) => Effect.promise(close))
    const prepared = yield* sink.prepare(Chunks.space)
    const fill = ofFill(yield* Effect.promise(() => filled(prepared, bare, clock)))
    const searches: Record<string, ReturnType<typeof ofQuestions>> = {}
    for (const way of ways) searches[way] = ofQuestions(yield* Effect.promise(() => asked(sink, bare, way)))
    return { fill, ...searches }
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), Effect.runPromise)

const folder = mkdtempSync(join(tmpdir(), "docsluice-query-"))
const wanted = given.stores.split(",")
const server = wanted.includes("pgvector") && (await Postgres.missing()) === null ? await Postgres.start() : null
try {
  const result: Record<string, unknown> = {}
  if (wanted.includes("libsql")) {
    result["libsql"] = await measured(
      LibSql.make({ file: join(folder, "ours.db") }),
      () => Bare.libSql(join(folder, "bare.db")),
      ownCpu
    )
  }
  if (server !== null) {
    const pool = new Pool({ connectionString: server.url })
    const serverCpu = await PostgresCpu.make(pool)
    await pool.end()
    result["pgvector"] = await measured(
      PgVector.make({ url: server.url, vectorIndex: "hnsw" }),
      () => Bare.pgVector(server.url),
      () => ownCpu() + serverCpu()
    )
  }
  if (wanted.includes("lancedb")) {
    result["lancedb"] = await measured(
      LanceDb.make({ directory: join(folder, "ours") }),
      () => Bare.lanceDb(join(folder, "bare")),
      ownCpu
    )
  }
  const machine = { cpus: cpus().length, model: cpus()[0]?.model ?? "", memory: totalmem(), node: process.version }
  console.log(JSON.stringify({ bench: "query", chunks: count, limit, ...result, machine }, null, 2))
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}
