import * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Prompt from "@effect/ai/Prompt"
import { HttpClient, HttpClientRequest } from "@effect/platform"
import { type ParseData, ParseResponse } from "docsluice/ParsedDocument"
import * as Client from "docsluice/service/Client"
import * as Embedded from "docsluice/service/Embedded"
import type { Engine } from "docsluice/service/Engine"
import type { ParseOptions } from "docsluice/service/ParseOptions"
import * as SourceFile from "docsluice/SourceFile"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Either, Layer, Redacted, Schema, type Scope, Stream } from "effect"
import { apart, key } from "../collaborators.ts"
import { type StartOptions, upload } from "../serverFixture.ts"

/** The end of one upload, in one shape for both sides: the answer's data, or the members of its error record. */
export interface Ending {
  readonly status: number
  readonly data?: ParseData
  readonly error?: string
  readonly code?: string | undefined
  readonly details?: unknown
  /** Seconds that the server asks to wait. */
  readonly retryAfter?: number | undefined
  /** The client's class of the error. */
  readonly tag?: string
}

/** One upload that a row of the interface is about, and its end. */
export interface Case {
  /** What the upload shows, as a sentence. */
  readonly title: string
  /** Rows of the interface, as `interfaceRows` names them. */
  readonly rows: ReadonlyArray<string>
  /** A server of its own, or the shared one without a model; default the shared one with a scripted model. Both parse for real. */
  readonly server?: StartOptions | "without a model"
  /** Name of the upload; default that of the shared page. */
  readonly name?: string
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly options?: ParseOptions
  /** Path below which the service is asked for; default none. */
  readonly below?: string
  /** Headers of the request besides the key. */
  readonly headers?: Readonly<Record<string, string>>
  /** State of the server before the upload. */
  readonly before?: (server: {
    readonly base: string
    readonly stop: Effect.Effect<void>
  }) => Effect.Effect<void, never, Scope.Scope>
  readonly ends: (ending: Ending) => void
}

/** A web page with everything that options and formats of a page are about. */
export const page = `<!doctype html>
<html lang="en"><head><title>Stations</title><meta name="description" content="Six stations"><meta name="keywords" content="wind, rain">
<meta name="author" content="Ada"><meta property="og:locale:alternate" content="de_DE"><script>alert(1)</script></head>
<body><nav><a href="https://example.com/menu">Menu words</a></nav><div class="cookie-consent" id="cookie-banner">Accept all cookies</div>
<main><h1>The stations</h1><p class="lead">Six stations measure wind, precipitation and temperature between the coast and the high fells.
<a href="https://example.com/handbook">The handbook</a> says how.</p><table><tr><th>station</th></tr><tr><td>Tarn House</td></tr></table>
<p><img src="https://example.com/map.png" alt="a map"> <img src="data:image/png;base64,iVBORw0KGgo=" alt="a dot"></p></main>
<footer>Footer words</footer></body></html>`

const defaultName = "page.html"

const bytesOf = ({ bytes }: Case): Uint8Array<ArrayBuffer> => bytes ?? new TextEncoder().encode(page)

const ErrorRecord = Schema.Struct({
  success: Schema.Literal(false),
  error: Schema.String,
  code: Schema.optional(Schema.String),
  details: Schema.optional(Schema.Unknown)
})

const isDocument = Schema.decodeUnknownSync(ParseResponse)
const isError = Schema.decodeUnknownSync(ErrorRecord)

/** The upload as `fetch` sends it; the answer is checked by the strict schemas. */
export const byFetch = (base: string, given: Case): Effect.Effect<Ending> =>
  Effect.map(
    upload(
      `${base}${given.below ?? ""}`,
      { name: given.name ?? defaultName, bytes: bytesOf(given), options: given.options ?? {} },
      { headers: { authorization: `Bearer ${key}`, ...given.headers } }
    ),
    ({ body, retryAfter, status }) =>
      status === 200
        ? { status, data: isDocument(body).data }
        : {
            status,
            ...isError(body, { onExcessProperty: "error" }),
            ...(retryAfter !== null && { retryAfter: Number(retryAfter) })
          }
  )

const transport = (headers: Readonly<Record<string, string>>) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, HttpClient.mapRequest(HttpClientRequest.setHeaders(headers)))
  ).pipe(Layer.provide(UndiciHttpClient.layer()))

/** The upload as our client sends it, with one attempt and without its own limit of size. */
export const byClient = (base: string, given: Case): Effect.Effect<Ending> => {
  const bytes = bytesOf(given)
  const file = SourceFile.make({
    root: "root",
    path: given.name ?? defaultName,
    size: bytes.length,
    open: Stream.make(bytes)
  })
  return Effect.flatMap(Client.Client, (client) => Effect.either(client.parse(file, given.options ?? {}))).pipe(
    Effect.provide(
      Client.layer({
        baseUrl: `${base}${given.below ?? ""}`,
        apiKey: Redacted.make(key),
        retry: { attempts: 1, maxElapsed: "300 millis" },
        maxUploadBytes: Number.MAX_SAFE_INTEGER
      }).pipe(
        Layer.provide([
          apart({ concurrency: 2 }),
          given.headers === undefined ? UndiciHttpClient.layer() : transport(given.headers)
        ]),
        Layer.orDie
      )
    ),
    Effect.map(
      Either.match({
        onRight: ({ data }): Ending => ({ status: 200, data }),
        onLeft: (error): Ending => ({ status: 0, ...errorMembers(error), tag: error._tag })
      })
    )
  )
}

const errorMembers = (error: object): Partial<Ending> => {
  const members = Schema.decodeUnknownSync(ClientError)({ ...error })
  return { ...members, ...(members.retryAfter !== undefined && { retryAfter: members.retryAfter / 1000 }) }
}

const ClientError = Schema.Struct({
  status: Schema.Number,
  error: Schema.String,
  code: Schema.optional(Schema.String),
  details: Schema.optional(Schema.Unknown),
  /** Milliseconds. */
  retryAfter: Schema.optional(Schema.Number)
})

const words = (prompt: Prompt.Prompt): string =>
  prompt.content
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : content.map((part) => (part.type === "text" ? part.text : ""))
    )
    .join("\n")

/** A model that answers each prompt by a function of its text. */
export const modelOf = (answer: (prompt: string) => string): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: ({ prompt }) => Effect.sync(() => [{ type: "text" as const, text: answer(words(prompt)) }]),
      streamText: () => Stream.empty
    })
  )

/** The engine that really parses, with a model that answers so. */
export const engineWith = (
  answer: (prompt: string) => string,
  options: Partial<Embedded.ModelOptions> = {}
): Layer.Layer<Engine> =>
  Layer.provide(
    Embedded.layerNativeWithModel({ identity: "scripted", zeroDataRetention: true, ...options }),
    modelOf(answer)
  )
