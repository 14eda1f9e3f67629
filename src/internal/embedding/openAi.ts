import * as AiError from "@effect/ai/AiError"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { ConnectionFailed } from "../../service/ServiceError.ts"
import * as answerText from "../client/answerText.ts"
import type { BaseAddress } from "../client/baseAddress.ts"
import { redactedText } from "../client/redacting.ts"
import { parseJson } from "../client/serviceAnswer.ts"
import { connectionFailed, isUnpacking } from "../client/transportFailure.ts"

export interface Settings {
  readonly http: HttpClient.HttpClient
  readonly address: BaseAddress
  readonly authorization: string | undefined
  readonly redact: (text: string) => string
  readonly model: string
  /** Number of dimensions to request; undefined: the model's own. */
  readonly dimensions: number | undefined
  /** True while base64 vectors are requested; false once the server has refused them. */
  base64: boolean
  /** Time limit of one request, answer included. */
  readonly timeout: Duration.Duration
  /** Longest pause between two parts of an answer. */
  readonly idle: Duration.Duration
}

const place = { module: "OpenAiEmbeddings", method: "embedMany" } as const

const details = (settings: Settings) => ({
  method: "POST" as const,
  url: `${settings.address.url}/embeddings`,
  urlParams: [],
  hash: Option.none(),
  // The request's headers hold the key.
  headers: {}
})

/** An `AiError` whose cause is the transport's error without the request. */
const broken = (settings: Settings, cause: ConnectionFailed): AiError.AiError =>
  new AiError.HttpRequestError({
    ...place,
    reason: cause.reason === "address" ? "InvalidUrl" : "Transport",
    request: details(settings),
    description: cause.message,
    cause
  })

const timedOut = (settings: Settings, error: string): AiError.AiError =>
  broken(settings, new ConnectionFailed({ reason: "timeout", ambiguous: true, address: settings.address.host, error }))

const unusable = (description: string): AiError.AiError => new AiError.MalformedOutput({ ...place, description })

/** Headers that an error keeps: those that say when to ask again, and the target of a redirect. */
const keptHeaders = ["retry-after", "date", "location"] as const

const refused = (
  settings: Settings,
  { headers, status }: HttpClientResponse.HttpClientResponse,
  text: string
): AiError.AiError =>
  new AiError.HttpResponseError({
    ...place,
    reason: "StatusCode",
    request: details(settings),
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

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && key in value ? Reflect.get(value, key) : undefined

/** Decodes 32-bit floats, little-endian, from base64. */
const unpacked = (base64: string): Array<number> => {
  const bytes = Buffer.from(base64, "base64")
  if (bytes.length % 4 !== 0) return []
  const numbers = Array.from<number>({ length: bytes.length / 4 })
  for (let index = 0; index < numbers.length; index++) numbers[index] = bytes.readFloatLE(4 * index)
  return numbers
}

/** Components of a vector; one that is not a number becomes NaN, which is reported where the text is known. */
const componentsOf = (embedding: unknown): Array<number> => {
  if (typeof embedding === "string") return unpacked(embedding)
  if (!Array.isArray(embedding)) return []
  return embedding.map((component: unknown) => (typeof component === "number" ? component : Number.NaN))
}

/** Vectors by `index`, if the server sends it, otherwise in the order of the answer. */
const ordered = (items: ReadonlyArray<unknown>, count: number): Either.Either<Array<Array<number>>, string> => {
  if (items.length !== count) return Either.left(`the answer holds ${items.length} vectors for ${count} texts`)
  const indices = items.map((item) => member(item, "index") ?? null)
  if (indices.every((index) => index === null)) {
    return Either.right(items.map((item) => componentsOf(member(item, "embedding"))))
  }
  const placed = new Map<unknown, Array<number>>()
  items.forEach((item, at) => placed.set(indices[at], componentsOf(member(item, "embedding"))))
  const vectors: Array<Array<number>> = []
  for (let index = 0; index < count; index++) {
    const vector = placed.get(index)
    if (vector === undefined) return Either.left(`the answer holds no vector with index ${index}`)
    vectors.push(vector)
  }
  return Either.right(vectors)
}

/** Parses JSON, including the NaN and Infinity that some servers write, so that their texts can be named. */
const readJson = (text: string): Either.Either<unknown, unknown> =>
  Either.orElse(parseJson(text), () => parseJson(text.replaceAll(/-?\b(?:NaN|Infinity)\b/g, "null")))

const vectorsOf = (text: string, count: number): Either.Either<Array<Array<number>>, AiError.AiError> => {
  const body = readJson(text)
  if (Either.isLeft(body)) return Either.left(unusable("the answer is not JSON"))
  const data = member(body.right, "data")
  if (!Array.isArray(data)) return Either.left(unusable("the answer holds no list of vectors in `data`"))
  return Either.mapLeft(ordered(data, count), unusable)
}

const readText = (settings: Settings, response: HttpClientResponse.HttpClientResponse) =>
  Effect.catchAll(answerText.read(response, settings.idle), (error) => {
    switch (error._tag) {
      case "Unreadable":
        return Effect.fail(unusable(error.error))
      case "Idle":
        return Effect.fail(timedOut(settings, "the answer stopped arriving"))
      default:
        // Some transports have no stream for an answer without a body.
        if (error._tag === "ResponseError" && error.reason === "EmptyBody") return Effect.succeed("")
        return Effect.fail(
          isUnpacking(error) ? unusable("the answer cannot be unpacked") : broken(settings, transport(settings, error))
        )
    }
  })

const transport = (settings: Settings, error: unknown): ConnectionFailed =>
  connectionFailed(error, { host: settings.address.host, whole: true, redact: settings.redact })

const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, "\ufffd")

const requestOf = (settings: Settings, texts: ReadonlyArray<string>) =>
  HttpClientRequest.post(`${settings.address.url}/embeddings`, {
    headers: {
      accept: "application/json",
      ...(settings.authorization === undefined ? {} : { authorization: settings.authorization })
    }
  }).pipe(
    HttpClientRequest.bodyUnsafeJson({
      model: settings.model,
      input: texts.map(wellFormed),
      ...(settings.base64 ? { encoding_format: "base64" } : {}),
      ...(settings.dimensions === undefined ? {} : { dimensions: settings.dimensions })
    })
  )

const once = Effect.fnUntraced(function* (
  settings: Settings,
  texts: ReadonlyArray<string>
): Effect.fn.Return<Array<Array<number>>, AiError.AiError> {
  const response = yield* Effect.mapError(settings.http.execute(requestOf(settings, texts)), (error) =>
    broken(settings, transport(settings, error))
  )
  if (response.status >= 200 && response.status < 300) {
    return yield* vectorsOf(yield* readText(settings, response), texts.length)
  }
  // When reading the body of an error fails, its status alone is reported.
  const text = yield* Effect.orElseSucceed(readText(settings, response), () => "")
  if (settings.base64 && (response.status === 400 || response.status === 422) && text.includes("encoding_format")) {
    settings.base64 = false
    return yield* once(settings, texts)
  }
  return yield* refused(settings, response, text)
})

/** One request: as many vectors as texts, in their order. The platform's errors are never passed on: they hold the key. */
export const embedMany = (
  settings: Settings,
  texts: ReadonlyArray<string>
): Effect.Effect<Array<Array<number>>, AiError.AiError> =>
  texts.length === 0
    ? Effect.succeed([])
    : once(settings, texts).pipe(
        Effect.timeoutFail({
          duration: settings.timeout,
          onTimeout: () => timedOut(settings, "no answer within the time allowed")
        }),
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" })
      )
