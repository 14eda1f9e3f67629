import type * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import { RequestError } from "@effect/platform/HttpClientError"
import type { HttpClientRequest } from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as undici from "undici"
import * as plainBytes from "../base/plainBytes.ts"
import * as plainPost from "./plainPost.ts"
import * as undiciPost from "./undiciPost.ts"
import { UndiciResponse } from "./undiciResponse.ts"

type RequestBody = NonNullable<undici.Dispatcher.RequestOptions["body"]>

// undici takes any async iterable and any form of its own; its types name neither, and a raw body is unknown anyway.
// oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
const asBody = (body: unknown): RequestBody => body as RequestBody

/**
 * Request body for undici. A stream becomes an async iterable: it is pulled when the socket has room, and closed when the exchange ends.
 * Unlike a Node stream, it does not lose an answer that arrives before the body's end.
 */
const bodyOf = (body: HttpBody.HttpBody): RequestBody | null => {
  switch (body._tag) {
    case "Empty":
      return null
    case "Uint8Array":
      return body.body
    case "Stream":
      return asBody(plainBytes.of(body.stream)?.parts() ?? Stream.toAsyncIterable(body.stream))
    case "Raw":
      return asBody(body.body)
    default:
      return asBody(body.formData)
  }
}

const send = (
  dispatcher: undici.Dispatcher,
  request: HttpClientRequest,
  url: URL,
  signal: AbortSignal
): Effect.Effect<UndiciResponse, RequestError> =>
  Effect.async((resume) => {
    dispatcher.request(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers,
        body: bodyOf(request.body),
        signal,
        headersTimeout: 0,
        bodyTimeout: 0
      },
      (cause, response) => {
        resume(
          cause === null
            ? Effect.succeed(new UndiciResponse(request, response))
            : Effect.fail(new RequestError({ request, reason: "Transport", cause }))
        )
      }
    )
  })

/**
 * An HTTP client over a dispatcher. Time-outs are the caller's (undici's are off); redirects are not followed. The parse client sends its
 * uploads by the client's plain form.
 */
export const make = (dispatcher: Effect.Effect<undici.Dispatcher>): HttpClient.HttpClient =>
  plainPost.attach(
    HttpClient.make((request, url, signal) =>
      Effect.flatMap(dispatcher, (opened) => send(opened, request, url, signal))
    ),
    (post) => Effect.flatMap(dispatcher, (opened) => undiciPost.make(opened)(post))
  )
