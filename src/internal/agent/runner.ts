/**
 * The part of the embedded service that works on one agent job. `AgentJobs` keeps the jobs: it writes the events of a run's and an
 * agent's beginning and end, counts the credits, and ends the run at its limit.
 *
 * Source: interface document, "Events", "Trace error codes"; the members of events are those of the public service.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import type { BadRequest, UnprocessableEntity } from "../../service/ServiceError.ts"
import { answered } from "../base/answerError.ts"
import type { AgentPassthroughFailed, TraceCode } from "../client/agentError.ts"
import type { AgentRequest } from "../client/agentJob.ts"

/**
 * The agent refused the task: outcome `refused`, not retryable.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentRefused extends answered<AgentRefused>()("AgentRefused", {
  /** The reason, in one line; the job shows it. */
  error: Schema.String
}) {}

/**
 * The run failed: outcome `failed`, code `internal`.
 *
 * @since 0.1.0
 * @category errors
 */
export class AgentFailed extends answered<AgentFailed>()("AgentFailed", {
  /** The reason, in one line; the job shows it. */
  error: Schema.String,
  /** True when the same task may succeed later. */
  retryable: Schema.Boolean
}) {}

/**
 * @since 0.1.0
 * @category errors
 */
export type RunError = AgentRefused | AgentFailed

/**
 * Reasons to refuse a task before a job exists.
 *
 * @since 0.1.0
 * @category errors
 */
export type RefusedTask = BadRequest | UnprocessableEntity | AgentPassthroughFailed

/**
 * The part of a request that concerns the runner.
 *
 * @since 0.1.0
 * @category models
 */
export type Task = Pick<AgentRequest, "prompt" | "schema" | "model">

/**
 * A task that a runner takes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Accepted {
  /** Name of the model, shown with the job. */
  readonly model: string
  /** False for a model that records neither trace nor snapshots; their endpoints then answer 400. */
  readonly traced: boolean
}

/**
 * `error` of an event.
 *
 * @since 0.1.0
 * @category models
 */
export interface EventError {
  readonly code: TraceCode
  readonly source: "agent" | "tool" | "billing" | "system"
  readonly retryable: boolean
  readonly message: string
}

/**
 * An event that a runner emits. Ids, times and the agent are added when it is recorded.
 *
 * @since 0.1.0
 * @category models
 */
export type Event =
  | {
      readonly type: "progress.reported"
      readonly phase: "planning" | "working" | "finalizing"
      readonly message: string
    }
  | { readonly type: "reasoning.summary"; readonly text: string }
  | {
      readonly type: "tool_call.started"
      readonly toolCallId: string
      readonly toolName: string
      /** Must be JSON. */
      readonly parameters: unknown
    }
  | {
      readonly type: "tool_call.finished"
      readonly toolCallId: string
      readonly toolName: string
      /** Must be JSON. */
      readonly result: unknown
    }
  | { readonly type: "error.occurred"; readonly error: EventError }

/**
 * A version of an artifact.
 *
 * @since 0.1.0
 * @category models
 */
export interface Artifact {
  /** The same for all versions of an artifact. */
  readonly artifactId: string
  readonly kind: "json" | "markdown" | "html" | "text"
  readonly change: "init" | "partial" | "append" | "modify" | "update"
  /** Name of a file for it. */
  readonly path?: string | undefined
  /** The whole artifact after the change. */
  readonly content: string
}

/**
 * One agent of a run, as a runner sees it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Agent {
  /** Records an event; it is durable afterwards. */
  readonly emit: (event: Event) => Effect.Effect<void>
  /** Keeps a version of an artifact with its event; gives the snapshot's id. */
  readonly write: (artifact: Artifact) => Effect.Effect<string>
  /** Counts credits of the whole run. Does not return when the run reaches `maxCredits`: the run is ended. */
  readonly spend: (credits: number) => Effect.Effect<void>
  /**
   * Starts a sub-agent. It ends with this agent at the latest: one that is still at work then is interrupted, and its trace ends with
   * `parent_finished`.
   */
  readonly delegate: <A, E extends RunError>(
    name: string,
    body: (agent: Agent) => Effect.Effect<A, E>
  ) => Effect.Effect<Fiber.Fiber<A, E>>
}

/**
 * @since 0.1.0
 * @category services
 */
export class AgentRunner extends Context.Tag("docsluice/service/AgentRunner")<AgentRunner, AgentRunner.Service>() {}

export declare namespace AgentRunner {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Checks a task before a job exists. */
    readonly accept: (task: Task) => Effect.Effect<Accepted, RefusedTask>
    /**
     * Works on a task that was accepted and gives its result, which must be JSON. Interruption ends it and frees what it holds. A defect
     * fails the job as `internal`.
     */
    readonly run: (task: Task, agent: Agent) => Effect.Effect<unknown, RunError>
  }
}
