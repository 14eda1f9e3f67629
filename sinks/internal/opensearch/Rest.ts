import * as Headers from "@effect/platform/Headers"
import type { HttpClient } from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { SinkError } from "docsluice/ChunkSink"
import type { State } from "docsluice/RequestGate"
import * as RetryPolicy from "docsluice/RetryPolicy"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { ServerAddress } from "../shared/ServerAddress.ts"
import type { Failure, StoreGate } from "../shared/StoreGate.ts"

type Method = "GET" | "PUT" | "POST" | "DELETE"

/** Calls of the REST interface that OpenSearch and Elasticsearch share. Errors never hold the request. */
export interface Rest {
  /** Sends JSON, or lines of it for a list, and decodes the answer. */
  readonly call: <A, I>(
    method: Method,
    path: string,
    body: unknown,
    result: Schema.Schema<A, I>
  ) => Effect.Effect<A, SinkError>
  /** As `call`; null for an index that is not there. */
  readonly find: <A, I>(
    method: Method,
    path: string,
    body: unknown,
    result: Schema.Schema<A, I>
  ) => Effect.Effect<A | null, SinkError>
}

/** Lines of JSON: the body of a bulk call. */
export class Lines {
  readonly items: ReadonlyArray<unknown>
  constructor(items: ReadonlyArray<unknown>) {
    this.items = items
  }
}

const Refusal = Schema.parseJson(
  Schema.Struct({
    error: Schema.Struct({ type: Schema.String, reason: Schema.optional(Schema.NullOr(Schema.String)) })
  })
)

/** Meaning of a status, of a whole answer or of one item of a bulk call. */
export const meaning = (status: number): readonly [SinkError["reason"], string] => {
  if (status === 401 || status === 403) return ["Rejected", "the credentials are missing, not accepted or not enough"]
  if (status === 404) return ["Mismatch", "the index is not there any more"]
  if (status === 413) return ["TooLarge", "the request is above the server's limit"]
  if (status === 408 || status === 429 || status >= 500) return ["Unavailable", "the server is busy or failed"]
  return ["Rejected", "the server refused it"]
}

const stateOf = (status: number): State => {
  if (status === 429) return "rateLimited"
  return status === 408 || status >= 500 ? "unhealthy" : "answered"
}

const most = 300

interface Answer {
  readonly status: number
  readonly text: string
}

export const make = (
  client: HttpClient,
  gate: StoreGate,
  address: ServerAddress | null,
  authorization: Redacted.Redacted | undefined
): Rest => {
  const failure = (reason: SinkError["reason"], problem: string) => new SinkError({ sink: gate.sink, reason, problem })
  const without = (text: string) =>
    authorization === undefined ? text : text.replaceAll(Redacted.value(authorization), "<authorization>")
  const said = (text: string) =>
    Schema.decode(Refusal)(text).pipe(
      Effect.map(
        ({ error }) => `: ${without(`${error.type}${error.reason ? `, ${error.reason}` : ""}`).slice(0, most)}`
      ),
      Effect.orElseSucceed(() => "")
    )
  const send = (request: HttpClientRequest.HttpClientRequest, absent: boolean): Effect.Effect<Answer, Failure> =>
    client.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (text) => ({ response, text }))),
      // The client's error holds the request, and with it the credentials.
      Effect.mapError(({ reason }): Failure => ({
        state: "unreachable",
        error: failure("Unavailable", `the server is not there, or its answer broke off (${reason})`)
      })),
      Effect.flatMap(({ response: { headers, status }, text }) =>
        Effect.gen(function* () {
          if ((status >= 200 && status <= 299) || (absent && status === 404)) return { status, text }
          const [reason, problem] = meaning(status)
          const closeFor = RetryPolicy.retryAfter(headers, yield* Clock.currentTimeMillis)
          const error = failure(reason, `${problem} (status ${status}${yield* said(text)})`)
          return yield* Effect.fail<Failure>({ state: stateOf(status), closeFor, error })
        })
      ),
      Effect.locallyWith(Headers.currentRedactedNames, (names) => [...names, "authorization"])
    )
  const answer = (method: Method, path: string, body: unknown, absent: boolean): Effect.Effect<Answer, SinkError> => {
    if (address === null) {
      return failure("Rejected", "the server's address must be http:// or https://, without credentials or query")
    }
    const bare = HttpClientRequest.make(method)(`${address.origin}${address.path}${path}`).pipe(
      HttpClientRequest.acceptJson,
      authorization === undefined
        ? (request) => request
        : HttpClientRequest.setHeader("authorization", Redacted.value(authorization))
    )
    const request =
      body === undefined
        ? bare
        : body instanceof Lines
          ? HttpClientRequest.bodyText(
              bare,
              body.items.map((item) => `${JSON.stringify(item)}\n`).join(""),
              "application/x-ndjson"
            )
          : HttpClientRequest.bodyUnsafeJson(bare, body)
    return gate.send(send(request, absent))
  }
  const decoded = <A, I>(path: string, result: Schema.Schema<A, I>, text: string): Effect.Effect<A, SinkError> =>
    Effect.mapError(Schema.decode(Schema.parseJson(result))(text), () =>
      failure("Mismatch", `the answer to ${path.replace(/\?.*$/u, "")} is none of OpenSearch or Elasticsearch`)
    )
  return {
    call: (method, path, body, result) =>
      Effect.flatMap(answer(method, path, body, false), ({ text }) => decoded(path, result, text)),
    find: <A, I>(method: Method, path: string, body: unknown, result: Schema.Schema<A, I>) =>
      Effect.flatMap(answer(method, path, body, true), ({ status, text }): Effect.Effect<A | null, SinkError> =>
        status === 404 ? Effect.succeed(null) : decoded(path, result, text)
      )
  }
}
