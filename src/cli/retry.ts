/** `docsluice retry`: sends the dead letters again, each with the targets and options of its own run. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as DeadLetter from "../DeadLetter.ts"
import { commandLine, render } from "../internal/base/message.ts"
import * as Retrying from "../internal/corpus/retrying.ts"
import { forgetLetters } from "../internal/run/forgetLetters.ts"
import * as Total from "../internal/run/total.ts"
import { Summary } from "../Outcome.ts"
import type { RunReport } from "../RunReport.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import { Invocation } from "./Invocation.ts"
import type * as Line from "./Line.ts"
import * as NextStep from "./NextStep.ts"
import * as Progress from "./Progress.ts"
import * as Repetition from "./Repetition.ts"
import * as Report from "./Report.ts"
import * as Run from "./Run.ts"
import * as RunPage from "./RunPage.ts"
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
  const terminal = yield* Terminal
  const page = yield* RunPage.at(given.report)
  yield* State.required(given.state)
  const what = given.empty ? "incomplete" : "failures"
  const plan = yield* Effect.provide(Retrying.plan(what, null), State.ledger(given.state))
  if (!plan.recorded) return yield* new UsageError({ problem: "no run is recorded; run ingest first" })
  const setups = yield* Repetition.ofBatches(plan.batches, given)
  yield* drop(given.state, plan.gone)
  const progress = yield* Progress.make(Progress.styleOf(given, terminal.interactive), terminal)
  const listing = Report.listing()
  yield* Run.interruptible
  const reports: Array<RunReport> = []
  let total = Total.add(Total.nothing, { ...Total.nothing, ...leftAlone(plan.left) })
  for (const setup of setups) {
    if (total.exit === 130) break
    const redo = given.empty ? ("parses" as const) : ("failures" as const)
    const how = { ...setup.how, redo, ...Run.shown(progress, listing, reports) }
    const pass = Run.pass({ ...setup, how }, progress.finish)
    total = Total.add(total, yield* setups.length === 1 ? pass : Effect.catchAll(pass, outright))
  }
  yield* progress.end
  if (page !== null) yield* RunPage.write(page, given.state, reports)
  const summary = Summary.make(total)
  const targets = [...new Set(setups.flatMap(({ means }) => means.targets.map(({ shown }) => shown)))]
  yield* terminal.result(
    given.json
      ? JSON.stringify(Schema.encodeSync(Summary)(summary))
      : text(
          summary,
          listing,
          {
            targets,
            next: NextStep.after(summary, { words: yield* Invocation, state: given.state, searched: undefined }),
            width: terminal.width
          },
          given.empty ? "no document is stored without text or in part" : "no dead letters"
        )
  )
  return yield* ExitStatus.set(summary.exit)
})

const text = (
  summary: Summary,
  listing: Report.Listing,
  about: Report.About,
  nothing: string
): ReadonlyArray<Line.Line> =>
  about.targets.length === 0 && summary.exit === 0 ? [nothing] : Report.text(summary, listing, about)

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
