/**
 * The service itself, over the `Engine` tag: an HTTP server of the interface document.
 *
 * Every answer, also to a malformed form or an unknown path, is JSON in the interface's shape. An upload is held in memory up
 * to 1 MiB; a larger one goes to a file, which the engine reads (`Engine.parseFile`), and gets a 503 when the disk is full. An upload that
 * is refused by its headers, by its key or by a limit is not read, and a client that waits for `100 Continue` is not asked for it. In addition to the interface: `GET /health`,
 * `GET /v2/openapi.json`, neither of which needs a key, and `GET /metrics` (Prometheus text), which needs one where the server has keys: with
 * `plans`, one whose permissions name `metrics`. Without a key, where there are any, `/health` tells the version of the service alone.
 *
 * When the layer's scope closes the server stops: new requests get a 503 with `Retry-After` and `Connection: close`, requests in flight
 * have `grace` to finish, and those that do not finish get that 503 too.
 *
 * Source: interface document, "Endpoints", "Authentication", "General errors", "Agent errors", "Limits".
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
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { packageVersion } from "../internal/base/packageFiles.ts"
import { PageCounter } from "../internal/base/pageCounter.ts"
import type { ParseResponse } from "../internal/base/parseResponse.ts"
import { sha256 } from "../internal/base/sha256.ts"
import { defaultMaxCredits } from "../internal/client/agentJob.ts"
import type { Host } from "../internal/look/host.ts"
import { Look } from "../internal/look/look.ts"
import * as accounts from "../internal/server/account.ts"
import * as admissions from "../internal/server/admission.ts"
import * as agents from "../internal/server/agentRoutes.ts"
import { type AnsweredError, Api, Authentication, Caller, type ErrorBody, toBody } from "../internal/server/api.ts"
import type { ApiKey } from "../internal/server/apiKey.ts"
import * as AuditLog from "../internal/server/auditLog.ts"
import type { Watch } from "../internal/server/bodyPieces.ts"
import * as callers from "../internal/server/callers.ts"
import * as keyRings from "../internal/server/keyRing.ts"
import * as memory from "../internal/server/memory.ts"
import * as metered from "../internal/server/meteredParse.ts"
import { Mounted } from "../internal/server/mounted.ts"
import { document } from "../internal/server/openApiDocument.ts"
import * as upload from "../internal/server/receivedUpload.ts"
import * as metrics from "../internal/server/serverMetrics.ts"
import * as stoppings from "../internal/server/stopping.ts"
import * as Accounts from "./Accounts.ts"
import * as AgentJobs from "./AgentJobs.ts"
import { Engine } from "./Engine.ts"
import { catalogue, Forbidden, PaymentRequired, Unauthorized } from "./ServiceError.ts"

export { document as openApiDocument } from "../internal/server/openApiDocument.ts"
export { layer as layerLook, Look, type Options as LookOptions } from "../internal/look/look.ts"
export {
  Entry as AuditEntry,
  AuditLog,
  AuditLogError,
  layer as layerAuditLog,
  make as makeAuditLog
} from "../internal/server/auditLog.ts"
export { Api, ErrorBody } from "../internal/server/api.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface CommonOptions {
  /** An upload of which less than 10 KB a second arrive over any period of this length ends with a 408. Default 30 seconds. */
  readonly idleTimeout?: Duration.DurationInput | undefined
  /**
   * Requests that the server holds at a time, waiting ones included; more get a 429 with `Retry-After` before they are read. Shared
   * equally by the keys that have requests: one that comes later still gets its share. Where there is no room, the slowest upload of the
   * key gives way to a new request with a 408, if it arrives at less than 10 KB a second. While the machine or its container has less than
   * 128 MiB left, only one request is taken at a time. Default 16 for each document that the engine
   * parses at a time, 64 where there is no such number.
   */
  readonly capacity?: number | undefined
  /** Longest wait of a request for a place of its plan (`concurrency`), after which it gets a 408. Default 30 seconds. */
  readonly queueTimeout?: Duration.DurationInput | undefined
  /** Origins of web pages that may call the server, `*` for all; default none. */
  readonly cors?: ReadonlyArray<string> | undefined
  /**
   * Names of the server, with a port or for all ports, `*` for any; requests to other hosts get a 403. On a loopback address they are
   * added to its own (`localhost` and the address, at its port), which are the default; elsewhere the default is any host.
   */
  readonly allowHosts?: ReadonlyArray<string> | undefined
  /**
   * Folder for uploads above 1 MiB; it must exist, on a disk with room for 51 MB for each that is in flight. Their files have no name, so
   * nothing stays when the process ends. Default the system's folder for temporary files, which on some systems is kept in memory.
   */
  readonly spool?: string | undefined
  /** Time that requests in flight have to finish when the server stops; default 30 seconds. */
  readonly grace?: Duration.DurationInput | undefined
}

