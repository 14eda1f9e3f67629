/**
 * The errors of the agent endpoints: one class a row of the catalogue, and a run that failed.
 *
 * Trace and snapshot answers may have no `success` member: match by status and text, see {@link fromAnswer}.
 *
 * Source: interface document, "Agent errors" and "Trace error codes".
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { type Row, ServiceError } from "../../service/ServiceError.ts"
import { answer, answered, ofDocument, ofRun, transient } from "../base/answerError.ts"

/**
 * 400: `jobId` is not a UUID.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidJobId extends answered<InvalidJobId>()("InvalidJobId", answer) {}

/**
 * 400: `snapshotId` is malformed.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidSnapshotId extends answered<InvalidSnapshotId>()("InvalidSnapshotId", answer) {}

/**
 * 400: the job predates the model that records traces.
 *
 * @since 0.1.0
 * @category errors
 */
export class TraceUnavailable extends answered<TraceUnavailable>()("TraceUnavailable", answer) {}

/**
 * 400: the job predates the model that records snapshots.
 *
 * @since 0.1.0
 * @category errors
 */
export class SnapshotsUnavailable extends answered<SnapshotsUnavailable>()("SnapshotsUnavailable", answer) {}

/**
 * 400: agent runs are not available to a team with mandatory zero data retention.
 *
 * @since 0.1.0
 * @category errors
 */
export class ZeroDataRetentionConflict extends answered<ZeroDataRetentionConflict>()(
  "ZeroDataRetentionConflict",
  answer
) {}

/**
 * 404: the id does not exist or belongs to another team.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentJobNotFound extends answered<AgentJobNotFound>()("AgentJobNotFound", answer) {}

/**
 * 404: no snapshot with that id belongs to this job.
 *
 * @since 0.1.0
 * @category errors
 */
export class SnapshotNotFound extends answered<SnapshotNotFound>()("SnapshotNotFound", answer) {}

/**
 * 409: cancel was asked for a run in a terminal state.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentAlreadyFinished extends answered<AgentAlreadyFinished>()("AgentAlreadyFinished", answer) {}

/**
 * 409: cancel was asked for a run that is being cancelled.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentAlreadyCancelled extends answered<AgentAlreadyCancelled>()("AgentAlreadyCancelled", answer) {}

/**
 * 500: the agent service rejected the job on submission.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentPassthroughFailed extends answered<AgentPassthroughFailed>()("AgentPassthroughFailed", answer) {}

/**
 * Meanings of the five trace codes, in the order of the interface document.
 *
 * @since 0.1.0
 * @category constants
 */
export const traceCodes = {
  cancelled: "The run was cancelled by the caller",
  credit_limit_reached: "The run reached `maxCredits`",
  parent_finished: "A sub-agent was stopped because the agent that started it finished first",
  refused: "The agent refused the task",
  internal: "Unexpected failure during the run"
} as const

/**
 * Reason why a run failed.
 *
 * @since 0.1.0
 * @category models
 */
export const TraceCode = Schema.Literal("cancelled", "credit_limit_reached", "parent_finished", "refused", "internal")

/**
 * @since 0.1.0
 * @category models
 */
export type TraceCode = typeof TraceCode.Type

/**
 * The closest known code: an unknown one counts as `internal`.
 *
 * @since 0.1.0
 * @category accessors
 */
export const closestCode = (code: string): TraceCode => TraceCode.literals.find((known) => known === code) ?? "internal"

/**
 * The job was accepted and did not complete; no HTTP error, and not charged. A run that reached `maxCredits` ends so too.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentRunFailed extends Schema.TaggedError<AgentRunFailed>("docsluice/AgentRunFailed")("AgentRunFailed", {
  jobId: Schema.String,
  /** `internal` for a code that is not one of the five. */
  code: TraceCode,
  /** The code, or else the outcome, as the trace had it; absent when there was no trace, and `code` was read from `error`. */
  rawCode: Schema.optional(Schema.String),
  /** The trace's `error.retryable`; read like the column of the catalogue. False when the trace did not say. */
  retryable: Schema.Boolean,
  /** Credits charged, by the job record: 0 for a failed run. Absent when the record did not say. */
  creditsUsed: Schema.optional(Schema.Number),
  /** Credits that the run consumed before it failed, by its trace; absent when the trace did not say. */
  creditsConsumed: Schema.optional(Schema.Number),
  /** The error message of the job record. */
  error: Schema.String
}) {
  override get message(): string {
    return `agent job ${this.jobId}: ${this.code}: ${this.error}`
  }
}

