/**
 * Rules for retries: the table of answers as data, and one pure decision about whether and when to try again.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as answerRules from "./internal/client/answerRules.ts"
import { fromHeader } from "./internal/client/retryAfter.ts"
import * as Attempts from "./internal/gate/attempts.ts"
import type { ServiceError } from "./service/ServiceError.ts"

/**
 * Rule for one kind of answer: its attempts; whether the document fails or the run stops once they are used up; and whether the
 * same file may succeed in a later run.
 *
 * @since 0.1.0
 * @category models
 */
export type Rule = answerRules.Rule

/**
 * @since 0.1.0
 * @category models
 */
export type RuleName = answerRules.RuleName

/**
 * The table of rules, and the only place that decides which failure is retried. `throttled`: 429 and a 408 from the service's
 * queue; `unhealthy`: 500, 502, 503; `gateway`: 504; `timeout`: another 408; `otherServerError`: a 5xx outside the catalogue;
 * `brokenContent`: a success that cannot be read; `foreign`: a 4xx other than 401, 402, 404, 413, 415 whose body is no error
 * record of the interface, except a 429 that says how long to wait; `ambiguous`: the exchange broke after the request was sent;
 * `unsent`: before; `unresolved`: the host name is unknown; `extraction`: 422 when `json` was asked for; `outage`: requests to
 * the service were given up; `document` and `run`: never tried again.
 *
 * @since 0.1.0
 * @category constants
 */
export const rules: Readonly<Record<RuleName, Rule>> = answerRules.rules

/**
 * The rule of an error; `json` is true when the format `json` was requested (default false).
 *
 * @since 0.1.0
 * @category accessors
 */
export const ruleOf = (error: ServiceError, json = false): RuleName => answerRules.ruleOf(error, json)

/**
 * True when the same file may succeed in a later run without any change. Any other failure of a document is final: its bytes are
 * not sent again with the same options.
 *
 * @since 0.1.0
 * @category accessors
 */
export const retryable = (error: ServiceError): boolean => answerRules.rules[ruleOf(error)].retryable

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Most attempts for a document, the first included; a rule may allow fewer; default 5. */
  readonly attempts?: number | undefined
  /** First back-off, doubled each time up to 30 seconds, with full jitter; default 500 millis. */
  readonly base?: Duration.DurationInput | undefined
  /**
   * Longest wait that the service may ask for as the document's own; default 120 seconds. A longer one is for everybody: it closes the
   * gate, is no attempt, and counts towards the gate's `outageLimit` rather than `maxElapsed`.
   */
  readonly maxRetryAfter?: Duration.DurationInput | undefined
  /**
   * Longest time from a document's first request to the start of its last, without the time in which the service as a whole
   * was not asked (`RequestGate.downtime`); default 10 minutes.
   */
  readonly maxElapsed?: Duration.DurationInput | undefined
  /** Retry a request that was sent and got no answer, and so may have been charged already; default true. */
  readonly retryAmbiguous?: boolean | undefined
}

const defaults = {
  attempts: 5,
  base: "500 millis",
  maxRetryAfter: "120 seconds",
  maxElapsed: "10 minutes",
  retryAmbiguous: true
} as const satisfies Options

const longestBackoff = 30_000

/**
 * The options with defaults filled in; durations in milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface RetryPolicy {
  readonly attempts: number
  readonly base: number
  readonly maxRetryAfter: number
  readonly maxElapsed: number
  readonly retryAmbiguous: boolean
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): RetryPolicy => ({
  attempts: options.attempts ?? defaults.attempts,
  base: Duration.toMillis(options.base ?? defaults.base),
  maxRetryAfter: Duration.toMillis(options.maxRetryAfter ?? defaults.maxRetryAfter),
  maxElapsed: Duration.toMillis(options.maxElapsed ?? defaults.maxElapsed),
  retryAmbiguous: options.retryAmbiguous ?? defaults.retryAmbiguous
})

/**
 * As {@link make}, for a sink that is `Unavailable`: by default as many attempts as fit into 20 seconds, the last one at their end.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofSinks = (options: Options = {}): RetryPolicy =>
  make({
    ...options,
    attempts: options.attempts ?? sinkDefaults.attempts,
    maxElapsed: options.maxElapsed ?? sinkDefaults.maxElapsed
  })

const sinkDefaults = { attempts: Infinity, maxElapsed: "20 seconds" } as const satisfies Options

/**
 * Attempts that a document has used so far.
 *
 * @since 0.1.0
 * @category models
 */