/**
 * Limits that all callers share.
 *
 * @since 0.1.0
 * @category models
 */
export interface SharedOptions extends CommonOptions {
  /** Accepted bearer keys; without any, every request is accepted, with any key or none. Default none. */
  readonly keys?: ReadonlyArray<Redacted.Redacted> | undefined
  /** Most requests begun within any period of `per`; more get a 429 with `Retry-After`. Default no bound. */
  readonly rate?: { readonly requests: number; readonly per: Duration.DurationInput } | undefined
  /** Most requests at a time, from when their uploads are there; more wait. Default no bound. */
  readonly concurrency?: number | undefined
  /** Credits to spend before everything gets a 402. Default no bound. */
  readonly credits?: number | undefined
  readonly plans?: undefined
}

/**
 * Keys with individual limits.
 *
 * @since 0.1.0
 * @category models
 */
export interface PlanOptions extends CommonOptions {
  /** The accepted keys; two of one name are a defect. From `KeyFile.read`, or made with `ApiKey.hash`. */
  readonly plans: ReadonlyArray<ApiKey>
  readonly keys?: undefined
  readonly rate?: undefined
  readonly concurrency?: undefined
  readonly credits?: undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export type Options = SharedOptions | PlanOptions

const defaults = {
  keys: [],
  cors: [],
  allowHosts: [],
  idleTimeout: "30 seconds",
  queueTimeout: "30 seconds",
  grace: "30 seconds"
} as const satisfies Options

/** Default of `capacity` for each document that the engine parses at a time, and for an engine that does not tell. */
const capacities = { perParser: 16, unknown: 64 } as const

const unauthorized = new Unauthorized({ status: 401, error: catalogue.Unauthorized.error })

const keyRingOf = (options: Options): keyRings.KeyRing =>
  options.plans === undefined
    ? keyRings.ofKeys((options.keys ?? defaults.keys).map(Redacted.value))
    : keyRings.ofPlans(options.plans)

const keyOf = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]

const authentication = (ownerOf: keyRings.KeyRing): Layer.Layer<Authentication> =>
  Layer.succeed(Authentication, {
    bearer: () =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const caller = ownerOf(keyOf(request))
        return caller === null ? Effect.fail(unauthorized) : Effect.succeed(caller)
      })
  })

/** Name of the account that the callers of a server without plans share. */
const everyone = ""

/** State that all requests of a server share. */
interface State extends metered.Meter {
  readonly counters: metrics.ServerMetrics
  readonly accounts: ReadonlyMap<string, accounts.Account>
  /** Folder of large uploads. */
  readonly folder: string | undefined
  readonly idleTimeout: Duration.DurationInput
}

const plansOf = (options: Options): ReadonlyArray<readonly [string, accounts.Plan]> => {
  if (options.plans !== undefined) return options.plans.map((plan) => [plan.name, plan] as const)
  const { concurrency, credits, rate } = options
  const shared: accounts.Plan = {
    concurrency,
    credits,
    rate: rate === undefined ? undefined : { requests: rate.requests, per: Duration.toMillis(rate.per) }
  }
  return [[everyone, shared]]
}

