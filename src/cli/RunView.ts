/** A run on the terminal: its progress while it goes on, its report when it has ended. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Once from "../internal/corpus/once.ts"
import type { RunReport } from "../internal/state/ledger/runReport.ts"
import { Summary } from "../Outcome.ts"
import * as ExitStatus from "./ExitStatus.ts"
import type { PageFile } from "./PageFile.ts"
import * as Progress from "./Progress.ts"
import * as Report from "./Report.ts"
import * as RunPage from "./RunPage.ts"
import { Terminal } from "./Terminal.ts"

/** Facts of a report that the summary does not have. */
export interface About extends Omit<Report.About, "width"> {
  /** Said instead of a report where there were no targets, and so nothing to do. */
  readonly nothing?: string | undefined
}

export interface RunView {
  readonly how: Pick<Once.Options, "onGate" | "onProgress" | "onReport" | "onWaiting">
  /** Shows that no further file is begun. */
  readonly finish: () => void
  /** Writes the page, prints the result and sets the exit status. `state` is the one that the page is about. */
  readonly end: (
    summary: Summary,
    about: About,
    state: string | null
  ) => Effect.Effect<void, never, ExitStatus.ExitStatus | FileSystem.FileSystem | Path.Path | Terminal>
}

/** Flags that say how a run is shown. */
export interface Given {
  readonly json: boolean
  readonly progress: "auto" | "plain" | "none"
  readonly quiet: boolean
}

/** The view of one run, or of several one after the other. */
export const make = (given: Given, page: PageFile | null): Effect.Effect<RunView, never, Scope.Scope | Terminal> =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const progress = yield* Progress.make(Progress.styleOf(given, terminal.interactive), terminal)
    const listing = Report.listing()
    const reports: Array<RunReport> = []
    return {
      how: {
        onGate: progress.watch,
        onWaiting: progress.wait,
        onProgress: (moment) =>
          Effect.sync(() => {
            progress.update(moment)
            listing.add(moment.outcome)
          }),
        onReport: (report) => Effect.sync(() => void reports.push(report))
      },
      finish: progress.finish,
      end: (summary, about, state) =>
        progress.end.pipe(
          Effect.zipRight(page === null ? Effect.void : RunPage.write(page, state, reports)),
          Effect.zipRight(print(given, summary, listing, about))
        )
    }
  })

const encode = Schema.encodeSync(Summary)

/** Prints the result of a run and sets its exit status. */
export const print = (
  { json }: Pick<Given, "json">,
  summary: Summary,
  documents: Report.Listing,
  about: About
): Effect.Effect<void, never, ExitStatus.ExitStatus | Terminal> =>
  Effect.gen(function* () {
    const { result, width } = yield* Terminal
    const idle = about.targets.length === 0 && summary.exit === 0 ? about.nothing : undefined
    yield* result(
      json ? JSON.stringify(encode(summary)) : (idle ?? Report.text(summary, documents, { ...about, width }))
    )
    yield* ExitStatus.set(summary.exit)
  })
