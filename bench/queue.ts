/**
 * Runs through a queue, every process one of its own: 1, 2 and 4 workers with one request of 50 ms in flight each, next to a bare loop of
 * BullMQ that makes the same request and writes the same rows; 4 workers before a service with faults and a limit of 100 requests a second;
 * whole runs of several sizes with two workers; the bytes of waiting documents; the speed of both servers without any work.
 *
 *     npm run bench -- queue [--only scaling,limit,whole,growth,servers] [--workers 1,2,4] [--documents 600] [--limited 6000] [--rate 100]
 *       [--whole 1000,10000] [--sizes 1000,10000,100000]
 *
 * `--documents`: for each worker. Speed and CPU of scaling and of whole runs are those after the first quarter of the documents, for the
 * bare loop too: until then the programs are being compiled. Linux.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Client } from "pg"
import * as Redis from "../test/queue/redis.ts"
import * as Postgres from "./postgresServer.ts"
import * as Bare from "./queue/bare.ts"
import type { Task } from "./queue/member.ts"
import { documents, type Member, starter, until } from "./queue/members.ts"
import * as Servers from "./queue/servers.ts"
import * as Service from "./queue/service.ts"

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "scaling,limit,whole,growth,servers" },
    workers: { type: "string", default: "1,2,4" },
    documents: { type: "string", default: "600" },
    limited: { type: "string", default: "6000" },
    rate: { type: "string", default: "100" },
    whole: { type: "string", default: "1000,10000" },
    sizes: { type: "string", default: "1000,10000,100000" }
  }
})

const redis = await Redis.start()
const postgres = await Postgres.start()
const start = await starter()
const folders: Array<string> = []
const members = new Set<Member>()

/** Share of the machine's CPU that was in use since the last call. */
const cpu = (() => {
  let before = { idle: 0, all: 0 }
  return (): number => {
    const [, ...ticks] = (readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? "").split(/\s+/u)
    const all = ticks.slice(0, 8).reduce((sum, one) => sum + Number(one), 0)
    const idle = Number(ticks[3] ?? 0) + Number(ticks[4] ?? 0)
    const share = 1 - (idle - before.idle) / Math.max(1, all - before.all)
    before = { idle, all }
    return Number(share.toFixed(2))
  }
})()

const query = async (url: string, text: string): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(text)
    return rows
  } finally {
    await client.end()
  }
}

let databases = 0

/** A database of its own, so that no measurement sees another's rows. */
const database = async (): Promise<string> => {
  databases += 1
  const name = `bench_${databases}`
  await query(postgres.url, `CREATE DATABASE ${name}`)
  const url = postgres.url.replace(/\/postgres$/u, `/${name}`)
  await query(url, "CREATE EXTENSION IF NOT EXISTS vector")
  return url
}

const folderOf = (count: number) => {
  const folder = mkdtempSync(join(tmpdir(), "docsluice-queue-bench-"))
  folders.push(folder)
  return { folder, paths: documents(folder, count) }
}

const begin = (task: Task): Member => {
  const member = start(task)
  members.add(member)
  return member
}

const end = async (all: ReadonlyArray<Member>): Promise<void> => {
  for (const { child } of all) child.kill("SIGTERM")
  await Promise.all(all.map(({ ended }) => ended))
  for (const member of all) members.delete(member)
}

const summaryOf = async (coordinator: Member): Promise<Record<string, unknown>> => {
  const status = await coordinator.ended
  const [line = ""] = coordinator.lines
  const summary: unknown = status === 0 ? JSON.parse(line) : null
  if (typeof summary !== "object" || summary === null) throw new Error(`a coordinator failed: ${coordinator.errors()}`)
  return { ...summary }
}

/** Bytes of the tables of a schema, with their indexes. */
const bytesOf = async (url: string, schema: string): Promise<number> => {
  const text = `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '${schema}' AND c.relkind = 'r'`
  const [row] = await query(url, text)
  return Number(row?.["bytes"])
}