export interface Spent {
  /** Attempts of all rules. */
  readonly attempts: number
  readonly byRule: Readonly<Partial<Record<RuleName, number>>>
  /** Throttled answers, which use up no attempts. */
  readonly throttled: number
  /** True once the one free retry after a stale connection is used. */
  readonly freeRetry: boolean
}

/**
 * @since 0.1.0
 * @category constants
 */
export const nothingSpent: Spent = { attempts: 0, byRule: {}, throttled: 0, freeRetry: false }

/**
 * A failed attempt, with the other inputs of the decision.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failure {
  readonly error: ServiceError
  /** Milliseconds since the document's first request, without those in which the service as a whole was not asked. */
  readonly elapsed: number
  /** True while the gate's breaker is not closed: a failure of the service's health is then no attempt. Default false. */
  readonly free?: boolean | undefined
  /** True while the gate spaces requests out: a throttled answer then backs off by `base` at most, each time. Default false. */
  readonly paced?: boolean | undefined
  /** True when the format `json` was requested. */
  readonly json: boolean
  /**
   * True when no byte of an answer came and the request may have been sent on a kept-alive connection that the other side was
   * closing.
   */
  readonly reusedConnection: boolean
  /** Uniform in `[0, 1)`: the jitter. */
  readonly random: number
}

/**
 * @since 0.1.0
 * @category models
 */
export type Decision =
  | { readonly _tag: "GiveUp"; readonly spent: Spent }
  /**
   * `millis` from now; never less than the service asked for. `closes`: the service asked for more than `maxRetryAfter`, so that nobody
   * should ask before.
   */
  | { readonly _tag: "Wait"; readonly millis: number; readonly spent: Spent; readonly closes: boolean }

const backoff = (policy: RetryPolicy, exponent: number, random: number): number =>
  Math.round(random * Math.min(longestBackoff, policy.base * 2 ** exponent))

const requestedWait = (error: ServiceError): number => ("retryAfter" in error ? (error.retryAfter ?? 0) : 0)

/** Adds the attempt to those spent, as its rule counts it; null when it was the last one. */
const spend = (policy: RetryPolicy, spent: Spent, rule: RuleName): Spent | null => {
  const allowed = answerRules.rules[rule].attempts
  if (allowed === "time") return { ...spent, throttled: spent.throttled + 1 }
  const attempts = spent.attempts + 1
  const ofRule = (spent.byRule[rule] ?? 0) + 1
  if (ofRule >= allowed || attempts >= policy.attempts) return null
  if (rule === "ambiguous" && !policy.retryAmbiguous) return null
  return { ...spent, attempts, byRule: { ...spent.byRule, [rule]: ofRule } }
}

/** Error codes of a write to a connection that the other side has closed. */
const closedCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])

const isStale = (policy: RetryPolicy, spent: Spent, { error, reusedConnection }: Failure): boolean =>
  reusedConnection &&
  !spent.freeRetry &&
  error._tag === "ConnectionFailed" &&
  error.code !== undefined &&
  closedCodes.has(error.code) &&
  (policy.retryAmbiguous || !error.ambiguous)

/**
 * Decides if and when to try again after a failed attempt. Pure.
 *
 * @since 0.1.0
 * @category combinators
 */
export const decide = (policy: RetryPolicy, spent: Spent, failure: Failure): Decision => {
  if (isStale(policy, spent, failure)) return wait(0, { ...spent, freeRetry: true })
  const rule = ruleOf(failure.error, failure.json)
  const askedFor = requestedWait(failure.error)
  if (askedFor > policy.maxRetryAfter && answerRules.rules[rule].attempts !== 1) return wait(askedFor, spent, true)
  if (failure.free === true && isFree(policy, rule)) return wait(askedFor, spent)
  const after = spend(policy, spent, rule)
  if (after === null) return { _tag: "GiveUp", spent }
  const exponent = rule !== "throttled" ? spent.attempts : failure.paced === true ? 0 : spent.throttled
  const jittered = backoff(policy, exponent, failure.random)
  // The wait that a throttled answer asks for is used as it is; that of any other answer is only a lower bound.
  const millis = rule === "throttled" && askedFor > 0 ? askedFor : Math.max(jittered, askedFor)
  return failure.elapsed + millis > policy.maxElapsed ? { _tag: "GiveUp", spent } : wait(millis, after)
}

