import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CataloguedAgentError } from "../../service/AgentError.ts"
import type { AgentJobs, Caller } from "../../service/AgentJobs.ts"
import { type AnsweredError, toBody } from "../../service/Api.ts"
import { BadRequest, catalogue, NotFound } from "../../service/ServiceError.ts"
import { readBody } from "./receivedUpload.ts"

/** Largest body of a submission. Source: notes on the public service, "Agent jobs". */
const maxBodyBytes = 10 * 1024 * 1024

type Answered = AnsweredError | CataloguedAgentError

/** Needs of the routes. */
export interface Options {
  readonly jobs: AgentJobs.Service
  /** The caller of a request, by its key. */
  readonly identify: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Caller, AnsweredError>
  /** Runs a submission if the caller's plan allows it now. */
  readonly admitted: <R>(
    submission: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>
  readonly idleTimeout: Duration.DurationInput
}

const json = (body: unknown, status = 200) => Effect.orDie(HttpServerResponse.json(body, { status }))

/** The answer to a caller, or to its error. */
const answered = <R>(
  body: Effect.Effect<unknown, Answered, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.matchEffect(body, {
    onFailure: (error) => json(toBody(error), error.status),
    onSuccess: (value) => json(value)
  })

const decodeJson = Schema.decode(Schema.parseJson())

const decoder = new TextDecoder("utf-8", { fatal: true })

const notJson = () =>
  new BadRequest({ status: 400, code: "BAD_REQUEST_INVALID_JSON", error: "the body is not valid JSON" })

const bodyOf = (request: HttpServerRequest.HttpServerRequest, idleTimeout: Duration.DurationInput) =>
  Effect.gen(function* () {
    const bytes = yield* readBody(request, { idleTimeout, maxBytes: maxBodyBytes })
    const text = yield* Effect.try({ try: () => decoder.decode(bytes), catch: notJson })
    return yield* Effect.mapError(decodeJson(text), notJson)
  })

const notFound = (what: string) => new NotFound({ status: 404, error: `${catalogue.NotFound.error}: ${what}` })

/** The agent endpoints below `/v2/agent`; the interface describes no listing and no threads. */
export const make = ({ admitted, identify, idleTimeout, jobs }: Options) => {
  const called = <A, R>(
    call: (
      caller: Caller,
      request: HttpServerRequest.HttpServerRequest,
      parameters: { readonly jobId: string; readonly snapshotId: string }
    ) => Effect.Effect<A, Answered, R>
  ) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { jobId = "", snapshotId = "" } = yield* HttpRouter.params
      return yield* call(yield* identify(request), request, { jobId, snapshotId })
    })

  /** The key is checked first: only callers that are known use up the plan. */
  const submitted = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const caller = yield* identify(request)
    return admitted(
      answered(
        Effect.flatMap(bodyOf(request, idleTimeout), (body) =>
          Effect.map(jobs.submit(caller, body), (id) => ({ success: true, id }))
        )
      )
    )
  }).pipe(
    Effect.matchEffect({
      onFailure: (error: AnsweredError) => json(toBody(error), error.status),
      onSuccess: (response) => response
    })
  )
  const unlisted = called(() => notFound("this service does not list agent jobs; keep the id of each"))
  const threads = called(() => notFound("this service keeps no threads of agent jobs"))

  return HttpRouter.empty.pipe(
    HttpRouter.post("/v2/agent", submitted),
    HttpRouter.get("/v2/agent", answered(unlisted)),
    HttpRouter.get("/v2/agent/threads/:threadId", answered(threads)),
    HttpRouter.get("/v2/agent/:jobId", answered(called((caller, _, { jobId }) => jobs.status(caller, jobId)))),
    HttpRouter.get("/v2/agent/:jobId/trace", answered(called((caller, _, { jobId }) => jobs.trace(caller, jobId)))),
    HttpRouter.get(
      "/v2/agent/:jobId/snapshots/:snapshotId",
      answered(called((caller, _, { jobId, snapshotId }) => jobs.snapshot(caller, jobId, snapshotId)))
    ),
    HttpRouter.del(
      "/v2/agent/:jobId",
      answered(called((caller, _, { jobId }) => Effect.as(jobs.cancel(caller, jobId), { success: true })))
    )
  )
}
