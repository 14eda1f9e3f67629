/** `docsluice ingest`: the whole pipeline, from paths to sinks. */
import * as Effect from "effect/Effect"
import * as Command from "./Command.ts"
import * as Failure from "./Failure.ts"
import { flags } from "./flags.ts"
import { Invocation } from "./Invocation.ts"
import * as NextStep from "./NextStep.ts"
import * as QueueAddress from "./QueueAddress.ts"
import * as Run from "./Run.ts"
import * as RunFlags from "./RunFlags.ts"
import * as RunPage from "./RunPage.ts"
import * as RunView from "./RunView.ts"

const takes = { ...RunFlags.takes, beside: flags.beside, queue: flags.queue, report: flags.report }

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
  const page = yield* RunPage.at(given.report)
  const setup = yield* Run.setUp(given, "ingest", page === null ? [] : [page.path])
  const queue = yield* QueueAddress.ofIngest(given.queue, setup)
  const view = yield* RunView.make(given, page)
  yield* Run.interruptible
  const summary = yield* Run.pass(
    { ...setup, how: { ...setup.how, beside: given.beside, queue, ...view.how } },
    view.finish
  )
  const state = given.noState ? null : given.state
  const { targets } = setup.means
  const searched = targets
    .map(({ searches, shown }, at) => ({ searches, at, of: targets.length, shown }))
    .find(({ searches }) => searches)
  const next = NextStep.after(summary, { words: yield* Invocation, state, searched })
  yield* view.end(summary, { targets: targets.map(({ shown }) => shown), next }, state)
})

export const command = Command.make(about, takes, ingest, { json: Failure.asSummary })