const wait = (millis: number, spent: Spent, closes: boolean = false): Decision => ({
  _tag: "Wait",
  millis,
  spent,
  closes
})

/** Rules of failures that are the service's health rather than the document's. */
const ofHealth: ReadonlySet<RuleName> = new Set<RuleName>([
  "unhealthy",
  "gateway",
  "otherServerError",
  "unsent",
  "ambiguous"
])

const isFree = (policy: RetryPolicy, rule: RuleName): boolean =>
  ofHealth.has(rule) && (rule !== "ambiguous" || policy.retryAmbiguous)

/**
 * Milliseconds to wait after failed attempts of anything other than a request: full jitter as in {@link decide}, cut so that the
 * last attempt starts when the policy's time ends. Null when attempts or time are used up. Pure.
 *
 * @since 0.1.0
 * @category combinators
 */
export const pause = (
  policy: RetryPolicy,
  failed: {
    /** Attempts so far. */
    readonly attempts: number
    /** Milliseconds since the first one. */
    readonly elapsed: number
    /** Uniform in `[0, 1)`: the jitter. */
    readonly random: number
  }
): number | null => {
  const left = policy.maxElapsed - failed.elapsed
  if (failed.attempts >= policy.attempts || left <= 0) return null
  return Math.min(backoff(policy, failed.attempts - 1, failed.random), left)
}

/**
 * Options of {@link retry}.
 *
 * @since 0.1.0
 * @category models
 */
export interface RetryOptions<E> {
  /** True for a failure that may pass. */
  readonly while: (error: E) => boolean
  /** Run before each wait. */
  readonly onWait?: ((error: E, failed: { readonly attempts: number }) => Effect.Effect<void>) | undefined
  /** Ends the wait, and with it the attempts; never fails. Default: never. */
  readonly until?: Effect.Effect<unknown> | undefined
}

/**
 * Tries an effect again while it fails with an error that `while` accepts and the policy allows; fails with the last error. The waits
 * are interruptible.
 *
 * @since 0.1.0
 * @category combinators
 */
export const retry: {
  <E>(policy: RetryPolicy, options: RetryOptions<E>): <A, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  <A, E, R>(self: Effect.Effect<A, E, R>, policy: RetryPolicy, options: RetryOptions<E>): Effect.Effect<A, E, R>
} = dual(
  3,
  <A, E, R>(self: Effect.Effect<A, E, R>, policy: RetryPolicy, options: RetryOptions<E>): Effect.Effect<A, E, R> =>
    Effect.suspend(() =>
      Attempts.ungated({
        rules: pausing(policy, options.while),
        send: Effect.either(self),
        apart: (wait, error, attempts) => {
          const { onWait, until } = options
          const ended = until === undefined ? wait : Effect.raceFirst(wait, Effect.zipRight(until, Effect.fail(error)))
          return onWait === undefined ? ended : Effect.zipRight(onWait(error, { attempts }), ended)
        }
      })
    )
)

/** The rules of {@link pause}. */
const pausing = <E>(policy: RetryPolicy, passes: (error: E) => boolean): Attempts.Rules<E> => {
  let attempts = 0
  let started = 0
  return {
    begin: (now) => {
      if (attempts === 0) started = now
      attempts += 1
    },
    judge: (error, now, random) => ({
      state: "unsent",
      wait: passes(error) ? pause(policy, { attempts, elapsed: now - started, random }) : null
    })
  }
}

/**
 * Milliseconds to wait by an answer's `Retry-After`: seconds, or a date, which is compared with the answer's own `Date` where it has
 * one. Undefined without the header, and for nonsense. Names of headers are in lower case; `now` is in milliseconds since the epoch.
 *
 * @since 0.1.0
 * @category accessors
 */
export const retryAfter = (headers: Readonly<Record<string, string | undefined>>, now: number): number | undefined =>
  fromHeader(headers, now)
