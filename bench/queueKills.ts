/**
 * Runs through a queue while coordinators, workers and the Redis server (with an append-only file) are killed, and a proxy breaks connections to
 * both servers or falls silent; in each fifth round a worker is stopped for longer than its lease. A seed decides what happens; when
 * it does, is the machine's. After each round SQL says whether every document is stored
 * once, in its present edition, and nothing else. Prints how long the claims of killed workers took to be free again.
 *
 *     npm run bench -- queueKills [--rounds 50] [--documents 40] [--workers 3] [--server redis] [--seed N]
 *
 * `--server postgres`: the queue is in the database of the state. Linux.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { Pool } from "pg"
import * as Relay from "../test/fixtures/relay.ts"
import * as Redis from "../test/queue/redis.ts"
import * as Postgres from "./postgresServer.ts"
import type { Task } from "./queue/member.ts"
import { documents, type Member, starter, until } from "./queue/members.ts"
import * as Service from "./queue/service.ts"
import { uniform } from "./random.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    documents: { type: "string", default: "40" },
    workers: { type: "string", default: "3" },
    server: { type: "string", default: "redis" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) }
  }
})
const random = uniform(Number(values.seed))
const rounds = Number(values.rounds)
const count = Number(values.documents)

const redis = await Redis.start()
const postgres = await Postgres.start()
const service = await Service.start({ time: 100, rate: null, faults: 0.02 })
const folder = mkdtempSync(join(tmpdir(), "docsluice-queue-kills-"))
const paths = documents(folder, count)
const start = await starter()
const scope = await Effect.runPromise(Scope.make())
/** The way to a server, and its address by that way. */
const wayTo = async (url: string) => {
  const address = new URL(url)
  const relay = await Effect.runPromise(Scope.extend(Relay.start(Number(address.port)), scope))
  address.port = String(relay.port)
  return { relay, url: address.href }
}
const toRedis = await wayTo(redis.url)
const toPostgres = await wayTo(postgres.url)
const pool = new Pool({ connectionString: postgres.url, max: 2 })
pool.on("error", () => {})
await pool.query("CREATE EXTENSION IF NOT EXISTS vector")

const task: Omit<Task, "role"> = {
  queue: values.server === "postgres" ? toPostgres.url : toRedis.url,
  database: toPostgres.url,
  service: service.address,
  folder,
  concurrency: 2
}

const workers: Array<Member> = []
const hire = (): void => void workers.push(start({ ...task, role: "worker" }))
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const anyOf = <A>(all: ReadonlyArray<A>): A | undefined => all[Math.floor(random() * all.length)]

/** Ids of documents that a worker of this process id has claimed. */
const claimsOf = async (pid: number): Promise<ReadonlyArray<string>> => {
  if (values.server === "postgres") {
    const { rows } = await pool.query<{ id: string }>(
      "SELECT id FROM docsluice_queue.job WHERE state = 'active' AND processed_by LIKE $1",
      [`%:${pid}`]
    )
    return rows.map(({ id }) => id)
  }
  const key = Redis.ask(redis.port, ["--raw", "KEYS", "docsluice_queue:docsluice-*:active"])
    .split("\n")
    .find((one) => one !== "" && !one.includes("-runs:"))
  if (key === undefined) return []
  const ids = Redis.ask(redis.port, ["--raw", "LRANGE", key, "0", "-1"]).split("\n").filter(Boolean)
  return ids.filter((id) =>
    Redis.ask(redis.port, ["--raw", "HGET", key.replace(/active$/u, id), "pb"]).endsWith(`:${pid}`)
  )
}

const backAfter: Array<number> = []
const done = { workers: 0, coordinators: 0, redis: 0, connections: 0, silences: 0, stopped: 0 }

/** Kills a worker; milliseconds until none of its claims is its own are noted. */
const killWorker = async (): Promise<void> => {
  const victim = anyOf(workers)
  const { pid } = victim?.child ?? {}
  if (victim === undefined || pid === undefined) return
  const claims = await claimsOf(pid)
  victim.child.kill("SIGKILL")
  workers.splice(workers.indexOf(victim), 1)
  done.workers += 1
  hire()
  if (claims.length === 0) return
  const began = performance.now()
  await until(
    async () => (await claimsOf(pid)).every((id) => !claims.includes(id)),
    60_000,
    "claims of a killed worker"
  )
  backAfter.push(performance.now() - began)
}

const killRedis = async (): Promise<void> => {
  if (values.server === "postgres") return
  await redis.kill()
  await pause(300)
  await redis.up()
  done.redis += 1
}

