/**
 * Requests to a service with limits: a bucket of 100 requests that 100 a second fill, 5 % of refusals at random, and a limit of 4 requests
 * at a time that becomes 16 and 4 again. Counts refused requests, and compares times with what is possible, with the same client without a
 * gate, and with the ways of other libraries.
 *
 * Next to it stands the gate alone before a simulated service, on a virtual clock; `--simulated` runs nothing else.
 *
 *     npm run bench -- gate [--simulated] [--only bucket,bucketUntold,sporadic,changing] [--seeds 5] [--peer-seeds 5] [--files 2000] [--concurrency 32]
 */
import { type ChildProcess, fork } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Contender, contenders } from "./gateClients.ts"
import { interval, type Limits, type Record as Recorded } from "./gateService.ts"
import * as Simulation from "./gateSimulation.ts"

const free: Omit<Limits, "seed"> = { bucket: null, sporadic: 0, concurrency: [], retryAfter: 1 }

const bucket = { size: 100, rate: 100 } as const

/** Milliseconds of each limit of concurrent requests. */
const phase = 10_000
const phases = [4, 16, 4] as const

interface Measured extends Recorded {
  readonly ms: number
  /** CPU time of the sending process. */
  readonly cpuMs: number
  readonly failed: number
}

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "bucket,bucketUntold,sporadic,changing" },
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

/** The least time to spend a bucket's requests on all files. */
const bucketTime = (1000 * Math.max(0, files - bucket.size)) / bucket.rate + 50

/** Limits, and the milliseconds that all files take at least. */
const scenarios = {
  bucket: { limits: { ...free, bucket }, ideal: bucketTime },
  bucketUntold: { limits: { ...free, bucket, retryAfter: null }, ideal: bucketTime },
  // Each worker waits out a second for each of its refusals.
  sporadic: { limits: { ...free, sporadic: 0.05 }, ideal: ((50 + 1000 * (0.05 / 0.95)) * files) / concurrency },
  changing: {
    limits: { ...free, concurrency: phases.map((limit, at) => ({ from: at * phase, limit })) },
    ideal: phase * phases.length
  }
} as const satisfies Record<string, { readonly limits: Omit<Limits, "seed">; readonly ideal: number }>

type Scenario = keyof typeof scenarios

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
    service.send({ ...scenarios[scenario].limits, seed })
    await ready
    // Enough files to keep every slot busy until the last change is over.
    const count = scenario === "changing" ? 40 * files : files
    const paths = Array.from({ length: count }, (_, index) => join(folder, `${index % files}.html`))
    const started = performance.now()
    const until = scenario === "changing" ? started + phase * phases.length : Infinity
    const before = process.cpuUsage()
    const failed = await contender({ base, paths, concurrency, until })
    const cpu = process.cpuUsage(before)
    const ms = performance.now() - started
    const recorded = reply(service)
    service.send("record")
    const record = await recorded
    if (!isRecorded(record)) throw new Error("the service sent no record")
    return { ...record, ms, cpuMs: (cpu.user + cpu.system) / 1000, failed }
  } finally {
    service.kill()
  }
}

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const round = (value: number): number => Math.round(value * 1000) / 1000

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
    timeOverIdeal: round(ms / scenarios[scenario].ideal),
    cpuMsPerFile: round(median(rounds.map((one) => one.cpuMs / one.served))),
    wasted: median(rounds.map((one) => one.refused)),
    wastedMost: Math.max(...rounds.map((one) => one.refused)),
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
    idealSeconds: round(scenarios[scenario].ideal / 1000),
    ours: of("gated"),
    peers: Object.fromEntries(peers.map((name) => [name, of(name)])),
    /** Time with the gate divided by that of the same client without it. */
    ratio: ungated === undefined || ungated.length === 0 ? null : round(of("gated").seconds / of("ungated").seconds)
  }
}

/** The gate alone, on a virtual clock. */
const simulated = async (scenario: Scenario) => {
  const { ideal, limits } = scenarios[scenario]
  const changing = scenario === "changing"
  const given = { files: changing ? 100_000 : files, workers: concurrency, within: changing ? ideal : undefined }
  const rounds: Array<Simulation.Simulated> = []
  for (let seed = 1; seed <= seeds; seed++) rounds.push(await Simulation.play({ ...limits, seed }, given))
  return {
    timeOverIdeal: round(median(rounds.map((one) => one.ms / ideal))),
    wasted: median(rounds.map((one) => one.refused)),
    wastedMost: Math.max(...rounds.map((one) => one.refused)),
    wastedShare: round(median(rounds.map((one) => one.refused / (one.refused + one.served)))),
    served: median(rounds.map((one) => one.served))
  }
}

const chosen = Object.keys(scenarios).filter((name): name is Scenario => values.only.split(",").includes(name))
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
