import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type * as undici from "undici"
import { loaded } from "../base/loaded.ts"
import { isLoopback } from "./baseAddress.ts"
import * as proxies from "./proxies.ts"

/** By its file: Bun puts something of its own in the place of the bare name, which has no dispatchers. */
const library = loaded(() => import("undici/index.js"))

/** Addresses of this machine are reached directly, whatever the environment says. */
const exceptLoopback =
  (direct: undici.Dispatcher): undici.Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    isLoopback(new URL(options.origin ?? "").hostname) ? direct.dispatch(options, handler) : dispatch(options, handler)

const acquired = <A extends undici.Dispatcher>(open: () => A): Effect.Effect<A, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.sync(open), (dispatcher) => Effect.promise(() => dispatcher.destroy()))

const open = Effect.fnUntraced(function* (
  options: undici.Agent.Options,
  { http, https, none }: Effect.Effect.Success<typeof proxies.read>
): Effect.fn.Return<undici.Dispatcher, never, Scope.Scope> {
  const { Agent, EnvHttpProxyAgent } = yield* library
  const direct = yield* acquired(() => new Agent(options))
  if (http === "" && https === "") return direct
  const proxied = yield* acquired(
    () => new EnvHttpProxyAgent({ ...options, httpProxy: http, httpsProxy: https, noProxy: none, proxyTunnel: false })
  )
  return proxied.compose(exceptLoopback(direct))
})

/**
 * A dispatcher with a connection pool of its own, through the proxies of the environment. Requests to `http://` go to an `http://` proxy
 * as they are, all others through a tunnel. Closed with the scope; requests that are still running then are aborted.
 */
export const make = (options: undici.Agent.Options): Effect.Effect<undici.Dispatcher, proxies.Unusable, Scope.Scope> =>
  Effect.flatMap(proxies.read, (found) => open(options, found))

/** As {@link make}: reads the proxies now, and opens the dispatcher, undici itself too, when it is first asked for. */
export const later = Effect.fnUntraced(function* (
  options: undici.Agent.Options
): Effect.fn.Return<Effect.Effect<undici.Dispatcher>, proxies.Unusable, Scope.Scope> {
  const found = yield* proxies.read
  const scope = yield* Effect.scope
  let opened: undici.Dispatcher | undefined
  const first = yield* Effect.cached(
    Effect.uninterruptible(
      Effect.tap(Scope.extend(open(options, found), scope), (dispatcher) => {
        opened = dispatcher
      })
    )
  )
  return Effect.suspend(() => (opened === undefined ? first : Effect.succeed(opened)))
})
