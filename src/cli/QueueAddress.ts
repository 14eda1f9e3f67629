/** `--queue`: the queue of a run, and what a run with one must not have. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Queue from "../Queue.ts"
import type { QueueError } from "../QueueError.ts"
import type * as ExitStatus from "./ExitStatus.ts"
import type { RunFlags } from "./RunFlags.ts"
import * as Secret from "./Secret.ts"
import type { SinkTarget } from "./SinkTarget.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

/** Connects to the queue, and notes what is wrong with its settings. */
export const open = (
  given: string
): Effect.Effect<Queue.Queue.Service, UsageError | QueueError, FileSystem.FileSystem | Terminal> =>
  Effect.gen(function* () {
    const address: Redacted.Redacted = yield* Secret.read("queue", given)
    const { note } = yield* Terminal
    const queue = yield* Queue.make({ address })
    if (queue.warning !== null) yield* note(queue.warning)
    return queue
  })

/** Fails for a state that only one process can use at a time. */
export const checkState = (state: string | null): Effect.Effect<void, UsageError> =>
  state !== null && /^postgres(ql)?:\/\//u.test(state)
    ? Effect.void
    : new UsageError({
        problem:
          "--queue: the workers share the state, and a folder is for one process; give --state postgres://HOST/DATABASE"
      })

/** A run, as far as a queue is concerned. */
interface Setup {
  readonly given: Pick<RunFlags, "budgetCredits" | "budgetPages" | "noState" | "ordered" | "state">
  readonly targets: ReadonlyArray<SinkTarget>
}

const problemOf = ({ given, targets }: Setup): string | null => {
  if (given.noState) return "leave out --no-state: the workers share a state"
  if (Option.isSome(given.budgetPages) || Option.isSome(given.budgetCredits)) {
    return "a budget is kept by one process; leave out --budget-pages and --budget-credits"
  }
  if (given.ordered) return "workers end in any order; leave out --ordered"
  const local = targets.find(({ outputs }) => outputs.length > 0)
  return local === undefined
    ? null
    : `--to ${local.shown} is written by one process of this machine; use a store on a server, such as pgvector:`
}

/** The queue of `ingest`; undefined without the flag. Fails before any work for flags that mean nothing with a queue. */
export const ofIngest = (
  given: Option.Option<string>,
  setup: Setup
): Effect.Effect<Queue.Queue.Service | undefined, UsageError | QueueError, FileSystem.FileSystem | Terminal> =>
  Option.match(given, {
    onNone: () => Effect.succeed(undefined),
    onSome: (address) =>
      Effect.gen(function* () {
        const problem = problemOf(setup)
        if (problem !== null) return yield* new UsageError({ problem: `--queue: ${problem}` })
        yield* checkState(setup.given.state)
        return yield* open(address)
      })
  })

/** Exit status of an error of the queue: those that are found before any work count as wrong usage. */
export const statusOf = ({ reason }: QueueError): ExitStatus.Status =>
  reason === "Address" || reason === "Package" || reason === "Unsupported" ? 64 : 2
