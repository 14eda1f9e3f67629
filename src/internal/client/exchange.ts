import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as plainBytes from "../base/plainBytes.ts"
import { untraced } from "../telemetry/untraced.ts"
import * as answerText from "./answerText.ts"
import * as plainPost from "./plainPost.ts"
import * as sentBody from "./sentBody.ts"
import { isUnpacking } from "./transportFailure.ts"
import { type Body, platformBody } from "./upload.ts"

/** One request, ready to be sent. */
export interface Exchange {
  readonly http: HttpClient.HttpClient
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
  /** Time for the whole exchange. */
  readonly deadline: Duration.Duration
  /** Longest pause between two parts of the answer. */
  readonly idle: Duration.Duration
  /** Called when the head of the answer has arrived. */
  readonly onHead: () => void
}

/** Status and headers of an answer; names in lower case. */
export interface Head {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** An answer. */
export interface Arrived extends Head {
  /** Empty for an error answer whose body could not be read. */
  readonly text: string
  /** True when the body was read to its end: the connection may be used again. */
  readonly ended: boolean
}

/** An exchange without an answer that can be read. */
export type Failure =
  | { readonly _tag: "Late" }
  /** `error` holds the transport's own failure as its `cause`. */
  | { readonly _tag: "Broken"; readonly error: unknown }
  | { readonly _tag: "Idle" }
  | { readonly _tag: "Unreadable"; readonly status: number; readonly error: string }

const late: Failure = { _tag: "Late" }
const idle: Failure = { _tag: "Idle" }

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** The failure to read a body counts for nothing where the status says all: an error answer is reported without its text. */
const afterHead = (head: Head, failure: Failure): Effect.Effect<Arrived, Failure> =>
  isSuccess(head.status) ? Effect.fail(failure) : Effect.succeed({ ...head, text: "", ended: false })

const textOf = (head: Head, bytes: Uint8Array): Effect.Effect<Arrived, Failure> =>
  Effect.matchEffect(answerText.decode(bytes, head.headers["content-encoding"]), {
    onSuccess: (text) => Effect.succeed({ ...head, text, ended: true }),
    onFailure: ({ error }) => afterHead(head, { _tag: "Unreadable", status: head.status, error })
  })

const oneEach = (headers: plainPost.Head["headers"]): Head["headers"] => {
  const output: Record<string, string | undefined> = {}
  for (const name in headers) {
    const value = headers[name]
    output[name] = value === undefined || typeof value === "string" ? value : value.join(", ")
  }
  return output
}

const headOf = ({ headers, status }: plainPost.Head): Head => ({ status, headers: oneEach(headers) })

/** Milliseconds of a time, rounded up to seconds: timers of the same length share one list, those of each file's own length would not. */
const wholeSeconds = (time: Duration.Duration): number => Math.ceil(Duration.toSeconds(time)) * 1000

/** Through our own transport: a few effects a request. */
const plainly = (post: plainPost.PlainPost, asked: Exchange): Effect.Effect<Arrived, Failure> => {
  const { content, contentType, length } = asked.body
  return Effect.matchEffect(
    post({
      url: asked.url,
      headers: { ...asked.headers, "content-type": contentType, "content-length": String(length) },
      body:
        content instanceof Uint8Array ? content : (plainBytes.of(content)?.parts() ?? Stream.toAsyncIterable(content)),
      deadline: wholeSeconds(asked.deadline),
      idle: Duration.toMillis(asked.idle),
      maxBytes: answerText.maxBytes,
      onHead: asked.onHead
    }),
    {
      onSuccess: (answer) => textOf(headOf(answer), answer.bytes),
      onFailure: ({ cause, head, reason }) => {
        if (reason === "Late") return Effect.fail(late)
        const failure = failureOf(reason, head?.status ?? 0, cause)
        return head === null ? Effect.fail(failure) : afterHead(headOf(head), failure)
      }
    }
  )
}

const failureOf = (reason: "Broken" | "Idle" | "TooLarge", status: number, cause: unknown): Failure => {
  switch (reason) {
    case "Broken":
      return { _tag: "Broken", error: { cause } }
    case "Idle":
      return idle
    default:
      return { _tag: "Unreadable", status, error: answerText.tooLarge(answerText.maxBytes) }
  }
}

const readAll = (
  response: HttpClientResponse.HttpClientResponse,
  longest: Duration.Duration,
  most: number | undefined
): Effect.Effect<Arrived, Failure> => {
  const head: Head = { status: response.status, headers: response.headers }
  return answerText.read(response, longest, most).pipe(
    // Some transports have no stream for an answer without a body.
    Effect.catchIf(
      (error) => error._tag === "ResponseError" && error.reason === "EmptyBody",
      () => Effect.succeed("")
    ),
    Effect.matchEffect({
      onSuccess: (text) => Effect.succeed({ ...head, text, ended: true }),
      onFailure: (error) => afterHead(head, ofReading(head, error))
    })
  )
}

const ofReading = ({ status }: Head, error: Effect.Effect.Error<ReturnType<typeof answerText.read>>): Failure => {
  switch (error._tag) {
    case "Unreadable":
      return { _tag: "Unreadable", status, error: error.error }
    case "Idle":
      return idle
    default:
      return isUnpacking(error)
        ? { _tag: "Unreadable", status, error: "the answer cannot be unpacked" }
        : { _tag: "Broken", error }
  }
}

/** A request of any method, ready to be sent. */
export interface Asked extends Pick<Exchange, "http" | "deadline" | "idle" | "onHead"> {
  readonly request: HttpClientRequest.HttpClientRequest
  /** Largest answer in bytes; default {@link answerText.maxBytes}. */
  readonly maxBytes?: number | undefined
}

/** Sends a request through any transport and reads the answer to its end. Redirects are not followed, whichever it is. */
export const execute = (asked: Asked): Effect.Effect<Arrived, Failure> =>
  untraced(asked.http)
    .execute(asked.request)
    .pipe(
      Effect.mapError((error): Failure => ({ _tag: "Broken", error })),
      Effect.flatMap((response) => {
        asked.onHead()
        return readAll(response, asked.idle, asked.maxBytes)
      }),
      Effect.timeoutFail({ duration: asked.deadline, onTimeout: () => late }),
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" })
    )

const throughPlatform = (asked: Exchange): Effect.Effect<Arrived, Failure> =>
  execute({
    ...asked,
    request: HttpClientRequest.post(asked.url, { body: platformBody(asked.body), headers: asked.headers })
  })

/** The clock of this machine, which plain timers follow. */
const systemClock = Context.get(DefaultServices.liveServices, Clock.Clock)

/**
 * Sends the request and reads the answer to its end. Our own transport is asked without the layers of the platform, unless the time of the
 * program is not that of this machine. Interruption aborts the exchange. However it ends, the body is closed then.
 */
export const exchange = (asked: Exchange): Effect.Effect<Arrived, Failure> => {
  const { content } = asked.body
  if (content instanceof Uint8Array) return sent(asked)
  return Effect.suspend(() => {
    const body = sentBody.make(content)
    return Effect.ensuring(sent({ ...asked, body: { ...asked.body, content: body.content } }), body.close)
  })
}

const sent = (asked: Exchange): Effect.Effect<Arrived, Failure> => {
  const post = plainPost.of(asked.http)
  return post === undefined
    ? throughPlatform(asked)
    : Effect.clockWith((clock) => (clock === systemClock ? plainly(post, asked) : throughPlatform(asked)))
}
