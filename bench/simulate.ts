/**
 * The whole system in simulations, several at a time: see `test/simulation`.
 *
 *     npm run bench -- simulate [--seeds 3000] [--minutes 10] [--from 1] [--processes 2] [--story SEED] [--keep SEED] [--disk]
 *
 * Prints runs a second of one core, the events that followed one another, and each seed that broke a promise. `--story` tells the shortest
 * story of a seed, `--keep` makes it a test; `--disk`: of a machine with its state in a folder.
 */
import { spawn, spawnSync } from "node:child_process"
import { availableParallelism, cpus } from "node:os"
import { parseArgs } from "node:util"
import { bundled } from "../test/fixtures/bundled.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "3000" },
    minutes: { type: "string", default: "10" },
    from: { type: "string", default: "1" },
    processes: { type: "string", default: String(availableParallelism()) },
    story: { type: "string" },
    keep: { type: "string" },
    disk: { type: "boolean", default: false }
  }
})

interface Report {
  readonly runs: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly steps: number
  readonly hours: number
  readonly pairs: ReadonlyArray<string>
  readonly failures: ReadonlyArray<{ readonly seed: string; readonly invariant: string; readonly problem: string }>
}

const program = bundled(new URL("../test/simulation/main.ts", import.meta.url))

/** Most of what a run allocates is gone at once. */
const node = ["--max-semi-space-size=64", program, ...(values.disk ? ["--disk"] : [])]

const report = (args: ReadonlyArray<string>): Promise<Report> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...node, ...args], { stdio: ["ignore", "pipe", "inherit"] })
    let told = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      told += text
    })
    child.once("close", (status) =>
      status === 0 ? resolve(JSON.parse(told)) : reject(new Error(`ended with ${status}`))
    )
  })

if (values.story !== undefined || values.keep !== undefined) {
  const told = values.keep === undefined ? ["--story", values.story ?? ""] : ["--keep", values.keep]
  process.exitCode = spawnSync(process.execPath, [...node, ...told], { stdio: "inherit" }).status ?? 1
} else {
  const processes = Number(values.processes)
  const reports = await Promise.all(
    Array.from({ length: processes }, (_, at) =>
      report([
        `--from=${Number(values.from) + at}`,
        `--step=${processes}`,
        `--seeds=${Number(values.seeds) - at}`,
        `--minutes=${values.minutes}`
      ])
    )
  )
  const sum = (of: (one: Report) => number): number => reports.reduce((total, one) => total + of(one), 0)
  const failures = reports.flatMap((one) => one.failures)
  const [runs, cpuSeconds] = [sum((one) => one.runs), sum((one) => one.cpuSeconds)]
  const figures = {
    bench: "simulate",
    runs,
    runsASecondOfCpu: Number((runs / cpuSeconds).toFixed(2)),
    steps: sum((one) => one.steps),
    simulatedHours: Number(sum((one) => one.hours).toFixed(1)),
    pairsOfEvents: new Set(reports.flatMap((one) => one.pairs)).size,
    failures,
    machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
  }
  console.log(JSON.stringify(figures, null, 2))
  process.exitCode = failures.length === 0 ? 0 : 1
}
