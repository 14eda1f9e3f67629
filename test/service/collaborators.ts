import { HttpClient, HttpClientResponse } from "@effect/platform"
import * as RequestGate from "docsluice/RequestGate"
import type * as RetryPolicy from "docsluice/RetryPolicy"
import * as Client from "docsluice/service/Client"
import type { ParseOptions } from "docsluice/service/ParseOptions"
import * as SourceFile from "docsluice/SourceFile"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Clock, Effect, Layer, Option, Redacted, Stream } from "effect"
import * as RunState from "../../src/internal/client/runState.ts"

export const key = "fc-0123456789abcdef"

const partSize = 65_536

/** A file of the given number of bytes, no two neighbouring parts alike, in parts of 64 KiB. */
export const file = (path: string, size = 20): SourceFile.SourceFile =>
  SourceFile.make({
    root: "root",
    path,
    size,
    open: Stream.unfold(0, (at) => {
      if (at >= size) return Option.none()
      const part = new Uint8Array(Math.min(partSize, size - at)).fill((at / partSize) % 251)
      return Option.some([part, at + part.length] as const)
    })
  })

/** The retries of the table, without its waits. */
export const impatient: RetryPolicy.Options = { base: "1 millis" }

/** A gate that no other client shares, whatever its address and key. */
export const apart = (options: RequestGate.Options = {}): Layer.Layer<RequestGate.RequestGate> =>
  Layer.scoped(
    RequestGate.RequestGate,
    Effect.map(RequestGate.make(options), (gate) => ({ ...gate, of: () => Effect.succeed(gate) }))
  )

/** The client over real sockets. */
export const live = (
  base: string,
  retry: RetryPolicy.Options = impatient,
  concurrency = 4,
  transport: Layer.Layer<HttpClient.HttpClient, UndiciHttpClient.InvalidProxy> = UndiciHttpClient.layer()
): Layer.Layer<Client.Client> =>
  Client.layer({ baseUrl: base, apiKey: Redacted.make(key), retry }).pipe(
    Layer.provide([apart({ concurrency }), transport]),
    Layer.orDie
  )

/** An answer: status, body, headers. */
export type Scripted = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>]

export const stored: Scripted = [200, { success: true, data: { markdown: "# A", metadata: {} } }]

/** The client over a transport that gives these answers in order, the last one for ever; `sent` holds the times of asking. */
export const scripted = (
  answers: ReadonlyArray<Scripted>,
  sent: Array<number> = [],
  options: Partial<Client.Options> = {}
): Layer.Layer<Client.Client> => {
  const http = HttpClient.make((request) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const [status, body, headers = {}] = answers[Math.min(sent.length, answers.length - 1)] ?? stored
      sent.push(now)
      const text = typeof body === "string" ? body : JSON.stringify(body)
      return HttpClientResponse.fromWeb(request, new Response(text, { status, headers: { ...headers } }))
    })
  )
  return over(http, options)
}

export const over = (
  http: HttpClient.HttpClient,
  options: Partial<Client.Options> = {},
  limits: RequestGate.Options = {}
): Layer.Layer<Client.Client> =>
  Client.layer({ baseUrl: "http://localhost:1", ...options }).pipe(
    Layer.provide([apart({ concurrency: 4, ...limits }), Layer.succeed(HttpClient.HttpClient, http)]),
    Layer.orDie
  )

export const parse = (source: SourceFile.SourceFile, options: ParseOptions = {}) =>
  Effect.flatMap(Client.Client, (client) => client.parse(source, options))

/** One parse as a run of its own: how it ended, and what the run has counted. */
export const asRun = (source: SourceFile.SourceFile, options: ParseOptions = {}) =>
  Effect.gen(function* () {
    const run = yield* RunState.make
    const result = yield* Effect.either(Effect.provideService(parse(source, options), RunState.CurrentRun, run))
    return { result, run }
  })
