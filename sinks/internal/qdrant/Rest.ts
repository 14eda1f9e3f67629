import * as Headers from "@effect/platform/Headers"
import type { HttpClient } from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import { SinkError } from "docsluice/ChunkSink"
import type { State } from "docsluice/RequestGate"
import * as RetryPolicy from "docsluice/RetryPolicy"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { ServerAddress } from "../shared/ServerAddress.ts"
import type { Failure, StoreGate } from "../shared/StoreGate.ts"

/** Calls of Qdrant's REST interface. */
export interface QdrantRest {
  /** Sends JSON and decodes the answer's `result`; fails with the sink's error, which never holds the request. */
  readonly call: <A, I>(
    method: "GET" | "PUT" | "POST" | "DELETE",
    path: string,
    body: unknown,
    result: Schema.Schema<A, I>
  ) => Effect.Effect<A, SinkError>
}

/**
 * The result of a change that was waited for. `acknowledged` and `wait_timeout`: the server has it, and has not applied it yet.
 */
export const Done = Schema.Union(
  Schema.Literal(true),
  Schema.Struct({ status: Schema.Literal("completed", "acknowledged", "wait_timeout") })
)

const isPending = Schema.is(Schema.Struct({ status: Schema.Literal("acknowledged", "wait_timeout") }))

const Refusal = Schema.parseJson(Schema.Struct({ status: Schema.Struct({ error: Schema.String }) }))

/** How a server in strict mode refuses a filter. */
const unindexed = /Index required but not found for (".*")(?: of one of the following types: \[([^\]]*)\])?/u

const meaning = (status: number): readonly [SinkError["reason"], string] => {
  if (status === 401 || status === 403) return ["Rejected", "the key is missing or not accepted"]
  if (status === 404) return ["Mismatch", "the collection is not there any more"]
  if (status === 413) return ["TooLarge", "the request is above the server's limit"]
  if (status === 408 || status === 429 || status >= 500) return ["Unavailable", "the server is busy or failed"]
  return ["Rejected", "the server refused it"]
}

const stateOf = (status: number): State => {
  if (status === 429) return "rateLimited"
  return status === 408 || status >= 500 ? "unhealthy" : "answered"
}

const words = 300

export const make = (
  client: HttpClient,
  gate: StoreGate,
  address: ServerAddress | null,
  key: Redacted.Redacted | undefined
): QdrantRest => {
  const failure = (reason: SinkError["reason"], problem: string) => new SinkError({ sink: gate.sink, reason, problem })
  const without = (text: string) => (key === undefined ? text : text.replaceAll(Redacted.value(key), "<key>"))
  const refused = Effect.fnUntraced(function* ({ headers, status }: HttpClientResponse, text: string) {
    const [reason, problem] = meaning(status)
    const answered = yield* Effect.orElseSucceed(Schema.decode(Refusal)(text), () => null)
    const message = answered === null ? "" : without(answered.status.error)
    const said = message === "" ? "" : `: ${message.slice(0, words)}`
    const [, unfiltered, kinds = "any"] = (status === 400 && unindexed.exec(message)) || []
    if (unfiltered !== undefined) {
      const error = failure(
        "Unsupported",
        `the server is in strict mode, and refuses a filter by ${unfiltered} without an index of it (${kinds}); ingest into the collection again, which makes the indexes of its own keys and of metadata that it writes, or make it with PUT /collections/NAME/index`
      )
      return yield* Effect.fail<Failure>({ state: stateOf(status), error })
    }
    const closeFor = RetryPolicy.retryAfter(headers, yield* Clock.currentTimeMillis)
    const error = failure(reason, `${problem} (status ${status}${said})`)
    return yield* Effect.fail<Failure>({ state: stateOf(status), closeFor, error })
  })
  /** The text of a success. */
  const send = (request: HttpClientRequest.HttpClientRequest): Effect.Effect<string, Failure> =>
    client.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (text) => ({ response, text }))),
      // The client's error holds the request, and with it the key.
      Effect.mapError(({ reason }): Failure => ({
        state: "unreachable",
        error: failure("Unavailable", `the server is not there, or its answer broke off (${reason})`)
      })),
      Effect.flatMap(({ response, text }) =>
        response.status < 200 || response.status > 299 ? refused(response, text) : Effect.succeed(text)
      ),
      Effect.locallyWith(Headers.currentRedactedNames, (names) => [...names, "api-key"])
    )
  return {
    call: (method, path, body, result) =>
      Effect.gen(function* () {
        if (address === null) {
          return yield* failure(
            "Rejected",
            "the server's address must be http:// or https://, without credentials or query"
          )
        }
        const bare = HttpClientRequest.make(method)(`${address.origin}${address.path}${path}`).pipe(
          HttpClientRequest.acceptJson,
          key === undefined ? (request) => request : HttpClientRequest.setHeader("api-key", Redacted.value(key))
        )
        const text = yield* gate.send(send(body === undefined ? bare : HttpClientRequest.bodyUnsafeJson(bare, body)))
        const decoded = yield* Effect.mapError(Schema.decode(Schema.parseJson(Schema.Struct({ result })))(text), () =>
          failure("Mismatch", `the answer to ${method} ${path} is not one of Qdrant's`)
        )
        return isPending(decoded.result)
          ? yield* failure("Unavailable", "the server has not applied a change in time; it is sent again")
          : decoded.result
      })
  }
}
