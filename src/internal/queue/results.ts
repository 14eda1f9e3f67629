import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Outcome } from "../../Outcome.ts"
import { RunStopped } from "../../RunState.ts"
import type { SourceFile } from "../../SourceFile.ts"
import { failed } from "../run/outcome.ts"
import { type Context, lost, type Refused } from "../run/prepare.ts"
import type { Session } from "../run/session.ts"
import { settled } from "../run/store.ts"
import type { Ended } from "./lane.ts"
import { type Counts, decodeResult } from "./message.ts"
import type { SharedPace } from "./pace.ts"

/** Adds what a worker counted to the counts of the run. */
const count = (session: Session, counts: Counts): void => {
  const { counters } = session.run
  counters.requests += counts.requests
  counters.retries += counts.retries
  counters.ambiguous += counts.ambiguous
  counters.uploaded += counts.uploaded
  session.parsed += counts.parsed
  session.fromCache += counts.fromCache
  session.credits += counts.credits
  session.warnings.push(...counts.warnings)
  session.collected.merge(counts)
}

/** A document of which no worker brought a result; recorded as failed, once. */
const withoutResult = (context: Context, file: SourceFile, problem: string): Effect.Effect<Outcome> =>
  settled(
    context,
    lost(context, file, failed(file.path, { _tag: "WorkerLost", message: `${file.path}: ${problem}` }, true))
  )

/** BullMQ's words for a job whose workers were lost too often. */
const stalled = /stalled more than allowable limit/u

/** What became of a document, from the job that has ended. Counts it for the run, and stops the run where the worker found a reason. */
export const outcomeOf = (
  context: Context,
  pace: SharedPace,
  file: SourceFile,
  { failure, result }: Ended
): Effect.Effect<Outcome | Refused> =>
  Effect.gen(function* () {
    const { session } = context
    if (failure !== null) {
      const problem = stalled.test(failure)
        ? "every worker that took it ended or hung; look at their logs and their memory, then send it again"
        : `no worker could work on it: ${failure}`
      return yield* withoutResult(context, file, problem)
    }
    const decoded = decodeResult(result)
    if (Either.isLeft(decoded)) {
      const [first = ""] = decoded.left.message.split("\n").slice(-1)
      return yield* withoutResult(
        context,
        file,
        `its result cannot be read; let coordinator and workers be of the same version (${first.trim()})`
      )
    }
    const { answered, counts, millis, outcome, pace: rate, refusal, stopped, worker } = decoded.right
    count(session, counts)
    pace.heard(worker, rate, yield* Clock.currentTimeMillis)
    if (answered) session.run.succeeded()
    session.collected.began(file.path, millis)
    if (stopped !== undefined) session.halt(stopped.tag, stopped.message)
    if (outcome._tag === "Failed" && refusal !== undefined) {
      const reason = new RunStopped({ tag: outcome.tag, error: outcome.message })
      session.run.refused?.(refusal.key, outcome.contentHash, reason)
      return { _tag: "Refused", file, refusal: refusal.key, failure: lost(context, file, outcome, refusal.final) }
    }
    if (outcome._tag === "Failed" && context.onFailure === "fail") {
      session.halt(outcome.tag, `${outcome.source}: ${outcome.message}`)
    }
    return outcome
  })
