/**
 * The service itself, over the `Engine` tag: an HTTP server of the interface document.
 *
 * Every answer, also to a malformed form or an unknown path, is JSON in the interface's shape. An upload is held in memory once: at most
 * 50 MB and the form around them, in an array that grows as the bytes arrive, to at most twice their size. An upload that is refused by
 * its headers is not read, and a client that waits for `100 Continue` is not asked for it. In addition to the interface: `GET /health`,
 * `GET /metrics` (Prometheus text) and `GET /v2/openapi.json`, none of which needs a key.
 *
 * When the layer's scope closes the server stops: new requests get a 503 with `Retry-After` and `Connection: close`, requests in flight
 * have `grace` to finish, and those that do not finish get that 503 too.
 *
 * Source: interface document, "Endpoints", "Authentication", "General errors", "Limits".
 *
 * @since 0.1.0
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import type * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as admissions from "../internal/server/admission.ts"
import * as agents from "../internal/server/agentRoutes.ts"
import * as callers from "../internal/server/callers.ts"
import { engineCall } from "../internal/server/engineCall.ts"
import * as upload from "../internal/server/receivedUpload.ts"
import * as secrets from "../internal/server/secrets.ts"
import * as metrics from "../internal/server/serverMetrics.ts"
import * as stoppings from "../internal/server/stopping.ts"
import * as AgentJobs from "./AgentJobs.ts"
import { Api, Authentication, type ErrorBody, toBody } from "./Api.ts"
import { Engine } from "./Engine.ts"
import { document } from "./OpenApiDocument.ts"
import { catalogue, Unauthorized } from "./ServiceError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Accepted bearer keys; without any, every request is accepted, with any key or none. Default none. */
  readonly keys?: ReadonlyArray<Redacted.Redacted> | undefined
  /** An upload of which nothing arrives for this time ends with a 408. Default 30 seconds. */
  readonly idleTimeout?: Duration.DurationInput | undefined
  /** Most requests begun within any period of `per`; more get a 429 with `Retry-After`. Default no bound. */
  readonly rate?: { readonly requests: number; readonly per: Duration.DurationInput } | undefined
  /** Most parses at a time, uploads included; more get a 429. Bounds memory: each holds its file. Default no bound. */
  readonly concurrency?: number | undefined
  /** Credits to spend before everything gets a 402. Default no bound. */
  readonly credits?: number | undefined
  /** Origins of web pages that may call the server, `*` for all; default none. */
  readonly cors?: ReadonlyArray<string> | undefined
  /**
   * Names of the server, with a port or for all ports, `*` for any; requests to other hosts get a 403. On a loopback address they are
   * added to its own (`localhost` and the address, at its port), which are the default; elsewhere the default is any host.
   */
  readonly allowHosts?: ReadonlyArray<string> | undefined
  /** Time that requests in flight have to finish when the server stops; default 30 seconds. */
  readonly grace?: Duration.DurationInput | undefined
}

const defaults = {
  keys: [],
  cors: [],
  allowHosts: [],
  idleTimeout: "30 seconds",
  grace: "30 seconds"
} as const satisfies Options

const unauthorized = new Unauthorized({ status: 401, error: catalogue.Unauthorized.error })

/** The caller of a request; its agent jobs belong to the hash of its key. */
type Identify = (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<AgentJobs.Caller, Unauthorized>

const identifyBy = (keys: ReadonlyArray<Redacted.Redacted>): Identify => {
  const known = secrets.oneOf(keys.map(Redacted.value))
  return (request) => {
    const given = /^Bearer +(\S+)$/i.exec(request.headers["authorization"] ?? "")?.[1]
    return keys.length === 0 || (given !== undefined && known(given))
      ? Effect.succeed({ owner: secrets.nameOf(given ?? "") })
      : unauthorized
  }
}

const authentication = (identify: Identify): Layer.Layer<Authentication> =>
  Layer.succeed(Authentication, {
    bearer: () => Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => Effect.asVoid(identify(request)))
  })

interface State {
  readonly counters: metrics.ServerMetrics
  readonly admission: admissions.Admission
}

const refusal = (error: admissions.Refusal) => {
  const wait = error._tag === "RateLimitExceeded" ? error.retryAfter : undefined
  return HttpServerResponse.json(toBody(error), {
    status: error.status,
    headers: wait === undefined ? {} : { "retry-after": String(Math.ceil(wait / 1000)) }
  })
}

/** Runs `self` if the plan allows a request now. */
const admitted = <E, R>(
  admission: admissions.Admission,
  self: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const refused = admission.enter(now)
      return refused === null
        ? Effect.ensuring(restore(self), Effect.sync(admission.leave))
        : Effect.orDie(refusal(refused))
    })
  )

const handlers = (idleTimeout: Duration.DurationInput, { admission, counters }: State) =>
  HttpApiBuilder.group(Api, "documents", (group) =>
    Effect.map(Engine, (engine) =>
      group.handleRaw("parse", ({ request }) =>
        Effect.gen(function* () {
          const { input, options } = yield* upload.read(request, idleTimeout)
          const started = yield* Clock.currentTimeMillis
          const parsed = Effect.map(Clock.currentTimeMillis, (now) => metrics.parsed(counters, (now - started) / 1000))
          const response = yield* Effect.ensuring(engineCall(engine, input, options), parsed)
          admission.spend(response.data.metadata.creditsUsed ?? 0)
          return yield* Effect.orDie(HttpServerResponse.json(response))
        }).pipe((handler) => admitted(admission, handler))
      )
    )
  )

