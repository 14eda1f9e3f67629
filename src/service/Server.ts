/**
 * The service itself, over the `Engine` tag: what speaks the interface document on a socket.
 *
 * Every answer, also to a malformed form or an unknown path, is JSON in the interface's shape. An upload is held in memory
 * once, at most 50 MB and what frames it; what is refused by its headers alone is not read. Beside the interface:
 * `GET /health`, `GET /metrics` (Prometheus text) and `GET /v2/openapi.json`, none of which needs a key.
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
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as admissions from "../internal/server/admission.ts"
import { engineCall } from "../internal/server/engineCall.ts"
import * as upload from "../internal/server/receivedUpload.ts"
import * as secrets from "../internal/server/secrets.ts"
import * as metrics from "../internal/server/serverMetrics.ts"
import { Api, Authentication, type ErrorBody, toBody } from "./Api.ts"
import { Engine } from "./Engine.ts"
import { document } from "./OpenApiDocument.ts"
import { catalogue, Unauthorized } from "./ServiceError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Bearer keys that are taken; when there is none, any key or none at all is. Default none. */
  readonly keys?: ReadonlyArray<Redacted.Redacted> | undefined
  /** An upload of which nothing arrives for so long is given up, with a 408. Default 30 seconds. */
  readonly idleTimeout?: Duration.DurationInput | undefined
  /** Requests begun within any such time; more get a 429 with `Retry-After`. Default no bound. */
  readonly rate?: { readonly requests: number; readonly per: Duration.DurationInput } | undefined
  /** Parses at a time, uploads included; more get a 429. Bounds memory: each holds its file. Default no bound. */
  readonly concurrency?: number | undefined
  /** Credits to spend before everything gets a 402. Default no bound. */
  readonly credits?: number | undefined
  /** Origins of web pages that may call the server, `*` for all; default none. */
  readonly cors?: ReadonlyArray<string> | undefined
}

const defaults = { keys: [], cors: [], idleTimeout: "30 seconds" } as const satisfies Options

const unauthorized = new Unauthorized({ status: 401, error: catalogue.Unauthorized.error })

const authentication = (keys: ReadonlyArray<Redacted.Redacted>): Layer.Layer<Authentication> => {
  const known = secrets.oneOf(keys.map(Redacted.value))
  return Layer.succeed(Authentication, {
    bearer: () =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const given = /^Bearer +(\S+)$/i.exec(request.headers["authorization"] ?? "")?.[1]
        return keys.length === 0 || (given !== undefined && known(given)) ? Effect.void : unauthorized
      })
  })
}

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

/** Runs `self` when the plan allows a request now. */
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

const besides = (counters: metrics.ServerMetrics) =>
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

const failure = (status: number, body: ErrorBody) => Effect.orDie(HttpServerResponse.json(body, { status }))

/** What the router and the platform say in their own ways, said in the interface's. */
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

const corsHeaders = (
  origins: ReadonlyArray<string>
): (<R>(app: HttpApp.Default<never, R>) => HttpApp.Default<never, R>) =>
  origins.length === 0
    ? identity
    : HttpMiddleware.cors({ allowedOrigins: origins, allowedMethods: ["GET", "POST"], exposedHeaders: ["Retry-After"] })

/**
 * Serves the interface below `/v2` on the `HttpServer` that it is given. Every build counts and limits by itself.
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
    const api = HttpApiBuilder.api(Api).pipe(
      Layer.provide(handlers(options.idleTimeout ?? defaults.idleTimeout, state)),
      Layer.provide(authentication(options.keys ?? defaults.keys))
    )
    return HttpApiBuilder.httpApp.pipe(
      Effect.map((app) => HttpServer.serve(counted(withCors(Effect.catchAllCause(app, inOurWords)), counters))),
      Layer.unwrapEffect,
      Layer.provide([besides(counters), api]),
      Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer])
    )
  }).pipe(Layer.fresh)
