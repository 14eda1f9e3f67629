import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import { type ChunkSink, type EmbeddingSpace, SinkError } from "../../ChunkSink.ts"
import type { LedgerError } from "../../Ledger.ts"
import type { RetryPolicy } from "../../RetryPolicy.ts"
import * as Message from "../base/message.ts"
import { option, text } from "../base/message.ts"
import * as Claim from "./claim.ts"
import type { LedgerOptions } from "./options.ts"
import { reconcile } from "./reconcile.ts"
import type { Session } from "./session.ts"
import * as SinkWriter from "./sinkWriter.ts"

export interface Options {
  readonly sinks: ReadonlyArray<ChunkSink.Service>
  readonly space: EmbeddingSpace | null
  readonly ledger: LedgerOptions | undefined
  /** Retry policy of a sink that becomes unavailable. */
  readonly retry: RetryPolicy
  /** True for a process that writes in the run of another one, which has emptied and compared the sinks; default false. */
  readonly joins?: boolean | undefined
}

/**
 * Prepares every sink. An unavailable one is given up at once when there are others; an unfit target, or no available sink at
 * all, fails.
 */
export const openSinks = (
  session: Session,
  { joins = false, ledger, retry, sinks, space }: Options
): Effect.Effect<ReadonlyArray<SinkWriter.SinkWriter>, SinkError | LedgerError, Scope.Scope> =>
  Effect.gen(function* () {
    const writers: Array<SinkWriter.SinkWriter> = []
    const appends = ledger?.mode === "append"
    const onDown = (error: SinkError): void => {
      if (writers.every((writer) => writer.down() !== null)) session.halt(error)
    }
    if (ledger !== undefined && !appends) yield* Effect.forEach(sinks, checkRemove, { discard: true })
    const opened = yield* Effect.forEach(sinks, (sink) =>
      Effect.matchEffect(prepare(sink, space, ledger, joins), {
        onSuccess: ({ held, prepared }) => Effect.succeed({ sink, held, prepared: Either.right(prepared) }),
        onFailure: (error) =>
          error._tag === "SinkError" && error.reason === "Unavailable" && sinks.length > 1
            ? Effect.succeed({ sink, held: null, prepared: Either.left(error) })
            : Effect.fail(error)
      })
    )
    const [first] = opened
    if (first && Either.isLeft(first.prepared) && opened.every(({ prepared }) => Either.isLeft(prepared))) {
      return yield* first.prepared.left
    }
    for (const { held, prepared, sink } of opened) {
      if (ledger !== undefined && Either.isLeft(prepared)) {
        session.warnings.push({
          source: sink.id,
          message: `what it lacks is written in the next run: ${prepared.left.message}`
        })
      }
      const patiently = SinkWriter.patience(retry, session.whenInterrupted)
      writers.push(yield* SinkWriter.make({ sink, prepared, held, replaces: !appends, onDown, patiently }))
    }
    return writers
  })

/** Refuses a sink that cannot remove, which only mode append can do without. */
export const checkRemove = (sink: ChunkSink.Service): Effect.Effect<void, SinkError> =>
  sink.capabilities.remove
    ? Effect.void
    : Effect.fail(
        new SinkError({
          sink: sink.id,
          reason: "Unsupported",
          ...Message.problem(
            text`it cannot remove chunks, so only mode append can be used with it; set ${option("mode")} to append, or give it \`remove\``
          )
        })
      )

interface Opened {
  readonly prepared: ChunkSink.Prepared
  readonly held: SinkWriter.Held | null
}

/** Opens a sink with the claim of the run, and schedules documents that its store lacks to be written again. */
const prepare = (
  sink: ChunkSink.Service,
  space: EmbeddingSpace | null,
  options: LedgerOptions | undefined,
  joins: boolean
): Effect.Effect<Opened, SinkError | LedgerError> =>
  Effect.gen(function* () {
    if (options === undefined) return { prepared: yield* sink.prepare(space, Claim.stateless), held: null }
    const { claim: how = "own", ledger, mode, scope } = options
    const rebuild = !joins && options.rebuild === true
    const claim = yield* Claim.make(ledger, sink, { how, rebuild, roots: [scope.root] })
    // A run without state that deletes nothing may add to any store, whoever owns it.
    const prepared = yield* sink.prepare(space, claim.state === null && mode === "append" ? undefined : claim)
    return { prepared, held: joins ? null : yield* reconcile(ledger, sink, prepared) }
  })

/** Calls `finish` of every sink that is still up; a failure stops the run. */
export const finishSinks = (session: Session, writers: ReadonlyArray<SinkWriter.SinkWriter>): Effect.Effect<void> =>
  Effect.forEach(
    writers,
    ({ down, finish }) =>
      down() !== null
        ? Effect.void
        : Effect.catchTag(finish, "SinkError", (error) => Effect.sync(() => session.halt(error))),
    { discard: true }
  )
