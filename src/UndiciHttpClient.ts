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
import * as undici from "undici"
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
}

/** Bytes; proxies are known to add many. */
const maxHeaderSize = 256 * 1024

const defaults = { keepAlive: "4 seconds", connectTimeout: "10 seconds" } as const satisfies Options

/**
 * A client over a dispatcher of your own, for instance a proxy's. Redirects are not followed; only connecting has a time-out.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (dispatcher: undici.Dispatcher): HttpClient.HttpClient => fromDispatcher(dispatcher)

/**
 * A client with a connection pool of its own, closed with the layer; requests that are still running then are aborted.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<HttpClient.HttpClient> =>
  Layer.scoped(
    HttpClient.HttpClient,
    Effect.acquireRelease(
      Effect.sync(
        () =>
          new undici.Agent({
            connections: options.connections ?? null,
            keepAliveTimeout: Duration.toMillis(options.keepAlive ?? defaults.keepAlive),
            maxHeaderSize,
            connectTimeout: Duration.toMillis(options.connectTimeout ?? defaults.connectTimeout)
          })
      ),
      (agent) => Effect.promise(() => agent.destroy())
    ).pipe(Effect.map(fromDispatcher))
  )
