import { randomUUID } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Outcome } from "../../Outcome.ts"
import { type FileError, FileUnreadable } from "../../SourceFile.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { isFileError } from "../client/fileError.ts"
import type { Found } from "../discovery/foundFiles.ts"
import { sound } from "../run/compare.ts"
import type { RunContext } from "../run/context.ts"
import { fromDefect } from "../run/documentError.ts"
import type { DocumentRun } from "../run/documentRun.ts"
import type { Refused } from "../run/item.ts"
import { letGo } from "../run/memory.ts"
import { failed, namesIn } from "../run/outcome.ts"
import { record } from "../run/record.ts"
import { reasonOf } from "../run/session.ts"
import type { Claimed, Done } from "./lane.ts"
import {
  type Counts,
  decodeTask,
  encodeResult,
  type Report,
  reportOf,
  Result,
  type Task,
  totals,
  version
} from "./message.ts"

/**
 * Finds one file of a root by its path, for as long as the document is worked on. The coordinator decides whether a missing file is gone, or
 * only out of reach of this machine.
 */
export type Find<E> = (path: string) => Stream.Stream<Found, E, Scope.Scope>

/** A worker's part in one run. */
export interface Part {
  readonly run: string
  /** Name of the worker. */
  readonly worker: string
  readonly context: RunContext
  readonly walk: DocumentRun
}

/** The file as it is now. Where only the machine's view of it differs, it has the fingerprint that the coordinator saw. */
const asSent = (found: Found, { fingerprint, size }: Task): Found => {
  if (found._tag !== "SourceFile" || found.size !== size || fingerprint === null) return found
  const own = found.fingerprint
  const same =
    own?._tag === "Stat" && fingerprint._tag === "Stat"
      ? own.modified === fingerprint.modified
      : own?._tag === undefined
  if (!same) return found
  return {
    _tag: "SourceFile",
    path: found.path,
    documentId: found.documentId,
    size,
    fingerprint,
    open: found.open
  }
}

/** Counts of this part of the run, for the coordinator. */
export const makeCounts = ({ session }: Pick<RunContext, "session">): (() => Counts) => {
  const part = randomUUID()
  let before = totals(() => 0)
  return () => {
    const { ambiguous, figures, requests, retries, uploaded } = session.run.counters
    const { fromCache, parsed } = session
    const now = {
      requests,
      retries,
      ambiguous,
      uploaded,
      parsed,
      fromCache,
      credits: session.credits + figures.credits,
      described: figures.described,
      descriptionsFromCache: figures.fromCache,
      undescribed: figures.failed,
      descriptionTokens: figures.tokens
    }
    const counts = { part, before, now }
    before = counts.now
    return { ...counts, ...session.collected.take(), warnings: session.warnings.splice(0) }
  }
}

const missing = (path: string): FileUnreadable => new FileUnreadable({ path, reason: "NotFound" })

/** A document whose file this worker cannot get at. */
interface Unseen {
  readonly _tag: "Unseen"
  readonly path: string
  readonly problem: string
}

const unseen = ({ path }: Task, problem: string): Unseen => ({ _tag: "Unseen", path, problem })

const unusable = ({ path }: Task, error: FileError): Found => ({ _tag: "Unusable", path, error, folder: false })

const isMissing = (error: FileError): boolean => error._tag === "FileUnreadable" && error.reason === "NotFound"

const free = ({ memory }: RunContext, found: Found): Effect.Effect<void> =>
  found._tag === "SourceFile" ? letGo(memory, found) : Effect.void

/** Result of a document on this worker: its outcome, a refusal that the coordinator concludes, or no file to work on. */
type Worked = Outcome | Unattempted | Refused | Unseen

type Unattempted = Extract<Report, { readonly _tag: "NotAttempted" }>

const worked = <E extends { readonly _tag: string; readonly message: string }>(
  { context, walk }: Part,
  find: Find<E>,
  task: Task
): Effect.Effect<Worked, never, Tokenizer | Scope.Scope> =>
  Effect.gen(function* () {
    const { session } = context
    if (session.stopped() !== null) return unattempted(task)
    const seen = Effect.flatMap(
      Stream.runHead(find(task.path)),
      Option.match({
        onNone: () => Effect.fail(missing(task.path)),
        onSome: (one) => Effect.succeed(asSent(sound(one), task))
      })
    )
    const found = yield* Effect.catchAll(seen, (error) =>
      Effect.succeed(isFileError(error) ? unusable(task, error) : unseen(task, error.message))
    )
    if (found._tag === "Unseen") return found
    if (found._tag === "Unusable" && isMissing(found.error)) return unseen(task, found.error.message)
    const whole = walk.whole({ found, standing: task.known ? "known" : "new" })
    const item = yield* Effect.onInterrupt(whole, () => free(context, found))
    if (item._tag !== "Refused") return item
    // The first success has shown that refusals are about documents.
    if (session.run.refusals?.() === "documents") return yield* record(context, item.failure)
    // The coordinator records it, once its meaning is known.
    return yield* Effect.as(free(context, found), item)
  })

const unattempted = ({ path }: Pick<Task, "path">): Unattempted => ({ _tag: "NotAttempted", source: path })

const reported = (item: Worked): Report => {
  if (item._tag === "Refused") return reportOf(item.failure.outcome)
  return item._tag === "Unseen" ? unattempted(item) : reportOf(item)
}

const resultOf = ({ context, run, worker }: Part, item: Worked, millis: number, counts: Counts): unknown => {
  const { parser, session } = context
  const outcome = reported(item)
  const reason = session.stopped()
  return encodeResult(
    new Result(
      {
        v: version,
        run,
        worker,
        outcome,
        ...(item._tag === "Refused" && {
          refusal: { key: item.refusal, final: outcome._tag === "Failed" && !outcome.retryable }
        }),
        ...(item._tag === "Unseen" && { unseen: item.problem }),
        ...(reason !== null && outcome._tag === "NotAttempted" && { stopped: reasonOf(reason) }),
        answered: outcome._tag === "Stored" && !outcome.fromCache,
        millis,
        pace: parser.gate?.snapshot().ratePerSecond ?? null,
        counts
      },
      { disableValidation: true }
    )
  )
}

const broken: Done = {
  _tag: "Broken",
  problem: "the job cannot be read; let coordinator and workers be of the same version"
}

/** Handles the jobs of a run: each from its reference to its result. */
export const make = <E extends { readonly _tag: string; readonly message: string }>(
  part: Part,
  find: Find<E>
): ((job: Claimed) => Effect.Effect<Done, never, Tokenizer>) => {
  const { session } = part.context
  const counts = makeCounts(part.context)
  return (job) =>
    Effect.gen(function* () {
      const decoded = decodeTask(job.data)
      if (Either.isLeft(decoded)) return broken
      const task = decoded.right
      const begun = yield* Clock.currentTimeMillis
      session.discovered += 1
      const back: Done = { _tag: "Back" }
      // What stopped an earlier run of this root does not concern this one.
      if (task.run !== part.run && session.stopped() !== null) return back
      const item = yield* Effect.catchAllDefect(Effect.scoped(worked(part, find, task)), (defect) =>
        Effect.succeed(failed(namesIn(null, task.path), fromDefect(defect)))
      )
      const millis = Math.max(0, (yield* Clock.currentTimeMillis) - begun)
      // Another process took it over: its claim decides.
      if (item._tag === "NotAttempted" && session.stopped() === null) return back
      const done: Done = { _tag: "Result", value: resultOf(part, item, millis, counts()) }
      return done
    })
}
