import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import { ConnectionFailed, type ServiceError, UnexpectedResponse } from "../../service/ServiceError.ts"
import type { FileError, SourceFile } from "../../SourceFile.ts"
import { parseJson } from "../base/json.ts"
import * as Limits from "../base/limits.ts"
import type { ParseData } from "../base/parseResponse.ts"
import type { BaseAddress } from "./baseAddress.ts"
import { decodeEnvelope } from "./decodeData.ts"
import * as Exchange from "./exchange.ts"
import type { IdleConnections } from "./idleConnections.ts"
import * as originalText from "./originalText.ts"
import { redactedAnswer } from "./redacting.ts"
import * as serviceAnswer from "./serviceAnswer.ts"
import { connectionFailed } from "./transportFailure.ts"
import * as upload from "./upload.ts"

/** Settings shared by all requests of a client. */
export interface Settings {
  readonly http: HttpClient.HttpClient
  readonly address: BaseAddress
  /** Address of a parse request. */
  readonly parseUrl: URL
  /** Headers of every request, the key among them; the type and the length of the body are added. */
  readonly headers: Readonly<Record<string, string>>
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

interface Read {
  readonly data: ParseData
  /** True when the data are those of the text, from which no secret had to be removed. */
  readonly original: boolean
}

const fromSuccess = (
  settings: Settings,
  status: number,
  text: string,
  options: ParseOptions
): Either.Either<Read, UnexpectedResponse> => {
  if (text.trim() === "") return Either.left(unexpected(settings, status, "Empty", "the answer is empty"))
  const json = parseJson(text)
  if (Either.isLeft(json)) return Either.left(unexpected(settings, status, "NotJson", "the answer is not JSON"))
  const body = redactedAnswer(settings.redact, json.right)
  return Either.mapBoth(decodeEnvelope(body, { markdownRequested: markdownRequested(options) }), {
    onLeft: ({ error, reason }) => unexpected(settings, status, reason, error, body),
    onRight: (data) => ({ data, original: body === json.right })
  })
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** A failure to read the file breaks the exchange too; it is reported in place of the transport's error, which says less. */
const unanswered = (
  settings: Settings,
  progress: upload.Upload,
  failure: Exchange.Failure
): ServiceError | FileError => {
  switch (failure._tag) {
    case "Late":
      return timedOut(settings, progress, "no answer within the time allowed")
    case "Idle":
      return timedOut(settings, progress, "the answer stopped arriving")
    case "Unreadable":
      return unexpected(settings, failure.status, "NotJson", failure.error)
    default:
      return (
        progress.failure ??
        connectionFailed(failure.error, { host: settings.address.host, whole: progress.whole, redact: settings.redact })
      )
  }
}

const refused = (
  { redact }: Settings,
  { headers, status, text }: Exchange.Arrived
): Effect.Effect<never, ServiceError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.fail(serviceAnswer.fromAnswer({ status, headers, text, now, redact, strict: true }))
  )

const answered = (
  settings: Settings,
  { file, options }: Parse,
  progress: upload.Upload,
  arrived: Exchange.Arrived
): Effect.Effect<Answer, ServiceError | FileError> => {
  if (arrived.ended && arrived.headers["connection"]?.toLowerCase() !== "close") settings.connections.give()
  if (!isSuccess(arrived.status)) return refused(settings, arrived)
  const read = fromSuccess(settings, arrived.status, arrived.text, options)
  if (Either.isLeft(read)) return Effect.fail(read.left)
  const { data, original } = read.right
  return Effect.map(upload.contentHash(file, progress), (contentHash) =>
    original ? originalText.attach({ data, contentHash }, arrived.text) : { data, contentHash }
  )
}

/**
 * One attempt, the hot path of a request: reads a small file (a large one is read while it is sent), sends it and reads the answer to its
 * end. The platform's own errors are never passed on, since they hold the key. Interruption aborts the exchange and closes the file.
 * Redirects are not followed, whatever the transport. `onSend` is called when a request goes out, and not when a small file cannot be read
 * beforehand.
 */
export const send = (
  settings: Settings,
  parse: Parse,
  progress: upload.Upload,
  onSend: () => void
): Effect.Effect<Answer, ServiceError | FileError> =>
  Effect.flatMap(upload.body(parse.file, parse.mimeType, parse.options, progress), (body) => {
    onSend()
    return Effect.matchEffect(
      Exchange.exchange({
        http: settings.http,
        url: settings.parseUrl,
        headers: settings.headers,
        body,
        deadline: deadline(settings, parse),
        idle: settings.idle,
        onHead: () => {
          progress.answered = true
        }
      }),
      {
        onSuccess: (arrived) => answered(settings, parse, progress, arrived),
        onFailure: (failure) => Effect.fail(unanswered(settings, progress, failure))
      }
    )
  })
