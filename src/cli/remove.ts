/** `docsluice remove SOURCE…`: removes documents from sinks, cache, dead letters and ledger. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { counted } from "../internal/base/figures.ts"
import * as StoredTargets from "../internal/corpus/storedTargets.ts"
import * as DocumentRemoval from "../internal/run/removal.ts"
import * as Command from "./Command.ts"
import { flags } from "./flags.ts"
import * as State from "./State.ts"
import { Terminal } from "./Terminal.ts"

const takes = {
  sources: Command.some("SOURCE…"),
  to: flags.to,
  state: flags.state,
  json: flags.json,
  quiet: flags.quiet
}

const about: Command.Description = {
  name: "remove",
  summary: "a document out of stores, cache and state",
  description:
    "Removes documents from sinks, cache, dead letters and ledger; the next run stores a file that still exists as a new one.",
  exits: "0 done, 1 no such document, 2 could not, 64 wrong usage",
  examples: ["docsluice remove reports/2023.pdf"]
}

export const command = Command.make(
  about,
  takes,
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* Terminal
      yield* State.required(given.state)
      const removed = yield* Effect.provide(
        removal(given),
        Layer.mergeAll(State.ledger(given.state), State.cache(given.state), State.deadLetters(given.state))
      )
      yield* terminal.result(given.json ? JSON.stringify(removed) : removed.map(line))
    }),
  { status: { StateMissing: 1, RemovalError: { Unknown: 1, Ambiguous: 64, SinkMissing: 64 } } }
)

const removal = (given: { readonly sources: ReadonlyArray<string>; readonly to: ReadonlyArray<string> }) =>
  Effect.gen(function* () {
    const run = yield* StoredTargets.lastRun
    const targets = yield* StoredTargets.all(given.to, run)
    const sinks = yield* StoredTargets.open(targets)
    const space = Option.match(run, { onNone: () => null, onSome: ({ kept }) => kept.space })
    return yield* DocumentRemoval.remove([...new Set(given.sources)], { sinks, space })
  })

const line = ({ chunks, source }: DocumentRemoval.Removed): string => `removed ${source} (${counted(chunks, "chunk")})`