const extraRoutes = (counters: metrics.ServerMetrics) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const engine = yield* Engine
      const health = yield* Effect.orDie(HttpServerResponse.json({ status: "ok", engine: engine.version }))
      const openApi = yield* Effect.orDie(HttpServerResponse.json(document))
      yield* router.get("/health", Effect.succeed(health))
      yield* router.get("/v2/openapi.json", Effect.succeed(openApi))
      yield* router.get(
        "/metrics",
        Effect.sync(() => HttpServerResponse.text(metrics.render(counters), { contentType: metrics.contentType }))
      )
    })
  )

const agentEndpoints = (identify: Identify, idleTimeout: Duration.DurationInput, { admission }: State) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const jobs = Option.getOrElse(yield* Effect.serviceOption(AgentJobs.AgentJobs), () => AgentJobs.none)
      const charged = (request: HttpServerRequest.HttpServerRequest) =>
        Effect.map(identify(request), (caller) => ({
          ...caller,
          charge: (credits: number) => Effect.sync(() => admission.spend(credits))
        }))
      yield* router.concat(
        agents.make({ jobs, identify: charged, admitted: (submission) => admitted(admission, submission), idleTimeout })
      )
    })
  )

const failure = (status: number, body: ErrorBody) => Effect.orDie(HttpServerResponse.json(body, { status }))

/** Answer in the interface's shape for a failure that the router or the platform reports in its own. */
const inOurWords = (cause: Cause.Cause<never>): HttpApp.Default =>
  Cause.isInterruptedOnly(cause)
    ? Effect.failCause(cause)
    : Predicate.isTagged(Cause.squash(cause), "RouteNotFound")
      ? failure(404, { success: false, error: catalogue.NotFound.error })
      : Effect.zipRight(
          Effect.logError("a request failed", cause),
          failure(500, { success: false, code: "UNKNOWN_ERROR", error: catalogue.InternalServerError.error })
        )

const counted = <R>(app: HttpApp.Default<never, R>, counters: metrics.ServerMetrics): HttpApp.Default<never, R> =>
  Effect.suspend(() => {
    counters.inFlight += 1
    return Effect.onExit(app, (exit) =>
      Effect.sync(() => {
        counters.inFlight -= 1
        metrics.answered(counters, Exit.isSuccess(exit) ? String(exit.value.status) : "aborted")
      })
    )
  })

/** Answers 403 to callers that the check refuses. */
const fromKnown =
  (check: callers.Check) =>
  <R>(app: HttpApp.Default<never, R>): HttpApp.Default<never, R> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      const refused = check({ host: headers["host"], origin: headers["origin"] })
      return refused === null ? app : failure(refused.status, toBody(refused))
    })

const corsHeaders = (
  origins: ReadonlyArray<string>
): (<R>(app: HttpApp.Default<never, R>) => HttpApp.Default<never, R>) =>
  origins.length === 0
    ? identity
    : HttpMiddleware.cors({
        allowedOrigins: origins,
        allowedMethods: ["GET", "POST", "DELETE"],
        exposedHeaders: ["Retry-After"]
      })

/**
 * Serves the interface below `/v2` on the given `HttpServer`. Every build of the layer counts and limits on its own.
 *
 * The agent endpoints are served by `AgentJobs` where it is provided; otherwise a submission is a 400 that names the remedy.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http"
 * import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
 * import * as Server from "docsluice/service/Server"
 * import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
 * import { Layer, Redacted } from "effect"
 *
 * Server.layer({ keys: [Redacted.make("fc-local")], concurrency: 8 }).pipe(
 *   Layer.provide(ScriptedEngine.layer()),
 *   Layer.provide(NodeHttpServer.layer(createServer, { port: 8787, host: "127.0.0.1" })),
 *   Layer.launch,
 *   NodeRuntime.runMain
 * )
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options = {}
): Layer.Layer<never, never, HttpServer.HttpServer | HttpRouter.HttpRouter.DefaultServices | Engine> =>
  Layer.suspend(() => {
    const { concurrency, credits, rate } = options
    const counters = metrics.make()
    const withCors = corsHeaders(options.cors ?? defaults.cors)
    const state = { counters, admission: admissions.make({ concurrency, credits, rate }) }
    const identify = identifyBy(options.keys ?? defaults.keys)
    const idleTimeout = options.idleTimeout ?? defaults.idleTimeout
    const api = HttpApiBuilder.api(Api).pipe(
      Layer.provide(handlers(idleTimeout, state)),
      Layer.provide(authentication(identify))
    )
    const served = Effect.gen(function* () {
      const app = yield* HttpApiBuilder.httpApp
      const { address } = yield* HttpServer.HttpServer
      const { allowHosts = defaults.allowHosts, cors = defaults.cors, grace = defaults.grace } = options
      const known = fromKnown(callers.make(address, { allowHosts, cors }))
      const stopping = yield* stoppings.make
      const answered = withCors(stopping.guarded(Effect.catchAllCause(app, inOurWords)))
      yield* HttpServer.serveEffect(counted(known(answered), counters))
      // The first of all finalizers: requests are still taken, and the engine is still there.
      yield* Effect.addFinalizer(() => stopping.stop(grace))
    })
    return Layer.scopedDiscard(served).pipe(
      Layer.provide([extraRoutes(counters), agentEndpoints(identify, idleTimeout, state), api]),
      Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer])
    )
  }).pipe(Layer.fresh)
