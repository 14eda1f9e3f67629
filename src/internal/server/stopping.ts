/** Graceful stop of a server: new requests are refused, requests in flight get time to finish, and every request gets an answer. */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { catalogue, ServiceUnavailable } from "../../service/ServiceError.ts"
import { toBody } from "./api.ts"

export interface Stopping {
  /** Runs `app`; answers 503 instead when the server is stopping, or when the grace ends before `app` does. */
  readonly guarded: <R>(app: HttpApp.Default<never, R>) => HttpApp.Default<never, R>
  /** Completes when every request in flight has its answer, at the latest shortly after `grace`. */
  readonly stop: (grace: Duration.DurationInput) => Effect.Effect<void>
}

/** Upper bound of `Retry-After`, in seconds. */
const longestWait = 5

/** Time that interrupted requests have to send their answer. */
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

  // A finalizer is uninterruptible: without this, the time-outs below could not end the wait.
  const whenQuiet = Effect.interruptible(Deferred.await(quiet))

  return {
    guarded: (app) =>
      Effect.uninterruptible(
        Effect.suspend(() => {
          if (until !== undefined) return unavailable
          inFlight += 1
          // The platform runs an app uninterruptibly and leaves it to the app where the departure of a client interrupts it.
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
