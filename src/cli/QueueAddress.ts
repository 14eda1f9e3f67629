/** `--queue`: the queue of a run, and what a run with one must not have. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { loaded } from "../internal/base/loaded.ts"
import type { Means } from "../internal/corpus/means.ts"
import * as Once from "../internal/corpus/once.ts"
import type { QueueError } from "../internal/run/queueError.ts"
import * as Secret from "../internal/target/secret.ts"
import type * as Queue from "../Queue.ts"
import { Terminal } from "./Terminal.ts"
import { type Refused, UsageError } from "./UsageError.ts"

const queues = loaded(() => import("../Queue.ts"))

/** Connects to the queue, and notes what is wrong with its settings. */
export const open = (
  given: string
): Effect.Effect<Queue.Queue.Service, Refused | QueueError, FileSystem.FileSystem | Terminal> =>
  Effect.gen(function* () {
    const address: Redacted.Redacted = yield* Secret.read("queue", given)
    const { note } = yield* Terminal
    const { make } = yield* queues
    const queue = yield* make({ address })
    if (queue.warning !== null) yield* note(queue.warning)
    return queue
  })

/** The queue of `ingest`; undefined without the flag. Fails before any work for a run that a queue cannot take. */
export const ofIngest = (
  given: Option.Option<string>,
  { how, means }: { readonly means: Means<unknown>; readonly how: Once.Options }
): Effect.Effect<Queue.Queue.Service | undefined, Refused | QueueError, FileSystem.FileSystem | Terminal> =>
  Option.match(given, {
    onNone: () => Effect.succeed(undefined),
    onSome: (address) =>
      means.state === null
        ? new UsageError({ problem: "--queue: leave out --no-state: the workers share a state" })
        : Effect.zipRight(Once.checkQueue(means, how), open(address))
  })
