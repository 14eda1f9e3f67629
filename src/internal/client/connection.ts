import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { RequestGate } from "../../RequestGate.ts"
import * as baseAddress from "./baseAddress.ts"
import * as proxies from "./proxies.ts"
import { redacting } from "./redacting.ts"

/** Address and key of a service; see `Client.Options`. */
export interface Target {
  readonly baseUrl: string
  readonly apiKey?: Redacted.Redacted | "none" | undefined
}

/** A service as its clients share it. */
export interface Connection {
  readonly http: HttpClient.HttpClient
  readonly address: baseAddress.BaseAddress
  /** Headers of every request, the key among them. */
  readonly headers: Readonly<Record<string, string>>
  /** Removes the key, and the credentials of proxies, from a text. */
  readonly redact: (text: string) => string
  /** The gate that all users of this address and key in the process share. */
  readonly gate: RequestGate.Service
}

/** Reason why an address or a key cannot be used. */
export type Unusable = "Malformed" | "Scheme" | "KeyMissing" | "KeyMalformed"

const keyOf = (
  apiKey: Target["apiKey"],
  address: baseAddress.BaseAddress
): Either.Either<string | undefined, "KeyMissing" | "KeyMalformed"> => {
  const key = apiKey === undefined || apiKey === "none" ? "" : Redacted.value(apiKey).trim()
  if (key === "") return address.loopback || apiKey === "none" ? Either.right(undefined) : Either.left("KeyMissing")
  return /^[\x21-\x7e]+$/.test(key) ? Either.right(key) : Either.left("KeyMalformed")
}

/** Address, key and gate of a service. Fails before anything is sent. */
export const connection = Effect.fnUntraced(function* (
  target: Target
): Effect.fn.Return<Connection, Unusable, HttpClient.HttpClient | RequestGate | Scope.Scope> {
  const http = yield* HttpClient.HttpClient
  const address = yield* baseAddress.parse(target.baseUrl)
  const key = yield* keyOf(target.apiKey, address)
  const gate = yield* (yield* RequestGate).of({
    address: address.url,
    ...(key !== undefined && { key: Redacted.make(key) })
  })
  return {
    http,
    address,
    headers: { accept: "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    redact: redacting([...(key === undefined ? [] : [key]), ...(yield* proxies.secrets)]),
    gate
  }
})
