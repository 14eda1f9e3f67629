import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import {
  Failed,
  Foreign,
  NotAttempted,
  type Outcome,
  Stored,
  Unchanged,
  Unsupported,
  WorkerLost
} from "../../Outcome.ts"
import { type FileChanged, FileUnreadable, type SourceFile } from "../../SourceFile.ts"
import { RunStopped } from "../client/runState.ts"
import type { RunContext } from "../run/context.ts"
import { endedBy, failedBy, type Refused } from "../run/item.ts"
import { namesOf, notAttempted, unchecked } from "../run/outcome.ts"
import { record } from "../run/record.ts"
import type { Session } from "../run/session.ts"
import * as StoredError from "../state/storedError.ts"
import type { Aside } from "./aside.ts"
import type { Ended } from "./lane.ts"
import { type Counts, decodeResult, type Report, type Totals, totals } from "./message.ts"
import type { SharedPace } from "./pace.ts"

/** The counts of all workers: what a lost result would have brought comes with the next one, and nothing counts twice. */
export class Tally {
  private readonly parts = new Map<string, Totals>()
  readonly run: string

  constructor(run: string) {
    this.run = run
  }

  /** Adds what is new in the counts of a worker to those of the run. */
  readonly add = (session: Session, run: string, { before, now, part, sizes, waits, warnings }: Counts): void => {
    // A worker that was hired by an earlier run has counted for that one before.
    const known = this.parts.get(part) ?? (run === this.run ? totals(() => 0) : before)
    const latest = totals((name) => Math.max(known[name], now[name]))
    const added = totals((name) => latest[name] - known[name])
    this.parts.set(part, latest)
    const { counters } = session.run
    counters.requests += added.requests
    counters.retries += added.retries
    counters.ambiguous += added.ambiguous
    counters.uploaded += added.uploaded
    counters.figures.described += added.described
    counters.figures.fromCache += added.descriptionsFromCache
    counters.figures.failed += added.undescribed
    counters.figures.tokens += added.descriptionTokens
    session.parsed += added.parsed
    session.fromCache += added.fromCache
    session.credits += added.credits
    session.warnings.push(...warnings)
    session.collected.merge({ sizes, waits })
  }
}

/** A document of which no worker brought a result; recorded as failed, once. */
const withoutResult = (context: RunContext, file: SourceFile, problem: string): Effect.Effect<Outcome> =>
  record(context, failedBy(context, file, new WorkerLost({ path: file.path, problem })))

/** BullMQ's words for a job whose workers were lost too often. */
const stalled = /stalled more than allowable limit/u

/** Longest look for a file. */
const looking = "20 seconds"

/** Error of a file that this process cannot get at either; null for one that is there, whoever may read it. */
const gone = (file: SourceFile): Effect.Effect<FileUnreadable | null> =>
  Stream.runHead(file.open).pipe(
    Effect.timeoutFail({
      duration: looking,
      onTimeout: () => new FileUnreadable({ path: file.path, reason: "Io", problem: `no answer in ${looking}` })
    }),
    Effect.match({
      onFailure: (error: FileUnreadable | FileChanged) =>
        error._tag === "FileChanged" || error.reason === "PermissionDenied" ? null : error,
      onSuccess: () => null
    })
  )

/** The document is to be sent again, for another worker. */
export interface Again {
  readonly _tag: "Again"
}

const again: Again = { _tag: "Again" }

/** A document that a worker could not get at: it fails when it is gone, as on one machine. */
const sought = (context: RunContext, file: SourceFile, given: Unseen): Effect.Effect<Outcome | Again> =>
  Effect.gen(function* () {
    const { session } = context
    if (session.stopped() !== null) return notAttempted(file)
    const error = yield* gone(file)
    if (error !== null) {
      return yield* record(context, failedBy(context, file, error))
    }
    const { aside, problem, worker } = given
    const told = aside.missed(
      worker,
      `it cannot get at ${file.path}, which the coordinator can: ${problem}; check what is mounted on its machine, and its rights`,
      yield* Clock.currentTimeMillis
    )
    if (told !== null) session.warnings.push({ source: worker, message: told })
    return again
  })

interface Unseen {
  readonly aside: Aside
  readonly worker: string
  readonly problem: string
}

/** A reported outcome with the names of its document. */
export const outcomeOfReport = (file: SourceFile, report: Report): Outcome => {
  const names = namesOf(file)
  switch (report._tag) {
    case "Stored":
      return new Stored({ ...report, ...names }, unchecked)
    case "Unchanged":
      return new Unchanged(names, unchecked)
    case "Failed":
      return new Failed(
        { ...Struct.omit(report, "tag", "message"), ...names, error: StoredError.errorOf(report) },
        unchecked
      )
    case "Unsupported":
      return new Unsupported({ ...report, ...names }, unchecked)
    default:
      return new NotAttempted(names, unchecked)
  }
}

/** Outcome of a document, from its ended job. Counts it for the run, and stops the run where the worker found a reason. */
export const outcomeOf = (
  context: RunContext,
  { aside, pace, tally }: { readonly aside: Aside; readonly pace: SharedPace; readonly tally: Tally },
  file: SourceFile,
  { failure, result }: Ended
): Effect.Effect<Outcome | Refused | Again> =>
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
    const {
      answered,
      counts,
      millis,
      outcome: reported,
      pace: rate,
      refusal,
      run,
      stopped,
      unseen,
      worker
    } = decoded.right
    const outcome = outcomeOfReport(file, reported)
    // A worker of an earlier run recorded it for that one: this one, which had not known it when it was sent, has found it.
    if (run !== tally.run) {
      yield* Effect.catchAll(context.memory?.scan.see([file]) ?? Effect.void, (error) =>
        Effect.sync(() => session.halt(error))
      )
    }
    tally.add(session, run, counts)
    pace.heard(worker, rate, yield* Clock.currentTimeMillis)
    if (answered) session.run.succeeded()
    session.collected.began(file.path, millis)
    if (stopped !== undefined)
      session.halt(stopped.error ?? new Foreign({ tag: stopped.tag, message: stopped.message }))
    if (unseen !== undefined) return yield* sought(context, file, { aside, worker, problem: unseen })
    if (outcome._tag !== "NotAttempted") aside.saw(worker)
    if (outcome._tag === "Failed" && refusal !== undefined) {
      const reason = new RunStopped({ cause: outcome.error })
      session.run.refused?.(refusal.key, outcome.contentHash, reason)
      return { _tag: "Refused", file, refusal: refusal.key, failure: endedBy(context, file, outcome, refusal.final) }
    }
    if (outcome._tag === "Failed" && context.onFailure === "fail") {
      session.halt(outcome.error, { source: outcome.source })
    }
    return outcome
  })
