import type * as AiError from "@effect/ai/AiError"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type { Target } from "../../RequestGate.ts"
import type { InvalidAddress } from "../../service/Client.ts"
import { addressOf, type Home, keyOf, type ModelServer } from "../client/modelServer.ts"
import type * as Exchange from "../client/openAiExchange.ts"
import * as proxies from "../client/proxies.ts"
import { redacting } from "../client/redacting.ts"
import { untraced } from "../telemetry/untraced.ts"

/** One request of a model: as many vectors as texts, in their order. Its errors contain neither key nor texts. */
export type EmbedMany = (texts: ReadonlyArray<string>) => Effect.Effect<Array<Array<number>>, AiError.AiError>

/** A model on a server. */
export interface Model {
  readonly documents: EmbedMany
  /** Null: queries are embedded as documents are. */
  readonly queries: EmbedMany | null
}

/** Time limits of requests for vectors. */
export interface Limits {
  /** Longest time of one request, answer included; default 60 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
  /** Longest pause while an answer arrives; default 30 seconds. */
  readonly idleTimeout?: Duration.DurationInput | undefined
}

const defaults = { timeout: "60 seconds", idleTimeout: "30 seconds" } as const satisfies Limits

/** The server and the key that these options name: `RequestGate.shared` gives the gate of the two. */
export const target = (home: Home, options: ModelServer): Either.Either<Target, InvalidAddress> =>
  Either.flatMap(addressOf(home, options), (address) =>
    Either.map(keyOf(home, options, address), (key) => ({
      address: address.url,
      key: key === undefined ? undefined : Redacted.make(key)
    }))
  )

/** Fails before anything is sent when the address or the key cannot be used. */
export const open = (
  home: Home,
  options: ModelServer & Limits
): Effect.Effect<Exchange.Settings, InvalidAddress, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const http = untraced(yield* HttpClient.HttpClient)
    const address = yield* addressOf(home, options)
    const key = yield* keyOf(home, options, address)
    return {
      http,
      address,
      authorization: key === undefined ? undefined : `Bearer ${key}`,
      redact: redacting([...(key === undefined ? [] : [key]), ...(yield* proxies.secrets)]),
      timeout: Duration.decode(options.timeout ?? defaults.timeout),
      idle: Duration.decode(options.idleTimeout ?? defaults.idleTimeout)
    }
  })
