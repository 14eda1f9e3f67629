/** The HTTP client of servers that options name, with the proxies of the environment. */
import type { HttpClient } from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import { OptionError } from "../base/optionError.ts"
import * as proxies from "../client/proxies.ts"

const unusable = ({ message }: UndiciHttpClient.InvalidProxy): OptionError =>
  new OptionError({ option: null, problem: message })

/** Fails when the environment names a proxy that cannot be used; opens nothing. */
export const check: Effect.Effect<void, OptionError> = Effect.asVoid(
  Effect.mapError(proxies.read, (problem) => unusable(new UndiciHttpClient.InvalidProxy(problem)))
)

/** After {@link check}: the same proxies for a client that has its own transport; undefined when the environment names none. */
export const proxied: Effect.Effect<UndiciHttpClient.Options["dispatcher"], never, Scope.Scope> = Effect.flatMap(
  Effect.orDie(proxies.read),
  ({ http, https }) =>
    http === "" && https === "" ? Effect.succeed(undefined) : Effect.orDie(UndiciHttpClient.dispatcher())
)

/** A client over the dispatcher; the proxies are those of the environment where there is none. */
export const given = (dispatcher: UndiciHttpClient.Options["dispatcher"]): Layer.Layer<HttpClient, OptionError> =>
  Layer.mapError(UndiciHttpClient.layer({ dispatcher }), unusable)

export const layer: Layer.Layer<HttpClient, OptionError> = given(undefined)