/** Megabytes of memory that a worker had at most. */
const peakOf = ({ lines }: Member): number => Number(/"peakMb":([\d.]+)/u.exec(lines.at(-1) ?? "")?.[1] ?? Number.NaN)

/** Share of a run in which the programs are compiled; what is measured of speed and CPU begins after it. */
const warming = 0.25

const warmed = async (service: Service.Service, count: number): Promise<void> => {
  await until(() => service.served.size >= count * warming, 600_000, "a quarter of the documents")
  service.mark()
  cpu()
}

/** Documents a second of the run, by the answers of the service; `warm`: after its first quarter. */
const ours = async (workers: number, count: number, limits: Service.Limits, concurrency: number, warm: boolean) => {
  const service = await Service.start(limits)
  const { folder } = folderOf(count)
  const url = await database()
  const task = { queue: redis.url, database: url, service: service.address, folder, concurrency }
  const hands = Array.from({ length: workers }, () => begin({ ...task, role: "worker" }))
  cpu()
  const coordinator = begin({ ...task, role: "coordinator" })
  if (warm) await Promise.race([warmed(service, count), coordinator.ended])
  const summary = await summaryOf(coordinator)
  const used = cpu()
  const sources = await query(url, "SELECT count(DISTINCT source) AS documents, count(*) AS rows FROM chunks")
  const stateBytes = await bytesOf(url, "docsluice")
  await end(hands)
  await service.stop()
  const peaks = hands.map(peakOf)
  const twice = [...service.served.values()].filter((times) => times > 1).length
  const requests = [...service.served.values()].reduce((sum, times) => sum + times, 0) + service.refused()
  return {
    perSecond: service.pace(),
    used,
    summary,
    stored: sources[0],
    twice,
    requests,
    tooMany: service.tooMany(),
    stateBytes,
    peaks
  }
}

const bare = async (workers: number, count: number) => {
  const service = await Service.start({ time: 50, rate: null, faults: 0 })
  const { folder, paths } = folderOf(count)
  const url = await database()
  await query(url, Bare.table)
  const hands = Array.from({ length: workers }, () =>
    begin({ role: "bare", queue: redis.url, database: url, service: service.address, folder, concurrency: 1 })
  )
  await Promise.all([Bare.time(redis.url, paths), warmed(service, count)])
  const used = cpu()
  await end(hands)
  await service.stop()
  return { perSecond: service.pace(), used }
}

const round = (value: number): number => Number(value.toFixed(2))

const scaling = async () => {
  const rows = []
  for (const workers of values.workers.split(",").map(Number)) {
    const count = Number(values.documents) * workers
    const mine = await ours(workers, count, { time: 50, rate: null, faults: 0 }, 1, true)
    const plain = await bare(workers, count)
    rows.push({
      workers,
      documents: count,
      perSecond: round(mine.perSecond),
      cpu: mine.used,
      bare: round(plain.perSecond),
      bareCpu: plain.used,
      ofBare: round(mine.perSecond / plain.perSecond),
      stored: mine.stored,
      twice: mine.twice
    })
  }
  return { rows, lastOverFirst: round((rows.at(-1)?.perSecond ?? 0) / (rows[0]?.perSecond ?? 1)) }
}

const limit = async () => {
  const count = Number(values.limited)
  const rate = Number(values.rate)
  const { perSecond, requests, stored, summary, tooMany, twice, used } = await ours(
    4,
    count,
    { time: 50, rate, faults: 0.03 },
    8,
    false
  )
  return {
    documents: count,
    rate,
    perSecond: round(perSecond),
    // All but the first second's requests come at the rate.
    overIdeal: round(count / perSecond / (count / rate - 1)),
    requests,
    wasted: Number((tooMany / requests).toFixed(3)),
    stored,
    twice,
    cpu: used,
    exit: summary["exit"]
  }
}

