import { assert } from "@effect/vitest"
import { AgentJob, type AgentRequest, AgentSubmitted, isTerminal, Snapshot, Trace } from "docsluice/service/Agent"
import * as Agent from "docsluice/service/Agent"
import { AgentClient } from "docsluice/service/AgentClient"
import { Effect, Schema, Stream } from "effect"
import { clientOf, type Service } from "../agentDouble.ts"
import { cancel, get, submit } from "../agentFixture.ts"
import { key } from "../collaborators.ts"
import type { Answer } from "../serverFixture.ts"

/** An error of one request, in one shape for both sides. */
export interface Refused {
  readonly status: number
  readonly error: string
  /** The client's class of the error. */
  readonly tag?: string
}

/** An event of a trace, in one shape for both sides. */
export interface Told {
  readonly type: string
  /** Name of the agent. */
  readonly agent: string | undefined
  readonly outcome: string | undefined
  readonly code: string | undefined
  readonly retryable: boolean | undefined
  readonly snapshotId: string | undefined
}

/** A job that does not change any more. */
export interface Ended {
  readonly status: string
  readonly data: unknown
  readonly error: string | undefined
  readonly creditsUsed: number | undefined
  /** Reason of a failure; absent when the job completed. */
  readonly code: string | undefined
  readonly retryable: boolean | undefined
}

/** The operations on a service with agents, as one kind of client has them. */
export interface Side {
  /** Gives the id of the job. */
  readonly submit: (request: AgentRequest) => Effect.Effect<string, Refused>
  /** Gives the state of the job. */
  readonly status: (id: string) => Effect.Effect<string, Refused>
  /** Watches the job to its end. */
  readonly ended: (id: string) => Effect.Effect<Ended, Refused>
  readonly trace: (id: string) => Effect.Effect<ReadonlyArray<Told>, Refused>
  /** Gives the text. */
  readonly snapshot: (id: string, snapshotId: string) => Effect.Effect<string, Refused>
  readonly cancel: (id: string) => Effect.Effect<void, Refused>
}

const ErrorRecord = Schema.Struct({
  success: Schema.Literal(false),
  error: Schema.String,
  code: Schema.optional(Schema.String),
  details: Schema.optional(Schema.Unknown)
})

/** An answer of a strict schema, or the error of its record. */
const read = <A, I>(answer: Effect.Effect<Answer>, schema: Schema.Schema<A, I>): Effect.Effect<A, Refused> =>
  Effect.flatMap(answer, ({ body, status }) =>
    status === 200
      ? Effect.succeed(Schema.decodeUnknownSync(schema)(body))
      : Effect.fail({ status, error: Schema.decodeUnknownSync(ErrorRecord)(body, { onExcessProperty: "error" }).error })
  )

/** `fetch`, whose answers the strict schemas of the interface read. */
export const byFetch = (base: string): Side => {
  const job = (id: string) => read(get(base, `/${id}`, key), AgentJob)
  const trace = (id: string) =>
    Effect.map(read(get(base, `/${id}/trace`, key), Trace), ({ events }) =>
      events.map(({ agent, artifact, error, outcome, type }): Told => ({
        type,
        agent: agent?.name,
        outcome,
        code: error?.code,
        retryable: error?.retryable,
        snapshotId: artifact?.snapshotId
      }))
    )
  return {
    submit: (request) => Effect.map(read(submit(base, request, key), AgentSubmitted), ({ id }) => id),
    status: (id) => Effect.map(job(id), ({ status }) => status),
    ended: (id) =>
      Effect.gen(function* () {
        const { creditsUsed, data, error, status } = yield* Effect.repeat(Effect.delay(job(id), "10 millis"), {
          until: ({ status }) => isTerminal(status)
        })
        const { code, retryable } = status === "failed" ? ((yield* trace(id)).at(-1) ?? {}) : {}
        return { status, data, error: error ?? undefined, creditsUsed, code, retryable }
      }),
    trace,
    snapshot: (id, snapshotId) =>
      Effect.map(read(get(base, `/${id}/snapshots/${snapshotId}`, key), Snapshot), ({ snapshot }) => snapshot),
    cancel: (id) => Effect.asVoid(read(cancel(base, id, key), Schema.Struct({ success: Schema.Literal(true) })))
  }
}

const ClientError = Schema.Struct({ status: Schema.Number, error: Schema.String })

const refusedAs = (error: { readonly _tag: string }): Refused => ({
  ...Schema.decodeUnknownSync(ClientError)({ ...error }),
  tag: error._tag
})

/** Our client, with one attempt for each request. */
export const byClient = (base: string): Side => {
  const using = <A, E extends { readonly _tag: string }>(use: (client: Service) => Effect.Effect<A, E>) =>
    Effect.flatMap(AgentClient, (client) => Effect.mapError(use(client), refusedAs)).pipe(
      Effect.provide(clientOf({ base: `${base}/v2` }, { retry: { attempts: 1 } }))
    )
  return {
    submit: (request) => using((client) => client.submit(request)),
    status: (id) =>
      Effect.map(
        using((client) => client.status(id)),
        ({ rawStatus }) => rawStatus
      ),
    ended: (id) =>
      Agent.follow(id, { firstPause: "10 millis" }).pipe(
        Stream.runLast,
        Effect.flatMap((last) => {
          assert(last._tag === "Some" && last.value._tag === "Completed")
          const { creditsUsed, data, error, rawStatus } = last.value.job
          return Effect.succeed<Ended>({
            status: rawStatus,
            data,
            error,
            creditsUsed,
            code: undefined,
            retryable: undefined
          })
        }),
        Effect.catchTag("AgentRunFailed", ({ code, creditsUsed, error, rawCode, retryable }) => {
          assert.strictEqual(rawCode, code)
          return Effect.succeed<Ended>({ status: "failed", data: undefined, error, creditsUsed, code, retryable })
        }),
        Effect.mapError(({ cause }) => refusedAs(cause)),
        Effect.provide(clientOf({ base: `${base}/v2` }))
      ),
    trace: (id) =>
      Effect.map(
        using((client) => client.trace(id)),
        ({ events }) =>
          events.map((event): Told => {
            assert.strictEqual(event.rawType, event.type)
            const ended = event.type === "run.finished" || event.type === "agent.finished" ? event : undefined
            const error = event.type === "error.occurred" ? event.error : ended?.error
            return {
              type: event.type,
              agent: event.agent?.name,
              outcome: ended?.outcome,
              code: error?.code,
              retryable: error?.retryable,
              snapshotId: event.type === "artifact.updated" ? event.snapshotId : undefined
            }
          })
      ),
    snapshot: (id, snapshotId) =>
      Effect.map(
        using((client) => client.snapshot(id, snapshotId)),
        ({ snapshot }) => snapshot
      ),
    cancel: (id) => using((client) => client.cancel(id))
  }
}
