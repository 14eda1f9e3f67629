/** `docsluice ingest`: the whole pipeline, from paths to sinks. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Summary } from "../Outcome.ts"
import type { RunReport } from "../RunReport.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import { Invocation } from "./Invocation.ts"
import * as NextStep from "./NextStep.ts"
import * as Progress from "./Progress.ts"
import * as QueueAddress from "./QueueAddress.ts"
import * as Report from "./Report.ts"
import * as Run from "./Run.ts"
import * as RunFlags from "./RunFlags.ts"
import * as RunPage from "./RunPage.ts"
import { Terminal } from "./Terminal.ts"

const takes = { ...RunFlags.takes, queue: flags.queue, report: flags.report }

type Given = Command.Given<typeof takes>

const about: Command.Description = {
  name: "ingest",
  summary: "find, parse, split, embed and store documents",
  description:
    "Discovers files, parses them, splits them into chunks and stores those in sinks. With --report also writes a web page; one that cannot be written changes no exit status.",
  exits: "0 all stored, 1 some failed, 2 the run was stopped, 64 wrong usage, 130 interrupted",
  examples: ["docsluice ingest docs --to jsonl:chunks.jsonl"]
}

const ingest = Effect.fnUntraced(function* (given: Given) {
  const terminal = yield* Terminal
  const page = yield* RunPage.at(given.report)
  const setup = yield* Run.setUp(given, "ingest", page === null ? [] : [page.path])
  const queue = yield* QueueAddress.ofIngest(given.queue, setup)
  const progress = yield* Progress.make(Progress.styleOf(given, terminal.interactive), terminal)
  const listing = Report.listing()
  yield* Run.interruptible
  const reports: Array<RunReport> = []
  const how = { ...setup.how, queue, ...Run.shown(progress, listing, reports) }
  const summary = yield* Run.pass({ ...setup, how }, progress.finish)
  yield* progress.end
  const state = given.noState ? null : given.state
  if (page !== null) yield* RunPage.write(page, state, reports)
  yield* terminal.result(
    given.json
      ? JSON.stringify(Schema.encodeSync(Summary)(summary))
      : Report.text(summary, listing, {
          targets: setup.means.targets.map((target) => target.shown),
          next: NextStep.after(summary, {
            words: yield* Invocation,
            state,
            searched: setup.means.targets
              .map(({ searches, shown }, at) => ({ searches, at, of: setup.means.targets.length, shown }))
              .find(({ searches }) => searches)
          }),
          width: terminal.width
        })
  )
  yield* ExitStatus.set(summary.exit)
})

export const command = Command.make(about, takes, ingest, { json: Failure.asSummary })