const stateOf = (options: Options): Effect.Effect<State, Accounts.AccountsError, Engine> =>
  Effect.gen(function* () {
    const engine = yield* Engine
    const plans = plansOf(options)
    if (new Set(plans.map(([name]) => name)).size < plans.length) {
      return yield* Effect.dieMessage("two plans of the server have the same name")
    }
    const kept = yield* Effect.serviceOption(Accounts.Accounts)
    const spending = Option.isSome(kept) ? kept.value : yield* Accounts.makeMemory
    const all = yield* Effect.forEach(plans, ([name, plan]) =>
      Effect.map(
        plan.credits === undefined ? Effect.succeed(0) : spending.spent(name),
        (spent) => [name, accounts.make(name, plan, spent)] as const
      )
    )
    const { parsers } = engine
    const capacity = options.capacity ?? (parsers === undefined ? capacities.unknown : capacities.perParser * parsers)
    const wait = Duration.toMillis(options.queueTimeout ?? defaults.queueTimeout)
    const idleTimeout = options.idleTimeout ?? defaults.idleTimeout
    return {
      counters: metrics.make(),
      admission: admissions.make({ capacity, parsers, wait, idleTimeout, short: memory.isShort }),
      accounts: new Map(all),
      spending,
      engine,
      pages: Option.getOrUndefined(yield* Effect.serviceOption(PageCounter))?.pages,
      audit: Option.getOrUndefined(yield* Effect.serviceOption(AuditLog.AuditLog)),
      folder: options.spool,
      idleTimeout
    }
  })

/** The answer to an error, with `Retry-After` when it knows a time. */
const refusal = (error: AnsweredError): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const wait = "retryAfter" in error ? error.retryAfter : undefined
  return Effect.orDie(
    HttpServerResponse.json(toBody(error), {
      status: error.status,
      headers: wait === undefined ? {} : { "retry-after": String(Math.ceil(wait / 1000)) }
    })
  )
}

/** `data` of a request that waited for a place of its plan. */
const withWait = (response: ParseResponse, waited: number | undefined): ParseResponse => {
  if (waited === undefined) return response
  const { data, success } = response
  const metadata = { ...data.metadata, concurrencyLimited: true, concurrencyQueueDurationMs: waited }
  return { success, data: { ...data, metadata } }
}

/** Runs work as one request of an account with the permission `parse`, on what `receive` gives. */
const admitted = <A, B, E, R, E2, R2>(
  { admission }: State,
  account: accounts.Account,
  receive: (watch: Watch) => Effect.Effect<A, E, R>,
  self: Parameters<typeof admission.admitted<A, B, E, R, E2, R2>>[2]
): Effect.Effect<B, E | E2 | AnsweredError, R | R2> =>
  Effect.suspend((): Effect.Effect<B, E | E2 | AnsweredError, R | R2> => {
    const forbidden = account.permits("parse")
    return forbidden ?? admission.admitted(account, receive, self)
  })

/** One parse as a request of the account: received, admitted and charged. */
const parsed = <R>(
  state: State,
  account: accounts.Account,
  receive: (watch: Watch) => Effect.Effect<metered.Upload, AnsweredError, R>
): Effect.Effect<ParseResponse, AnsweredError, R> =>
  admitted(state, account, receive, ({ input, options: asked }, waited) =>
    Effect.gen(function* () {
      metrics.identified(state.counters, asked)
      const options = account.allowed(asked)
      if ("_tag" in options) return yield* options
      const taken = (seconds: number) => metrics.parsed(state.counters, seconds)
      return withWait(yield* metered.parse(state, account, { input, options }, taken), waited)
    })
  )

const handlers = (state: State) =>
  HttpApiBuilder.group(Api, "documents", (group) =>
    group.handleRaw("parse", ({ request }) =>
      Effect.gen(function* () {
        const { plan = everyone } = yield* Caller
        const account = state.accounts.get(plan)
        if (account === undefined) return yield* Effect.fail(unauthorized)
        const { folder } = state
        const response = yield* parsed(state, account, (watch) => upload.read(request, { folder, watch }))
        return yield* Effect.orDie(HttpServerResponse.json(response))
      }).pipe(Effect.catchAll(refusal))
    )
  )

