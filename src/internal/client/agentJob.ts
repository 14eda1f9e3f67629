/**
 * Agent jobs: the request, the result, and the trace of a run.
 *
 * Unknown members, event types and states are kept unchanged: new ones may appear over time.
 *
 * Source: interface document, "Agent job record", "States and transitions", "Events"; members that it does not show are
 * those seen in the public service.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { hasAtMost, isRecord } from "../base/rules.ts"
import { compact, tolerant } from "../base/tolerant.ts"

/**
 * Longest `prompt`, in characters.
 *
 * @since 0.1.0
 * @category limits
 */
export const maxPromptLength = 10_000

/**
 * Credit cap of a run when none is given.
 *
 * @since 0.1.0
 * @category limits
 */
export const defaultMaxCredits = 2500

/**
 * Longest JSON body of a request, in bytes.
 *
 * @since 0.1.0
 * @category limits
 */
export const maxRequestBytes = 10_485_760

/**
 * Id of a job; a UUID.
 *
 * @since 0.1.0
 * @category models
 */
export const JobId = Schema.UUID.pipe(Schema.brand("docsluice/JobId"))

/**
 * @since 0.1.0
 * @category models
 */
export type JobId = typeof JobId.Type

/**
 * Body of `POST /v2/agent`.
 *
 * @since 0.1.0
 * @category models
 */
export const AgentRequest = Schema.Struct({
  /** The question; 1 to 10000 characters (code points). */
  prompt: Schema.NonEmptyString.pipe(
    Schema.filter((text) => hasAtMost(text, maxPromptLength), { jsonSchema: { maxLength: maxPromptLength } })
  ),
  /** Addresses to look at. */
  urls: Schema.optional(Schema.Array(Schema.String)),
  /** JSON Schema of the result. */
  schema: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  /** Credit cap; a run that reaches it fails and is not charged. Default 2500. */
  maxCredits: Schema.optional(Schema.Finite.pipe(Schema.positive())),
  /** Look at `urls` only. */
  strictConstrainToURLs: Schema.optional(Schema.Boolean),
  model: Schema.optional(Schema.String),
  webhook: Schema.optional(Schema.Unknown),
  origin: Schema.optional(Schema.String),
  integration: Schema.optional(Schema.NullOr(Schema.String))
})

/**
 * @since 0.1.0
 * @category models
 */
export type AgentRequest = typeof AgentRequest.Type

const open = { key: Schema.String, value: Schema.Unknown } as const

/**
 * Answer of `POST /v2/agent`.
 *
 * @since 0.1.0
 * @category models
 */
export const AgentSubmitted = Schema.Struct(
  { success: Schema.optional(Schema.Boolean), id: Schema.NonEmptyString },
  open
)

/**
 * Known states. The service may send others; see {@link isTerminal}.
 *
 * @since 0.1.0
 * @category constants
 */
export const states = ["processing", "completed", "failed", "cancelled"] as const

/**
 * Answer of `GET /v2/agent/{jobId}`. Results expire after 24 hours.
 *
 * @since 0.1.0
 * @category models
 */
export const AgentJob = Schema.Struct(
  {
    success: Schema.optional(Schema.Boolean),
    /** One of {@link states}, or a new one. */
    status: Schema.String,
    /** The result; absent when the run failed. */
    data: Schema.optional(Schema.Unknown),
    /** Why the run failed. */
    error: Schema.optional(Schema.NullOr(Schema.String)),
    /** 0 when the run failed. */
    creditsUsed: Schema.optional(Schema.Number),
    model: Schema.optional(Schema.String),
    /** When the result is deleted, ISO 8601. */
    expiresAt: Schema.optional(Schema.String)
  },
  open
)

/**
 * @since 0.1.0
 * @category models
 */
export type AgentJob = typeof AgentJob.Type

/**
 * True for a final state. An unknown state is not final.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isTerminal = (status: string): boolean =>
  status === "completed" || status === "failed" || status === "cancelled"

/**
 * @since 0.1.0
 * @category models
 */
export const Status = Schema.Literal(...states)

/**
 * @since 0.1.0
 * @category models
 */
export type Status = typeof Status.Type

/**
 * The closest known state: an unknown one counts as `processing`, and so never ends a job.
 *
 * @since 0.1.0
 * @category accessors
 */
export const closestStatus = (status: string): Status => states.find((known) => known === status) ?? "processing"

/**
 * A job as a client reads it. Members that are missing or have an unexpected type are absent; `record` holds the whole answer.
 *
 * @since 0.1.0
 * @category models
 */
export const Job = Schema.Struct({
  jobId: Schema.String,
  /** `processing` for a state that is not known. */
  status: Status,
  /** The state as it came. */
  rawStatus: Schema.String,
  /** The result; absent when the run failed. */
  data: Schema.optional(Schema.Unknown),
  /** Why the run failed. */
  error: tolerant(Schema.String),
  /** Credits charged; 0 when the run failed. */
  creditsUsed: tolerant(Schema.Number),
  model: tolerant(Schema.String),
  /** When the result is deleted, ISO 8601. */
  expiresAt: tolerant(Schema.String),
  /** The answer as it came. */
  record: Schema.Record(open)
})

