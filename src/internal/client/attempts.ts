/** Requests to the parsing service: upload, attempts, and the reading of answers. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { RequestGate, State } from "../../RequestGate.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import type { ServiceError } from "../../service/ServiceError.ts"
import type { FileError, SourceFile } from "../../SourceFile.ts"
import * as Limits from "../base/limits.ts"
import * as Attempts from "../gate/attempts.ts"
import { isFileError } from "./fileError.ts"
import { reporting } from "./reporting.ts"
import { type Answer, type Parse, send, type Settings } from "./request.ts"
import { CurrentRun, type RunState, type RunStopped } from "./runState.ts"
import { type Circumstances, ServiceRules } from "./serviceRules.ts"
import * as upload from "./upload.ts"

export interface ClientSettings extends Settings {
  readonly gate: RequestGate.Service
  readonly policy: RetryPolicy.RetryPolicy
  readonly maxUploadBytes: number
}

/** Adds the answer to a cache, before its slot is given back. */
type Keep = (answer: Answer) => Effect.Effect<void>

/** Bytes that an upload holds in memory at most, whatever the size of the file. */
const uploadWindow = 1_048_576

const served = ({ data: { metadata } }: Answer): State =>
  metadata.concurrencyLimited === true || (metadata.concurrencyQueueDurationMs ?? 0) > 0 ? "queued" : "answered"

const asksForJson = (options: ParseOptions): boolean =>
  options.formats?.some((format) => format.type === "json") ?? false

/** One document at the service, from attempt to attempt. The run is informed while the slot is still held. */
class Sending {
  private readonly settings: ClientSettings
  private readonly run: RunState | null
  private readonly keep: Keep
  private parse: Parse
  private uploaded = upload.upload()
  private reusedConnection = false
  private repeats = false

  constructor(settings: ClientSettings, run: RunState | null, keep: Keep, parse: Parse) {
    this.settings = settings
    this.run = run
    this.keep = keep
    this.parse = parse
  }

  readonly circumstances = (): Circumstances => ({
    json: asksForJson(this.parse.options),
    reusedConnection: this.reusedConnection && !this.uploaded.answered
  })

  /** One attempt. */
  readonly send: Effect.Effect<Either.Either<Answer, ServiceError>, FileError> = Effect.suspend(() => {
    this.reusedConnection = this.settings.connections.take()
    this.uploaded = upload.upload()
    const request = send(this.settings, this.parse, this.uploaded, this.count)
    return Effect.uninterruptibleMask((restore) => Effect.tap(restore(request), this.keep)).pipe(
      Effect.ensuring(Effect.sync(this.tell)),
      Effect.matchEffect({
        onFailure: (error) => (isFileError(error) ? Effect.fail(error) : Effect.succeed(Either.left(error))),
        onSuccess: (answer) => {
          this.run?.succeeded()
          return Effect.succeed(Either.right(answer))
        }
      })
    )
  })

  readonly onFailure = ({ error, verdict }: Attempts.Failed<ServiceError>): void => {
    this.repeats = true
    if (this.run !== null && error._tag === "ConnectionFailed" && error.ambiguous) this.run.counters.ambiguous += 1
    if (verdict.wait === null) this.run?.failed(error, this.uploaded.contentHash)
    else this.run?.waited?.(verdict.wait)
    this.lengthen(error)
  }

  /** After a parse that exceeded its `timeout`, the next attempt has twice as much. */
  private lengthen(error: ServiceError): void {
    if (error._tag !== "RequestTimeout" || RetryPolicy.ruleOf(error) === "throttled") return
    const { options } = this.parse
    const timeout = Math.min(Limits.maxTimeout, 2 * (options.timeout ?? Limits.defaultTimeout))
    this.parse = { ...this.parse, options: { ...options, timeout } }
  }

  private readonly count = (): void => {
    if (this.run === null) return
    this.run.counters.requests += 1
    if (this.repeats) this.run.counters.retries += 1
  }

  private readonly tell = (): void => {
    if (this.run === null) return
    this.run.counters.uploaded += this.uploaded.sent
    if (this.uploaded.contentHash !== null) this.run.hashed?.(this.uploaded.contentHash)
  }
}

const nothing: Keep = () => Effect.void

/** Checks the file, then tries until there is an answer or the policy gives up. Holds a slot only while a request runs. */
export const parseDocument = Effect.fnUntraced(function* (
  settings: ClientSettings,
  file: SourceFile,
  options: ParseOptions,
  keep: Keep = nothing
): Effect.fn.Return<Answer, ServiceError | FileError | RunStopped> {
  const mimeType = yield* upload.check(file, settings.maxUploadBytes)
  const run = yield* CurrentRun
  const sending = new Sending(settings, run, keep, { file, mimeType, options })
  const answer = Attempts.repeated(settings.gate, {
    rules: new ServiceRules(settings, sending.circumstances),
    send: sending.send,
    served,
    problemOf: ({ message }) => message,
    bytes: Math.min(file.size, uploadWindow),
    halt: run,
    onFailure: sending.onFailure,
    onAttempt: reporting(settings, file.path)
  })
  return yield* Effect.tapErrorTag(answer, "ServiceUnreachable", (error) => Effect.sync(() => run?.failed(error)))
})