/** Runs of several sizes from the first document to the last chunk. */
const whole = async () => {
  const rows = []
  for (const size of values.whole.split(",").map(Number)) {
    const { peaks, perSecond, stateBytes, stored, summary, twice, used } = await ours(
      2,
      size,
      { time: 5, rate: null, faults: 0 },
      8,
      true
    )
    rows.push({
      documents: size,
      msADocument: round(Number(summary["ms"]) / size),
      perSecond: round(perSecond),
      cpu: used,
      stored,
      twice,
      stateBytesADocument: Math.round(stateBytes / size),
      coordinatorPeakMb: Math.round(Number(summary["peakMb"])),
      workersPeakMb: peaks.map(Math.round)
    })
  }
  return rows
}

/** Bytes of documents that wait, and memory of the coordinator that sent them; no worker takes any. */
const growth = async () => {
  const rows = []
  for (const size of values.sizes.split(",").map(Number)) {
    const { folder } = folderOf(size)
    for (const [kind, depth] of [
      ["redis", 200_000],
      ["postgres", 200_000],
      ["redis", undefined]
    ] as const) {
      const url = await database()
      const queue = kind === "redis" ? redis.url : url
      if (kind === "redis") Redis.ask(redis.port, ["FLUSHALL"])
      const used = () => Number(/used_memory:(\d+)/u.exec(Redis.ask(redis.port, ["INFO", "memory"]))?.[1] ?? 0)
      const before = used()
      const wanted = Math.min(size, depth ?? 10_000)
      const coordinator = begin({
        role: "coordinator",
        queue,
        database: url,
        service: "http://127.0.0.1:9",
        folder,
        concurrency: 1,
        ...(depth !== undefined && { depth })
      })
      let key = ""
      const sent = async (): Promise<number> => {
        if (kind === "redis") {
          if (key === "") {
            key =
              Redis.ask(redis.port, ["--raw", "KEYS", "docsluice_queue:docsluice-*:wait"])
                .split("\n")
                .find((one) => one !== "" && !one.includes("-runs:")) ?? ""
          }
          return key === "" ? 0 : Number(Redis.ask(redis.port, ["LLEN", key]))
        }
        const [row] = await query(url, "SELECT count(*)::int AS n FROM docsluice_queue.job").catch(() => [{ n: 0 }])
        return Number(row?.["n"] ?? 0)
      }
      const began = performance.now()
      await until(async () => (await sent()) >= wanted, 300_000, `${size} documents in ${kind}`)
      const seconds = (performance.now() - began) / 1000
      const held = kind === "redis" ? used() - before : await bytesOf(url, "docsluice_queue")
      const rss = Number(
        /^VmHWM:\s+(\d+)/mu.exec(readFileSync(`/proc/${coordinator.child.pid}/status`, "utf8"))?.[1] ?? 0
      )
      rows.push({
        documents: size,
        server: kind,
        depth: depth === undefined ? "default" : depth,
        waiting: await sent(),
        seconds: round(seconds),
        bytesADocument: Math.round(held / wanted),
        coordinatorPeakMb: Math.round(rss / 1024)
      })
      coordinator.child.kill("SIGKILL")
      await coordinator.ended
      members.delete(coordinator)
    }
  }
  return rows
}

try {
  const asked = new Set(values.only.split(","))
  const result = {
    bench: "queue",
    ...(asked.has("servers") && { servers: await Servers.compare(redis.url, postgres.url) }),
    ...(asked.has("scaling") && { scaling: await scaling() }),
    ...(asked.has("limit") && { limit: await limit() }),
    ...(asked.has("whole") && { whole: await whole() }),
    ...(asked.has("growth") && { growth: await growth() }),
    load: loadavg().map(round),
    machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
  }
  console.log(JSON.stringify(result, null, 2))
} finally {
  for (const { child } of members) child.kill("SIGKILL")
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  await redis.stop()
  await postgres.stop()
}
