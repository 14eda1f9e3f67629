/** The one loop of attempts: a request is sent through a gate until it is answered, or until the rules for its failures give up. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import type { ServiceUnreachable } from "../../service/ServiceError.ts"
import { sleepUntil } from "../base/sleepUntil.ts"
import type { Halt, Observation, State } from "./contract.ts"
import type { Gate } from "./gate.ts"

/** The meaning of a failed attempt. */
export interface Verdict {
  /** State of the service as the failure shows it; `unsent` when it shows nothing. */
  readonly state: State
  /** Milliseconds until the next attempt; null when there is none. */
  readonly wait: number | null
  /** True when the wait is everybody's: the gate closes for it. Default false. */
  readonly closes?: boolean | undefined
  /** Milliseconds that the service asked this request to wait; default: it named none. */
  readonly retryAfter?: number | undefined
}

/** A failed attempt. */
export interface Failed<E> {
  readonly _tag: "Failed"
  readonly error: E
  readonly verdict: Verdict
  /** Earliest time of the next attempt, in milliseconds since the epoch; null after the last. */
  readonly until: number | null
}

/** One attempt. */
export type Attempt<A, E> = { readonly _tag: "Answered"; readonly answer: A } | Failed<E>

/** Rules of one request. They count its attempts. */
export interface Rules<E> {
  /** Called at the start of each attempt; `now` is in milliseconds since the epoch. */
  readonly begin?: ((now: number) => void) | undefined
  /** Called with each failure, while the slot is still held. `random` is uniform in `[0, 1)`. */
  readonly judge: (error: E, now: number, random: number) => Verdict
}

/** A request that may be sent several times. `X` ends its attempts whatever the rules say. */
export interface Request<A, E, X = never, R = never, H = never> {
  readonly rules: Rules<E>
  /** Sends once; a left is a failure for the rules. */
  readonly send: Effect.Effect<Either.Either<A, E>, X, R>
  /** State of the service as an answer shows it; default `answered`. */
  readonly served?: ((answer: A) => State) | undefined
  /** The failure in words, for the gate. */
  readonly problemOf?: ((error: E) => string) | undefined
  /** Bytes that the request holds in memory; default 0. */
  readonly bytes?: number | undefined
  /** Ends every wait; nothing is sent afterwards. Default: only interruption does. */
  readonly halt?: Halt<H> | null | undefined
  /** Called with each failure once it is judged, while the slot is still held. */
  readonly onFailure?: ((failed: Failed<E>) => void) | undefined
  /** Run after each attempt, without its slot; `number` is 1-based. */
  readonly onAttempt?: ((attempt: Attempt<A, E>, number: number) => Effect.Effect<void>) | undefined
  /** Wraps the waits that are the request's own. */
  readonly apart?:
    | ((wait: Effect.Effect<void, E | H>, error: E, number: number) => Effect.Effect<void, E | H>)
    | undefined
}

const haltReason = <H>(halt: Halt<H> | null | undefined): Effect.Effect<never, H> | null => {
  const reason = halt?.stopped() ?? null
  return reason === null ? null : Effect.fail(reason)
}

/** Fails once the halt has a reason; never succeeds. */
const whenHalted = <H>(halt: Halt<H>): Effect.Effect<never, H> =>
  Effect.async((resume) => {
    const tell = (): void => {
      const reason = halt.stopped()
      if (reason === null) return
      unlisten()
      resume(Effect.fail(reason))
    }
    const unlisten = halt.onStop(tell)
    tell()
    return Effect.sync(unlisten)
  })

const waiting = <H>(until: number, halt: Halt<H> | null | undefined): Effect.Effect<void, H> =>
  halt === null || halt === undefined ? sleepUntil(until) : Effect.raceFirst(sleepUntil(until), whenHalted(halt))

/** Sends once and judges the failure, while the slot is held. */
const once = <A, E, X, R, H>(request: Request<A, E, X, R, H>): Effect.Effect<Attempt<A, E>, X | H, R> =>
  Effect.clockWith((clock): Effect.Effect<Attempt<A, E>, X | H, R> => {
    const halted = haltReason(request.halt)
    if (halted !== null) return halted
    request.rules.begin?.(clock.unsafeCurrentTimeMillis())
    return Effect.flatMap(request.send, (sent): Effect.Effect<Attempt<A, E>> =>
      Either.isRight(sent)
        ? Effect.succeed({ _tag: "Answered", answer: sent.right })
        : Effect.map(Random.next, (random) => judged(request, sent.left, clock, random))
    )
  })

const judged = <A, E, X, R, H>(
  { onFailure, rules }: Request<A, E, X, R, H>,
  error: E,
  clock: Clock.Clock,
  random: number
): Failed<E> => {
  const now = clock.unsafeCurrentTimeMillis()
  const verdict = rules.judge(error, now, random)
  const failed: Failed<E> = {
    _tag: "Failed",
    error,
    verdict,
    until: verdict.wait === null ? null : now + verdict.wait
  }
  onFailure?.(failed)
  return failed
}

const observed = <A, E, X, R, H>(
  { problemOf, served }: Request<A, E, X, R, H>,
  exit: Exit.Exit<Attempt<A, E>, unknown>
): Observation => {
  if (exit._tag === "Failure") return "unsent"
  const attempt = exit.value
  if (attempt._tag === "Answered") return served?.(attempt.answer) ?? "answered"
  const { closes, retryAfter, state, wait } = attempt.verdict
  if (state === "unsent") return state
  return {
    state,
    closeFor: closes === true ? (wait ?? undefined) : undefined,
    retryAfter,
    problem: problemOf?.(attempt.error)
  }
}

/** Runs attempts until one is the last; `next` gives each of them, `again` from the second on. */
const looped = Effect.fnUntraced(function* <A, E, X, R, H, X2, R2>(
  { apart, halt, onAttempt }: Request<A, E, X, R, H>,
  next: (again: boolean) => Effect.Effect<Attempt<A, E>, X2, R2>
): Effect.fn.Return<A, E | H | X2, R2> {
  for (let number = 1; ; number++) {
    // A halt tells nobody who begins to wait after it.
    const halted = haltReason(halt)
    if (halted !== null) return yield* halted
    const attempt = yield* next(number > 1)
    if (onAttempt !== undefined) yield* onAttempt(attempt, number)
    if (attempt._tag === "Answered") return attempt.answer
    const { error, until, verdict } = attempt
    if (until === null) return yield* Effect.fail(error)
    // A closed gate makes everybody wait, this request too.
    if (verdict.closes === true && verdict.state !== "unsent") continue
    const wait = waiting(until, halt)
    yield* apart === undefined ? wait : apart(wait, error, number)
  }
})

/**
 * Sends until there is an answer, the rules give up, or the gate does. Holds a slot only while a request runs; never sends again before
 * the wait that the rules ask for.
 */
export const repeated = <A, E, X = never, R = never, H = never>(
  gate: Pick<Gate, "use">,
  request: Request<A, E, X, R, H>
): Effect.Effect<A, E | X | H | ServiceUnreachable, R> => {
  const { bytes, halt } = request
  const sent = once(request)
  const observe = (exit: Exit.Exit<Attempt<A, E>, X | H>): Observation => observed(request, exit)
  return looped(request, (again) => gate.use(sent, observe, { again, bytes, halt }))
}

/** As {@link repeated}, without a gate: the request neither waits for others nor makes them wait. */
export const ungated = <A, E, X = never, R = never, H = never>(
  request: Request<A, E, X, R, H>
): Effect.Effect<A, E | X | H, R> => {
  const sent = once(request)
  return looped(request, () => sent)
}
