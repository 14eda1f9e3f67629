/** Requests to a store: limits of time, and attempts until an answer that counts. */
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ServiceUnreachable } from "../../service/ServiceError.ts"
import { SourceUnavailable } from "../../Source.ts"
import * as Message from "../base/message.ts"
import { option, text } from "../base/message.ts"
import { type PrivateAddress, refusalIn } from "../client/privateAddress.ts"
import { fromHeader } from "../client/retryAfter.ts"
import * as Attempts from "../gate/attempts.ts"
import * as Gates from "../gate/registry.ts"

/**
 * Attempts of one request that a store answers, and of one that it does not; the waits between them are 0.2, 0.4, 0.8 … seconds, up to a
 * half more by chance, or as the store says.
 */
const attempts = { answered: 7, unanswered: 4 } as const

/** Longest wait for the head of an answer, in milliseconds. */
const headTimeout = 30_000

/** Longest wait that an answer may ask for, in milliseconds. */
const longestWait = 60_000

const firstWait = 200

/** Requests to one origin that may wait for the heads of their answers at the same time. */
const concurrency = 64

/** Bytes of an answer that nobody wants, and milliseconds, after which its connection is closed instead of read on. */
const unwanted = { bytes: 65_536, time: 5000 } as const

/** Statuses of a store that is overloaded or restarts. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 509, 520, 521, 522, 523, 524, 529])

const reasonOf = (status: number): SourceUnavailable["reason"] =>
  status === 425 || status === 429 || status === 503 || status === 509 || status === 529
    ? "Throttled"
    : status === 408 || status === 504
      ? "Timeout"
      : "Failed"

const problems: Partial<Record<SourceUnavailable["reason"], string>> = {
  Throttled: "throttles requests; run again later, or with less concurrency",
  Timeout: "did not answer in time; run again later",
  Unreachable: "cannot be reached; check the address and the network",
  Failed: "failed; run again later"
}

/** The first bytes of a body as text; empty for one that breaks off or takes too long. The connection is free afterwards, or closed. */
export const beginning = (answer: HttpClientResponse.HttpClientResponse): Effect.Effect<string> =>
  Effect.suspend(() => {
    let left: number = unwanted.bytes
    const first = Stream.takeUntil(answer.stream, (part) => {
      left -= part.length
      return left <= 0
    })
    return first.pipe(
      Stream.decodeText(),
      Stream.mkString,
      Effect.timeout(unwanted.time),
      Effect.orElseSucceed(() => "")
    )
  })

/** Ends an answer whose body is not wanted, whether that ends or not. */
export const dismissed = (answer: HttpClientResponse.HttpClientResponse): Effect.Effect<void> =>
  Effect.asVoid(beginning(answer))

const failed = (source: string, reason: SourceUnavailable["reason"], rest: { status?: number; cause?: unknown }) =>
  new SourceUnavailable({ source, reason, problem: problems[reason] ?? "cannot be used", ...rest })

/** A host that may not be asked is not asked again. */
const refused = (source: string, { host, message }: PrivateAddress) =>
  new SourceUnavailable({
    source,
    reason: "Invalid",
    ...Message.problem(text`${message}; allow ${host} with the option ${option("allowPrivate")} if it is meant`)
  })

const unreachable = (source: string) => (cause: unknown) => {
  const refusal = refusalIn(cause)
  return refusal === undefined ? failed(source, "Unreachable", { cause }) : refused(source, refusal)
}

/** A request without an answer that counts: none at all, or one with a status that passes by itself. */
class Failure {
  readonly error: SourceUnavailable
  /** Milliseconds that the store asks to wait; undefined when it named none. */
  readonly asked: number | undefined

  constructor(error: SourceUnavailable, asked?: number) {
    this.error = error
    this.asked = asked
  }
}

const sentOnce = (
  source: string,
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<HttpClientResponse.HttpClientResponse, Failure, HttpClient.HttpClient> =>
  Effect.flatMap(HttpClient.HttpClient, (client) => client.execute(request)).pipe(
    Effect.mapError(unreachable(source)),
    Effect.timeoutFail({ duration: headTimeout, onTimeout: () => failed(source, "Timeout", {}) }),
    Effect.mapError((error) => new Failure(error)),
    Effect.flatMap((answer) => {
      const { headers, status } = answer
      if (!passing.has(status)) return Effect.succeed(answer)
      return Effect.flatMap(Effect.zipRight(dismissed(answer), Clock.currentTimeMillis), (now) =>
        Effect.fail(new Failure(failed(source, reasonOf(status), { status }), fromHeader(headers, now)))
      )
    })
  )

/** A throttled answer slows down every request to the host; a failure counts for its own request only. */
const makeRules = (): Attempts.Rules<Failure> => {
  let made = 0
  return {
    begin: () => {
      made += 1
    },
    judge: ({ asked, error }, _, random) => {
      const throttled = error.reason === "Throttled"
      const state = throttled ? "rateLimited" : "unsent"
      const most = error.status === undefined ? attempts.unanswered : attempts.answered
      if (made >= most || !error.transient || (asked ?? 0) > longestWait) return { state, wait: null }
      const backoff = firstWait * 2 ** (made - 1) * (1 + random / 2)
      return { state, wait: Math.max(asked ?? 0, backoff), closes: throttled && asked !== undefined }
    }
  }
}

/** The place of a request. */
export interface Place {
  /** The source in messages. */
  readonly source: string
  /** Origin of the requests: all to one origin share a gate. */
  readonly origin: string
}

/**
 * Sends the request until it is answered with a status that will not pass by itself, or attempts are used up: then it fails. `make` is
 * run for each attempt, since a signature holds the time. The answer's body has to be read, or its scope closed.
 *
 * The gate lasts as long as requests to the origin are under way; it is left when the head of the answer has arrived.
 */
export const send = <E>(
  { origin, source }: Place,
  make: Effect.Effect<HttpClientRequest.HttpClientRequest, E>
): Effect.Effect<HttpClientResponse.HttpClientResponse, E | SourceUnavailable, HttpClient.HttpClient> =>
  Gates.using({ address: origin }, { concurrency }, (gate) =>
    Attempts.repeated(gate, {
      rules: makeRules(),
      send: Effect.flatMap(make, (request) => Effect.either(sentOnce(source, request))),
      problemOf: ({ error }) => error.problem
    })
  ).pipe(
    Effect.mapError((failure) => {
      if (failure instanceof Failure) return failure.error
      // Only a store that throttles closes the gate.
      return failure instanceof ServiceUnreachable ? failed(source, "Throttled", { cause: failure }) : failure
    })
  )
