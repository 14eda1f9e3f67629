/**
 * Events of a run, by type. Each event holds the record as it came; an unknown type, outcome or code stands next to the closest
 * known one.
 *
 * Source: interface document, "Events" and "Trace error codes"; members that it does not show are those seen in the public service.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isRecord } from "../base/rules.ts"
import { compact, tolerant } from "../base/tolerant.ts"
import { closestCode, TraceCode } from "./agentError.ts"
import { eventTypes, outcomes } from "./agentJob.ts"

/**
 * @since 0.1.0
 * @category models
 */
export const Outcome = Schema.Literal(...outcomes)

/**
 * @since 0.1.0
 * @category models
 */
export type Outcome = typeof Outcome.Type

/**
 * The reason of a failure, in terminal events and in `error.occurred`.
 *
 * @since 0.1.0
 * @category models
 */
export const EventError = Schema.Struct({
  /** `internal` for a code that is not one of the five. */
  code: TraceCode,
  /** The code as it came; empty when there was none. */
  rawCode: Schema.String,
  /** Read like the Retryable column of the catalogue; false when the event did not say. */
  retryable: Schema.Boolean,
  message: tolerant(Schema.String),
  source: Schema.optional(Schema.Unknown)
})

/**
 * @since 0.1.0
 * @category models
 */
export type EventError = typeof EventError.Type

/**
 * The agent that an event comes from.
 *
 * @since 0.1.0
 * @category models
 */
export const Agent = Schema.Struct({
  id: Schema.String,
  role: tolerant(Schema.String),
  name: tolerant(Schema.String),
  /** The agent that started this one; absent for the first. */
  parentId: tolerant(Schema.String)
})

/**
 * @since 0.1.0
 * @category models
 */
export type Agent = typeof Agent.Type

const base = {
  /** Type in the record: differs from `type` when it is unknown, empty when it is missing. */
  rawType: Schema.String,
  eventId: tolerant(Schema.String),
  runId: tolerant(Schema.String),
  /** ISO 8601. */
  occurredAt: tolerant(Schema.String),
  /** Place of the event among those of its agent. */
  producerSequence: tolerant(Schema.Number),
  agent: tolerant(Agent),
  /** The event as it came, members that are not named here included. */
  record: Schema.Record({ key: Schema.String, value: Schema.Unknown })
}

const ended = {
  /** `failed` for an outcome that is not known; absent when the event named none. */
  outcome: tolerant(Outcome),
  /** The outcome as it came. */
  rawOutcome: tolerant(Schema.String),
  error: tolerant(EventError)
}

const event = <Type extends (typeof eventTypes)[number], Fields extends Schema.Struct.Fields>(
  type: Type,
  fields: Fields
) => Schema.Struct({ type: Schema.Literal(type), ...base, ...fields })

const tool = { toolCallId: tolerant(Schema.String), toolName: tolerant(Schema.String) }

/**
 * One event of a run. Members that are missing or have an unexpected type are left out; `record` holds them all.
 *
 * @since 0.1.0
 * @category models
 */
export const AgentEvent = Schema.Union(
  event("run.started", {}),
  event("run.cancel_requested", { reason: tolerant(Schema.String) }),
  /** The last event of a run. */
  event("run.finished", ended),
  event("agent.started", {}),
  event("agent.finished", { ...ended, durationMs: tolerant(Schema.Number) }),
  event("browser.session.started", {}),
  event("browser.session.finished", {}),
  /** Also the type of an event whose own type is unknown; see `rawType`. */
  event("progress.reported", { phase: tolerant(Schema.String), message: tolerant(Schema.String) }),
  event("reasoning.summary", { text: tolerant(Schema.String) }),
  event("tool_call.started", tool),
  event("tool_call.finished", tool),
  event("artifact.updated", {
    /** Names the text for the snapshot endpoint. */
    snapshotId: tolerant(Schema.String),
    artifactId: tolerant(Schema.String),
    kind: tolerant(Schema.String),
    change: Schema.optional(Schema.Unknown)
  }),
  event("error.occurred", { error: tolerant(EventError) })
)

/**
 * @since 0.1.0
 * @category models
 */
export type AgentEvent = typeof AgentEvent.Type

/**
 * The closest known type: an unknown one counts as progress, and so never ends a run.
 *
 * @since 0.1.0
 * @category accessors
 */
export const closestType = (type: string): AgentEvent["type"] =>
  eventTypes.find((known) => known === type) ?? "progress.reported"

/**
 * The closest known outcome: an unknown one counts as a failure.
 *
 * @since 0.1.0
 * @category accessors
 */
export const closestOutcome = (outcome: string): Outcome => outcomes.find((known) => known === outcome) ?? "failed"

const errorOf = (value: unknown): EventError | undefined => {
  if (!isRecord(value)) return undefined
  const rawCode = typeof value["code"] === "string" ? value["code"] : ""
  return compact({
    code: closestCode(rawCode),
    rawCode,
    retryable: value["retryable"] === true,
    message: typeof value["message"] === "string" ? value["message"] : undefined,
    source: value["source"]
  })
}

const decodeFlat = Schema.decodeUnknownEither(AgentEvent)

/**
 * Reads an event of a trace without failing; undefined for a value that is no object.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromRecord = (record: unknown): AgentEvent | undefined => {
  if (!isRecord(record)) return undefined
  const { agent, artifact, error, outcome, type } = record
  const rawType = typeof type === "string" ? type : ""
  const decoded = decodeFlat({
    ...record,
    ...(isRecord(artifact) && compact({ snapshotId: record["snapshotId"], ...compact({ ...artifact }) })),
    type: closestType(rawType),
    rawType,
    agent: isRecord(agent) ? agent : undefined,
    outcome: typeof outcome === "string" ? closestOutcome(outcome) : undefined,
    rawOutcome: outcome,
    error: errorOf(error),
    record
  })
  return Either.isRight(decoded) ? tidy(decoded.right) : undefined
}

const tidy = (event: AgentEvent): AgentEvent =>
  compact(event.agent === undefined ? event : { ...event, agent: compact(event.agent) })

/**
 * A trace as a client read it.
 *
 * @since 0.1.0
 * @category models
 */
export const AgentTrace = Schema.Struct({
  jobId: Schema.String,
  /** As the answer had them; see `Agent.events` for their order. */
  events: Schema.Array(AgentEvent),
  /** Credits that the run consumed so far; a failed run is not charged for them. */
  creditsUsed: Schema.optional(Schema.Number),
  /** The answer as it came. */
  record: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

/**
 * @since 0.1.0
 * @category models
 */
export type AgentTrace = typeof AgentTrace.Type
