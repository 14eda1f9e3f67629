/** OAuth 2.0 of a service: the device grant of RFC 8628, and access tokens for a refresh token. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SourceUnavailable } from "../../Source.ts"
import { environment } from "../objects/environment.ts"
import { beginning, send } from "../objects/requests.ts"
import * as Browser from "./browser.ts"
import type { OnCode } from "./prompt.ts"
import type { Provider } from "./service.ts"

/** An application that users let in. */
export interface Client {
  readonly id: string
  readonly secret: Redacted.Redacted | undefined
}

/** What a user granted. */
export interface Grant {
  readonly accessToken: string
  /** End of the access token, milliseconds since the epoch. */
  readonly expires: number
  /** Absent where the one before stays valid. */
  readonly refreshToken: string | undefined
}

/** The options for a client, or the variables. */
export const clientOf = (
  { title, variables }: Provider,
  given: { readonly clientId?: string | undefined; readonly clientSecret?: Redacted.Redacted | undefined }
): Effect.Effect<Client, SourceUnavailable> => {
  const { [variables.clientId]: id, [variables.clientSecret]: secret } = environment()
  const clientId = given.clientId ?? (id || undefined)
  if (clientId === undefined) {
    const problem = `no client id; register an application at ${title}, and set ${variables.clientId}`
    return Effect.fail(new SourceUnavailable({ source: title, reason: "Denied", problem }))
  }
  return Effect.succeed({
    id: clientId,
    secret: given.clientSecret ?? (secret ? Redacted.make(secret) : undefined)
  })
}

const Refusal = Schema.Struct({ error: Schema.String })

const Granted = Schema.Struct({
  access_token: Schema.NonEmptyString,
  expires_in: Schema.optional(Schema.Number),
  refresh_token: Schema.optional(Schema.NonEmptyString)
})

const Code = Schema.Struct({
  device_code: Schema.NonEmptyString,
  user_code: Schema.NonEmptyString,
  verification_uri: Schema.optional(Schema.String),
  // Google's name of the same.
  verification_url: Schema.optional(Schema.String),
  expires_in: Schema.Number,
  interval: Schema.optional(Schema.Number)
})

const failed = (source: string, reason: SourceUnavailable["reason"], problem: string): SourceUnavailable =>
  new SourceUnavailable({ source, reason, problem })

/** The answer to a form, in the form that is wanted or as a refusal. */
const posted = <A, I>(
  title: string,
  address: string,
  client: Client,
  parameters: Readonly<Record<string, string>>,
  form: Schema.Schema<A, I>
): Effect.Effect<A | typeof Refusal.Type, SourceUnavailable, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const body = {
      client_id: client.id,
      ...(client.secret !== undefined && { client_secret: Redacted.value(client.secret) }),
      ...parameters
    }
    const request = HttpClientRequest.bodyUrlParams(HttpClientRequest.post(address), body)
    const answer = yield* send({ source: title, origin: new URL(address).origin }, Effect.succeed(request))
    const text = yield* beginning(answer)
    const either = Schema.Union(form, Refusal)
    const read = Schema.decodeUnknownOption(Schema.parseJson(either))(text)
    if (Option.isSome(read)) return read.value
    return yield* failed(title, "Invalid", `its sign-in answered with ${answer.status} and no grant; check its address`)
  })

/** What helps against the refusals that RFC 6749 and RFC 8628 name. */
const remedies: Readonly<Record<string, string>> = {
  invalid_grant: "the sign-in has ended or was revoked; sign in again",
  invalid_client: "the client id or its secret is wrong; check them",
  unauthorized_client: "the application may not sign in this way; allow it public client flows",
  invalid_scope: "the application may not ask for these rights this way; sign in by other means",
  access_denied: "the user refused; sign in again",
  authorization_declined: "the user refused; sign in again",
  expired_token: "it was not done in time; sign in again"
}

const denied = (title: string, { error }: typeof Refusal.Type): SourceUnavailable =>
  failed(title, "Denied", `${remedies[error] ?? "the sign-in was refused; sign in again"} (${error})`)

/** Validity of a token that names none, in seconds. */
const usual = 300

const granted = (grant: typeof Granted.Type): Effect.Effect<Grant> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    accessToken: grant.access_token,
    expires: now + (grant.expires_in ?? usual) * 1000,
    refreshToken: grant.refresh_token
  }))

/** An access token for a refresh token. */
export const refreshed = (
  { title, token }: Provider,
  client: Client,
  refreshToken: string
): Effect.Effect<Grant, SourceUnavailable, HttpClient.HttpClient> =>
  Effect.flatMap(
    posted(title, token, client, { grant_type: "refresh_token", refresh_token: refreshToken }, Granted),
    (answer) => ("error" in answer ? Effect.fail(denied(title, answer)) : granted(answer))
  )

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

/** Seconds between two questions, unless the service says otherwise; and what each `slow_down` adds. */
const pause = { first: 5, more: 5 } as const

/** Lets a user sign in with a browser anywhere; ends when that is done, or the code has expired. */
export const signedIn = (
  { device, scope, title, token }: Provider,
  client: Client,
  onCode: OnCode
): Effect.Effect<Grant, SourceUnavailable, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const code = yield* posted(title, device, { ...client, secret: undefined }, { scope }, Code)
    if ("error" in code) return yield* denied(title, code)
    yield* onCode(code.verification_uri ?? code.verification_url ?? "", code.user_code)
    const asked = { grant_type: deviceGrant, device_code: code.device_code }
    let seconds = code.interval ?? pause.first
    for (let left = code.expires_in; left > 0; left -= seconds) {
      yield* Effect.sleep(Duration.seconds(seconds))
      const answer = yield* posted(title, token, client, asked, Granted)
      if (!("error" in answer)) return yield* granted(answer)
      if (answer.error === "slow_down") seconds += pause.more
      else if (answer.error !== "authorization_pending") return yield* denied(title, answer)
    }
    return yield* denied(title, { error: "expired_token" })
  })

/** Time that a user has in a browser. */
const patience = "15 minutes"

/** Lets a user sign in with a browser of this machine, at the address that `onAddress` gets. */
export const signedInHere = (
  { browser, title, token }: Provider,
  client: Client,
  onAddress: (address: string) => Effect.Effect<void>
): Effect.Effect<Grant, SourceUnavailable, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    if (browser === undefined) return yield* failed(title, "Invalid", "it has no sign-in of this kind")
    const waiting = yield* Browser.waiting(title, browser, client.id)
    yield* onAddress(waiting.address)
    const { error, parameters } = yield* Effect.timeoutFail(waiting.answer, {
      duration: patience,
      onTimeout: () => denied(title, { error: "expired_token" })
    })
    if (error !== null) return yield* denied(title, { error })
    const answer = yield* posted(title, token, client, parameters, Granted)
    return yield* "error" in answer ? denied(title, answer) : granted(answer)
  }).pipe(Effect.scoped)