/**
 * @since 0.1.0
 * @category models
 */
export type Job = typeof Job.Type

const decodeJob = Schema.decodeUnknownOption(Job)

/**
 * Reads the answer of the status endpoint; none for a value without a `status`. Any other member may be missing or wrong.
 *
 * @since 0.1.0
 * @category constructors
 */
export const jobOf = (jobId: string, record: unknown): Option.Option<Job> => {
  if (!isRecord(record) || typeof record["status"] !== "string") return Option.none()
  const rawStatus = record["status"]
  return Option.map(decodeJob({ ...record, jobId, status: closestStatus(rawStatus), rawStatus, record }), compact)
}

/**
 * Outcomes of a run.
 *
 * @since 0.1.0
 * @category constants
 */
export const outcomes = ["succeeded", "failed", "cancelled", "refused", "credit_limit_reached"] as const

/**
 * `error` of terminal events and of `error.occurred`.
 *
 * @since 0.1.0
 * @category trace
 */
export const TraceError = Schema.Struct(
  {
    /** One of the five trace codes, or a new one. */
    code: Schema.String,
    /** Read like the Retryable column of the catalogue. */
    retryable: Schema.Boolean,
    source: Schema.optional(Schema.Unknown),
    message: Schema.optional(Schema.NullOr(Schema.String))
  },
  open
)

/**
 * @since 0.1.0
 * @category trace
 */
export type TraceError = typeof TraceError.Type

/**
 * Known types of events, those of the interface document first. The service may send others.
 *
 * @since 0.1.0
 * @category constants
 */
export const eventTypes = [
  "artifact.updated",
  "run.finished",
  "error.occurred",
  "run.started",
  "run.cancel_requested",
  "agent.started",
  "agent.finished",
  "browser.session.started",
  "browser.session.finished",
  "progress.reported",
  "reasoning.summary",
  "tool_call.started",
  "tool_call.finished"
] as const

/**
 * One event of a trace. Events of one agent are ordered by `producerSequence`. Members that only some types have:
 * `outcome` and `error` of `run.finished` and `agent.finished`, `error` of `error.occurred`, `artifact` (or a bare
 * `snapshotId`) of `artifact.updated`. Everything else is kept as it came.
 *
 * @since 0.1.0
 * @category trace
 */
export const TraceEvent = Schema.Struct(
  {
    /** One of {@link eventTypes}, or a new one. */
    type: Schema.String,
    schemaVersion: Schema.optional(Schema.Number),
    eventId: Schema.optional(Schema.String),
    runId: Schema.optional(Schema.String),
    /** ISO 8601. */
    occurredAt: Schema.optional(Schema.String),
    producerSequence: Schema.optional(Schema.Number),
    agent: Schema.optional(
      Schema.Struct(
        {
          id: Schema.String,
          role: Schema.optional(Schema.String),
          name: Schema.optional(Schema.String),
          parentId: Schema.optional(Schema.NullOr(Schema.String))
        },
        open
      )
    ),
    /** One of {@link outcomes}, or a new one. */
    outcome: Schema.optional(Schema.String),
    error: Schema.optional(Schema.NullOr(TraceError)),
    snapshotId: Schema.optional(Schema.String),
    artifact: Schema.optional(Schema.Struct({ snapshotId: Schema.optional(Schema.String) }, open))
  },
  open
)

/**
 * @since 0.1.0
 * @category trace
 */
export type TraceEvent = typeof TraceEvent.Type

/**
 * Id of the snapshot that an `artifact.updated` event names, in either of its places.
 *
 * @since 0.1.0
 * @category trace
 */
export const snapshotIdOf = (event: TraceEvent): string | undefined => event.artifact?.snapshotId ?? event.snapshotId

/**
 * Answer of the trace endpoint. May have no `success` member.
 *
 * @since 0.1.0
 * @category trace
 */
export const Trace = Schema.Struct(
  {
    success: Schema.optional(Schema.Boolean),
    id: Schema.optional(Schema.String),
    events: Schema.Array(TraceEvent),
    creditsUsed: Schema.optional(Schema.Number)
  },
  open
)

/**
 * @since 0.1.0
 * @category trace
 */
export type Trace = typeof Trace.Type

/**
 * Answer of the snapshot endpoint. May have no `success` member.
 *
 * @since 0.1.0
 * @category trace
 */
export const Snapshot = Schema.Struct(
  {
    success: Schema.optional(Schema.Boolean),
    id: Schema.optional(Schema.String),
    snapshotId: Schema.String,
    snapshot: Schema.String
  },
  open
)

/**
 * @since 0.1.0
 * @category trace
 */
export type Snapshot = typeof Snapshot.Type

/**
 * A snapshot as a client read it.
 *
 * @since 0.1.0
 * @category models
 */
export const SnapshotText = Schema.Struct({
  jobId: Schema.String,
  snapshotId: Schema.String,
  snapshot: Schema.String,
  /** The answer as it came. */
  record: Schema.Record(open)
})

/**
 * @since 0.1.0
 * @category models
 */
export type SnapshotText = typeof SnapshotText.Type
