/**
 * The agent jobs of the embedded service: submitted, followed and cancelled by their owner, run by the `AgentRunner`, kept for 24 hours
 * after they end.
 *
 * A job is `processing` until its runner has ended, also while it waits for its turn or is being cancelled; then it is `completed` or
 * `failed` and does not change any more. Jobs that were running when the service stopped are `failed`, retryable.
 *
 * `maxCredits` are reserved from the submission to the end of the job, by the process: a killed service gives them back. A completed job
 * is charged what it consumed once its end is kept, which a kill at that moment prevents; a failed one is never charged: `creditsUsed`
 * is 0, the trace shows what was consumed.
 *
 * Source: interface document, "States and transitions", "Events", "Agent errors".
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as requests from "../internal/agent/request.ts"
import * as runs from "../internal/agent/run.ts"
import { AgentRunner, type RefusedTask } from "../internal/agent/runner.ts"
import * as stores from "../internal/agent/store.ts"
import { unsent } from "../internal/base/wireFields.ts"
import {
  AgentAlreadyCancelled,
  AgentAlreadyFinished,
  AgentJobNotFound,
  AgentPassthroughFailed,
  catalogue,
  InvalidJobId,
  InvalidSnapshotId,
  SnapshotNotFound,
  SnapshotsUnavailable,
  TraceUnavailable,
  ZeroDataRetentionConflict
} from "../internal/client/agentError.ts"
import { type AgentJob, JobId, type Snapshot, Trace } from "../internal/client/agentJob.ts"
import { unexpected } from "../internal/server/unexpected.ts"
import * as StateDirectory from "../internal/state/directory.ts"
import type { DatabaseFailure } from "../internal/state/libsql.ts"
import * as StateLock from "../internal/state/lock.ts"
import { problemOf } from "../internal/state/remedies.ts"
import { BadRequest, type InternalServerError, type PaymentRequired } from "./ServiceError.ts"

export {
  type Accepted,
  type Agent,
  AgentFailed,
  AgentRefused,
  AgentRunner,
  type Artifact,
  type Event,
  type EventError,
  type RefusedTask,
  type RunError,
  type Task
} from "../internal/agent/runner.ts"

/**
 * The jobs cannot be kept.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentJobsError extends Schema.TaggedError<AgentJobsError>("docsluice/AgentJobsError")("AgentJobsError", {
  /** The directory of the jobs. */
  directory: Schema.String,
  reason: Schema.Literal("Locked", "Corrupted", "Newer", "ReadOnly", "Full", "Io"),
  /** The fault and its remedy, in one line. */
  problem: Schema.String,
  cause: unsent
}) {
  override get message(): string {
    return `${this.directory}: ${this.problem}`
  }
}

/**
 * The caller of an operation. A job belongs to its owner and is invisible to others.
 *
 * @since 0.1.0
 * @category models
 */
export interface Caller {
  /** Names the owner and is kept with the job; never a key itself. */
  readonly owner: string
  /** True for an owner whose data must not be retained: its jobs are refused. Default false. */
  readonly zeroDataRetention?: boolean | undefined
  /** Reserves credits for a job before it exists. Default nothing is charged. */
  readonly reserve?: ((credits: number) => Effect.Effect<Reservation, PaymentRequired>) | undefined
}

/**
 * Credits that a job may spend, up to its `maxCredits`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reservation {
  /** Ends the reservation and charges what is given, 0 for a job that failed. Called once. */
  readonly settle: (credits: number) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category errors
 */
export type SubmitError = RefusedTask | ZeroDataRetentionConflict | PaymentRequired

type Missing = InvalidJobId | AgentJobNotFound | InternalServerError

/**
 * @since 0.1.0
 * @category services
 */
export class AgentJobs extends Context.Tag("docsluice/service/AgentJobs")<AgentJobs, AgentJobs.Service>() {}

