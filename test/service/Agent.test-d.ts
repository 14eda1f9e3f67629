import type { HttpClient } from "@effect/platform"
import { Agent, AgentClient } from "docsluice"
import * as Async from "docsluice/Async"
import type { RequestGate } from "docsluice/RequestGate"
import type { InvalidAddress } from "docsluice/service/Client"
import type { InvalidOptions } from "docsluice/service/ParseOptions"
import type { ServiceError } from "docsluice/service/ServiceError"
import type { Effect, Layer, Stream } from "effect"
import { expectTypeOf } from "vitest"

declare const client: AgentClient.AgentClient.Service
declare const event: Agent.AgentEvent
declare const failed: AgentClient.AgentRunFailed

/** A poll fails with the rows of the tables and nothing else; a submission also says that the job may exist. */
type Poll = AgentClient.CataloguedAgentError | ServiceError
expectTypeOf(client.status("id")).toEqualTypeOf<Effect.Effect<Agent.Job, Poll>>()
expectTypeOf(client.submit({ prompt: "x" })).toEqualTypeOf<
  Effect.Effect<string, Poll | AgentClient.AgentJobMayExist | InvalidOptions>
>()

/** A run fails as a submission does, or with the job's id; events fail as polls do. */
expectTypeOf(Agent.result({ prompt: "x" })).toEqualTypeOf<
  Effect.Effect<
    Agent.Job,
    AgentClient.SubmitError | AgentClient.AgentRunFailed | AgentClient.AgentFollowFailed,
    AgentClient.AgentClient
  >
>()
expectTypeOf(Agent.events("id")).toEqualTypeOf<Stream.Stream<Agent.AgentEvent, Poll, AgentClient.AgentClient>>()
expectTypeOf(Agent.follow("id")).toEqualTypeOf<
  Stream.Stream<Agent.Update, AgentClient.AgentRunFailed | AgentClient.AgentFollowFailed, AgentClient.AgentClient>
>()

/** Only `Submitted` has no job. */
export const jobOf = (update: Agent.Update): Agent.Job | null => (update._tag === "Submitted" ? null : update.job)

/** The type of an event tells its members. */
if (event.type === "artifact.updated") expectTypeOf(event.snapshotId).toEqualTypeOf<string | undefined>()
if (event.type === "run.finished") expectTypeOf(event.outcome).toEqualTypeOf<Agent.Outcome | undefined>()
// @ts-expect-error a tool call has no snapshot
if (event.type === "tool_call.started") void event.snapshotId
// @ts-expect-error no such type
export const dreamt = event.type === "agent.dreamt"

expectTypeOf(failed.code).toEqualTypeOf<
  "cancelled" | "credit_limit_reached" | "parent_finished" | "refused" | "internal"
>()

/** A path without the place of an id does not compile. */
expectTypeOf(AgentClient.layer({ baseUrl: "x", paths: { trace: "/t/{jobId}" } })).toEqualTypeOf<
  Layer.Layer<AgentClient.AgentClient, InvalidAddress | InvalidOptions, HttpClient.HttpClient | RequestGate>
>()
// @ts-expect-error no job
export const jobless = AgentClient.layer({ baseUrl: "x", paths: { trace: "/trace" } })
// @ts-expect-error no snapshot
export const textless = AgentClient.layer({ baseUrl: "x", paths: { snapshot: "/agent/{jobId}" } })

/** A request needs a prompt, and takes only what the interface names; an address or a client is needed. */
// @ts-expect-error no prompt
export const silent = client.submit({ maxCredits: 1 })
// @ts-expect-error misspelt
export const misspelt = client.submit({ prompt: "x", maxCredit: 1 })
// @ts-expect-error no service
export const nowhere = Async.agent({ apiKey: "x" })
expectTypeOf(Async.agent({ service: "x" }).result({ prompt: "x" })).toEqualTypeOf<Promise<Agent.Job>>()
