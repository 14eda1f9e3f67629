import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Limits from "../../service/Limits.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import type { ParseData } from "../../service/ParseResponse.ts"
import { ConnectionFailed, type ServiceError, UnexpectedResponse } from "../../service/ServiceError.ts"
import type { FileError, SourceFile } from "../../SourceFile.ts"
import * as answerText from "./answerText.ts"
import type { BaseAddress } from "./baseAddress.ts"
import { decodeEnvelope } from "./decodeData.ts"
import type { IdleConnections } from "./idleConnections.ts"
import { redactedAnswer, redactedText } from "./redacting.ts"
import * as serviceAnswer from "./serviceAnswer.ts"
import { connectionFailed, isUnpacking } from "./transportFailure.ts"
import * as upload from "./upload.ts"

/** Settings shared by all requests of a client. */
export interface Settings {
  readonly http: HttpClient.HttpClient
  readonly address: BaseAddress
  /** Value of the `Authorization` header; undefined for a service without keys. */
  readonly authorization: string | undefined
  /** Removes the key from a text. */
  readonly redact: (text: string) => string
  /** Rate in bytes a second below which an upload counts as stalled. */
  readonly floorRate: number
  /** Added to `size ÷ floorRate + options.timeout` to give the time limit of one attempt. */
  readonly grace: Duration.Duration
  /** Longest pause between two parts of an answer. */
  readonly idle: Duration.Duration
  readonly connections: IdleConnections
}

/** One request: a file and its options. */
export interface Parse {
  readonly file: SourceFile
  readonly mimeType: string
  readonly options: ParseOptions
}

export interface Answer {
  readonly data: ParseData
  readonly contentHash: string
}

const deadline = (settings: Settings, { file, options }: Parse): Duration.Duration =>
  Duration.sum(
    Duration.millis((file.size / settings.floorRate) * 1000 + (options.timeout ?? Limits.defaultTimeout)),
    settings.grace
  )

const timedOut = (settings: Settings, progress: upload.Upload, error: string): ConnectionFailed =>
  new ConnectionFailed({ reason: "timeout", ambiguous: progress.whole, address: settings.address.host, error })

/** A failure to read the file breaks the exchange too; it is reported in place of the transport's error, which says less. */
const broken = (settings: Settings, progress: upload.Upload, error: HttpClientError): ServiceError | FileError =>
  progress.failure ??
  connectionFailed(error, { host: settings.address.host, whole: progress.whole, redact: settings.redact })

const unexpected = (
  settings: Settings,
  status: number,
  reason: UnexpectedResponse["reason"],
  error: string,
  body: unknown = null
): UnexpectedResponse =>
  new UnexpectedResponse({ status, reason, error: settings.redact(error), ...serviceAnswer.particulars(body) })

const markdownRequested = (options: ParseOptions): boolean =>
  options.formats === undefined ||
  options.formats.length === 0 ||
  options.formats.some((format) => format.type === "markdown")

const fromSuccess = (
  settings: Settings,
  status: number,
  text: string,
  options: ParseOptions
): Either.Either<ParseData, UnexpectedResponse> => {
  if (text.trim() === "") return Either.left(unexpected(settings, status, "Empty", "the answer is empty"))
  return serviceAnswer.parseJson(text).pipe(
    Either.mapLeft(() => unexpected(settings, status, "NotJson", "the answer is not JSON")),
    Either.map((body) => redactedAnswer(settings.redact, body)),
    Either.flatMap((body) =>
      Either.mapLeft(decodeEnvelope(body, { markdownRequested: markdownRequested(options) }), ({ error, reason }) =>
        unexpected(settings, status, reason, error, body)
      )
    )
  )
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const keptAlive = (response: HttpClientResponse.HttpClientResponse): boolean =>
  response.headers["connection"]?.toLowerCase() !== "close"

/** Body of an answer. When reading the body of an error answer fails, its status alone is reported. */
const textOf = (settings: Settings, progress: upload.Upload, response: HttpClientResponse.HttpClientResponse) => {
  const text = answerText.read(response, settings.idle).pipe(
    // Some transports have no stream for an answer without a body.
    Effect.catchIf(
      (error) => error._tag === "ResponseError" && error.reason === "EmptyBody",
      () => Effect.succeed("")
    ),
    Effect.tap(() => {
      if (keptAlive(response)) settings.connections.give()
    })
  )
  if (!isSuccess(response.status)) return Effect.orElseSucceed(text, () => "")
  return Effect.mapError(text, (error) => {
    switch (error._tag) {
      case "Unreadable":
        return unexpected(settings, response.status, "NotJson", error.error)
      case "Idle":
        return timedOut(settings, progress, "the answer stopped arriving")
      default:
        return isUnpacking(error)
          ? unexpected(settings, response.status, "NotJson", "the answer cannot be unpacked")
          : broken(settings, progress, error)
    }
  })
}

const answerOf = Effect.fnUntraced(function* (
  settings: Settings,
  { file, options }: Parse,
  progress: upload.Upload,
  response: HttpClientResponse.HttpClientResponse
) {
  const { headers, status } = response
  const text = yield* textOf(settings, progress, response)
  if (!isSuccess(status)) {
    const now = yield* Clock.currentTimeMillis
    return yield* serviceAnswer.fromAnswer({
      status,
      headers,
      text: redactedText(settings.redact, text),
      now,
      strict: true
    })
  }
  const data = yield* fromSuccess(settings, status, text, options)
  return { data, contentHash: yield* upload.contentHash(file, progress) }
})

/**
 * One attempt: sends the file and reads the answer to its end. The platform's own errors are never passed on, since they hold the key.
 * Interruption aborts the exchange and closes the file. Redirects are not followed, whatever the transport. `onSend` is called when a
 * request goes out, and not when a small file cannot be read beforehand.
 */
export const send = (
  settings: Settings,
  parse: Parse,
  progress: upload.Upload,
  onSend: () => void
): Effect.Effect<Answer, ServiceError | FileError> =>
  Effect.gen(function* () {
    const body = yield* upload.body(parse.file, parse.mimeType, parse.options, progress)
    const request = HttpClientRequest.post(`${settings.address.url}/parse`, {
      body,
      headers: {
        accept: "application/json",
        ...(settings.authorization === undefined ? {} : { authorization: settings.authorization })
      }
    })
    onSend()
    const response = yield* Effect.mapError(settings.http.execute(request), (error) =>
      broken(settings, progress, error)
    )
    progress.answered = true
    return yield* answerOf(settings, parse, progress, response)
  }).pipe(
    Effect.timeoutFail({
      duration: deadline(settings, parse),
      onTimeout: () => timedOut(settings, progress, "no answer within the time allowed")
    }),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" })
  )
