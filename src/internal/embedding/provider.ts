import type * as AiError from "@effect/ai/AiError"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as RetryPolicy from "../../RetryPolicy.ts"
import {
  ConnectionFailed,
  PaymentRequired,
  type ServiceError,
  Unauthorized,
  UnexpectedResponse
} from "../../service/ServiceError.ts"
import { parseJson } from "../base/json.ts"
import { fromAnswer } from "../client/serviceAnswer.ts"
import { connectionFailed } from "../client/transportFailure.ts"
import type { ProviderError, Thrown } from "./failure.ts"

/** Components of a vector; one that is not a number counts as not finite. */
export type Components = ArrayLike<number>

/** Returns vectors in the order of the texts. Their number, length and finiteness are not checked yet. */
export type Provider = (texts: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Components>, ProviderError>

const identity = (text: string): string => text

const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && key in value ? Reflect.get(value, key) : undefined

export const thrown = (error: string): Thrown => ({ _tag: "Thrown", error: oneLine(error) })

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > 500 ? `${line.slice(0, 500)}…` : line
}

export const brokenContent = (error: string): UnexpectedResponse =>
  new UnexpectedResponse({ status: 200, reason: "NotJson", error: oneLine(error) })

/** Codes and types of exhausted credit, of OpenAI and of servers that speak its protocol. */
const creditCodes =
  /^(?:insufficient_(?:quota|credits?|balance|funds)|(?:quota|credits?)_(?:exceeded|exhausted)|billing_\w+|out_of_credits?)$/i

const lack = "insufficient|not enough|no|out of|exceed\\w*|exhausted|depleted|used up|too low|expired|reached"

/** Words of exhausted credit: what is lacking next to the lack of it. */
const creditWords = new RegExp(
  `\\b(?:${lack})\\b[^.]{0,60}\\b(?:quota|credits?|balance|billing|funds)\\b|\\b(?:quota|credits?|balance|billing|funds)\\b[^.]{0,60}\\b(?:${lack})\\b`,
  "iu"
)

/** Words of a limit that is one of time, whatever else the text says. */
const rateWords =
  /\b(?:rate.?limit\w*|too many requests|rpm|tpm|(?:per|a|an|every) (?:second|minute|hour|day)|(?:try|retry) (?:again )?(?:in|after)|quota metric)\b/iu

/**
 * Tests for exhausted credit, which some services answer with a 429 and which does not pass with time. `said`: the words of an answer that
 * names no wait.
 */
const outOfCredit = (text: string, said: string | null): boolean => {
  const body = parseJson(text)
  const error = body._tag === "Left" ? undefined : (member(body.right, "error") ?? body.right)
  const codes = [member(error, "code"), member(error, "type")]
  if (codes.includes("insufficient_quota")) return true
  if (said === null || rateWords.test(said)) return false
  return codes.some((code) => typeof code === "string" && creditCodes.test(code)) || creditWords.test(said)
}

/** First problem of a list as FastAPI writes it, `[{ loc, msg }]`, with its place. */
const problemOf = (details: unknown): string | undefined => {
  if (typeof details === "string") return details
  const first: unknown = Array.isArray(details) ? details[0] : undefined
  const [said, place] = [member(first, "msg"), member(first, "loc")]
  if (typeof said !== "string") return undefined
  return Array.isArray(place) ? `${place.join(".")}: ${said}` : said
}

/**
 * The body of an error in the form of OpenAI's: Google puts it into a list, Voyage and FastAPI name the problem `detail`, and Mistral
 * nests that in `message`.
 */
const plain = (text: string): string => {
  const body = Either.getOrUndefined(parseJson(text))
  const record: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body
  const detail = problemOf(member(record, "detail") ?? member(member(record, "message"), "detail"))
  if (detail !== undefined) {
    return JSON.stringify({ error: { message: detail, code: member(record, "code"), type: member(record, "type") } })
  }
  return record === body ? text : JSON.stringify(record)
}

/** Google's words for a wrong key, which it answers with 400. */
const wrongKey = /\bAPI[ _]key (?:not valid|expired|not found)\b|\bAPI_KEY_INVALID\b/iu

/** Converts an answer outside 2xx, by the parse service's table. `now` is in milliseconds since the epoch. */
const ofAnswer = (
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  now: number
): ServiceError => {
  const text = plain(body)
  const error = fromAnswer({ status, headers, text, now })
  if (status === 400 && wrongKey.test(error.message)) return new Unauthorized({ status: 401, error: error.message })
  const said = "retryAfter" in error && error.retryAfter !== undefined ? null : error.message
  return status === 429 && outOfCredit(text, said) ? new PaymentRequired({ status, error: error.message }) : error
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "the provider")

