/** Requests to the parsing service: upload, attempts, and the reading of answers. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import type { Observation, RequestGate } from "../../RequestGate.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import { CurrentRun, type RunState, type RunStopped } from "../../RunState.ts"
import * as Limits from "../../service/Limits.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import type { ServiceError } from "../../service/ServiceError.ts"
import type { FileError, SourceFile } from "../../SourceFile.ts"
import { sleepUntil } from "../base/sleepUntil.ts"
import { type Attempt, attempted } from "../telemetry/attempt.ts"
import { isFileError } from "./fileError.ts"
import { OwnFailures } from "./ownFailures.ts"
import { type Answer, type Parse, send, type Settings } from "./request.ts"
import { stateOf } from "./serviceState.ts"
import * as upload from "./upload.ts"

export interface ClientSettings extends Settings {
  readonly gate: RequestGate.Service
  readonly policy: RetryPolicy.RetryPolicy
  readonly maxUploadBytes: number
}

/** Result of one attempt. */
type Step =
  | { readonly _tag: "Answered"; readonly answer: Answer }
  | { readonly _tag: "GiveUp"; readonly error: ServiceError; readonly own: boolean }
  | {
      readonly _tag: "Wait"
      readonly error: ServiceError
      /** True for a failure of this document rather than of the service. */
      readonly own: boolean
      /** The earliest time for the next request, in milliseconds since the epoch. */
      readonly until: number
      /** Milliseconds for which the gate closes; null when the wait is the document's own. */
      readonly closeFor: number | null
      readonly spent: RetryPolicy.Spent
      readonly started: number
    }

/** State of a document between two attempts. */
interface Progress {
  readonly parse: Parse
  readonly spent: RetryPolicy.Spent
  /** Time of the first request by {@link served}; undefined before it. */
  readonly started: number | undefined
}

const observe = (exit: Exit.Exit<Step, unknown>): Observation => {
  if (exit._tag === "Failure") return "unsent"
  const step = exit.value
  if (step._tag === "Answered") return wasQueued(step.answer) ? "queued" : "answered"
  if (step.own) return "unsent"
  const closeFor = step._tag === "Wait" && step.closeFor !== null ? step.closeFor : undefined
  return { state: stateOf(step.error), closeFor, problem: step.error.message }
}

const wasQueued = ({ data: { metadata } }: Answer): boolean =>
  metadata.concurrencyLimited === true || (metadata.concurrencyQueueDurationMs ?? 0) > 0

/** Bytes that an upload holds in memory at most, whatever the size of the file. */
const uploadWindow = 1_048_576

/** A clock that stands still while the service as a whole is not asked; in milliseconds. */
const served = (gate: RequestGate.Service, now: number): number => now - gate.downtime(now)

const count = (run: RunState | null, progress: Progress): void => {
  if (run === null) return
  run.counters.requests += 1
  if (progress.started !== undefined) run.counters.retries += 1
}

const asksForJson = (options: ParseOptions): boolean =>
  options.formats?.some((format) => format.type === "json") ?? false

