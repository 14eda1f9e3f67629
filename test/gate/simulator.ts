import * as RequestGate from "docsluice/RequestGate"
import * as RetryPolicy from "docsluice/RetryPolicy"
import * as ServiceError from "docsluice/service/ServiceError"
import { Cause, Clock, Effect, Either, Exit, Option, Random } from "effect"
import * as RateLimits from "./rateLimits.ts"
import { inVirtualTime } from "./virtualTime.ts"

/** A service with limits, as a client meets them. Times in milliseconds. */
export interface Service {
  readonly rate?: RateLimits.RateLimit | undefined
  /** Requests that it works on at a time, by the time since the start. */
  readonly concurrency?: ((at: number) => number) | undefined
  /** Share of requests that are refused by chance. */
  readonly sporadic?: number | undefined
  /** What a refusal of the rate asks for; default nothing. */
  readonly retryAfter?: RateLimits.Telling | undefined
  /** Mean time of an answer; it takes half of it more or less. Default 50. */
  readonly taken?: number | undefined
}

/** One request that came. */
export interface Arrival {
  readonly at: number
  /** Number of its client. */
  readonly client: number
  readonly refused: boolean
}

export interface Result {
  readonly arrivals: ReadonlyArray<Arrival>
  /** Requests that were refused. */
  readonly wasted: number
  /** Time from the start until the last document was served. */
  readonly millis: number
}

const served = 200

/** Refusals come after 2 ms. */
const serviceOf = ({ concurrency, rate, retryAfter = "untold", sporadic = 0, taken = 50 }: Service) => {
  const arrivals: Array<Arrival> = []
  const check = rate === undefined ? () => null : RateLimits.check(rate)
  let working = 0
  const overRate = (at: number, remaining: number) => {
    const seconds = RateLimits.retryAfter(retryAfter, at, remaining)
    return new ServiceError.RateLimitExceeded({
      status: 429,
      error: "Rate limit exceeded",
      ...(seconds !== null && { retryAfter: 1000 * seconds })
    })
  }
  const refusal = (at: number): ServiceError.ServiceError | null => {
    if (concurrency !== undefined && working >= concurrency(at)) {
      return new ServiceError.ConcurrencyLimitReached({ status: 429, error: "Concurrency limit reached" })
    }
    const remaining = check(at)
    return remaining === null ? null : overRate(at, remaining)
  }
  const request = Effect.fnUntraced(function* (client: number) {
    const at = yield* Clock.currentTimeMillis
    const chance = yield* Random.next
    const error = chance < sporadic ? overRate(at, 1) : refusal(at)
    arrivals.push({ at, client, refused: error !== null })
    if (error !== null) return yield* Effect.zipRight(Effect.sleep(2), Effect.fail(error))
    working += 1
    yield* Effect.sleep(taken * (0.5 + (yield* Random.next)))
    working -= 1
    return served
  })
  return { arrivals, request }
}

/** Documents through a gate for each client, `workers` at a time, repeated as the default policy says. */
export const simulate = (
  service: Service,
  given: {
    /** Of each client. */
    readonly documents: number
    readonly workers: number
    readonly seed: number
    readonly gate?: RequestGate.Options | undefined
    /** Clients with gates of their own; default 1. */
    readonly clients?: number | undefined
    /** Milliseconds by which each client begins after the one before; default 0. */
    readonly apart?: number | undefined
    /** Ends after this time; default: when all documents are served. */
    readonly within?: number | undefined
  }
): Effect.Effect<Result> =>
  Effect.gen(function* () {
    const { arrivals, request } = serviceOf(service)
    const policy = RetryPolicy.make()
    const document = Effect.fnUntraced(function* (gate: RequestGate.RequestGate.Service, client: number) {
      let spent = RetryPolicy.nothingSpent
      for (let again = false; ; again = true) {
        const answer = yield* Effect.either(gate.use(request(client), observed, { again }))
        if (Either.isRight(answer)) return
        const random = yield* Random.next
        const decision = RetryPolicy.decide(policy, spent, {
          error: answer.left,
          elapsed: 0,
          paced: gate.snapshot().ratePerSecond !== null,
          json: false,
          reusedConnection: false,
          random
        })
        spent = decision.spent
        yield* decision._tag === "Wait" ? Effect.sleep(decision.millis) : Effect.die(answer.left)
      }
    })
    const client = Effect.fnUntraced(function* (number: number) {
      yield* Effect.sleep(number * (given.apart ?? 0))
      const gate = yield* RequestGate.make(given.gate)
      yield* Effect.forEach(Array.from({ length: given.documents }), () => document(gate, number), {
        concurrency: given.workers,
        discard: true
      })
    })
    const numbers = Array.from({ length: given.clients ?? 1 }, (_, number) => number)
    const all = Effect.forEach(numbers, client, { concurrency: "unbounded", discard: true })
    yield* given.within === undefined ? all : Effect.raceFirst(all, Effect.sleep(given.within))
    const millis = yield* Clock.currentTimeMillis
    return { arrivals, wasted: arrivals.filter(({ refused }) => refused).length, millis }
  }).pipe(Effect.scoped, Effect.orDie, Effect.withRandom(Random.make(given.seed)), inVirtualTime)

const observed = <A>(exit: Exit.Exit<A, ServiceError.ServiceError>): RequestGate.Observation => {
  if (Exit.isSuccess(exit)) return "answered"
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (error?._tag === "ConcurrencyLimitReached") return "concurrencyLimited"
  return { state: "rateLimited", retryAfter: error?._tag === "RateLimitExceeded" ? error.retryAfter : undefined }
}
