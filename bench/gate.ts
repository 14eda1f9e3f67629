/**
 * Requests to a service with limits: a bucket of 100 requests that 100 a second fill, a leaky one, windows of a second and of a minute with
 * waits told in seconds, as a date or not at all, two clients on one limit, 5 % of refusals at random, and a limit of 4 requests at a time
 * that becomes 16 and 4 again. Counts refused requests, and compares times with what is possible, with the same client without a gate, and
 * with the ways of other libraries. Limits of a minute get a fifth of the files, the leaky bucket a quarter.
 *
 * Next to it stands the gate alone before a simulated service, on a virtual clock; `--simulated` runs nothing else.
 *
 *     npm run bench -- gate [--simulated] [--only bucket,fixed,…] [--seeds 5] [--peer-seeds 5] [--files 2000] [--concurrency 32]
 */
import { type ChildProcess, fork } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as RateLimits from "../test/gate/rateLimits.ts"
import { type Contender, contenders } from "./gateClients.ts"
import { interval, type Limits, type Record as Recorded } from "./gateService.ts"
import * as Simulation from "./gateSimulation.ts"

const free: Omit<Limits, "seed"> = { rate: null, sporadic: 0, concurrency: [], retryAfter: 1 }

/** Mean milliseconds of an answer. */
const taken = 50

/** Milliseconds of each limit of concurrent requests. */
const phase = 10_000
const phases = [4, 16, 4] as const

interface Measured extends Recorded {
  readonly ms: number
  /** Time of the client that was done first. */
  readonly firstMs: number
  /** CPU time of the sending process. */
  readonly cpuMs: number
  readonly failed: number
}

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seeds: { type: "string", default: "5" },
    files: { type: "string", default: "2000" },
    concurrency: { type: "string", default: "32" },
    simulated: { type: "boolean", default: false },
    "peer-seeds": { type: "string", default: "5" }
  }
})
const seeds = Number(values.seeds)
/** Other libraries run with the first seeds only; 0: not at all. */
const peerSeeds = Number(values["peer-seeds"])
const files = Number(values.files)
const concurrency = Number(values.concurrency)

interface Plan {
  readonly limits: Omit<Limits, "seed">
  readonly files: number
  /** Milliseconds that they take at least. */
  readonly ideal: number
  /** Clients with keys of their own and a gate each, which share the files and the limits; default 1. */
  readonly clients?: number
}

const limited = (
  rate: RateLimits.RateLimit,
  {
    clients = 1,
    count = files,
    retryAfter = "seconds"
  }: {
    readonly clients?: number
    readonly count?: number
    readonly retryAfter?: RateLimits.Telling
  } = {}
): Plan => ({
  limits: { ...free, rate, retryAfter },
  files: count,
  ideal: RateLimits.leastTime(rate, count) + taken,
  clients
})

const bucket = { kind: "bucket", capacity: 100, perSecond: 100 } as const
const second = { requests: 100, window: 1000 } as const
const fixed = { kind: "fixed", phase: null, ...second } as const
/** A minute's limit, and the files for it. */
const minute = { requests: 100, window: 60_000 } as const
const few = Math.ceil(files / 5)
const fixedMinute = { kind: "fixed", phase: null, ...minute } as const

const plans = {
  bucket: limited(bucket, { retryAfter: 1 }),
  bucketUntold: limited(bucket, { retryAfter: "untold" }),
  leaky: limited({ kind: "bucket", capacity: 2, perSecond: 25 }, { count: Math.ceil(files / 4) }),
  fixed: limited(fixed),
  fixedDate: limited(fixed, { retryAfter: "date" }),
  fixedUntold: limited(fixed, { retryAfter: "untold" }),
  fixedClock: limited({ kind: "fixed", phase: 400, ...second }),
  slidingLog: limited({ kind: "log", ...second }),
  slidingCounter: limited({ kind: "counter", phase: 400, ...second }),
  twoFixed: limited(fixed, { clients: 2 }),
  twoBucket: limited(bucket, { clients: 2 }),
  minute: limited(fixedMinute, { count: few }),
  minuteUntold: limited(fixedMinute, { count: few, retryAfter: "untold" }),
  minuteLog: limited({ kind: "log", ...minute }, { count: few }),
  minuteCounter: limited({ kind: "counter", phase: 25_000, ...minute }, { count: few }),
  // Each worker waits out a second for each of its refusals.
  sporadic: {
    limits: { ...free, sporadic: 0.05 },
    files,
    ideal: ((taken + 1000 * (0.05 / 0.95)) * files) / concurrency
  },
  // Enough files to keep every slot busy until the last change is over.
  changing: {
    limits: { ...free, concurrency: phases.map((limit, at) => ({ from: at * phase, limit })) },
    files: 40 * files,
    ideal: phase * phases.length
  }
} as const satisfies Record<string, Plan>

