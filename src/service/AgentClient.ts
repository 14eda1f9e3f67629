/**
 * Agent jobs over HTTP: submit, status, trace, snapshot and cancel, one effect for each endpoint. `Agent` follows a job to its end.
 *
 * Source: interface document, "Agent endpoints", "Agent errors".
 *
 * @since 0.1.0
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { abandon } from "../internal/client/abandon.ts"
import { type Operation, repeated, type Settings } from "../internal/client/agentAttempts.ts"
import * as agentBody from "../internal/client/agentBody.ts"
import {
  AgentJobMayExist,
  catalogue,
  InvalidJobId,
  InvalidSnapshotId,
  type RequestError
} from "../internal/client/agentError.ts"
import * as AgentEvent from "../internal/client/agentEvent.ts"
import * as AgentJob from "../internal/client/agentJob.ts"
import * as agentPaths from "../internal/client/agentPaths.ts"
import { type Answered, unexpected } from "../internal/client/agentRequest.ts"
import { connection } from "../internal/client/connection.ts"
import type { RequestGate } from "../RequestGate.ts"
import * as RetryPolicy from "../RetryPolicy.ts"
import * as Client from "./Client.ts"
import type { InvalidOptions } from "./ParseOptions.ts"

export {
  AgentAlreadyCancelled,
  AgentAlreadyFinished,
  AgentFollowFailed,
  AgentJobMayExist,
  AgentJobNotFound,
  AgentPassthroughFailed,
  AgentRunFailed,
  catalogue,
  CataloguedAgentError,
  InvalidJobId,
  InvalidSnapshotId,
  RequestError,
  SnapshotNotFound,
  SnapshotsUnavailable,
  TraceCode,
  traceCodes,
  TraceUnavailable,
  ZeroDataRetentionConflict
} from "../internal/client/agentError.ts"

/**
 * Every error of a submission. `InvalidOptions`: the request is wrong, and nothing was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export type SubmitError = RequestError | AgentJobMayExist | InvalidOptions

/**
 * @since 0.1.0
 * @category services
 */
export class AgentClient extends Context.Tag("docsluice/service/AgentClient")<AgentClient, AgentClient.Service>() {}

export declare namespace AgentClient {
  /**
   * Each method sends requests until it has an answer or the retry policy gives up. A job id is the text that `submit` gave.
   *
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Base address without credentials. */
    readonly identity: string
    /**
     * Starts a job and gives its id. A submission is billed, so it is sent again only where no job can exist: after 429, 503, a connection
     * that was not made, and 500 with the exact text of `AgentPassthroughFailed`. Any failure that leaves it open is `AgentJobMayExist`.
     *
     * A request that was sent is not interrupted: an interruption waits for its answer, at most `timeout`, and cancels the job. With
     * `keep`, which is called with the id before that, the job is left to the caller.
     */
    readonly submit: (
      request: AgentJob.AgentRequest,
      keep?: (jobId: string) => void
    ) => Effect.Effect<string, SubmitError>
    /** State and result. */
    readonly status: (jobId: string) => Effect.Effect<AgentJob.Job, RequestError>
    /** All events so far. */
    readonly trace: (jobId: string) => Effect.Effect<AgentEvent.AgentTrace, RequestError>
    /** The text that an `artifact.updated` event names. */
    readonly snapshot: (jobId: string, snapshotId: string) => Effect.Effect<AgentJob.SnapshotText, RequestError>
    /**
     * Asks to cancel a job; it ends some time after. Fails with `AgentAlreadyFinished` or `AgentAlreadyCancelled`, the latter not when an
     * earlier attempt of the same call got no answer.
     */
    readonly cancel: (jobId: string) => Effect.Effect<void, RequestError>
  }
}

/**
 * Path below the base address, `{jobId}` in the place of the id; a method and a space may stand before it.
 *
 * @since 0.1.0
 * @category models
 */
export type JobPath = `${string}{jobId}${string}`

/**
 * As {@link JobPath}, with the place of the snapshot's id.
 *
 * @since 0.1.0
 * @category models
 */
export type SnapshotPath = `${JobPath}{snapshotId}${string}` | `${string}{snapshotId}${JobPath}`

/**
 * Endpoints that the interface does not show.
 *
 * @since 0.1.0
 * @category models
 */
