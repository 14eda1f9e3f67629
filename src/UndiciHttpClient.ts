/**
 * An `HttpClient` over undici's dispatcher: less work per request than `NodeHttpClient.layerUndici`, compressed answers are
 * decompressed, and an answer that comes before the upload has ended is not lost. The client of the parsing service sends its files
 * through the dispatcher itself, at a third of the cost; a client made from this one by a combinator is asked like any other.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as undici from "undici"
import * as dispatchers from "./internal/client/dispatcher.ts"
import type { Unusable } from "./internal/client/proxies.ts"
import { make as fromDispatcher } from "./internal/client/undiciHttp.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Most connections to one origin; default no limit: the request gate bounds them. */
  readonly connections?: number | undefined
  /** Longest time that an idle connection is kept; default 4 seconds, less when the service says so. */
  readonly keepAlive?: Duration.DurationInput | undefined
  /** Longest time to connect, TLS included; default 10 seconds. */
  readonly connectTimeout?: Duration.DurationInput | undefined
  /**
   * Sends every request in place of a pool of the layer's own: neither the options above nor the proxies of the environment count. It is
   * not closed with the layer.
   */
  readonly dispatcher?: undici.Dispatcher | undefined
}

/**
 * The address of a proxy in the environment cannot be used; nothing was sent. Does not contain the address, which may hold a password.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidProxy extends Schema.TaggedError<InvalidProxy>("docsluice/InvalidProxy")("InvalidProxy", {
  /** Name of the environment variable. */
  variable: Schema.String,
  reason: Schema.Literal("Malformed", "Scheme")
}) {
  override get message(): string {
    return `${this.variable} ${problems[this.reason]}; correct it, or unset it to connect without a proxy`
  }
}

const problems = {
  Malformed: "is not an absolute address such as http://host:3128",
  Scheme: "begins with neither http:// nor https://"
} as const

/** Bytes; proxies are known to add many. */
const maxHeaderSize = 256 * 1024

const defaults = { keepAlive: "4 seconds", connectTimeout: "10 seconds" } as const satisfies Options

/**
 * A client over a dispatcher of your own, for instance a proxy's. Redirects are not followed; only connecting has a time-out.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (dispatcher: undici.Dispatcher): HttpClient.HttpClient => fromDispatcher(Effect.succeed(dispatcher))

/**
 * A client with a connection pool of its own, opened by the first request and closed with the layer; requests that are still running then are aborted.
 *
 * Uses the proxies that the environment names: `HTTP_PROXY` for `http://`, `HTTPS_PROXY` for `https://` (without it `HTTP_PROXY`), none for
 * the hosts in `NO_PROXY`; each also in lower case, which comes first. Loopback addresses are always reached directly. Fails with
 * `InvalidProxy` before anything is sent.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<HttpClient.HttpClient, InvalidProxy> =>
  options.dispatcher === undefined
    ? Layer.scoped(HttpClient.HttpClient, Effect.map(usable(dispatchers.later(poolOf(options))), fromDispatcher))
    : Layer.succeed(HttpClient.HttpClient, make(options.dispatcher))

/**
 * The dispatcher of {@link layer}, for a client of another library that takes one.
 *
 * @since 0.1.0
 * @category constructors
 */
export const dispatcher = (options: Options = {}): Effect.Effect<undici.Dispatcher, InvalidProxy, Scope.Scope> =>
  options.dispatcher === undefined ? usable(dispatchers.make(poolOf(options))) : Effect.succeed(options.dispatcher)

const poolOf = (options: Options): undici.Agent.Options => ({
  connections: options.connections ?? null,
  keepAliveTimeout: Duration.toMillis(options.keepAlive ?? defaults.keepAlive),
  maxHeaderSize,
  connectTimeout: Duration.toMillis(options.connectTimeout ?? defaults.connectTimeout)
})

const usable = <A, R>(opening: Effect.Effect<A, Unusable, R>): Effect.Effect<A, InvalidProxy, R> =>
  Effect.mapError(opening, (unusable) => new InvalidProxy(unusable))