export declare namespace AgentJobs {
  /**
   * Job and snapshot ids are texts as a caller sends them.
   *
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Takes the body of `POST /v2/agent`. The job survives the death of the process once its id is given. */
    readonly submit: (caller: Caller, body: unknown) => Effect.Effect<JobId, SubmitError>
    readonly status: (caller: Caller, jobId: string) => Effect.Effect<AgentJob, Missing>
    /** Events in the order in which they were recorded, which is that of `producerSequence` for each agent. */
    readonly trace: (caller: Caller, jobId: string) => Effect.Effect<Trace, Missing | TraceUnavailable>
    readonly snapshot: (
      caller: Caller,
      jobId: string,
      snapshotId: string
    ) => Effect.Effect<Snapshot, Missing | InvalidSnapshotId | SnapshotsUnavailable | SnapshotNotFound>
    /** Succeeds when the run is being ended; the job stays `processing` until its runner has ended, and then failed. */
    readonly cancel: (
      caller: Caller,
      jobId: string
    ) => Effect.Effect<void, Missing | AgentAlreadyFinished | AgentAlreadyCancelled>
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Directory of the jobs alone, created when missing and locked while the layer is open. */
  readonly directory: string
  /** Runs at a time; further jobs wait for their turn. Default 8. */
  readonly concurrency?: number | undefined
}

const defaultConcurrency = 8

const jobsError = (directory: string) => (failed: DatabaseFailure) =>
  new AgentJobsError({
    directory,
    reason: failed.reason,
    ...problemOf("AgentJobsError", failed),
    cause: failed.cause
  })

const newer = (directory: string, { found, known }: StateDirectory.NewerSchema): AgentJobsError =>
  new AgentJobsError({
    directory,
    reason: "Newer",
    problem: `the agent jobs were written by a later version of docsluice (schema ${found}, known here: ${known}); use that version or name another directory`
  })

const rowOf = (tag: keyof typeof catalogue) => ({ status: catalogue[tag].status, error: catalogue[tag].error })

const isUuid = Schema.is(Schema.UUID)

const jobIdOf = (text: string): Effect.Effect<string, InvalidJobId> =>
  isUuid(text) ? Effect.succeed(text.toLowerCase()) : new InvalidJobId(rowOf("InvalidJobId"))

const unreadable = (failed: DatabaseFailure) => unexpected(`the agent jobs cannot be used: ${failed.message}`)

const decodeTrace = Schema.decode(Schema.parseJson(Trace))

const decodeData = Schema.decode(Schema.parseJson())

/** The job as its owner sees it. */
const shown = (job: stores.Job): Effect.Effect<AgentJob> =>
  Effect.map(job.data === null ? Effect.succeed(undefined) : Effect.orDie(decodeData(job.data)), (data) => ({
    success: true,
    status: job.status,
    ...(job.status === "completed" && { data }),
    ...(job.error !== null && { error: job.error }),
    model: job.model,
    expiresAt: new Date(job.expires).toISOString(),
    ...(job.status !== "processing" && { creditsUsed: job.status === "completed" ? job.consumed : 0 })
  }))

/** Reservation of a caller who is not charged. */
const free: Effect.Effect<Reservation> = Effect.succeed({ settle: () => Effect.void })

interface Live {
  readonly running: runs.Running
  readonly fiber: Fiber.Fiber<unknown>
}

/**
 * The reads of {@link AgentJobs}.
 *
 * @since 0.1.0
 * @category models
 */
export type Reader = Pick<AgentJobs.Service, "status" | "trace" | "snapshot">

