/** A store's REST interface: JSON through the request gate of its server. */
import * as Headers from "@effect/platform/Headers"
import { HttpClient, withTracerDisabledWhen } from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import { SinkError } from "docsluice/ChunkSink"
import type { State } from "docsluice/RequestGate"
import * as RetryPolicy from "docsluice/RetryPolicy"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import * as ServerAddress from "./ServerAddress.ts"
import * as StoreGate from "./StoreGate.ts"

/** The words of one kind of server. */
export interface Dialect {
  /** The sink's kind, which begins its id. */
  readonly kind: string
  /** Name of the server, in messages. */
  readonly server: string
  /** Header with the secret, and the text that stands for the secret in messages. */
  readonly header: string
  readonly hidden: string
  /** Meaning of 401 and 403, and of 404. */
  readonly denied: string
  readonly missing: string
  /** The problem in the body of a refusal; empty when the body is not one of the server's. */
  readonly said: (body: string) => string
  /** The problem and remedy of a refusal that means `Unsupported`, else null. */
  readonly unsupported?: (status: number, said: string) => string | null
}

type Method = "GET" | "PUT" | "POST" | "DELETE"

/** Sends JSON, or lines of it, and decodes the answer; fails with the sink's error, which never holds the request. */
type Call<Missing> = <A, I>(
  method: Method,
  path: string,
  body: unknown,
  result: Schema.Schema<A, I>
) => Effect.Effect<A | Missing, SinkError>

export interface Rest {
  /** The sink's id. */
  readonly sink: string
  readonly call: Call<never>
  /** As `call`; null for a 404. */
  readonly find: Call<null>
}

/** Lines of JSON, as the body of a bulk call. */
export class Lines {
  readonly items: ReadonlyArray<unknown>
  constructor(items: ReadonlyArray<unknown>) {
    this.items = items
  }
}

/** Reason and words of a status, of a whole answer or of one item of a bulk call. */
export const meaning = (
  { denied, missing }: Pick<Dialect, "denied" | "missing">,
  status: number
): readonly [SinkError["reason"], string] => {
  if (status === 401 || status === 403) return ["Rejected", denied]
  if (status === 404) return ["Mismatch", missing]
  if (status === 413) return ["TooLarge", "the request is above the server's limit"]
  if (status === 408 || status === 429 || status >= 500) return ["Unavailable", "the server is busy or failed"]
  return ["Rejected", "the server refused it"]
}

const stateOf = (status: number): State => {
  if (status === 429) return "rateLimited"
  return status === 408 || status >= 500 ? "unhealthy" : "answered"
}

/** Most characters of a server's words in an error. */
export const mostWords = 300

export interface Options {
  readonly url: string
  /** The store's name on the server, which ends the sink's id. */
  readonly name: string
  readonly secret: Redacted.Redacted | undefined
}

/** The interface of the server at the address; the first call fails if the address is not valid. */
export const connect = Effect.fnUntraced(function* (
  dialect: Dialect,
  { name, secret, url }: Options
): Effect.fn.Return<Rest, never, HttpClient | Scope> {
  const client = withTracerDisabledWhen(yield* HttpClient, () => true)
  const address = ServerAddress.parse(url)
  const base = address === null ? "invalid" : address.origin + address.path
  const sink = `${dialect.kind}:${base}/${name}`
  const gate = yield* StoreGate.make(sink, base, secret)
  const failure = (reason: SinkError["reason"], problem: string) => new SinkError({ sink, reason, problem })

  const refused = Effect.fnUntraced(function* ({ headers, status }: HttpClientResponse, body: string) {
    const full = dialect.said(body)
    const harmless = secret === undefined ? full : full.replaceAll(Redacted.value(secret), dialect.hidden)
    const said = harmless.slice(0, mostWords)
    const unsupported = dialect.unsupported?.(status, harmless) ?? null
    const [reason, problem] = meaning(dialect, status)
    return yield* Effect.fail<StoreGate.Failure>({
      state: stateOf(status),
      closeFor: RetryPolicy.retryAfter(headers, yield* Clock.currentTimeMillis),
      error:
        unsupported === null
          ? failure(reason, `${problem} (status ${status}${said === "" ? "" : `: ${said}`})`)
          : failure("Unsupported", unsupported)
    })
  })

  /** The body of a success; null for a 404 where that is no failure. */
  const answer = (request: HttpClientRequest.HttpClientRequest, optional: boolean) =>
    client.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (text) => ({ response, text }))),
      // The client's error holds the request, and with it the secret.
      Effect.mapError(({ reason }): StoreGate.Failure => ({
        state: "unreachable",
        error: failure("Unavailable", `the server is not there, or its answer broke off (${reason})`)
      })),
      Effect.flatMap(({ response, text }) => {
        if (response.status >= 200 && response.status <= 299) return Effect.succeed(text)
        return optional && response.status === 404 ? Effect.succeed(null) : refused(response, text)
      }),
      Effect.locallyWith(Headers.currentRedactedNames, (names) => [...names, dialect.header])
    )

  const send = (method: Method, path: string, body: unknown, optional: boolean) => {
    if (address === null) {
      return failure("Rejected", "the server's address must be http:// or https://, without credentials or query")
    }
    const bare = HttpClientRequest.make(method)(`${address.origin}${address.path}${path}`).pipe(
      HttpClientRequest.acceptJson,
      secret === undefined ? (request) => request : HttpClientRequest.setHeader(dialect.header, Redacted.value(secret))
    )
    return gate.send(answer(withBody(bare, body), optional))
  }

  const decode = <A, I>(method: Method, path: string, result: Schema.Schema<A, I>, text: string) =>
    Effect.mapError(Schema.decode(Schema.parseJson(result))(text), () =>
      failure("Mismatch", `the answer to ${method} ${path.replace(/\?.*$/u, "")} is not one of ${dialect.server}'s`)
    )

  const find: Rest["find"] = (method, path, body, result) =>
    Effect.flatMap(send(method, path, body, true), (text) =>
      text === null ? Effect.succeed(null) : decode(method, path, result, text)
    )
  return {
    sink,
    find,
    call: (method, path, body, result) =>
      Effect.flatMap(send(method, path, body, false), (text) => decode(method, path, result, text ?? ""))
  }
})

/** Connects to a store, or to the part of it that is a tenant's, whose name then ends with `#` and the tenant's. */
export const connecting = (
  dialect: Dialect,
  options: Options
): Effect.Effect<(tenant: string | null) => Effect.Effect<Rest, never, Scope>, never, HttpClient> =>
  Effect.map(
    HttpClient,
    (client) => (tenant) =>
      Effect.provideService(
        connect(dialect, { ...options, name: tenant === null ? options.name : `${options.name}#${tenant}` }),
        HttpClient,
        client
      )
  )

const withBody = (request: HttpClientRequest.HttpClientRequest, body: unknown) => {
  if (body === undefined) return request
  return body instanceof Lines
    ? HttpClientRequest.bodyText(
        request,
        body.items.map((item) => `${JSON.stringify(item)}\n`).join(""),
        "application/x-ndjson"
      )
    : HttpClientRequest.bodyUnsafeJson(request, body)
}
