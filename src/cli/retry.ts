/** `docsluice retry`: sends the dead letters again, each with the targets and options of its own run. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as DeadLetter from "../DeadLetter.ts"
import { commandLine, render } from "../internal/base/message.ts"
import * as Retrying from "../internal/corpus/retrying.ts"
import { forgetLetters } from "../internal/run/forgetLetters.ts"
import * as Total from "../internal/run/total.ts"
import { Summary } from "../Outcome.ts"
import * as Command from "./Command.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import { Invocation } from "./Invocation.ts"
import * as NextStep from "./NextStep.ts"
import * as Repetition from "./Repetition.ts"
import * as Run from "./Run.ts"
import * as RunPage from "./RunPage.ts"
import * as RunView from "./RunView.ts"
import * as State from "./State.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const takes = {
  to: flags.to,
  apiKey: flags.apiKey,
  parseOptions: flags.parseOptions,
  empty: flags.empty,
  state: flags.state,
  report: flags.report,
  progress: flags.progress,
  json: flags.json,
  quiet: flags.quiet
}

type Given = Command.Given<typeof takes>

const about: Command.Description = {
  name: "retry",
  summary: "the documents that failed, each as its run was told",
  description:
    "Sends every dead letter again, each with the targets and options of the run that it failed in; keys, and addresses that held a credential, are given again. --empty parses what is stored without text or in part instead.",
  exits: "0 all stored, 1 some failed or could not be sent, 2 a run was stopped, 64 wrong usage, 130 interrupted",
  examples: ["docsluice retry"]
}

const retry = Effect.fnUntraced(function* (given: Given) {
  const page = yield* RunPage.at(given.report)
  yield* State.required(given.state)
  const what = given.empty ? "incomplete" : "failures"
  const plan = yield* Effect.provide(Retrying.plan(what, null), State.ledger(given.state))
  if (!plan.recorded) return yield* new UsageError({ problem: "no run is recorded; run ingest first" })
  const setups = yield* Repetition.ofBatches(plan.batches, given)
  yield* drop(given.state, plan.gone)
  const view = yield* RunView.make(given, page)
  yield* Run.interruptible
  let total = Total.add(Total.nothing, { ...Total.nothing, ...leftAlone(plan.left) })
  for (const setup of setups) {
    if (total.exit === 130) break
    const redo = given.empty ? ("parses" as const) : ("failures" as const)
    const how = { ...setup.how, redo, ...view.how }
    const pass = Run.pass({ ...setup, how }, view.finish)
    total = Total.add(total, yield* setups.length === 1 ? pass : Effect.catchAll(pass, outright))
  }
  const summary = Summary.make(total)
  const targets = [...new Set(setups.flatMap(({ means }) => means.targets.map(({ shown }) => shown)))]
  const next = NextStep.after(summary, { words: yield* Invocation, state: given.state, searched: undefined })
  const nothing = given.empty ? "no document is stored without text or in part" : "no dead letters"
  return yield* view.end(summary, { targets, next, nothing }, given.state)
})

/** Exit status and warnings for letters that cannot be sent again. */
const leftAlone = (left: ReadonlyArray<Retrying.Left>): Pick<Summary, "exit" | "warnings"> => ({
  exit: left.length === 0 ? 0 : 1,
  warnings: left.map(({ letter, reason }) => ({
    source: Retrying.nameOf(letter),
    message: render(reason, commandLine)
  }))
})

/** Removes the letters of files that no longer exist. */
const drop = (state: string, gone: ReadonlyArray<DeadLetter.Entry>) =>
  gone.length === 0
    ? Effect.void
    : Effect.gen(function* () {
        const terminal = yield* Terminal
        yield* Effect.provide(forgetLetters(gone), Layer.merge(State.ledger(state), State.deadLetters(state)))
        yield* terminal.note(`dropped, since the files are gone: ${gone.map(Retrying.nameOf).join(", ")}`)
      })

/** Summary of a run that failed as a whole, so that the other runs go on. */
const outright = (error: Run.Failure) => Effect.as(Failure.report(error), Failure.outright(error))

export const command = Command.make(about, takes, retry, { status: { StateMissing: 64 }, json: Failure.asSummary })
