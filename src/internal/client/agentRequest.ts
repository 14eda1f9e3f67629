import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { constVoid } from "effect/Function"
import { ConnectionFailed, type ServiceError, UnexpectedResponse } from "../../service/ServiceError.ts"
import { parseJson } from "../base/json.ts"
import { isRecord } from "../base/rules.ts"
import * as AgentError from "./agentError.ts"
import type { Connection } from "./connection.ts"
import * as Exchange from "./exchange.ts"
import { redactedExcept } from "./redacting.ts"
import * as serviceAnswer from "./serviceAnswer.ts"
import { connectionFailed } from "./transportFailure.ts"

/** Settings shared by all requests of an agent client. */
export interface Settings extends Connection {
  /** Time limit of one request, answer included. */
  readonly timeout: Duration.Duration
  /** Longest pause between two parts of an answer. */
  readonly idle: Duration.Duration
  /** Largest answer in bytes. */
  readonly maxBytes: number
}

/** One operation on the agent endpoints. */
export interface Call {
  readonly method: HttpMethod
  /** Below the base address, with its slash. */
  readonly path: string
  /** JSON; absent for none. */
  readonly body?: Uint8Array | undefined
  /** Members of the answer that hold content: a key in them stays. */
  readonly content?: ReadonlySet<string> | undefined
}

/** A success: a JSON object, without members when the answer had no body. */
export interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const nothing: ReadonlySet<string> = new Set()

const timedOut = ({ address }: Settings, error: string): ConnectionFailed =>
  new ConnectionFailed({ reason: "timeout", ambiguous: true, address: address.host, error })

/** A success that cannot be used. */
export const unexpected = (
  status: number,
  reason: UnexpectedResponse["reason"],
  error: string,
  body: unknown = null
): UnexpectedResponse => new UnexpectedResponse({ status, reason, error, ...serviceAnswer.particulars(body) })

const unanswered = (settings: Settings, failure: Exchange.Failure): ServiceError => {
  switch (failure._tag) {
    case "Late":
      return timedOut(settings, "no answer within the time allowed")
    case "Idle":
      return timedOut(settings, "the answer stopped arriving")
    case "Unreadable":
      return unexpected(failure.status, "NotJson", failure.error)
    default:
      return connectionFailed(failure.error, { host: settings.address.host, whole: true, redact: settings.redact })
  }
}

/** The row that an answer outside 2xx belongs to: one of the agent table by its text, or else the general one of its status. */
const refused = ({ redact }: Settings, arrived: Exchange.Arrived, now: number): AgentError.RequestError => {
  const { headers, status, text } = arrived
  const general = (redact?: (text: string) => string): ServiceError =>
    serviceAnswer.fromAnswer({ status, headers, text, now, redact, strict: true })
  const said = general()
  const tag = "status" in said ? AgentError.tagOf(said) : undefined
  const kept = general(redact)
  if (tag === undefined || !("status" in kept)) return kept
  // The row's own text is no secret, though a word of it may be the key.
  const { error } = AgentError.catalogue[tag]
  return AgentError.ofTag(tag, said.error === error ? { ...kept, error } : kept)
}

const succeeded = (
  { redact }: Settings,
  { content = nothing }: Call,
  { status, text }: Exchange.Arrived
): Either.Either<Answered, UnexpectedResponse> => {
  if (text.trim() === "") return Either.right({ status, body: {} })
  const json = parseJson(text)
  if (Either.isLeft(json)) return Either.left(unexpected(status, "NotJson", "the answer is not JSON"))
  const body = redactedExcept(redact, json.right, content)
  if (!isRecord(body)) return Either.left(unexpected(status, "NoSuccess", "the answer is not a JSON object"))
  // The record of a failed job may say so too: it has a status.
  if (body["success"] === false && body["status"] === undefined) {
    const said =
      typeof body["error"] === "string" ? body["error"] : "the answer does not say that the request succeeded"
    return Either.left(unexpected(status, "NoSuccess", said, body))
  }
  return Either.right({ status, body })
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/**
 * Sends one request and reads the answer to its end. The platform's own errors are never passed on, since they hold the key. Redirects are
 * not followed. Interruption aborts the exchange.
 */
export const send = (settings: Settings, call: Call): Effect.Effect<Answered, AgentError.RequestError> =>
  Exchange.execute({
    http: settings.http,
    request: HttpClientRequest.make(call.method)(`${settings.address.url}${call.path}`, {
      headers: settings.headers,
      ...(call.body !== undefined && { body: HttpBody.uint8Array(call.body, "application/json") })
    }),
    deadline: settings.timeout,
    idle: settings.idle,
    maxBytes: settings.maxBytes,
    onHead: constVoid
  }).pipe(
    Effect.mapError((failure) => unanswered(settings, failure)),
    Effect.flatMap((arrived): Effect.Effect<Answered, AgentError.RequestError> =>
      isSuccess(arrived.status)
        ? succeeded(settings, call, arrived)
        : Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(refused(settings, arrived, now)))
    )
  )