export interface Paths {
  /** Default `GET /agent/{jobId}/trace`. */
  readonly trace?: JobPath | undefined
  /** Default `GET /agent/{jobId}/snapshots/{snapshotId}`. */
  readonly snapshot?: SnapshotPath | undefined
  /** Default `DELETE /agent/{jobId}`. */
  readonly cancel?: JobPath | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Pick<Client.Options, "baseUrl" | "apiKey"> {
  readonly paths?: Paths | undefined
  /** Time limit of one request, answer included; default 60 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
  /** Longest pause while an answer arrives; default 30 seconds. */
  readonly idleTimeout?: Duration.DurationInput | undefined
  /** Largest answer in bytes; default 64 MiB. A larger one is `UnexpectedResponse`. */
  readonly maxAnswerBytes?: number | undefined
  /** Without `retryAmbiguous`: after an ambiguous failure a submission is never repeated, and any other request always is. */
  readonly retry?: Omit<RetryPolicy.Options, "retryAmbiguous"> | undefined
}

const defaults = {
  paths: {
    trace: "GET /agent/{jobId}/trace",
    snapshot: "GET /agent/{jobId}/snapshots/{snapshotId}",
    cancel: "DELETE /agent/{jobId}"
  },
  timeout: "60 seconds",
  idleTimeout: "30 seconds",
  maxAnswerBytes: 64 * 1024 * 1024
} as const satisfies Omit<Options, "baseUrl">

const endpoints = (paths: Paths) =>
  Either.all({
    status: agentPaths.read("/agent/{jobId}", { field: "", method: "GET", ids: ["jobId"] }),
    trace: agentPaths.read(paths.trace ?? defaults.paths.trace, {
      field: "paths.trace",
      method: "GET",
      ids: ["jobId"]
    }),
    snapshot: agentPaths.read(paths.snapshot ?? defaults.paths.snapshot, {
      field: "paths.snapshot",
      method: "GET",
      ids: ["jobId", "snapshotId"]
    }),
    cancel: agentPaths.read(paths.cancel ?? defaults.paths.cancel, {
      field: "paths.cancel",
      method: "DELETE",
      ids: ["jobId"]
    })
  })

/** True when the service may have accepted the job, whatever it answered. */
const mayExist = (error: RequestError): boolean => {
  switch (error._tag) {
    case "ConnectionFailed":
      return error.ambiguous
    case "ServiceUnreachable":
    case "ServiceUnavailable":
      return false
    case "AgentPassthroughFailed":
      return error.error !== catalogue.AgentPassthroughFailed.error
    default:
      return error.status === 408 || error.status >= 500 || (error.status >= 200 && error.status < 300)
  }
}

const resubmittable: ReadonlySet<RequestError["_tag"]> = new Set<RequestError["_tag"]>([
  "RateLimitExceeded",
  "ConcurrencyLimitReached",
  "ServiceUnavailable",
  "AgentPassthroughFailed",
  "ConnectionFailed"
])

const mayResubmit = (error: RequestError): boolean => resubmittable.has(error._tag) && !mayExist(error)

const without = (answer: Answered, member: string) =>
  Either.left(unexpected(answer.status, "NoData", `the answer has no ${member}`, answer.body))

const textMember = (answer: Answered, member: string) => {
  const value = answer.body[member]
  return typeof value === "string" && value !== "" ? Either.right(value) : without(answer, member)
}

const readJob = (jobId: string) => (answer: Answered) =>
  Option.match(AgentJob.jobOf(jobId, answer.body), {
    onNone: () => without(answer, "status"),
    onSome: (job) => Either.right(job)
  })

const readTrace = (jobId: string) => (answer: Answered) => {
  const { creditsUsed, events } = answer.body
  if (!Array.isArray(events)) return without(answer, "events")
  return Either.right<AgentEvent.AgentTrace>({
    jobId,
    events: events.flatMap((record: unknown) => AgentEvent.fromRecord(record) ?? []),
    ...(typeof creditsUsed === "number" && { creditsUsed }),
    record: answer.body
  })
}

const readSnapshot = (jobId: string, snapshotId: string) => (answer: Answered) => {
  const { snapshot } = answer.body
  if (typeof snapshot !== "string") return without(answer, "snapshot")
  return Either.right<AgentJob.SnapshotText>({ jobId, snapshotId, snapshot, record: answer.body })
}

const always = (): boolean => true

const refused = (tag: "InvalidJobId" | "InvalidSnapshotId"): InvalidJobId | InvalidSnapshotId => {
  const { error, status } = catalogue[tag]
  return tag === "InvalidJobId" ? new InvalidJobId({ status, error }) : new InvalidSnapshotId({ status, error })
}

/** An operation on a job; fails without a request for an id that cannot be part of a path. */
const operate = <A>(
  settings: Settings,
  fill: agentPaths.Fill,
  ids: agentPaths.Ids,
  operation: Omit<Operation<A>, "call" | "mayRepeat"> & { readonly content?: ReadonlySet<string> }
): Effect.Effect<A, RequestError> => {
  const endpoint = fill(ids)
  if (endpoint === null) return refused(fill({ jobId: ids.jobId }) === null ? "InvalidJobId" : "InvalidSnapshotId")
  const { content, ...rest } = operation
  return repeated(settings, { ...rest, mayRepeat: always, call: { ...endpoint, content } })
}

const results: ReadonlySet<string> = new Set(["data"])
const texts: ReadonlySet<string> = new Set(["snapshot"])

/**
 * A client over HTTP. Fails before anything is sent: `InvalidAddress` for address or key, `InvalidOptions` for `paths`.
 *
 * Requests go through the gate that all users of this address and key in the process share, with the options of the `RequestGate` in the
 * context; the retry policy decides which are repeated, and when. A key is removed from all answers but results and texts of snapshots.
 * An answer is held in memory. An answer without a readable `error` is the general row of its status: 404 `NotFound`, 409 `Conflict`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (
  options: Options
) => Effect.Effect<
  AgentClient.Service,
  Client.InvalidAddress | InvalidOptions,
  HttpClient.HttpClient | RequestGate | Scope.Scope
> = Effect.fnUntraced(function* (options) {
  const fill = yield* endpoints(options.paths ?? {})
  const connected = yield* Effect.mapError(connection(options), (reason) => new Client.InvalidAddress({ reason }))
  const settings: Settings = {
    ...connected,
    timeout: Duration.decode(options.timeout ?? defaults.timeout),
    idle: Duration.decode(options.idleTimeout ?? defaults.idleTimeout),
    maxBytes: options.maxAnswerBytes ?? defaults.maxAnswerBytes,
    policy: RetryPolicy.make({ ...options.retry, retryAmbiguous: true })
  }
  const cancel: AgentClient.Service["cancel"] = (jobId) =>
    Effect.suspend(() => {
      let unsure = false
      const once = operate(
        settings,
        fill.cancel,
        { jobId },
        {
          name: "agent cancel",
          read: () => Either.void,
          onEnd: (end) => {
            unsure ||= Either.isLeft(end) && mayExist(end.left)
          }
        }
      )
      return Effect.catchTag(once, "AgentAlreadyCancelled", (error) => (unsure ? Effect.void : Effect.fail(error)))
    })
  const submit: AgentClient.Service["submit"] = (request, keep) =>
    Effect.suspend((): Effect.Effect<string, SubmitError> => {
      const body = agentBody.encode(request)
      if (Either.isLeft(body)) return Effect.fail(body.left)
      let submitted: string | null = null
      let doubt: AgentJobMayExist | null = null
      return repeated(settings, {
        name: "agent submit",
        call: { method: "POST", path: "/agent", body: body.right },
        read: (answer) => textMember(answer, "id"),
        mayRepeat: mayResubmit,
        unbroken: true,
        onEnd: (end) => {
          if (Either.isLeft(end)) {
            if (mayExist(end.left)) doubt = new AgentJobMayExist({ cause: end.left })
          } else if (keep === undefined) submitted = end.right
          else keep(end.right)
        }
      }).pipe(
        Effect.mapError((error) => doubt ?? error),
        Effect.onInterrupt(() => {
          if (submitted !== null) return abandon(submitted, cancel(submitted))
          return doubt === null ? Effect.void : Effect.logWarning(doubt.message)
        })
      )
    })
  return AgentClient.of({
    identity: connected.address.url,
    submit,
    cancel,
    status: (jobId) =>
      operate(settings, fill.status, { jobId }, { name: "agent status", read: readJob(jobId), content: results }),
    trace: (jobId) => operate(settings, fill.trace, { jobId }, { name: "agent trace", read: readTrace(jobId) }),
    snapshot: (jobId, snapshotId) =>
      operate(
        settings,
        fill.snapshot,
        { jobId, snapshotId },
        {
          name: "agent snapshot",
          read: readSnapshot(jobId, snapshotId),
          content: texts
        }
      )
  })
})

/**
 * {@link make} as a layer. A program provides `UndiciHttpClient.layer()`, or any other `HttpClient`, and `RequestGate.layer()`.
 *
 * ```ts
 * import { AgentClient, RequestGate, UndiciHttpClient } from "docsluice"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const agents = yield* AgentClient.AgentClient
 *   const jobId = yield* agents.submit({ prompt: "Which invoices are overdue?", maxCredits: 100 })
 *   return yield* agents.status(jobId)
 * })
 * const live = AgentClient.layer({ baseUrl: "http://127.0.0.1:8787" }).pipe(
 *   Layer.provide([RequestGate.layer(), UndiciHttpClient.layer()])
 * )
 * await Effect.runPromise(Effect.provide(program, live))
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<AgentClient, Client.InvalidAddress | InvalidOptions, HttpClient.HttpClient | RequestGate> =>
  Layer.scoped(AgentClient, make(options))

/**
 * {@link layer} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: Config.Config.Wrap<Options>
): Layer.Layer<
  AgentClient,
  Client.InvalidAddress | InvalidOptions | ConfigError.ConfigError,
  HttpClient.HttpClient | RequestGate
> => Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))