type Scenario = keyof typeof plans

const planOf = (scenario: Scenario): Plan => plans[scenario]

const isRecorded = (message: unknown): message is Recorded =>
  typeof message === "object" && message !== null && "intervals" in message

const reply = (service: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const ended = () => reject(new Error("the service ended"))
    service.once("exit", ended)
    service.once("message", (message) => {
      service.off("exit", ended)
      resolve(message)
    })
  })

const measure = async (scenario: Scenario, seed: number, contender: Contender, folder: string): Promise<Measured> => {
  const service = fork(new URL("gateService.ts", import.meta.url))
  try {
    const base = String(await reply(service))
    const ready = reply(service)
    const { clients = 1, files: count, limits } = planOf(scenario)
    service.send({ ...limits, seed })
    await ready
    const paths = Array.from({ length: count }, (_, index) => join(folder, `${index % files}.html`))
    const started = performance.now()
    const until = scenario === "changing" ? started + phase * phases.length : Infinity
    const before = process.cpuUsage()
    const works = Array.from({ length: clients }, (_, client) => ({
      base,
      paths: paths.filter((_, index) => index % clients === client),
      key: clients > 1 ? `client-${client}` : undefined,
      concurrency,
      until
    }))
    const ends = await Promise.all(
      works.map(async (work) => ({ failed: await contender(work), ms: performance.now() - started }))
    )
    const cpu = process.cpuUsage(before)
    const ms = performance.now() - started
    const recorded = reply(service)
    service.send("record")
    const record = await recorded
    if (!isRecorded(record)) throw new Error("the service sent no record")
    return {
      ...record,
      ms,
      firstMs: Math.min(...ends.map((end) => end.ms)),
      cpuMs: (cpu.user + cpu.system) / 1000,
      failed: ends.reduce((sum, end) => sum + end.failed, 0)
    }
  } finally {
    service.kill()
  }
}

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const round = (value: number): number => Math.round(value * 1000) / 1000

/** Milliseconds of the first window, or in which a bucket fills. */
const windowOf = (scenario: Scenario): number => {
  const { rate } = planOf(scenario).limits
  if (rate === null) return 0
  return rate.kind === "bucket" ? Math.max(1000, (1000 * rate.capacity) / rate.perSecond) : rate.window
}

/** Share of the requests that are refused after the first intervals. */
const laterShare = (intervals: Recorded["intervals"], first: number): number => {
  const later = intervals.slice(first)
  const refused = later.reduce((sum, one) => sum + one.refused, 0)
  return refused / (refused + later.reduce((sum, one) => sum + one.served, 0))
}

/** Seconds from each change until the end of the first half second in which the limit was used up, and at most one request in ten refused. */
const foundWithin = ({ intervals }: Recorded): ReadonlyArray<number | null> =>
  phases.map((limit, at) => {
    const own = intervals.slice((at * phase) / interval, ((at + 1) * phase) / interval)
    const width = 500 / interval
    const first = own.findIndex((_, from) => {
      const window = own.slice(from, from + width)
      const refused = window.reduce((sum, one) => sum + one.refused, 0)
      const served = window.reduce((sum, one) => sum + one.served, 0)
      const most = Math.max(...window.map((one) => one.most))
      return window.length === width && most >= limit && refused <= 0.1 * (refused + served)
    })
    return first < 0 ? null : ((first + width) * interval) / 1000
  })

