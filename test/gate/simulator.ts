import * as RequestGate from "docsluice/RequestGate"
import * as RetryPolicy from "docsluice/RetryPolicy"
import * as ServiceError from "docsluice/service/ServiceError"
import { Clock, Effect, Either, Random } from "effect"
import { inVirtualTime } from "./virtualTime.ts"

/** A service with limits, as a client meets them. Times in milliseconds. */
export interface Service {
  /** Tokens that it holds at most and at first, and those that it gets back in a second. */
  readonly bucket?: { readonly capacity: number; readonly perSecond: number } | undefined
  /** Requests that it works on at a time, by the time since the start. */
  readonly concurrency?: ((at: number) => number) | undefined
  /** Share of requests that are refused by chance. */
  readonly sporadic?: number | undefined
  /** What a refusal of the rate asks for; default nothing. */
  readonly retryAfter?: number | undefined
}

/** One request that came. */
export interface Arrival {
  readonly at: number
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

/** Answers after 25 to 75 ms, refusals after 2. */
const serviceOf = ({ bucket, concurrency, retryAfter, sporadic = 0 }: Service) => {
  const arrivals: Array<Arrival> = []
  let tokens = bucket?.capacity ?? 0
  let filled = 0
  let working = 0
  const refusal = (at: number): ServiceError.ServiceError | null => {
    if (concurrency !== undefined && working >= concurrency(at)) {
      return new ServiceError.ConcurrencyLimitReached({ status: 429, error: "Concurrency limit reached" })
    }
    if (bucket === undefined) return null
    tokens = Math.min(bucket.capacity, tokens + ((at - filled) / 1000) * bucket.perSecond)
    filled = at
    if (tokens < 1) return new ServiceError.RateLimitExceeded({ status: 429, error: "Rate limit exceeded", retryAfter })
    tokens -= 1
    return null
  }
  const request = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const chance = yield* Random.next
    const error =
      chance < sporadic
        ? new ServiceError.RateLimitExceeded({ status: 429, error: "Rate limit exceeded", retryAfter })
        : refusal(at)
    arrivals.push({ at, refused: error !== null })
    if (error !== null) return yield* Effect.zipRight(Effect.sleep(2), Effect.fail(error))
    working += 1
    yield* Effect.sleep(25 + 50 * (yield* Random.next))
    working -= 1
    return served
  })
  return { arrivals, request }
}

/** Documents through a gate, `workers` at a time, repeated as the default policy says. */
export const simulate = (
  service: Service,
  given: {
    readonly documents: number
    readonly workers: number
    readonly seed: number
    readonly gate?: RequestGate.Options | undefined
    /** Ends after this time; default: when all documents are served. */
    readonly within?: number | undefined
  }
): Effect.Effect<Result> =>
  Effect.gen(function* () {
    const gate = yield* RequestGate.make(given.gate)
    const { arrivals, request } = serviceOf(service)
    const policy = RetryPolicy.make()
    const document = Effect.gen(function* () {
      let spent = RetryPolicy.nothingSpent
      for (let again = false; ; again = true) {
        const answer = yield* Effect.either(
          gate.use(
            request,
            (exit) =>
              exit._tag === "Success"
                ? "answered"
                : String(exit.cause).includes("Concurrency")
                  ? "concurrencyLimited"
                  : "rateLimited",
            { again }
          )
        )
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
    const all = Effect.forEach(Array.from({ length: given.documents }), () => document, {
      concurrency: given.workers,
      discard: true
    })
    yield* given.within === undefined ? all : Effect.raceFirst(all, Effect.sleep(given.within))
    const millis = yield* Clock.currentTimeMillis
    return { arrivals, wasted: arrivals.filter(({ refused }) => refused).length, millis }
  }).pipe(Effect.scoped, Effect.orDie, Effect.withRandom(Random.make(given.seed)), inVirtualTime)
