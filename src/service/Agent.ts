/**
 * Agent runs as streams: a job from its submission to its result, the events of its trace, and its artifacts.
 *
 * Polls with back-off on the clock of the fiber: the pause begins with `firstPause`, grows by half while nothing changes up to
 * `longestPause`, and begins again with each change. Every request is retried as `AgentClient` says.
 *
 * Source: interface document, "States and transitions", "Events".
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { abandon } from "../internal/client/abandon.ts"
import { AgentFollowFailed, type AgentRunFailed, type RequestError } from "../internal/client/agentError.ts"
import type { AgentEvent } from "../internal/client/agentEvent.ts"
import * as AgentJob from "../internal/client/agentJob.ts"
import { failureOf } from "../internal/client/runFailure.ts"
import { TraceOrder } from "../internal/client/traceOrder.ts"
import { AgentClient, type SubmitError } from "./AgentClient.ts"

export { Agent, AgentEvent, AgentTrace, EventError, Outcome } from "../internal/client/agentEvent.ts"
export {
  AgentJob,
  AgentRequest,
  AgentSubmitted,
  defaultMaxCredits,
  eventTypes,
  isTerminal,
  Job,
  JobId,
  maxPromptLength,
  maxRequestBytes,
  outcomes,
  Snapshot,
  SnapshotText,
  states,
  Status,
  Trace,
  TraceError,
  TraceEvent
} from "../internal/client/agentJob.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Polling {
  /** Default 1 second. */
  readonly firstPause?: Duration.DurationInput | undefined
  /** Default 15 seconds. */
  readonly longestPause?: Duration.DurationInput | undefined
}

const defaults = { firstPause: "1 second", longestPause: "15 seconds" } as const satisfies Polling

/**
 * A step of a run. `Submitted`: the first, and only of `run`; `Changed`: a state or a number of credits not seen before; `Completed`: the
 * last, with the result in `job.data`.
 *
 * @since 0.1.0
 * @category models
 */
export type Update =
  | { readonly _tag: "Submitted"; readonly jobId: string }
  | { readonly _tag: "Changed"; readonly jobId: string; readonly job: AgentJob.Job }
  | { readonly _tag: "Completed"; readonly jobId: string; readonly job: AgentJob.Job }

/**
 * A text that a run made or changed, as one of its snapshots has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Artifact {
  readonly jobId: string
  readonly snapshotId: string
  /** Absent when the event named none. */
  readonly artifactId?: string | undefined
  readonly kind?: string | undefined
  readonly snapshot: string
  /** The event that named the snapshot. */
  readonly event: AgentEvent
}

/**
 * Every error of a job that is followed.
 *
 * @since 0.1.0
 * @category errors
 */
export type FollowError = AgentRunFailed | AgentFollowFailed

/**
 * Every error of a run.
 *
 * @since 0.1.0
 * @category errors
 */
export type RunError = SubmitError | FollowError

interface Pauses {
  readonly first: number
  readonly longest: number
}

const pausesOf = (polling: Polling): Pauses => {
  const first = Duration.toMillis(polling.firstPause ?? defaults.firstPause)
  return { first, longest: Math.max(first, Duration.toMillis(polling.longestPause ?? defaults.longestPause)) }
}

/** The pause after one of `pause` milliseconds. */
const longer = ({ longest }: Pauses, pause: number): number => Math.min(longest, pause * 1.5)

const differs = (job: AgentJob.Job, before: AgentJob.Job | null): boolean =>
  job.rawStatus !== before?.rawStatus || job.creditsUsed !== before.creditsUsed

interface Watched {
  readonly job: AgentJob.Job | null
  /** Milliseconds before the next poll. */
  readonly wait: number
  readonly pause: number
}

const watch = (client: AgentClient.Service, jobId: string, polling: Polling): Stream.Stream<Update, FollowError> => {
  const pauses = pausesOf(polling)
  const start: Watched = { job: null, wait: 0, pause: pauses.first }
  return Stream.paginateChunkEffect(start, (before) =>
    Effect.gen(function* () {
      yield* Effect.sleep(before.wait)
      const job = yield* Effect.mapError(client.status(jobId), (cause) => new AgentFollowFailed({ jobId, cause }))
      if (job.status === "completed") {
        return [Chunk.of<Update>({ _tag: "Completed", jobId, job }), Option.none<Watched>()] as const
      }
      if (AgentJob.isTerminal(job.status)) {
        return yield* failureOf(job, yield* Effect.option(client.trace(jobId)))
      }
      const changed = differs(job, before.job)
      const wait = changed ? pauses.first : before.pause
      const update = changed ? Chunk.of<Update>({ _tag: "Changed", jobId, job }) : Chunk.empty<Update>()
      return [update, Option.some<Watched>({ job, wait, pause: longer(pauses, wait) })] as const
    })
  )
}

/**
 * Watches a job to its end, and leaves it alone: ending the stream does not cancel it.
 *
 * A job that did not complete is `AgentRunFailed`, with the reason from its trace. `AgentFollowFailed`: its state cannot be read any more,
 * though it may still run.
 *
 * @since 0.1.0
 * @category streams
 */
export const follow = (jobId: string, polling: Polling = {}): Stream.Stream<Update, FollowError, AgentClient> =>
  Stream.unwrap(Effect.map(AgentClient, (client) => watch(client, jobId, polling)))

