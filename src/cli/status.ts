/** `docsluice status`: the last run and the content of the state. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { binarySized, counted, isoTime } from "../internal/base/figures.ts"
import { type Recorded, RunReport } from "../internal/state/ledger/runReport.ts"
import { Ledger, type Run, type Stats } from "../Ledger.ts"
import { Summary } from "../Outcome.ts"
import * as ParseCache from "../ParseCache.ts"
import * as Columns from "./Columns.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import { flags } from "./flags.ts"
import type * as Line from "./Line.ts"
import * as PageFile from "./PageFile.ts"
import * as QueueStatus from "./QueueStatus.ts"
import * as Report from "./Report.ts"
import * as RunPage from "./RunPage.ts"
import * as Shell from "./Shell.ts"
import * as State from "./State.ts"
import * as Table from "./Table.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const takes = {
  state: flags.state,
  queue: flags.queueOf,
  html: flags.statusPage,
  json: flags.json,
  quiet: flags.quiet
}

const about: Command.Description = {
  name: "status",
  summary: "the last run, and what the state holds",
  description:
    "Shows the last run and the content of the state, also during a run; changes nothing in it. It asks no store: docsluice generations shows what one holds. With --queue shows the runs in that queue instead. With --html also writes a web page: the last twenty runs, and the latest that ended in detail.",
  exits: "0 done, 1 nothing to show, 2 could not, 64 wrong usage",
  examples: ["docsluice status --json"]
}

export const command = Command.make(about, takes, ({ html, json, queue, state }) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    if (Option.isSome(queue)) {
      if (Option.isSome(html)) yield* new UsageError({ problem: "--queue and --html: give one of them" })
      yield* QueueStatus.show(queue.value, json)
      return
    }
    const page = yield* PageFile.given({ html, json }, null)
    const letters = (yield* State.exists(state)) ? null : (yield* State.lettersAlone(state)).length
    const found = yield* Effect.provide(gathered(letters), State.readOnly(state))
    if (page !== null) {
      const text = yield* RunPage.html({
        state: State.shown(state),
        history: found.runs,
        details: found.runs.filter(({ report }) => report !== null).slice(0, 1),
        path: page === "stdout" ? null : page.path
      })
      yield* PageFile.put(page, [text], counted(found.runs.length, "run"))
    }
    if (page !== "stdout")
      yield* terminal.result(
        json ? JSON.stringify(encoded(found, State.shown(state))) : text(found, State.shown(state), terminal.width)
      )
    yield* ExitStatus.set(Option.isNone(found.run) && found.stats.documents === 0 ? 1 : 0)
  })
)

interface Found {
  readonly run: Option.Option<Run>
  /** The latest first. */
  readonly runs: ReadonlyArray<Recorded>
  readonly stats: Stats
  readonly deadLetters: number
  readonly cache: ParseCache.Stats
}

/** `letters`: number of dead letters without a ledger; null: the ledger counts them. */
const gathered = (letters: number | null) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const cache = yield* ParseCache.ParseCache
    const stats = yield* ledger.stats
    const found: Found = {
      run: yield* ledger.lastRun,
      runs: yield* ledger.reports,
      stats,
      deadLetters: letters ?? stats.failed,
      cache: yield* cache.stats
    }
    return found
  })

/** Report of the latest run that has one; null without any. */
const latestReport = (runs: ReadonlyArray<Recorded>) => {
  const report = runs.find((one) => one.report !== null)?.report ?? null
  return report === null ? null : Schema.encodeSync(RunReport)(report)
}

const encodeSummary = Schema.encodeSync(Summary)

const encoded = ({ cache, deadLetters, run, runs, stats }: Found, state: string) => {
  const last = Option.getOrNull(run)
  const summary = last?.summary ?? null
  return {
    lastRun: summary === null ? null : encodeSummary(summary),
    startedAt: isoTime(last?.startedAt ?? null),
    finishedAt: isoTime(last?.finishedAt ?? null),
    report: latestReport(runs),
    state,
    ...stats,
    deadLetters,
    cache: { entries: cache.entries, bytes: cache.bytes }
  }
}

const text = ({ cache, deadLetters, run, stats }: Found, state: string, width: number): ReadonlyArray<Line.Line> => {
  const last = Option.getOrNull(run)
  const summary = last?.summary ?? null
  const rows = stats.roots.map(({ documents, name, path }) => [name, String(documents), path ?? ""])
  const counts = [
    counted(stats.documents, "document"),
    `${stats.stored} stored`,
    ...(stats.empty === 0 ? [] : [`${stats.empty} empty`]),
    `${stats.failed} failed`,
    `${deadLetters} dead letters`
  ]
  const lines = [
    last === null ? `no run is recorded in ${state}` : `last run: ${started(last)}`,
    ...(summary === null ? [] : [Report.counts(summary)]),
    `${state}: ${counts.join(", ")}`,
    ...(stats.pending === 0
      ? []
      : [
          `${stats.pending} documents with chunks of earlier versions; the next run that is not in mode append removes them`
        ]),
    `parse cache: ${cache.entries} answers, ${binarySized(cache.bytes)}`
  ]
  return [
    ...lines.flatMap((line) => Columns.wrap(line, width, 2)),
    ...(rows.length === 0 ? [] : ["", ...Table.lines(columns, rows, width)]),
    ...(deadLetters === 0 ? [] : ["", ...Report.nextLines({ command: Shell.ofState("failures", state) }, width)])
  ]
}

const columns: ReadonlyArray<Table.Column> = [
  { title: "root" },
  { title: "documents", kind: "number" },
  { title: "folder", kind: "path" }
]

const started = (run: Run): string =>
  run.finishedAt === null
    ? `began at ${isoTime(run.startedAt)} and did not end`
    : `${isoTime(run.startedAt)}, exit status ${run.summary?.exit ?? "unknown"}`
