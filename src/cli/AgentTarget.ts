/** The agent jobs of a command: those of a service, or those of this machine below `--state`. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import { AgentRunner } from "../internal/agent/runner.ts"
import * as Http from "../internal/target/http.ts"
import * as RequestGate from "../RequestGate.ts"
import * as AgentClient from "../service/AgentClient.ts"
import * as AgentJobs from "../service/AgentJobs.ts"
import * as Embedded from "../service/Embedded.ts"
import type { InvalidOptions } from "../service/ParseOptions.ts"
import { BadRequest } from "../service/ServiceError.ts"
import * as ServiceTarget from "./ServiceTarget.ts"
import type { Refused } from "./UsageError.ts"

type Client = AgentClient.AgentClient

/** Folder of the jobs that `agent run` keeps. */
export const directory = (state: string): string => join(state, "agent")

/** The client of a service; fails before any request when the address is malformed, or needs a key and has none. */
export const remote = (target: {
  readonly service: string
  readonly apiKey: Option.Option<string>
}): Layer.Layer<Client, Refused | InvalidOptions, FileSystem.FileSystem> =>
  Layer.unwrapEffect(
    Effect.map(ServiceTarget.keyOf(target.apiKey), (apiKey) =>
      AgentClient.layer({ baseUrl: target.service, apiKey }).pipe(
        Layer.mapError((error) => (error._tag === "InvalidAddress" ? ServiceTarget.refused(error) : error)),
        Layer.provide([RequestGate.layer(), Http.layer])
      )
    )
  )

/** Client of the jobs that a runner works on in this process, kept below the state. */
export const running = <E, R>(
  state: string,
  runner: Layer.Layer<AgentRunner, E, R>
): Layer.Layer<Client, E | AgentJobs.AgentJobsError, R> =>
  Embedded.layerAgentClient().pipe(
    Layer.provide(AgentJobs.layer({ directory: directory(state) })),
    Layer.provide(runner)
  )

const idle = Layer.succeed(AgentRunner, {
  accept: () => new BadRequest({ status: 400, error: "jobs are only read here" }),
  run: () => Effect.never
})

/**
 * Client of the jobs that earlier runs have kept below the state. A job whose process died has failed. While a run goes on in another
 * process jobs are read only: `cancel` then fails as `Locked`, naming the process.
 */
export const kept = (state: string, operation: string): Layer.Layer<Client, AgentJobs.AgentJobsError> => {
  const at = directory(state)
  if (!existsSync(join(at, "agent.db"))) {
    return Layer.provide(Embedded.layerAgentClient(), Layer.succeed(AgentJobs.AgentJobs, AgentJobs.none))
  }
  const read = Layer.scoped(
    AgentJobs.AgentJobs,
    Effect.map(AgentJobs.makeReader({ directory: at }), (reader) => ({ ...AgentJobs.none, ...reader }))
  )
  const jobs = Layer.provide(AgentJobs.layer({ directory: at }), idle).pipe(
    Layer.catchAll((error) => (error.reason === "Locked" && operation !== "cancel" ? read : Layer.fail(error)))
  )
  return Layer.provide(Embedded.layerAgentClient(), jobs)
}