/**
 * The 10 rows of the catalogue's agent table.
 *
 * @since 0.1.0
 * @category errors
 */
export const CataloguedAgentError = Schema.Union(
  InvalidJobId,
  InvalidSnapshotId,
  TraceUnavailable,
  SnapshotsUnavailable,
  ZeroDataRetentionConflict,
  AgentJobNotFound,
  SnapshotNotFound,
  AgentAlreadyFinished,
  AgentAlreadyCancelled,
  AgentPassthroughFailed
)

/**
 * @since 0.1.0
 * @category errors
 */
export type CataloguedAgentError = typeof CataloguedAgentError.Type

/**
 * The agent errors of the interface document, keyed by tag.
 *
 * @since 0.1.0
 * @category constants
 */
export const catalogue = {
  InvalidJobId: ofDocument(400, "Invalid job ID format. Job ID must be a valid UUID."),
  InvalidSnapshotId: ofDocument(400, "Invalid snapshot ID"),
  TraceUnavailable: ofDocument(400, "Trace is only available for Spark 2 extracts"),
  SnapshotsUnavailable: ofDocument(400, "Snapshots are only available for Spark 2 extracts"),
  ZeroDataRetentionConflict: ofRun(400, "Your team has zero data retention enabled. This is not supported on extract."),
  AgentJobNotFound: ofDocument(404, "Agent job not found"),
  SnapshotNotFound: ofDocument(404, "Snapshot not found"),
  AgentAlreadyFinished: ofDocument(409, "Agent already finished"),
  AgentAlreadyCancelled: ofDocument(409, "Agent is already cancelled"),
  AgentPassthroughFailed: transient(500, "Failed to passthrough agent request.")
} as const satisfies Record<CataloguedAgentError["_tag"], Row>

const classes = {
  InvalidJobId,
  InvalidSnapshotId,
  TraceUnavailable,
  SnapshotsUnavailable,
  ZeroDataRetentionConflict,
  AgentJobNotFound,
  SnapshotNotFound,
  AgentAlreadyFinished,
  AgentAlreadyCancelled,
  AgentPassthroughFailed
} as const

interface Body {
  readonly status: number
  readonly error: string
  readonly code?: string | undefined
  readonly details?: unknown
}

/**
 * Tag of the row that an answer of an agent endpoint belongs to, by its status and the first words of its text, whatever their case;
 * undefined when no row fits.
 *
 * @since 0.1.0
 * @category accessors
 */
export const tagOf = (body: Pick<Body, "status" | "error">): CataloguedAgentError["_tag"] | undefined => {
  const text = body.error.toLowerCase()
  return Struct.keys(classes).find(
    (tag) =>
      catalogue[tag].status === body.status && text.startsWith(catalogue[tag].error.toLowerCase().replace(/\.$/, ""))
  )
}

/**
 * The error of a row, with the words of an answer.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofTag = (tag: CataloguedAgentError["_tag"], body: Body): CataloguedAgentError => new classes[tag](body)

/**
 * The row that an answer of an agent endpoint belongs to, see {@link tagOf}; undefined when no row fits: it is a general
 * error then.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromAnswer = (body: Body): CataloguedAgentError | undefined => {
  const tag = tagOf(body)
  return tag === undefined ? undefined : ofTag(tag, body)
}

/**
 * Every error that one request to an agent endpoint can fail with: a row of this table, or any error of the service in general.
 *
 * @since 0.1.0
 * @category errors
 */
export const RequestError = Schema.Union(...CataloguedAgentError.members, ...ServiceError.members)

/**
 * @since 0.1.0
 * @category errors
 */
export type RequestError = typeof RequestError.Type

/**
 * The service may have accepted a job whose id never arrived: the answer to its submission was lost, unreadable, or a failure that
 * does not tell. Nothing was sent a second time, since each submission is billed. `cause`: the failure.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentJobMayExist extends Schema.TaggedError<AgentJobMayExist>("docsluice/AgentJobMayExist")(
  "AgentJobMayExist",
  { cause: RequestError }
) {
  override get message(): string {
    return `the job may exist and run, its id is unknown: ${this.cause.message}; look at the account's runs before it is submitted again`
  }
}

/**
 * The job was submitted and cannot be watched any more; it may still run, and `jobId` leads to it. `cause`: the failure.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentFollowFailed extends Schema.TaggedError<AgentFollowFailed>("docsluice/AgentFollowFailed")(
  "AgentFollowFailed",
  {
    jobId: Schema.String,
    cause: RequestError
  }
) {
  override get message(): string {
    return `agent job ${this.jobId} may still run: ${this.cause.message}; follow it by its id`
  }
}
