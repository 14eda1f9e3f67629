/** `docsluice watch`: as `ingest`, and again whenever files change. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Watch from "../internal/discovery/watch.ts"
import type { RunReport } from "../internal/state/ledger/runReport.ts"
import * as ObjectTarget from "../internal/target/objectTarget.ts"
import type { Summary } from "../Outcome.ts"
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
        exclude: source.exclude,
        hidden: given.paths.some((path) => /(^|[\\/])(\.[^./\\]|node_modules)/.test(path))
      })
    : Watch.pollingEvery(Option.getOrElse(given.poll, () => "1 minute" as const))
  const spent = { pages: 0, credits: 0 }
  let passes = 0
  const pass = Effect.gen(function* () {
    passes += 1
    const reports: Array<RunReport> = []
    const onReport = (report: RunReport) => Effect.sync(() => void reports.push(report))
    const how = { ...setup.how, mayBeEmpty: true, budget: left(setup.how.budget, spent), onReport }
    const summary = yield* Run.pass({ ...setup, how })
    if (page !== null) yield* RunPage.write(page, given.noState ? null : given.state, reports)
    spent.pages += summary.parsed === 0 ? 0 : summary.pages
    spent.credits += summary.credits
    const targets = setup.means.targets.map(({ shown }) => shown)
    yield* RunView.print(given, summary, Report.listing(), { targets, next: undefined })
    return after(summary)
  })
  const first = () => passes === 1
  yield* Watch.passes({
    next,
    pass: () =>
      pass.pipe(
        Effect.tapError((error) => Failure.asSummary(error, Failure.statusOf(error), given.json)),
        Effect.catchIf(
          (error) => mayPass(error, first()),
          (error) => Effect.as(Failure.report(error), "again" as const)
        )
      ),
    stop: Deferred.await(signals.first)
  })
  return yield* ExitStatus.set(130)
})

/** Remainder of the budget, which all passes share. */
const left = (
  budget: Pipeline.BudgetOptions | undefined,
  spent: { readonly pages: number; readonly credits: number }
): Pipeline.BudgetOptions | undefined =>
  budget && {
    pages: budget.pages === undefined ? undefined : Math.max(0, budget.pages - spent.pages),
    credits: budget.credits === undefined ? undefined : Math.max(0, budget.credits - spent.credits)
  }

/** A spent budget ends the watch; an outage does not. */
const after = (summary: Summary): "done" | "again" => {
  if (summary.stopped !== undefined) return summary.stopped.tag === "BudgetSpent" ? "done" : "again"
  return summary.failures.some(({ retryable }) => retryable) ? "again" : "done"
}

/** True for a failure that may pass: a target, a model or a known root may come back. Wrong usage does not pass. */
const mayPass = (error: Run.Failure, first: boolean): boolean => {
  switch (error._tag) {
    case "SinkError":
      return error.reason === "Unavailable"
    case "DiscoveryError":
      return !first
    case "SourceUnavailable":
      return error.transient || !first
    case "EmbeddingError":
      return error.retryable
    case "LedgerError":
    case "ParseCacheError":
    case "EmbeddingCacheError":
      return !first && error.reason === "Locked"
    default:
      return false
  }
}

export const command = Command.make(about, takes, watching, { json: Failure.asNothing })
