/** `docsluice watch`: as `ingest`, and again whenever files change. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Watching from "../internal/corpus/watching.ts"
import * as Watch from "../internal/discovery/watch.ts"
import type { RunReport } from "../internal/state/ledger/runReport.ts"
import * as ObjectTarget from "../internal/target/objectTarget.ts"
import type * as Pipeline from "../Pipeline.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import * as Report from "./Report.ts"
import * as Run from "./Run.ts"
import * as RunFlags from "./RunFlags.ts"
import * as RunPage from "./RunPage.ts"
import * as RunView from "./RunView.ts"
import { Signals } from "./Signals.ts"
import { UsageError } from "./UsageError.ts"

const takes = { ...RunFlags.takes, report: flags.report, poll: flags.poll }

type Given = Command.Given<typeof takes>

const about: Command.Description = {
  name: "watch",
  summary: "as ingest, and again as files change",
  description:
    "As ingest, and goes on as files change, until interrupted; files with a temporary failure are tried again after a while. With --json one summary a line; with --report the page is written again after each pass.",
  exits: "as ingest",
  examples: ["docsluice watch docs --to jsonl:chunks.jsonl --mode sync"]
}

const watching = Effect.fnUntraced(function* (given: Given) {
  const signals = yield* Signals
  const page = yield* RunPage.at(given.report)
  const setup = yield* Run.setUp(given, "watch", page === null ? [] : [page.path])
  const { source } = setup
  const isLocal = !ObjectTarget.isAddress(source.root)
  if (isLocal && Option.isSome(given.poll)) {
    return yield* new UsageError({ problem: "--poll is for addresses; changes of folders are reported at once" })
  }
  yield* Run.interruptible
  const next = isLocal
    ? yield* Watch.make({
        root: source.root,
        patterns: source.filesFrom === undefined ? source.patterns : undefined,
        exclude: source.exclude,
        expand: source.expand,
        hidden: given.paths.some((path) => /(^|[\\/])(\.[^./\\]|node_modules)/.test(path))
      })
    : Watch.pollingEvery(Option.getOrElse(given.poll, () => "1 minute" as const))
  const pass = (budget: Pipeline.BudgetOptions | undefined) =>
    Effect.gen(function* () {
      const reports: Array<RunReport> = []
      const onReport = (report: RunReport) => Effect.sync(() => void reports.push(report))
      const summary = yield* Run.pass({ ...setup, how: { ...setup.how, mayBeEmpty: true, budget, onReport } })
      if (page !== null) yield* RunPage.write(page, given.noState ? null : given.state, reports)
      const targets = setup.means.targets.map(({ shown }) => shown)
      yield* RunView.print(given, summary, Report.listing(), { targets, next: undefined })
      return summary
    })
  yield* Watching.watch({
    next,
    stop: Deferred.await(signals.first),
    budget: setup.how.budget,
    run: (budget) =>
      Effect.tapError(pass(budget), (error) => Failure.asSummary(error, Failure.statusOf(error), given.json)),
    onPassing: Failure.report
  })
  return yield* ExitStatus.set(130)
})

export const command = Command.make(about, takes, watching, { json: Failure.asNothing })