/** Sends once and decides the next step; the run is informed while the slot is still held. */
const attempt = Effect.fnUntraced(function* (
  settings: ClientSettings,
  progress: Progress,
  failures: OwnFailures,
  run: RunState | null,
  keep: (answer: Answer) => Effect.Effect<void>
): Effect.fn.Return<Step, FileError | RunStopped> {
  const stopped = run?.stopped()
  if (stopped) return yield* stopped
  const { parse, spent } = progress
  const started = progress.started ?? served(settings.gate, yield* Clock.currentTimeMillis)
  const reusedConnection = settings.connections.take()
  const uploaded = upload.upload()
  const request = send(settings, parse, uploaded, () => count(run, progress))
  const sent = yield* Effect.uninterruptibleMask((restore) => Effect.tap(restore(request), keep)).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        if (run === null) return
        run.counters.uploaded += uploaded.sent
        if (uploaded.contentHash !== null) run.hashed?.(uploaded.contentHash)
      })
    ),
    Effect.either
  )
  if (sent._tag === "Right") {
    run?.succeeded()
    return { _tag: "Answered", answer: sent.right } as const
  }
  const error = sent.left
  if (isFileError(error)) return yield* error
  if (run !== null && error._tag === "ConnectionFailed" && error.ambiguous) run.counters.ambiguous += 1
  const now = yield* Clock.currentTimeMillis
  const own = failures.add(error, now)
  const { breaker, ratePerSecond } = settings.gate.snapshot()
  const decision = RetryPolicy.decide(settings.policy, spent, {
    error,
    elapsed: served(settings.gate, now) - started,
    free: !own && breaker !== "closed",
    paced: ratePerSecond !== null,
    json: asksForJson(parse.options),
    reusedConnection: reusedConnection && !uploaded.answered,
    random: yield* Random.next
  })
  if (decision._tag === "GiveUp") {
    run?.failed(error, uploaded.contentHash)
    return { _tag: "GiveUp", error, own } as const
  }
  const { closes, millis, spent: spentNow } = decision
  run?.waited?.(millis)
  const closeFor = closes ? millis : null
  return { _tag: "Wait", error, own, until: now + millis, closeFor, spent: spentNow, started } as const
})

/** Waits until a time in milliseconds since the epoch; fails at once when the run is stopped. */
const waitUntil = (until: number, run: RunState | null): Effect.Effect<void, RunStopped> =>
  run === null ? sleepUntil(until) : Effect.raceFirst(sleepUntil(until), run.whenStopped)

/** The attempt as telemetry reports it. */
const attemptOf = ({ address, gate }: ClientSettings, { path }: SourceFile, number: number, step: Step): Attempt => ({
  path,
  number,
  error: step._tag === "Answered" ? null : step.error,
  until: step._tag === "Wait" ? step.until : null,
  gate: { service: address.url, snapshot: gate.snapshot }
})

/** The next attempt: after a parse that exceeded its `timeout`, the `timeout` is doubled. */
const next = (parse: Parse, error: ServiceError): Parse => {
  if (error._tag !== "RequestTimeout" || RetryPolicy.ruleOf(error) === "throttled") return parse
  const timeout = Math.min(Limits.maxTimeout, 2 * (parse.options.timeout ?? Limits.defaultTimeout))
  return { ...parse, options: { ...parse.options, timeout } }
}

/** Checks the file, then tries until there is an answer or the policy gives up. Holds a slot only while a request runs. */
export const parseDocument = Effect.fnUntraced(function* (
  settings: ClientSettings,
  file: SourceFile,
  options: ParseOptions,
  keep: (answer: Answer) => Effect.Effect<void> = () => Effect.void
): Effect.fn.Return<Answer, ServiceError | FileError | RunStopped> {
  const mimeType = yield* upload.check(file, settings.maxUploadBytes)
  const run = yield* CurrentRun
  const failures = new OwnFailures(settings.gate)
  let progress: Progress = { parse: { file, mimeType, options }, spent: RetryPolicy.nothingSpent, started: undefined }
  for (let number = 1; ; number++) {
    const step: Step = yield* Effect.tapErrorTag(
      settings.gate.use(attempt(settings, progress, failures, run, keep), observe, {
        again: progress.started !== undefined,
        bytes: Math.min(file.size, uploadWindow),
        halt: run
      }),
      "ServiceUnreachable",
      (error) => Effect.sync(() => run?.failed(error))
    )
    yield* attempted(attemptOf(settings, file, number, step))
    if (step._tag === "Answered") return step.answer
    if (step._tag === "GiveUp") return yield* step.error
    // A closed gate makes everybody wait, this document too.
    if (step.closeFor === null) yield* waitUntil(step.until, run)
    progress = { parse: next(progress.parse, step.error), spent: step.spent, started: step.started }
  }
})
