/** The end of a server: nothing new is begun, requests in flight get a time to finish, and each of them an answer. */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { toBody } from "../../service/Api.ts"
import { catalogue, ServiceUnavailable } from "../../service/ServiceError.ts"

export interface Stopping {
  /** Runs `app` unless the server is stopping; a 503 instead, and also when the grace ends first. */
  readonly guarded: <R>(app: HttpApp.Default<never, R>) => HttpApp.Default<never, R>
  /** Done when every request that was in flight has its answer, at the latest shortly after `grace`. */
  readonly stop: (grace: Duration.DurationInput) => Effect.Effect<void>
}

/** Longest wait that a client is told, in seconds. */
const longestWait = 5

/** Time of those that were cut off to answer. */
const lastMoment = "5 seconds"

export const make: Effect.Effect<Stopping> = Effect.gen(function* () {
  const over = yield* Deferred.make<void>()
  const quiet = yield* Deferred.make<void>()
  let inFlight = 0
  /** When the grace ends, in milliseconds since the epoch; undefined while the server goes on. */
  let until: number | undefined

  const unavailable = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const wait = Math.min(longestWait, Math.max(1, Math.ceil(((until ?? now) - now) / 1000)))
    const error = new ServiceUnavailable({
      status: 503,
      error: `${catalogue.ServiceUnavailable.error}: the server is stopping; send it again`
    })
    return Effect.orDie(
      HttpServerResponse.json(toBody(error), {
        status: 503,
        headers: { "retry-after": String(wait), connection: "close" }
      })
    )
  })

  const left = Effect.sync(() => {
    inFlight -= 1
    if (until !== undefined && inFlight === 0) Deferred.unsafeDone(quiet, Effect.void)
  })

  // A server stops in a finalizer, where nothing could be given up otherwise.
  const whenQuiet = Effect.interruptible(Deferred.await(quiet))

  return {
    guarded: (app) =>
      Effect.uninterruptible(
        Effect.suspend(() => {
          if (until !== undefined) return unavailable
          inFlight += 1
          // The platform runs an app uninterruptibly and leaves it to the app where a client that goes away ends it.
          return Effect.interruptible(Effect.raceFirst(app, Effect.zipRight(Deferred.await(over), unavailable))).pipe(
            Effect.map((response) =>
              until === undefined ? response : HttpServerResponse.setHeader(response, "connection", "close")
            ),
            Effect.ensuring(left)
          )
        })
      ),
    stop: (grace) =>
      Effect.gen(function* () {
        until = (yield* Clock.currentTimeMillis) + Duration.toMillis(grace)
        if (inFlight === 0) return
        yield* Effect.timeoutOption(whenQuiet, grace)
        yield* Deferred.succeed(over, undefined)
        yield* Effect.timeoutOption(whenQuiet, lastMoment)
      })
  }
})