const reader = (store: stores.Looked): Reader => {
  const found = ({ owner }: Caller, text: string) =>
    Effect.gen(function* () {
      const id = yield* jobIdOf(text)
      const job = yield* Effect.catchAll(store.find(id, owner), unreadable)
      return job === null ? yield* new AgentJobNotFound(rowOf("AgentJobNotFound")) : { id, job }
    })
  return {
    status: (caller, jobId) => Effect.flatMap(found(caller, jobId), ({ job }) => shown(job)),
    trace: (caller, jobId) =>
      Effect.gen(function* () {
        const { id, job } = yield* found(caller, jobId)
        if (!job.traced) return yield* new TraceUnavailable(rowOf("TraceUnavailable"))
        const events = yield* Effect.catchAll(store.events(id), unreadable)
        return yield* Effect.orDie(
          decodeTrace(`{"success":true,"id":"${id}","events":[${events.join()}],"creditsUsed":${job.consumed}}`)
        )
      }),
    snapshot: (caller, jobId, snapshotId) =>
      Effect.gen(function* () {
        yield* jobIdOf(jobId)
        if (!isUuid(snapshotId)) return yield* new InvalidSnapshotId(rowOf("InvalidSnapshotId"))
        const { id, job } = yield* found(caller, jobId)
        if (!job.traced) return yield* new SnapshotsUnavailable(rowOf("SnapshotsUnavailable"))
        const snapshot = yield* Effect.catchAll(store.readSnapshot(id, snapshotId.toLowerCase()), unreadable)
        if (snapshot === null) return yield* new SnapshotNotFound(rowOf("SnapshotNotFound"))
        return { success: true, id, snapshotId: snapshotId.toLowerCase(), snapshot }
      })
  }
}

const over = (engine: runs.Engine, live: Map<string, Live>, scope: Scope.Scope): AgentJobs.Service => {
  const { runner, store } = engine

  const begin = (running: runs.Running, reservation: Reservation) =>
    Effect.gen(function* () {
      const whole = Effect.onExit(runs.run(engine, running), (exit) =>
        reservation.settle(Exit.isSuccess(exit) && exit.value.outcome === "succeeded" ? running.consumed : 0)
      )
      const fiber = yield* Effect.forkIn(whole, scope)
      live.set(running.id, { running, fiber })
      fiber.addObserver(() => live.delete(running.id))
    })

  return {
    ...reader(store),
    submit: (caller, body) =>
      Effect.gen(function* () {
        if (caller.zeroDataRetention === true) {
          return yield* new ZeroDataRetentionConflict(rowOf("ZeroDataRetentionConflict"))
        }
        const { maxCredits, ...task } = yield* requests.decode(body)
        const { model, traced } = yield* runner.accept(task)
        const id = JobId.make(stores.newId())
        yield* Effect.uninterruptible(
          Effect.gen(function* () {
            const reservation = yield* caller.reserve?.(maxCredits) ?? free
            yield* store.insert({ id, owner: caller.owner, model, traced }).pipe(
              Effect.tapError((failed) => Effect.logError(`an agent job could not be kept: ${failed.message}`)),
              Effect.mapError(() => new AgentPassthroughFailed(rowOf("AgentPassthroughFailed"))),
              Effect.tapErrorCause(() => reservation.settle(0))
            )
            yield* begin({ id, task, maxCredits, consumed: 0, ending: null }, reservation)
          })
        )
        return id
      }),
    cancel: ({ owner }, jobId) =>
      Effect.gen(function* () {
        const id = yield* jobIdOf(jobId)
        const answer = yield* Effect.catchAll(store.cancel(id, owner, stores.orchestrator(id)), unreadable)
        if (answer === "missing") return yield* new AgentJobNotFound(rowOf("AgentJobNotFound"))
        if (answer === "finished") return yield* new AgentAlreadyFinished(rowOf("AgentAlreadyFinished"))
        if (answer === "cancelling") return yield* new AgentAlreadyCancelled(rowOf("AgentAlreadyCancelled"))
        const job = live.get(id)
        if (job !== undefined) runs.cancel(job.running)
        return yield* job === undefined ? Effect.void : Fiber.interruptFork(job.fiber)
      }).pipe(Effect.uninterruptible)
  }
}

