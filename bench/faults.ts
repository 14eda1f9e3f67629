/**
 * Runs a corpus with faults, re-runs, a move, changes, outages and lost targets; counts what was lost, stored twice or paid twice.
 *
 *     npm run bench -- faults [--files 2000] [--limited 100] [--broken 40] [--changed 20] [--concurrency 16]
 */
import { availableParallelism, cpus } from "node:os"
import { parseArgs } from "node:util"
import { Effect } from "effect"
import * as Scenario from "../test/faults/scenario.ts"

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "2000" },
    limited: { type: "string", default: "100" },
    broken: { type: "string", default: "40" },
    changed: { type: "string", default: "20" },
    concurrency: { type: "string", default: "16" }
  }
})

const report = await Effect.runPromise(
  Effect.scoped(
    Scenario.play({
      files: Number(values.files),
      limited: Number(values.limited),
      broken: Number(values.broken),
      changed: Number(values.changed),
      concurrency: Number(values.concurrency)
    })
  )
)
const machine = `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
console.log(JSON.stringify({ bench: "faults", ...report, machine }, null, 2))
process.exitCode = report.ok ? 0 : 1
