/** `docsluice failures`: the dead letters by their cause, with what helps. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as DeadLetter from "../DeadLetter.ts"
import { nameOf } from "../internal/corpus/retrying.ts"
import { Ledger } from "../Ledger.ts"
import type { Summary } from "../Outcome.ts"
import * as Cause from "./Cause.ts"
import * as Command from "./Command.ts"
import * as ExitStatus from "./ExitStatus.ts"
import { flags } from "./flags.ts"
import * as Line from "./Line.ts"
import * as Report from "./Report.ts"
import * as Shell from "./Shell.ts"
import * as State from "./State.ts"
import { Terminal } from "./Terminal.ts"

const takes = {
  state: flags.state,
  json: flags.json,
  quiet: flags.quiet
}

const about: Command.Description = {
  name: "failures",
  summary: "what failed, by cause, and what helps",
  description:
    "Shows the documents that failed, by cause, with what helps against each; also during a run; writes nothing. They stay until they are stored, removed, or gone from the disk.",
  exits: "0 shown, 1 nothing failed, 2 could not, 64 wrong usage",
  examples: ["docsluice failures --json"]
}

export const command = Command.make(about, takes, ({ json, state }) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const { letters, stopped } = yield* (yield* State.exists(state))
      ? Effect.provide(ofLedger, State.ledgerReadOnly(state))
      : Effect.map(State.lettersAlone(state), (letters): Found => ({ letters, stopped: undefined }))
    const found = { groups: Cause.groups(letters), stopped, state: State.shown(state) }
    yield* terminal.result(json ? JSON.stringify(encoded(found)) : text(found, terminal.width))
    yield* ExitStatus.set(letters.length === 0 && stopped === undefined ? 1 : 0)
  })
)

interface Found {
  readonly letters: ReadonlyArray<DeadLetter.Entry>
  /** Error that stopped the last run. */
  readonly stopped: Summary["stopped"]
}

const ofLedger = Effect.gen(function* () {
  const ledger = yield* Ledger
  const run = Option.getOrNull(yield* ledger.lastRun)
  const found: Found = { letters: yield* DeadLetter.ofLedger(ledger), stopped: run?.summary?.stopped }
  return found
})

interface Shown {
  readonly groups: ReadonlyArray<Cause.Group<DeadLetter.Entry>>
  readonly stopped: Summary["stopped"]
  readonly state: string
}

/** Command for what may pass by itself; of other failures only a change of the files helps. */
const retrying = (state: string): string => Shell.ofState("retry", state)

const encoded = ({ groups, state, stopped }: Shown) => ({
  total: groups.reduce((sum, { members }) => sum + members.length, 0),
  causes: groups.map(({ cause, members, retryable, tag }) => ({
    tag,
    count: members.length,
    retryable,
    what: cause.what,
    remedy: cause.remedy,
    next: retryable ? retrying(state) : null,
    documents: members.map(({ at, attempts, message, root, source }) => ({ root, source, message, attempts, at }))
  })),
  stopped: stopped ?? null
})

const text = ({ groups, state, stopped }: Shown, width: number): ReadonlyArray<Line.Line> => {
  const named = groups.map((group) => ({
    ...group,
    members: group.members.map((letter) => ({ ...letter, source: nameOf(letter), own: letter.source }))
  }))
  const retryable = groups.some((group) => group.retryable)
  const blocks = [
    ...named.map((group) =>
      Report.group(
        {
          ...group,
          members: group.members.map(({ message, own, source }) => ({ source, message: Report.without(own, message) }))
        },
        width
      )
    ),
    ...(stopped === undefined ? [] : [Report.stopped(stopped, width)])
  ]
  if (blocks.length === 0) return [`nothing failed, by what ${state} holds`]
  return Line.spaced([...blocks, Report.nextLines(retryable ? { command: retrying(state) } : undefined, width)])
}
