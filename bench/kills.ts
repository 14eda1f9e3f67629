/**
 * Kills runs with SIGKILL at random moments and between their steps, each followed by a complete run; then checks the content of the
 * sinks.
 *
 *     npm run bench -- kills [--kills 100] [--files 60] [--changed 20] [--concurrency 8]
 */
import { availableParallelism, cpus } from "node:os"
import { parseArgs } from "node:util"
import { Effect } from "effect"
import * as Killing from "../test/faults/killing.ts"
import { steps } from "../test/faults/order.ts"

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    files: { type: "string", default: "60" },
    changed: { type: "string", default: "20" },
    concurrency: { type: "string", default: "8" }
  }
})

const numbers = {
  files: Number(values.files),
  limited: 0,
  broken: 0,
  changed: Number(values.changed),
  concurrency: Number(values.concurrency)
}

const killed = (rounds: ReadonlyArray<Killing.Round>): number => rounds.filter(({ ended }) => !ended).length

const most = (counts: ReadonlyArray<number>): number => Math.max(0, ...counts)

const sum = (rounds: ReadonlyArray<Killing.Round>, of: (round: Killing.Round) => number): number =>
  rounds.reduce((total, round) => total + of(round), 0)

const report = (rounds: ReadonlyArray<Killing.Round>) => ({
  killed: killed(rounds),
  endedBefore: rounds.length - killed(rounds),
  parsedTwicePerKill: most(rounds.map(({ twice }) => twice)),
  parsedTwice: sum(rounds, ({ twice }) => twice),
  missing: sum(rounds, ({ check }) => check.jsonl.missing + check.fs.missing),
  stale: sum(rounds, ({ check }) => check.jsonl.stale + check.fs.stale),
  ghosts: sum(rounds, ({ check }) => check.jsonl.ghosts + check.fs.ghosts),
  duplicates: sum(rounds, ({ check }) => check.jsonl.duplicates + check.fs.duplicates),
  cutLines: sum(rounds, ({ check }) => check.cutLines),
  leftovers: rounds.flatMap(({ check }) => check.leftovers),
  failed: rounds.filter(({ ok }) => !ok)
})

/** Repeats until the requested number of runs was killed: some end before their moment. */
const atRandom = Effect.gen(function* () {
  const rounds: Array<Killing.Round> = []
  while (killed(rounds) < Number(values.kills)) {
    const wanted = Number(values.kills) - killed(rounds)
    const moments = Array.from({ length: wanted }, () => Math.random())
    const played = yield* Killing.play(numbers, wanted, (index, wholeMs) => ({
      afterMs: Math.round((moments[index] ?? 0) * wholeMs)
    }))
    rounds.push(...played.rounds)
  }
  return rounds
})

/** Both kinds of sink: one that replaces documents, and one that writes first and removes afterwards. */
const betweenSteps = Effect.gen(function* () {
  const moments = [true, false].flatMap((plain) =>
    steps
      .filter((step) => plain || (step !== "before-removed" && step !== "before-remove" && step !== "after-remove"))
      .map((step): Killing.Moment => ({ pause: { step, times: step === "before-finish-run" ? 1 : 2 }, plain }))
  )
  const { rounds } = yield* Killing.play(numbers, moments.length, (index) => moments[index] ?? "never")
  return rounds
})

const random = await Effect.runPromise(Effect.scoped(atRandom))
const steady = await Effect.runPromise(Effect.scoped(betweenSteps))
const ok = [...random, ...steady].every((round) => round.ok) && steady.every(({ paused }) => paused)
const machine = `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, Node ${process.version}`
console.log(
  JSON.stringify(
    { bench: "kills", numbers, random: report(random), betweenSteps: report(steady), ok, machine },
    null,
    2
  )
)
process.exitCode = ok ? 0 : 1
