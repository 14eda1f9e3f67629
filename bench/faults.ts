/**
 * Runs a corpus with faults, re-runs, a move, changes, outages and lost targets; counts what was lost, stored twice or paid twice. Then
 * runs one in which every third document meets one of the faults of a document, and interrupts one amid uploads that do not end.
 *
 *     npm run bench -- faults [--files 2000] [--limited 100] [--broken 40] [--changed 20] [--concurrency 16] [--workers 32] [--only mixture]
 */
import { availableParallelism, cpus } from "node:os"
import { parseArgs } from "node:util"
import { Effect } from "effect"
import * as Mixture from "../test/faults/mixture.ts"
import * as Scenario from "../test/faults/scenario.ts"

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "2000" },
    limited: { type: "string", default: "100" },
    broken: { type: "string", default: "40" },
    changed: { type: "string", default: "20" },
    concurrency: { type: "string", default: "16" },
    workers: { type: "string", default: "32" },
    only: { type: "string", default: "steps,mixture" }
  }
})

const files = Number(values.files)
const chosen = values.only.split(",")

const steps = Effect.scoped(
  Scenario.play({
    files,
    limited: Number(values.limited),
    broken: Number(values.broken),
    changed: Number(values.changed),
    concurrency: Number(values.concurrency)
  })
)

const mixture = Effect.gen(function* () {
  const workers = Number(values.workers)
  const mixed = yield* Effect.scoped(Mixture.play(files, workers))
  const interrupted = yield* Effect.scoped(Mixture.interrupt(Math.max(60, files / 10), workers))
  const { leftOpen, leftWaiting } = interrupted
  const problems = [...mixed.problems, ...interrupted.problems]
  return { mixed, interrupted, ok: mixed.early + mixed.retriedInVain + leftOpen + leftWaiting + problems.length === 0 }
})

const report = await Effect.runPromise(
  Effect.all({
    steps: chosen.includes("steps") ? steps : Effect.succeed(null),
    mixture: chosen.includes("mixture") ? mixture : Effect.succeed(null)
  })
)
const machine = `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
console.log(JSON.stringify({ bench: "faults", ...report.steps, mixture: report.mixture, machine }, null, 2))
process.exitCode = (report.steps?.ok ?? true) && (report.mixture?.ok ?? true) ? 0 : 1