const cutConnections = async (): Promise<void> => {
  anyOf([toRedis, toPostgres])?.relay.cut(() => random() < 0.5)
  done.connections += 1
}

const fallSilent = async (): Promise<void> => {
  const way = anyOf([toRedis, toPostgres])?.relay
  way?.freeze()
  await pause(500 + random() * 4000)
  way?.thaw()
  done.silences += 1
}

const stopWorker = async (): Promise<void> => {
  const victim = anyOf(workers)
  if (victim === undefined) return
  victim.child.kill("SIGSTOP")
  await pause(14_000)
  victim.child.kill("SIGCONT")
  done.stopped += 1
}

/** Rows that are not as they have to be, in words. */
const check = async (edition: string): Promise<ReadonlyArray<string>> => {
  // Each of the three sections of a document begins with the text that was sent.
  const { rows } = await pool.query<{ source: string; sections: number; present: number; heads: number }>(
    `SELECT source, count(*) FILTER (WHERE text LIKE '%edition%')::int AS sections,
       count(*) FILTER (WHERE text LIKE $1)::int AS present,
       count(DISTINCT substring(text from '## [^\n]*'))::int AS heads
     FROM chunks GROUP BY source`,
    [`%${edition}.%`]
  )
  const found = new Set(rows.map(({ source }) => source))
  return [
    ...paths.filter((path) => !found.has(path)).map((path) => `missing: ${path}`),
    ...rows
      .filter(({ heads, present, sections }) => sections !== 3 || present !== 3 || heads !== 3)
      .map((row) => `wrong: ${JSON.stringify(row)}`),
    ...rows.filter(({ source }) => !paths.includes(source)).map(({ source }) => `nobody's: ${source}`)
  ]
}

interface Round {
  readonly round: number
  readonly runs: number
  readonly faults: ReadonlyArray<string>
}

const play = async (round: number): Promise<Round> => {
  const edition = `edition ${round} x`
  for (const [index, path] of paths.entries()) writeFileSync(join(folder, path), `document ${index} ${edition}`)
  const moments = [killWorker, killWorker, killRedis, cutConnections, cutConnections, fallSilent]
  let coordinator = start({ ...task, role: "coordinator" })
  let runs = 1
  // The first requests of the run.
  const before = [...service.served.values()].reduce((sum, one) => sum + one, 0)
  await until(
    () =>
      [...service.served.values()].reduce((sum, one) => sum + one, 0) > before + count * 0.2 ||
      coordinator.child.exitCode !== null,
    60_000,
    `round ${round}: the first documents\n${coordinator.errors()}`
  )
  const acts: Array<Promise<void>> = []
  if (round % 5 === 4) acts.push(stopWorker())
  for (let act = 0; act < 2; act += 1) {
    await pause(random() * 800)
    await anyOf(moments)?.()
  }
  if (random() < 0.4) {
    coordinator.child.kill("SIGKILL")
    await coordinator.ended
    done.coordinators += 1
    runs += 1
    coordinator = start({ ...task, role: "coordinator" })
  }
  await Promise.all(acts)
  for (;;) {
    const status = await Promise.race([coordinator.ended, pause(180_000).then(() => "hangs" as const)])
    if (status === "hangs") return { round, runs, faults: [`hangs: ${coordinator.errors()}`] }
    const summary = status === 0 ? coordinator.lines[0] : undefined
    if (summary?.includes('"exit":0') === true) break
    if (runs > 4) return { round, runs, faults: [`no run ended well: ${summary ?? coordinator.errors()}`] }
    runs += 1
    coordinator = start({ ...task, role: "coordinator" })
  }
  return { round, runs, faults: await check(edition) }
}

try {
  for (let worker = 0; worker < Number(values.workers); worker += 1) hire()
  const played: Array<Round> = []
  for (let round = 0; round < rounds; round += 1) {
    const one = await play(round)
    played.push(one)
    process.stderr.write(`${JSON.stringify(one)} ${JSON.stringify(done)}\n`)
  }
  const faults = played.filter((one) => one.faults.length > 0)
  const served = [...service.served.values()].reduce((sum, one) => sum + one, 0)
  const result = {
    bench: "queueKills",
    server: values.server,
    seed: Number(values.seed),
    rounds,
    documents: count,
    killed: done,
    runs: played.reduce((sum, one) => sum + one.runs, 0),
    faults,
    parsedTwice: served - rounds * count,
    claimsBackMs: { most: Math.round(Math.max(0, ...backAfter)), measured: backAfter.length },
    machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
  }
  console.log(JSON.stringify(result, null, 2))
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  for (const { child } of workers) child.kill("SIGKILL")
  await pool.end()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await service.stop()
  await redis.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