/** Reason why the caller may not read the metrics, or null. They name what all callers do, so a key of a plan has to be made for them. */
const unmetered = (options: Options, { plan }: Exclude<ReturnType<keyRings.KeyRing>, null>): Forbidden | null =>
  options.plans === undefined ||
  options.plans.find(({ name }) => name === plan)?.permissions?.includes("metrics") === true
    ? null
    : new Forbidden({ status: 403, error: `${catalogue.Forbidden.error}: this key may not use metrics` })

const extraRoutes = (options: Options, ownerOf: keyRings.KeyRing, { counters, engine }: State) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const stranger = { status: "ok", version: packageVersion() }
      const callerOf = Effect.map(HttpServerRequest.HttpServerRequest, (request) => ownerOf(keyOf(request)))
      const openApi = yield* Effect.orDie(HttpServerResponse.json(document))
      yield* router.get(
        "/health",
        Effect.flatMap(callerOf, (caller) =>
          Effect.orDie(HttpServerResponse.json(caller === null ? stranger : { ...stranger, engine: engine.version }))
        )
      )
      yield* router.get("/v2/openapi.json", Effect.succeed(openApi))
      yield* router.get(
        "/metrics",
        Effect.flatMap(callerOf, (caller) => {
          const refused = caller === null ? unauthorized : unmetered(options, caller)
          return refused === null
            ? Effect.succeed(HttpServerResponse.text(metrics.render(counters), { contentType: metrics.contentType }))
            : refusal(refused)
        })
      )
    })
  )

/** The refusal of a job for which fewer credits are left than it may spend. */
const withLimit = ({ error, status }: PaymentRequired): PaymentRequired =>
  new PaymentRequired({
    status,
    error: `${error}; a job holds its maxCredits, ${defaultMaxCredits} by default, until it ends`
  })

/** The caller of a request, by its key. What it keeps belongs to the key's plan; without plans to the key, of which the hash is kept. */
const identified = (
  options: Options,
  ownerOf: keyRings.KeyRing,
  { accounts }: State,
  request: HttpServerRequest.HttpServerRequest
) =>
  Effect.suspend(() => {
    const key = keyOf(request)
    const found = ownerOf(key)
    const account = found === null ? undefined : accounts.get(found.plan ?? everyone)
    if (found === null || account === undefined) return unauthorized
    const plan = options.plans?.find(({ name }) => name === found.plan)
    return Effect.succeed({
      account,
      owner: plan === undefined ? `key ${sha256(key ?? "")}` : `plan ${plan.name}`,
      zeroDataRetention: plan?.zeroDataRetention === "required"
    })
  })

const agentCaller =
  (options: Options, ownerOf: keyRings.KeyRing, state: State): agents.Identify =>
  (request) =>
    Effect.gen(function* () {
      const { admission, spending } = state
      const { account, owner, zeroDataRetention } = yield* identified(options, ownerOf, state, request)
      const forbidden = account.permits("agent")
      if (forbidden !== null) return yield* forbidden
      const settled = (most: number) => (credits: number) =>
        Effect.suspend(() => {
          account.spend(credits)
          account.release(most)
          return account.limited && credits > 0 ? spending.spend(account.name, credits) : Effect.void
        }).pipe(
          Effect.catchAll((error) => Effect.logError("the credits of an agent job could not be kept", error.message))
        )
      return {
        caller: {
          owner,
          zeroDataRetention,
          reserve: (most) =>
            Effect.suspend(() => {
              const refused = account.reserve(most)
              return refused === null ? Effect.succeed({ settle: settled(most) }) : withLimit(refused)
            })
        },
        admitted: (receive, submit) => admission.admitted(account, receive, submit)
      }
    })

/** True when calls need a key. */
const isKeyed = ({ keys = defaults.keys, plans }: Options): boolean => plans !== undefined || keys.length > 0

/** The part of the server that its page calls. */
const lookHost = (options: Options, ownerOf: keyRings.KeyRing, state: State): Host => ({
  keyed: isKeyed(options),
  pictures: options.plans?.every(({ zeroDataRetention }) => zeroDataRetention === "required") !== true,
  spool: options.spool,
  idleTimeout: state.idleTimeout,
  identify: (request) =>
    Effect.map(identified(options, ownerOf, state, request), ({ account, owner, zeroDataRetention }) => ({
      // Without keys any key may be sent, and all callers are one.
      owner: isKeyed(options) ? owner : "",
      zeroDataRetention,
      parse: (input, asked) => parsed(state, account, () => Effect.succeed({ input, options: asked })),
      read: (file, asked, self) =>
        admitted(
          state,
          account,
          () => Effect.void,
          () => metered.read(state, account, { file, asked }, self)
        )
    }))
})