/**
 * Submits a job and watches it to its end. The job lives as long as the stream: when that is interrupted or left before its end, the job
 * is cancelled, also one whose submission has not been answered yet. Only after `AgentFollowFailed` it is left alone.
 *
 * ```ts
 * import { Agent } from "docsluice"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = Agent.run({ prompt: "Which invoices are overdue?", maxCredits: 100 }).pipe(
 *   Stream.tap((update) => (update._tag === "Completed" ? Console.log(update.job.data) : Console.error(update.jobId))),
 *   Stream.runDrain,
 *   Effect.catchTag("AgentRunFailed", ({ code, creditsUsed }) => Console.error(`${code}, ${creditsUsed} credits charged`))
 * )
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const run = (
  request: AgentJob.AgentRequest,
  polling: Polling = {}
): Stream.Stream<Update, RunError, AgentClient> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const client = yield* AgentClient
      let running: string | null = null
      const over = Effect.sync(() => {
        running = null
      })
      yield* Effect.addFinalizer(() =>
        Effect.suspend(() => (running === null ? Effect.void : abandon(running, client.cancel(running))))
      )
      const jobId = yield* client.submit(request, (id) => {
        running = id
      })
      const watched = watch(client, jobId, polling).pipe(
        Stream.tapError(() => over),
        Stream.tap((update) => (update._tag === "Completed" ? over : Effect.void))
      )
      return Stream.concat(Stream.succeed<Update>({ _tag: "Submitted", jobId }), watched)
    })
  )

/**
 * {@link run} to its result: the completed job. Interruption cancels the job.
 *
 * @since 0.1.0
 * @category running
 */
export const result = (
  request: AgentJob.AgentRequest,
  polling: Polling = {}
): Effect.Effect<AgentJob.Job, RunError, AgentClient> =>
  run(request, polling).pipe(
    Stream.filterMap((update) => (update._tag === "Completed" ? Option.some(update.job) : Option.none())),
    Stream.runHead,
    Effect.flatMap(
      Option.match({ onNone: () => Effect.dieMessage("a run ended without a result"), onSome: Effect.succeed })
    )
  )

interface Traced {
  readonly wait: number
  readonly pause: number
}

const traced = (
  client: AgentClient.Service,
  jobId: string,
  polling: Polling
): Stream.Stream<AgentEvent, RequestError> => {
  const pauses = pausesOf(polling)
  const order = new TraceOrder()
  const take = (last: boolean) =>
    Effect.map(client.trace(jobId), ({ events }) => Chunk.fromIterable(order.take(events, last)))
  const start: Traced = { wait: 0, pause: pauses.first }
  return Stream.paginateChunkEffect(start, (before) =>
    Effect.gen(function* () {
      yield* Effect.sleep(before.wait)
      const fresh = yield* take(false)
      if (order.finished) return [fresh, Option.none<Traced>()] as const
      if (Chunk.isNonEmpty(fresh)) {
        return [fresh, Option.some<Traced>({ wait: pauses.first, pause: longer(pauses, pauses.first) })] as const
      }
      // A trace without an end would be polled for ever.
      const { status } = yield* client.status(jobId)
      if (AgentJob.isTerminal(status)) return [yield* take(true), Option.none<Traced>()] as const
      return [fresh, Option.some<Traced>({ wait: before.pause, pause: longer(pauses, before.pause) })] as const
    })
  )
}

/**
 * The events of a job from its first to `run.finished`, each exactly once: in each answer by agent, in the order in which agents appear,
 * then by `producerSequence`. An event that arrives before its predecessor waits for it during two polls; one that comes even later
 * follows then. Also ends when the job has ended and its trace holds no `run.finished`.
 *
 * Holds the identity of every event, and the trace while it is read. Fails when a request does: the trace is then no longer complete.
 *
 * ```ts
 * import { Agent } from "docsluice"
 * import { Stream } from "effect"
 *
 * // A run and its events as they come; ends when both have.
 * const followed = Agent.run({ prompt: "Which invoices are overdue?" }).pipe(
 *   Stream.flatMap(
 *     (update) =>
 *       Stream.merge(Stream.succeed(update), update._tag === "Submitted" ? Agent.events(update.jobId) : Stream.empty),
 *     { concurrency: 2 }
 *   )
 * )
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const events = (jobId: string, polling: Polling = {}): Stream.Stream<AgentEvent, RequestError, AgentClient> =>
  Stream.unwrap(Effect.map(AgentClient, (client) => traced(client, jobId, polling)))

/**
 * The artifacts of a job as it makes them: for each `artifact.updated` the text of its snapshot, each snapshot once, in the order of
 * {@link events}. Holds one text at a time.
 *
 * @since 0.1.0
 * @category streams
 */
export const artifacts = (jobId: string, polling: Polling = {}): Stream.Stream<Artifact, RequestError, AgentClient> =>
  Stream.unwrap(
    Effect.map(AgentClient, (client) => {
      const seen = new Set<string>()
      return traced(client, jobId, polling).pipe(
        Stream.filterMap((event) => {
          if (event.type !== "artifact.updated") return Option.none()
          const { snapshotId } = event
          if (snapshotId === undefined || seen.has(snapshotId)) return Option.none()
          seen.add(snapshotId)
          return Option.some({ event, snapshotId })
        }),
        Stream.mapEffect(({ event, snapshotId }) =>
          Effect.map(client.snapshot(jobId, snapshotId), ({ snapshot }): Artifact => {
            const { artifactId, kind } = event
            return {
              jobId,
              snapshotId,
              ...(artifactId !== undefined && { artifactId }),
              ...(kind !== undefined && { kind }),
              snapshot,
              event
            }
          })
        )
      )
    })
  )
