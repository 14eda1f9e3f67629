/** `docsluice ingest`: the whole pipeline, from paths to sinks. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Summary } from "../Outcome.ts"
import * as ExitStatus from "./ExitStatus.ts"
import * as Failure from "./Failure.ts"
import { Invocation } from "./Invocation.ts"
import * as NextStep from "./NextStep.ts"
import * as Progress from "./Progress.ts"
import * as Report from "./Report.ts"
import * as Run from "./Run.ts"
import { config, type RunFlags } from "./RunFlags.ts"
import { Terminal } from "./Terminal.ts"

export { spellings } from "./RunFlags.ts"

export const command = Command.make("ingest", config, (given) =>
  Effect.scoped(ingest(given)).pipe(
    Effect.catchAll((error) =>
      Failure.report(error).pipe(
        Effect.zipRight(Failure.ofRun(error, Run.status(error), given.json)),
        Effect.zipRight(ExitStatus.set(Run.status(error)))
      )
    )
  )
).pipe(
  Command.withDescription(
    "Discovers files, parses them, splits them into chunks and stores those in sinks. Exit status: 0 all stored, 1 some failed, 2 the run was stopped, 64 wrong usage, 130 interrupted. Example: docsluice ingest docs --to jsonl:chunks.jsonl"
  )
)

const ingest = Effect.fnUntraced(function* (given: RunFlags) {
  const terminal = yield* Terminal
  const setup = yield* Run.setUp(given, "ingest")
  const progress = yield* Progress.make(Progress.styleOf(given, terminal.interactive), terminal)
  const listing = Report.listing()
  yield* Run.interruptible
  const onProgress: Run.Pass["onProgress"] = (moment) =>
    Effect.sync(() => {
      progress.update(moment)
      listing.add(moment.outcome)
    })
  const summary = yield* Effect.provide(
    Run.pass(setup, { onProgress, onGate: progress.watch, onStopping: progress.finish }),
    Run.services(setup)
  )
  yield* progress.end
  yield* terminal.result(
    given.json
      ? JSON.stringify(Schema.encodeSync(Summary)(summary))
      : Report.text(summary, listing, {
          targets: setup.targets.map((target) => target.shown),
          next: NextStep.after(summary, {
            words: yield* Invocation,
            state: given.noState ? null : given.state,
            searched: setup.targets.find(({ searches }) => searches)?.shown
          }),
          width: terminal.width
        })
  )
  yield* ExitStatus.set(summary.exit)
})
