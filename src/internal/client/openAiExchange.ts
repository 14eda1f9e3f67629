import * as AiError from "@effect/ai/AiError"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ConnectionFailed } from "../../service/ServiceError.ts"
import * as answerText from "./answerText.ts"
import type { BaseAddress } from "./baseAddress.ts"
import { redactedText } from "./redacting.ts"
import { connectionFailed, isUnpacking } from "./transportFailure.ts"

/** A server that speaks OpenAI's protocol. */
export interface Settings {
  readonly http: HttpClient.HttpClient
  readonly address: BaseAddress
  readonly authorization: string | undefined
  /** Removes the key from a text. */
  readonly redact: (text: string) => string
  /** Time limit of one request, answer included. */
  readonly timeout: Duration.Duration
  /** Longest pause between two parts of an answer. */
  readonly idle: Duration.Duration
}

/** The function that sends requests, as its errors name it, and the path of the requests. */
export interface Place {
  readonly module: string
  readonly method: string
  /** Below the base address, with its slash. */
  readonly path: string
}

/** An answer of any status, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

const named = ({ method, module }: Place) => ({ module, method })

const details = (settings: Settings, { path }: Place) => ({
  method: "POST" as const,
  url: `${settings.address.url}${path}`,
  urlParams: [],
  hash: Option.none(),
  // The request's headers hold the key.
  headers: {}
})

/** An `AiError` whose cause is the transport's error without the request. */
const broken = (settings: Settings, place: Place, cause: ConnectionFailed): AiError.AiError =>
  new AiError.HttpRequestError({
    ...named(place),
    reason: cause.reason === "address" ? "InvalidUrl" : "Transport",
    request: details(settings, place),
    description: cause.message,
    cause
  })

const timedOut = (settings: Settings, place: Place, error: string): AiError.AiError =>
  broken(
    settings,
    place,
    new ConnectionFailed({ reason: "timeout", ambiguous: true, address: settings.address.host, error })
  )

/** The error of an answer whose content cannot be used. */
export const unusable = (place: Place, description: string): AiError.AiError =>
  new AiError.MalformedOutput({ ...named(place), description })

/** Headers that an error keeps: those that say when to ask again, and the target of a redirect. */
const keptHeaders = ["retry-after", "date", "location"] as const

/** The error of an answer that is not 2xx. */
export const refused = (settings: Settings, place: Place, { headers, status, text }: Answer): AiError.AiError =>
  new AiError.HttpResponseError({
    ...named(place),
    reason: "StatusCode",
    request: details(settings, place),
    response: {
      status,
      headers: Object.fromEntries(
        keptHeaders.flatMap((name) =>
          headers[name] === undefined ? [] : [[name, settings.redact(headers[name])] as const]
        )
      )
    },
    body: redactedText(settings.redact, text)
  })

export const isSuccess = ({ status }: Pick<Answer, "status">): boolean => status >= 200 && status < 300

const transport = (settings: Settings, error: unknown): ConnectionFailed =>
  connectionFailed(error, { host: settings.address.host, whole: true, redact: settings.redact })

const textOf = (settings: Settings, place: Place, response: HttpClientResponse.HttpClientResponse) =>
  Effect.catchAll(answerText.read(response, settings.idle), (error) => {
    switch (error._tag) {
      case "Unreadable":
        return Effect.fail(unusable(place, error.error))
      case "Idle":
        return Effect.fail(timedOut(settings, place, "the answer stopped arriving"))
      default:
        // Some transports have no stream for an answer without a body.
        if (error._tag === "ResponseError" && error.reason === "EmptyBody") return Effect.succeed("")
        return Effect.fail(
          isUnpacking(error)
            ? unusable(place, "the answer cannot be unpacked")
            : broken(settings, place, transport(settings, error))
        )
    }
  })

/** Sends one request. The platform's errors are never passed on: they hold the key. Redirects are not followed. */
export const post = (settings: Settings, place: Place, body: unknown): Effect.Effect<Answer, AiError.AiError> => {
  const request = HttpClientRequest.post(`${settings.address.url}${place.path}`, {
    headers: {
      accept: "application/json",
      ...(settings.authorization === undefined ? {} : { authorization: settings.authorization })
    }
  }).pipe(HttpClientRequest.bodyUnsafeJson(body))
  return settings.http.execute(request).pipe(
    Effect.mapError((error) => broken(settings, place, transport(settings, error))),
    Effect.flatMap((response) => {
      const text = textOf(settings, place, response)
      // When reading the body of an error fails, its status alone is reported.
      return Effect.map(isSuccess(response) ? text : Effect.orElseSucceed(text, () => ""), (read) => ({
        status: response.status,
        headers: response.headers,
        text: read
      }))
    }),
    Effect.timeoutFail({
      duration: settings.timeout,
      onTimeout: () => timedOut(settings, place, "no answer within the time allowed")
    }),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" })
  )
}

/** A member of a value that may be of any type. */
export const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && key in value ? Reflect.get(value, key) : undefined
