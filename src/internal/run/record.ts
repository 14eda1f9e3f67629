import * as Effect from "effect/Effect"
import * as DeadLetter from "../../DeadLetter.ts"
import type { LedgerError } from "../../Ledger.ts"
import type { Outcome } from "../../Outcome.ts"
import { documentId } from "../../SourceFile.ts"
import type { RunContext } from "./context.ts"
import type { Ended } from "./item.ts"
import { letGo } from "./memory.ts"

/**
 * Records the outcome in the ledger, then in the dead letters, which can be restored from it, and lets the document go. A run without a
 * ledger has the letters only. Never fails: an error stops the run.
 */
export const record = (context: RunContext, end: Ended): Effect.Effect<Outcome> => {
  const { memory } = context
  const { outcome, root } = end
  const recorded = written(context, end)
  if (memory === null || root === null) return recorded
  const path = outcome.source
  return Effect.zipLeft(recorded, letGo(memory, { documentId: documentId(root, path), path }))
}

const written = (context: RunContext, { keep, note, outcome, root }: Ended): Effect.Effect<Outcome> => {
  const { deadLetter, onFailure, session, writers } = context
  const done = (write: Effect.Effect<void, DeadLetter.DeadLetterError | LedgerError>): Effect.Effect<Outcome> =>
    Effect.as(
      Effect.catchAll(write, (error) => Effect.sync(() => session.halt(error))),
      outcome
    )
  const noted = note ?? Effect.void
  const letter = { root, source: outcome.source }
  if (outcome._tag === "Stored" || outcome._tag === "Unchanged") {
    return done(Effect.zipRight(noted, deadLetter.remove(letter)))
  }
  if (outcome._tag !== "Failed") return Effect.succeed(outcome)
  if (onFailure === "fail") session.halt(outcome.error, { source: outcome.source })
  if (!keep) return done(Effect.asVoid(noted))
  return done(
    Effect.flatMap(noted, (failure) => {
      if (failure !== undefined) return deadLetter.add(DeadLetter.ofFailure(letter, failure))
      const sinks = writers.map(({ sink }) => sink.id)
      return Effect.flatMap(DeadLetter.ofOutcome(outcome, root, sinks), deadLetter.add)
    })
  )
}
