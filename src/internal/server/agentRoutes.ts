import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import type { AgentJobs, Caller } from "../../service/AgentJobs.ts"
import { catalogue as general, NotFound } from "../../service/ServiceError.ts"
import { type CataloguedAgentError, catalogue } from "../client/agentError.ts"
import { type AnsweredError, toBody } from "./api.ts"
import type { Watch } from "./bodyPieces.ts"
import * as jsonBody from "./jsonBody.ts"

/** Largest body of a submission. Source: notes on the public service, "Agent jobs". */
const maxBodyBytes = 10 * 1024 * 1024

type Answered = AnsweredError | CataloguedAgentError

/** A caller whose key is accepted for agent jobs. */
export interface Identified {
  readonly caller: Caller
  /** Receives and runs a submission if the caller's plan allows it now. */
  readonly admitted: <A, B, E, R, E2, R2>(
    receive: (watch: Watch) => Effect.Effect<A, E, R>,
    submit: (body: A) => Effect.Effect<B, E2, R2>
  ) => Effect.Effect<B, E | E2 | AnsweredError, R | R2>
}

/** The caller of a request, by its key. */
export type Identify = (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Identified, AnsweredError>

/** Needs of the routes. */
export interface Options {
  readonly jobs: AgentJobs.Service
  readonly identify: Identify
  /** The answer to an error. */
  readonly refusal: (error: AnsweredError) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

const isCatalogued = (error: Answered): error is CataloguedAgentError => Object.hasOwn(catalogue, error._tag)

const notFound = (what: string) => new NotFound({ status: 404, error: `${general.NotFound.error}: ${what}` })

/** The agent endpoints below `/v2/agent`; the interface describes no listing and no threads. */
export const make = ({ identify, jobs, refusal }: Options) => {
  const answered = <A, R>(
    call: (
      identified: Identified,
      request: HttpServerRequest.HttpServerRequest,
      parameters: { readonly jobId: string; readonly snapshotId: string }
    ) => Effect.Effect<A, Answered, R>
  ) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { jobId = "", snapshotId = "" } = yield* HttpRouter.params
      return yield* call(yield* identify(request), request, { jobId, snapshotId })
    }).pipe(
      Effect.matchEffect({
        onFailure: (error: Answered) =>
          isCatalogued(error)
            ? Effect.orDie(HttpServerResponse.json(toBody(error), { status: error.status }))
            : refusal(error),
        onSuccess: (body) => Effect.orDie(HttpServerResponse.json(body))
      })
    )

  return HttpRouter.empty.pipe(
    HttpRouter.post(
      "/v2/agent",
      answered(({ admitted, caller }, request) =>
        admitted(
          (watch) => jsonBody.read(request, { maxBytes: maxBodyBytes, watch }),
          (body) => Effect.map(jobs.submit(caller, body), (id) => ({ success: true, id }))
        )
      )
    ),
    HttpRouter.get(
      "/v2/agent",
      answered(() => notFound("this service does not list agent jobs; keep the id of each"))
    ),
    HttpRouter.get(
      "/v2/agent/threads/:threadId",
      answered(() => notFound("this service keeps no threads of agent jobs"))
    ),
    HttpRouter.get(
      "/v2/agent/:jobId",
      answered(({ caller }, _, { jobId }) => jobs.status(caller, jobId))
    ),
    HttpRouter.get(
      "/v2/agent/:jobId/trace",
      answered(({ caller }, _, { jobId }) => jobs.trace(caller, jobId))
    ),
    HttpRouter.get(
      "/v2/agent/:jobId/snapshots/:snapshotId",
      answered(({ caller }, _, { jobId, snapshotId }) => jobs.snapshot(caller, jobId, snapshotId))
    ),
    HttpRouter.del(
      "/v2/agent/:jobId",
      answered(({ caller }, _, { jobId }) => Effect.as(jobs.cancel(caller, jobId), { success: true }))
    )
  )
}
