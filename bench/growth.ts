/**
 * Time and memory of the parsers at four sizes of each kind of document that was once superlinear. Each measurement is in a separate
 * process that has parsed a small document of the kind before, as a lane has.
 *
 *     npm run bench -- growth [--only TEXT] [--rounds 3]
 */
import { fork } from "node:child_process"
import { availableParallelism, cpus } from "node:os"
import { parseArgs } from "node:util"
import { cases, type GrowthCase } from "../test/engine/growth.ts"

interface Measured {
  readonly size: number
  readonly bytes: number
  /** CPU time of the parse alone, all threads: other load on the machine affects it less than wall time. */
  readonly cpuMs: number
  /** Highest resident memory, minus that before the parse. */
  readonly peakMb: number
  readonly markdownBytes: number
}

const sizesOf = ({ size }: GrowthCase): ReadonlyArray<number> => [1, 2, 4, 8].map((factor) => factor * size)

const residentMb = (): number => process.resourceUsage().maxRSS / 1024

/** Number of documents after which the code of a kind is compiled. */
const warmUps = 3

const perform = async (name: string, size: number): Promise<void> => {
  const own = cases.find((each) => each.name === name)
  if (own === undefined) throw new Error(`no case ${name}`)
  const { document, parse } = own
  for (let round = 0; round < warmUps; round++) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, as in a lane
    await parse(document(Math.ceil(own.size / 8 / 8) * 8))
  }
  const bytes = document(size)
  globalThis.gc?.()
  const resident = residentMb()
  const before = process.cpuUsage()
  const markdown = await parse(bytes)
  const { system, user } = process.cpuUsage(before)
  process.send?.({
    size,
    bytes: bytes.length,
    cpuMs: (user + system) / 1000,
    peakMb: residentMb() - resident,
    markdownBytes: markdown.length
  } satisfies Measured)
}

const isMeasured = (message: unknown): message is Measured =>
  typeof message === "object" && message !== null && "peakMb" in message

const measure = (name: string, size: number): Promise<Measured> =>
  new Promise((resolve, reject) => {
    const child = fork(new URL(import.meta.url), ["--perform", name, "--size", String(size)], {
      // Same heap and stack as a lane.
      execArgv: [...process.execArgv, "--max-semi-space-size=32", "--stack-size=4000"]
    })
    child.once("message", (message) =>
      isMeasured(message) ? resolve(message) : reject(new Error(`${name}: another message`))
    )
    child.once("exit", (code) => reject(new Error(`${name}, ${size}: ended with ${String(code)}`)))
  })

const least = (rounds: ReadonlyArray<Measured>, of: (measured: Measured) => number): number =>
  Math.min(...rounds.map(of))

/** Figures below these are noise of the process. */
const noise = { cpuMs: 50, peakMb: 24 } as const

const rounded = (value: number): number => Math.round(value * 100) / 100

/** Largest ratio of growth to growth in size, between any two sizes; 1 is linear. */
const growth = (points: ReadonlyArray<readonly [size: number, value: number]>, floor: number): number => {
  let worst = 0
  points.forEach(([size, value], at) => {
    for (const [larger, grown] of points.slice(at + 1)) {
      worst = Math.max(worst, Math.max(grown, floor) / Math.max(value, floor) / (larger / size))
    }
  })
  return rounded(worst)
}

interface Result {
  readonly name: string
  readonly unit: GrowthCase["unit"]
  readonly sizes: ReadonlyArray<Measured>
  readonly timeGrowth: number
  readonly memoryGrowth: number
  readonly secondsPerMegabyte: number
}

const run = async (one: GrowthCase, rounds: number): Promise<Result> => {
  const sizes: Array<Measured> = []
  for (const size of sizesOf(one)) {
    const measured: Array<Measured> = []
    for (let round = 0; round < rounds; round++) {
      // oxlint-disable-next-line no-await-in-loop -- at once they would measure each other
      measured.push(await measure(one.name, size))
    }
    const [first] = measured
    if (first !== undefined) {
      sizes.push({
        ...first,
        cpuMs: Math.round(least(measured, ({ cpuMs }) => cpuMs)),
        peakMb: Math.round(least(measured, ({ peakMb }) => peakMb))
      })
    }
  }
  const largest = sizes.at(-1)
  return {
    name: one.name,
    unit: one.unit,
    sizes,
    timeGrowth: growth(
      sizes.map(({ cpuMs, size }) => [size, cpuMs]),
      noise.cpuMs
    ),
    memoryGrowth: growth(
      sizes.map(({ peakMb, size }) => [size, peakMb]),
      noise.peakMb
    ),
    secondsPerMegabyte: largest === undefined ? 0 : rounded(largest.cpuMs / 1000 / (largest.bytes / 1_000_000))
  }
}

const { values } = parseArgs({
  options: {
    perform: { type: "string" },
    size: { type: "string", default: "0" },
    only: { type: "string", default: "" },
    rounds: { type: "string", default: "3" }
  }
})

if (values.perform === undefined) {
  const results: Array<Result> = []
  for (const one of cases.filter(({ name }) => name.includes(values.only))) {
    // oxlint-disable-next-line no-await-in-loop -- at once they would measure each other
    results.push(await run(one, Number(values.rounds)))
  }
  const worst = (of: (result: Result) => number): number => Math.max(...results.map(of))
  console.log(
    JSON.stringify({
      bench: "growth",
      ours: {
        timeGrowth: worst((result) => result.timeGrowth),
        memoryGrowth: worst((result) => result.memoryGrowth),
        results
      },
      peers: {},
      ratio: worst((result) => result.timeGrowth),
      machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.versions.node}`
    })
  )
} else {
  await perform(values.perform, Number(values.size))
}