const on = (store: stores.JobStore, concurrency: number) =>
  Effect.gen(function* () {
    const runner = yield* AgentRunner
    const live = new Map<string, Live>()
    const scope = yield* Effect.acquireRelease(Scope.make(ExecutionStrategy.parallel), (scope, exit) => {
      for (const { running } of live.values()) runs.stop(running)
      return Scope.close(scope, exit)
    })
    const turn = yield* Effect.makeSemaphore(concurrency)
    const expired = Effect.catchAll(store.expire, (failed) =>
      Effect.logWarning(`agent jobs that expired could not be deleted: ${failed.message}`)
    )
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(expired, Effect.sleep("1 hour"))))
    return over({ runner, store, turn }, live, scope)
  })

/**
 * The jobs in a directory. When the scope closes, running jobs are ended and have failed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({
  concurrency = defaultConcurrency,
  directory
}: Options): Effect.Effect<AgentJobs.Service, AgentJobsError, AgentRunner | Scope.Scope> =>
  Effect.gen(function* () {
    const typed = Effect.mapError(jobsError(directory))
    yield* Effect.mapError(StateDirectory.locked(directory), (refused) =>
      refused._tag === "Held"
        ? new AgentJobsError({
            directory,
            reason: "Locked",
            problem: `${StateLock.nameOf(refused.holder)} uses these agent jobs; wait for it or name another directory`
          })
        : jobsError(directory)(refused)
    )
    const store = yield* typed(stores.scoped(directory))
    if (store instanceof StateDirectory.NewerSchema) return yield* newer(directory, store)
    return yield* on(store, concurrency)
  })

/**
 * The jobs in a directory as they are, also while another process runs them: nothing is written, and a job that was running when its
 * process died is still `processing`. No job is found in a directory without any.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeReader = ({
  directory
}: Pick<Options, "directory">): Effect.Effect<Reader, AgentJobsError, Scope.Scope> =>
  Effect.gen(function* () {
    const store = yield* Effect.mapError(stores.looked(directory), jobsError(directory))
    if (store instanceof StateDirectory.NewerSchema) return yield* newer(directory, store)
    return store === null ? none : reader(store)
  })

/**
 * As {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<AgentJobs, AgentJobsError, AgentRunner> =>
  Layer.scoped(AgentJobs, make(options))

/**
 * Jobs in memory, gone with the layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory = (
  options: Pick<Options, "concurrency"> = {}
): Layer.Layer<AgentJobs, AgentJobsError, AgentRunner> =>
  Layer.scoped(
    AgentJobs,
    Effect.gen(function* () {
      const store = yield* Effect.mapError(stores.scoped(null), jobsError("memory"))
      return store instanceof StateDirectory.NewerSchema
        ? yield* Effect.dieMessage("a new store has the schema of this version")
        : yield* on(store, options.concurrency ?? defaultConcurrency)
    })
  )

const unconfigured =
  "This service runs no agents: start it as `docsluice serve --agent-store STORE --model openai:MODEL`, in a program with `AgentJobs.layer` over `Embedded.layerAgentRunner`"

const notHere = (_: Caller, jobId: string) =>
  Effect.zipRight(jobIdOf(jobId), Effect.fail(new AgentJobNotFound(rowOf("AgentJobNotFound"))))

/**
 * The jobs of a service without a runner: a submission is a 400 that names the remedy, and no job is found.
 *
 * @since 0.1.0
 * @category constants
 */
export const none: AgentJobs.Service = {
  submit: ({ zeroDataRetention }, body) =>
    zeroDataRetention === true
      ? new ZeroDataRetentionConflict(rowOf("ZeroDataRetentionConflict"))
      : Effect.flatMap(
          requests.decode(body),
          () => new BadRequest({ status: 400, code: "BAD_REQUEST", error: unconfigured, details: [unconfigured] })
        ),
  status: notHere,
  trace: notHere,
  snapshot: notHere,
  cancel: notHere
}