const lookRoutes = (options: Options, ownerOf: keyRings.KeyRing, state: State) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const look = yield* Effect.serviceOption(Look)
      if (Option.isNone(look)) return
      yield* router.concat(yield* look.value.routes(lookHost(options, ownerOf, state)))
    })
  )

const agentEndpoints = (options: Options, ownerOf: keyRings.KeyRing, state: State) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const jobs = Option.getOrElse(yield* Effect.serviceOption(AgentJobs.AgentJobs), () => AgentJobs.none)
      const host = { identify: agentCaller(options, ownerOf, state), refusal }
      yield* router.concat(agents.make({ jobs, ...host }))
      const mounted = yield* Effect.serviceOption(Mounted)
      if (Option.isSome(mounted)) yield* router.concat(mounted.value.routes({ ...host, keyed: isKeyed(options) }))
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

/** Forbids caches to store answers of the interface, and browsers to guess their type. */
const unkept = <R>(app: HttpApp.Default<never, R>): HttpApp.Default<never, R> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    /^\/v2(?:[/?]|$)/u.test(url)
      ? Effect.map(
          app,
          HttpServerResponse.setHeaders({ "cache-control": "no-store", "x-content-type-options": "nosniff" })
        )
      : app
  )

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
        exposedHeaders: ["Retry-After", "Mcp-Session-Id"]
      })

const serving = (
  options: Options,
  state: State
): Layer.Layer<never, never, HttpServer.HttpServer | HttpRouter.HttpRouter.DefaultServices | Engine> => {
  const { counters } = state
  const withCors = corsHeaders(options.cors ?? defaults.cors)
  const ownerOf = keyRingOf(options)
  const api = HttpApiBuilder.api(Api).pipe(Layer.provide(handlers(state)), Layer.provide(authentication(ownerOf)))
  const served = Effect.gen(function* () {
    const app = yield* HttpApiBuilder.httpApp
    const { address } = yield* HttpServer.HttpServer
    const { allowHosts = defaults.allowHosts, cors = defaults.cors, grace = defaults.grace } = options
    const known = fromKnown(callers.make(address, { allowHosts, cors }))
    const stopping = yield* stoppings.make
    const answered = withCors(stopping.guarded(Effect.catchAllCause(app, inOurWords)))
    yield* HttpServer.serveEffect(counted(unkept(known(answered)), counters))
    // The first of all finalizers: requests are still taken, and the engine is still there.
    yield* Effect.addFinalizer(() => stopping.stop(grace))
  })
  return Layer.scopedDiscard(served).pipe(
    Layer.provide([
      extraRoutes(options, ownerOf, state),
      agentEndpoints(options, ownerOf, state),
      lookRoutes(options, ownerOf, state),
      api
    ]),
    Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer])
  )
}

/**
 * Serves the interface below `/v2` on the given `HttpServer`. Every build of the layer counts and limits on its own.
 *
 * Agent jobs are served by `AgentJobs` where it is provided; otherwise a submission is a 400 that names the remedy.
 *
 * `Look` answers `/` with a page that shows documents as they are parsed, and its calls below `/_look/`, where it is provided.
 *
 * Three more services are used where they are provided: `Accounts` keeps what was spent (otherwise it is forgotten with the layer),
 * `PageCounter` counts the pages of a PDF before it is parsed, so that credits are reserved for all of them (otherwise for one, and an
 * answer that costs more than is left is withheld), and `AuditLog` takes an entry for each parse. Fails when `Accounts` cannot be read.
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
): Layer.Layer<never, Accounts.AccountsError, HttpServer.HttpServer | HttpRouter.HttpRouter.DefaultServices | Engine> =>
  Layer.unwrapEffect(Effect.map(stateOf(options), (state) => serving(options, state))).pipe(Layer.fresh)