/** Converts the error of a model or of a request to a server: by its status, if it has one. `now` is in milliseconds since the epoch. */
export const ofAiError = (error: AiError.AiError, now: number): ProviderError => {
  switch (error._tag) {
    case "HttpRequestError":
      if (error.cause instanceof ConnectionFailed) return error.cause
      return connectionFailed(
        { reason: error.reason, cause: member(error.cause, "cause") ?? error.cause },
        { host: hostOf(error.request.url), whole: true, redact: identity }
      )
    case "HttpResponseError":
      if (error.reason === "StatusCode") {
        return ofAnswer(error.response.status, error.response.headers, error.body ?? "", now)
      }
      return brokenContent(error.description ?? "the answer cannot be read")
    case "MalformedOutput":
      return brokenContent(error.description ?? "the answer cannot be read")
    default:
      return thrown(error.description ?? error._tag)
  }
}

/** Provider over a model that may die, or interrupt itself when its answer is short; both become failures. */
export const ofModel =
  (embedMany: (texts: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Components>, AiError.AiError>): Provider =>
  (texts) =>
    Effect.flatMap(Effect.exit(embedMany(texts)), (exit) => {
      if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
      const failed = Cause.failureOption(exit.cause)
      if (Option.isSome(failed)) {
        return Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(ofAiError(failed.value, now)))
      }
      return Effect.fail(
        Cause.isInterruptedOnly(exit.cause)
          ? brokenContent("the model interrupted itself: it gave fewer vectors than texts, or died")
          : thrown(messageOf(Cause.squash(exit.cause)))
      )
    })

const messageOf = (error: unknown): string => {
  const message = member(error, "message")
  return typeof message === "string" && message !== "" ? message : String(error)
}

const codeOf = (error: unknown): string | undefined => {
  const code = member(member(error, "error"), "code") ?? member(error, "code")
  return typeof code === "string" ? code : undefined
}

/** The status of a client library's rejection: that of its answer, where LangChain's clients keep it. */
const statusOf = (error: unknown): number | undefined =>
  [member(error, "status"), member(error, "statusCode"), member(member(error, "response"), "status")].find(
    (status) => typeof status === "number"
  )

const transportCode = /^(ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOST|ENET|UND_ERR_)/

const isRecordOfText = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string")

const headersOf = (error: unknown): Readonly<Record<string, string | undefined>> => {
  // `responseHeaders` is the AI SDK's.
  const headers = member(error, "headers") ?? member(error, "responseHeaders")
  if (headers instanceof Headers) return Object.fromEntries(headers.entries())
  if (!isRecordOfText(headers)) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** In the form of the server's own body; a library's error may hold anything, including cycles and the key. */
const bodyOf = (error: unknown): string => {
  const body = member(error, "responseBody")
  return typeof body === "string" && body !== ""
    ? body
    : JSON.stringify({ error: { message: messageOf(error), code: codeOf(error) } })
}

/**
 * Converts a client library's rejection: by its status, if it has one, or as a broken connection, or by its message. One that says that it
 * is not retryable, as the AI SDK's do, is not retried; one without a status that says that it is had no answer.
 */
const ofRejection = (error: unknown, now: number): ProviderError => {
  const status = statusOf(error)
  const retryable = member(error, "isRetryable")
  if (status !== undefined && status >= 400 && status < 600) {
    const answer = ofAnswer(status, headersOf(error), bodyOf(error), now)
    return retryable === false && RetryPolicy.retryable(answer) ? thrown(messageOf(error)) : answer
  }
  const broken = connectionFailed({ cause: error }, { host: "the embedding function", whole: true, redact: identity })
  const byCode = broken.code !== undefined && transportCode.test(broken.code)
  return byCode || (retryable === true && status === undefined) ? broken : thrown(messageOf(error))
}

/** Provider over a function that returns a promise. */
export const ofFunction =
  (embed: (texts: ReadonlyArray<string>, signal: AbortSignal) => PromiseLike<ReadonlyArray<Components>>): Provider =>
  (texts) =>
    Effect.tryPromise({
      try: async (signal) => embed(texts, signal),
      catch: (error) => error
    }).pipe(
      Effect.catchAll((error) => Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(ofRejection(error, now))))
    )
