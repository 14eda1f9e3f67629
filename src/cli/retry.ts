/** `docsluice retry`: sends the dead letters again, each with the targets and options of its own run. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as DeadLetter from "../DeadLetter.ts"
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
import * as RetryPlan from "./RetryPlan.ts"
import * as Run from "./Run.ts"
import * as RunPage from "./RunPage.ts"
import type { RunRequest } from "./RunRequest.ts"
import * as State from "./State.ts"
import { Terminal } from "./Terminal.ts"
import * as Words from "./Words.ts"

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

export const command = Command.make(about, takes, (given) =>
  Effect.scoped(retry(given)).pipe(
    Effect.catchAll((error) =>
      Failure.report(error).pipe(
        Effect.zipRight(Failure.ofRun(error, status(error), given.json)),
        Effect.zipRight(ExitStatus.set(status(error)))
      )
    )
  )
)

const retry = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const page = yield* RunPage.at(given.report)
  yield* State.required(given.state)
  const plan = yield* Effect.provide(RetryPlan.make(given.empty ? "incomplete" : "failures"), State.ledger(given.state))
  const repetitions = yield* Repetition.ofBatches(plan.batches, given)
  const setups = yield* Effect.forEach(repetitions, ({ batch, flags }) =>
    Effect.map(Run.setUp(flags, "retry"), (setup) => ({ batch, setup: asRecorded(setup, batch.request) }))
  )
  yield* drop(given.state, plan.gone)
  const progress = yield* Progress.make(Progress.styleOf(given, terminal.interactive), terminal)
  const listing = Report.listing()
  yield* Run.interruptible
  const onProgress: Run.Pass["onProgress"] = (moment) =>
    Effect.sync(() => {
      progress.update(moment)
      listing.add(moment.outcome)
    })
  const reports: Array<RunReport> = []
  const onReport = (report: RunReport) => Effect.sync(() => void reports.push(report))
  let total = Total.add(Total.nothing, { ...Total.nothing, ...leftAlone(plan.left) })
  for (const { batch, setup } of setups) {
    if (total.exit === 130) break
    const pass = Effect.provide(
      Run.pass(setup, {
        only: batch.sources,
        failures: true,
        mayBeEmpty: true,
        onProgress,
        onReport,
        onGate: progress.watch,
        onWaiting: progress.wait,
        onStopping: progress.finish
      }),
      Run.services(setup)
    )
    total = Total.add(total, yield* setups.length === 1 ? pass : Effect.catchAll(pass, outright))
  }
  yield* progress.end
  if (page !== null) yield* RunPage.write(page, given.state, reports)
  const summary = Summary.make(total)
  const targets = [...new Set(setups.flatMap(({ setup }) => setup.targets.map(({ shown }) => shown)))]
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
  yield* ExitStatus.set(summary.exit)
})

const text = (
  summary: Summary,
  listing: Report.Listing,
  about: Report.About,
  nothing: string
): ReadonlyArray<Line.Line> =>
  about.targets.length === 0 && summary.exit === 0 ? [nothing] : Report.text(summary, listing, about)

/** Scope and request of the repeated run, so that new dead letters record the same. */
export const asRecorded = (setup: Run.Setup, request: RunRequest): Run.Setup => ({
  ...setup,
  request,
  discovery: {
    ...setup.discovery,
    patterns: request.paths.length === 0 ? undefined : request.paths,
    filesFrom: request.filesFrom ?? undefined
  }
})

/** Exit status and warnings for letters that cannot be sent again. */
const leftAlone = (left: ReadonlyArray<RetryPlan.Left>): Pick<Summary, "exit" | "warnings"> => ({
  exit: left.length === 0 ? 0 : 1,
  warnings: left.map(({ letter, reason }) => ({ source: RetryPlan.nameOf(letter), message: reason }))
})

/** Removes the letters of files that no longer exist. */
const drop = (state: string, gone: ReadonlyArray<DeadLetter.Entry>) =>
  gone.length === 0
    ? Effect.void
    : Effect.gen(function* () {
        const terminal = yield* Terminal
        yield* Effect.provide(forgetLetters(gone), Layer.merge(State.ledger(state), State.deadLetters(state)))
        yield* terminal.note(`dropped, since the files are gone: ${gone.map(RetryPlan.nameOf).join(", ")}`)
      })

/** Summary of a run that failed as a whole, so that the other runs go on. */
const outright = (error: Run.Failure) =>
  Effect.as(Failure.report(error), {
    ...Total.nothing,
    exit: 2 as const,
    stopped: Words.ofStop(error)
  })

type RetryFailure = Effect.Effect.Error<ReturnType<typeof retry>>

const status = (error: RetryFailure): ExitStatus.Status => {
  if (error._tag === "StateMissing") return 64
  return error._tag === "DeadLetterError" ? 2 : Run.status(error)
}
