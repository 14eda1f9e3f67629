/**
 * Runs through a queue in each of which a worker is stopped (SIGSTOP) at a random moment and stays so until the run has ended: its lease runs
 * out, its claims are lost, and what it had locked has to be freed. Prints what the others stored meanwhile, and how long the run took from
 * the stop to its end. SQL says whether every document is stored once, in its present edition.
 *
 *     npm run bench -- queueFreezes [--freezes 30] [--documents 60] [--workers 3]
 *
 * Redis for the queue, PostgreSQL for state and chunks. Linux.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Pool } from "pg"
import * as Redis from "../test/queue/redis.ts"
import * as Postgres from "./postgresServer.ts"
import type { Task } from "./queue/member.ts"
import { documents, type Member, starter, until } from "./queue/members.ts"
import * as Service from "./queue/service.ts"

const { values } = parseArgs({
  options: {
    freezes: { type: "string", default: "30" },
    documents: { type: "string", default: "60" },
    workers: { type: "string", default: "3" }
  }
})
const freezes = Number(values.freezes)
const count = Number(values.documents)

/** Longest wait for the end of a run with a stopped worker, in milliseconds. */
const patience = 180_000

const redis = await Redis.start()
const postgres = await Postgres.start()
const service = await Service.start({ time: 60, rate: null, faults: 0 })
const folder = mkdtempSync(join(tmpdir(), "docsluice-queue-freezes-"))
const paths = documents(folder, count)
const start = await starter()
const pool = new Pool({ connectionString: postgres.url, max: 2 })
pool.on("error", () => {})
await pool.query("CREATE EXTENSION IF NOT EXISTS vector")

const task: Omit<Task, "role"> = {
  queue: redis.url,
  database: postgres.url,
  service: service.address,
  folder,
  concurrency: 4
}
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const number = async (sql: string, given: ReadonlyArray<string> = []): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(sql, [...given])
  return rows[0]?.count ?? 0
}

/** Documents whose chunks are of the present edition. */
const present = (edition: string): Promise<number> =>
  number("SELECT count(DISTINCT source)::int AS count FROM chunks WHERE text LIKE $1", [`%${edition}.%`])

/** Transactions that wait for a client that says nothing. */
const silent = (): Promise<number> =>
  number(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE state = 'idle in transaction' AND clock_timestamp() - state_change > interval '300 ms'`
  )

interface Freeze {
  /** Transactions that were open in the stopped worker. */
  readonly transactions: number
  /** Documents that were stored while it was stopped. */
  readonly others: number
  /** Documents that were not stored when it was stopped. */
  readonly left: number
  /** Milliseconds from the stop to the end of the run; null for one that did not end well. */
  readonly ended: number | null
  readonly faults: ReadonlyArray<string>
}

const play = async (round: number, workers: ReadonlyArray<Member>): Promise<Freeze> => {
  const edition = `edition ${round} x`
  for (const [index, path] of paths.entries()) writeFileSync(join(folder, path), `document ${index} ${edition}`)
  const served = (): number => [...service.served.values()].reduce((sum, one) => sum + one, 0)
  const before = served()
  const coordinator = start({ ...task, role: "coordinator" })
  await until(
    () => served() > before + count * 0.1 || coordinator.child.exitCode !== null,
    60_000,
    `round ${round}: the first documents\n${coordinator.errors()}`
  )
  await pause(Math.random() * 500)
  const victim = workers[Math.floor(Math.random() * workers.length)]
  victim?.child.kill("SIGSTOP")
  const began = performance.now()
  const stored = await present(edition)
  await pause(500)
  const transactions = await silent()
  const status = await Promise.race([coordinator.ended, pause(patience).then(() => "hangs" as const)])
  const ended = performance.now() - began
  const others = (await present(edition)) - stored
  victim?.child.kill("SIGCONT")
  const summary = coordinator.lines[0] ?? ""
  const well = status === 0 && summary.includes('"exit":0')
  if (status === "hangs") {
    coordinator.child.kill("SIGKILL")
    await coordinator.ended
  }
  const wrong = await number(
    `SELECT count(*)::int AS count FROM (SELECT source FROM chunks GROUP BY source
     HAVING count(*) FILTER (WHERE text LIKE '%edition%') <> 3 OR count(*) FILTER (WHERE text LIKE $1) <> 3) s`,
    [`%${edition}.%`]
  )
  const faults = [
    ...(well ? [] : [`${status}: ${summary} ${coordinator.errors()}`]),
    ...(well && wrong > 0 ? [`${wrong} documents are not as they have to be`] : []),
    ...(well && (await present(edition)) !== count ? ["documents are missing"] : [])
  ]
  return { transactions, others, left: count - stored, ended: well ? Math.round(ended) : null, faults }
}

const workers: Array<Member> = []
try {
  for (let worker = 0; worker < Number(values.workers); worker += 1) workers.push(start({ ...task, role: "worker" }))
  // The first run makes the tables.
  await start({ ...task, role: "coordinator" }).ended
  const played: Array<Freeze> = []
  for (let round = 0; round < freezes; round += 1) {
    const one = await play(round, workers)
    played.push(one)
    process.stderr.write(`${JSON.stringify(one)}\n`)
  }
  const ended = played.flatMap((one) => one.ended ?? []).toSorted((a, b) => a - b)
  const result = {
    bench: "queueFreezes",
    freezes,
    documents: count,
    insideTransactions: played.filter(({ transactions }) => transactions > 0).length,
    leftAtTheStops: played.reduce((sum, { left }) => sum + left, 0),
    storedByOthers: played.reduce((sum, { others }) => sum + others, 0),
    endedMs: {
      middle: ended[Math.floor(ended.length / 2)] ?? null,
      most: ended.at(-1) ?? null,
      measured: ended.length
    },
    faults: played.flatMap(({ faults }) => faults),
    machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
  }
  console.log(JSON.stringify(result, null, 2))
  process.exitCode = result.faults.length === 0 ? 0 : 1
} finally {
  for (const { child } of workers) child.kill("SIGKILL")
  await pool.end()
  await service.stop()
  await redis.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