const summary = (scenario: Scenario, rounds: ReadonlyArray<Measured>) => {
  const ms = median(rounds.map((one) => one.ms))
  const common = {
    seconds: round(ms / 1000),
    timeOverIdeal: round(ms / planOf(scenario).ideal),
    ...(planOf(scenario).clients === 2 && { secondsOfFirst: round(median(rounds.map((one) => one.firstMs)) / 1000) }),
    cpuMsPerFile: round(median(rounds.map((one) => one.cpuMs / one.served))),
    wasted: median(rounds.map((one) => one.refused)),
    wastedMost: Math.max(...rounds.map((one) => one.refused)),
    wastedLater: round(median(rounds.map((one) => laterShare(one.intervals, windowOf(scenario) / interval)))),
    served: median(rounds.map((one) => one.served)),
    failed: median(rounds.map((one) => one.failed)),
    early: Math.max(...rounds.map((one) => one.early))
  }
  if (scenario !== "changing") return common
  const possible = phases.reduce((sum, limit) => sum + (limit * phase) / 50, 0)
  return {
    ...common,
    wastedShare: round(median(rounds.map((one) => one.refused / (one.refused + one.served)))),
    servedOfPossible: round(common.served / possible),
    /** Seconds to find each limit, by round; null: not found. */
    foundWithin: rounds.map(foundWithin)
  }
}

const play = async (scenario: Scenario, folder: string) => {
  const all = Object.entries(await contenders())
  const results = new Map(all.map(([name]) => [name, new Array<Measured>()]))
  for (let seed = 1; seed <= seeds; seed++) {
    const present = all.filter(
      ([name]) => name === "gated" || seed <= (name === "ungated" && scenario === "sporadic" ? seeds : peerSeeds)
    )
    for (const [name, contender] of present) {
      const measured = await measure(scenario, seed, contender, folder)
      results.get(name)?.push(measured)
      console.error(
        `${scenario}, seed ${seed}, ${name}: ${round(measured.ms / 1000)} s, ${round(measured.cpuMs / 1000)} s of CPU, ${measured.refused} refused, ${measured.failed} failed`
      )
    }
  }
  const of = (name: string) => summary(scenario, results.get(name) ?? [])
  const peers = all.map(([name]) => name).filter((name) => name !== "gated" && results.get(name)?.length !== 0)
  const ungated = results.get("ungated")
  return {
    simulated: await simulated(scenario),
    idealSeconds: round(planOf(scenario).ideal / 1000),
    ours: of("gated"),
    peers: Object.fromEntries(peers.map((name) => [name, of(name)])),
    /** Time with the gate divided by that of the same client without it. */
    ratio: ungated === undefined || ungated.length === 0 ? null : round(of("gated").seconds / of("ungated").seconds)
  }
}

/** The gate alone, on a virtual clock. */
const simulated = async (scenario: Scenario) => {
  const { clients = 1, files: count, ideal, limits } = planOf(scenario)
  const within = scenario === "changing" ? ideal : undefined
  const given = { files: count / clients, workers: concurrency, clients, within, window: windowOf(scenario) }
  const rounds: Array<Simulation.Simulated> = []
  for (let seed = 1; seed <= seeds; seed++) rounds.push(await Simulation.play({ ...limits, seed }, given))
  return {
    timeOverIdeal: round(median(rounds.map((one) => one.ms / ideal))),
    wasted: median(rounds.map((one) => one.refused)),
    wastedMost: Math.max(...rounds.map((one) => one.refused)),
    wastedShare: round(median(rounds.map((one) => one.refused / (one.refused + one.served)))),
    wastedLater: round(median(rounds.map((one) => one.later))),
    served: median(rounds.map((one) => one.served))
  }
}

const names = values.only?.split(",")
const chosen = Object.keys(plans).filter((name): name is Scenario => names === undefined || names.includes(name))
const folder = await mkdtemp(join(tmpdir(), "docsluice-gate-"))
try {
  await Promise.all(
    Array.from({ length: files }, (_, index) =>
      writeFile(
        join(folder, `${index}.html`),
        `<h1>Document ${index}</h1><p>${"A sentence of a page. ".repeat(100)}</p>`
      )
    )
  )
  const results: Record<string, unknown> = {}
  for (const scenario of chosen) {
    results[scenario] = values.simulated ? await simulated(scenario) : await play(scenario, folder)
  }
  console.log(
    JSON.stringify(
      {
        bench: "gate",
        files,
        seeds,
        concurrency,
        ...results,
        machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
      },
      null,
      2
    )
  )
} finally {
  await rm(folder, { recursive: true })
}
