import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { PackedVector } from "../../DocumentChunk.ts"
import type { Waiting } from "./exchange.ts"
import { type Failure, ofError } from "./failure.ts"
import {
  abandon,
  type Batch,
  type Call,
  type CallOptions,
  callOf,
  type Embedded,
  type Flight,
  flightOf,
  haltOf,
  land,
  queue as makeQueue,
  type Result,
  type TextRequest
} from "./flights.ts"
import { thrown } from "./provider.ts"

export interface Settings {
  /** Most texts in one request. */
  readonly batchSize: number
  /** Most tokens in one request; a single text may exceed it. */
  readonly batchTokens: number
  /** Longest time that a text waits for others to fill its request when no call expects any. */
  readonly delay: Duration.Duration
  /** Longest time that it waits while every waiting call expects others; at least `delay`. */
  readonly fill: Duration.Duration
  /** Requests that may be in flight at present. */
  readonly limit: () => number
  /** Cached vectors in the order of the keys; null where there is none. */
  readonly lookUp: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<PackedVector | null>>
  /**
   * Embeds texts in one request; results in their order, already cached. `learned` is called with a new upper bound of the batch size,
   * `waiting` surrounds its waits.
   */
  readonly send: (
    texts: ReadonlyArray<TextRequest>,
    learned: (count: number) => void,
    waiting: Waiting
  ) => Effect.Effect<ReadonlyArray<Result>>
}

/** Embeds the texts of many callers together. */
export interface Batcher {
  /** Results in the order of the texts. A text that is on its way already, for any caller, is not sent again. */
  readonly embed: (texts: ReadonlyArray<TextRequest>, options: CallOptions) => Effect.Effect<ReadonlyArray<Result>>
}

/** Milliseconds between two looks at the calls' expectations. */
const look = 5

/** True for a failure of every text, whoever asks; that of a stopped caller is its own. */
const stops = (result: Result): boolean =>
  Either.isLeft(result) && result.left.severity === "run" && result.left.reason !== "Stopped"

/**
 * Makes a batch when a request may be sent: a full one, or after `delay` the texts that are waiting; after `fill` while all of their calls
 * expect others. A batch that waits for a retry makes
 * room for another. Until the first answer with a vector, only one request is in flight, so that a wrong key or model costs one; a failure
 * that concerns every text fails all waiting ones. A text that nobody waits for any more is not sent, and a request with only such texts is
 * aborted.
 */
export const make = (settings: Settings): Effect.Effect<Batcher, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const flights = new Map<string, Flight>()
    const queue = makeQueue()
    /** Texts that are not looked up in the cache yet. */
    let unseen: Array<Flight> = []
    let looking = false
    let batchSize = settings.batchSize
    let inFlight = 0
    let answered = false
    let timer = false
    let due = false
    let closed = false

    const forget = (flight: Flight): void => {
      if (flights.get(flight.key) === flight) flights.delete(flight.key)
    }

    const failQueue = (failure: Failure): void => {
      for (const flight of queue.take(Infinity, Infinity)) {
        forget(flight)
        land(flight, Either.left(failure))
      }
    }

    const settle = (batch: Batch, results: ReadonlyArray<Result>): void => {
      for (const [index, flight] of batch.flights.entries()) {
        const result = results[index]
        if (result === undefined) continue
        forget(flight)
        land(flight, result)
        if (Either.isRight(result)) answered = true
      }
      const stop = results.find(stops)
      if (stop !== undefined && Either.isLeft(stop)) failQueue(stop.left)
    }

    /** Lets another batch go during a wait. */
    const apart: Waiting["apart"] = (wait) =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          inFlight -= 1
          return dispatch
        }),
        () => wait,
        () =>
          Effect.sync(() => {
            inFlight += 1
          })
      )

    const run = (batch: Batch): Effect.Effect<void> =>
      Effect.interruptible(
        settings.send(
          batch.flights,
          (count) => {
            batchSize = Math.min(batchSize, count)
          },
          { apart, halt: haltOf(batch) }
        )
      ).pipe(
        Effect.map((results) => settle(batch, results)),
        Effect.catchAllDefect((defect) =>
          Effect.sync(() =>
            settle(
              batch,
              batch.flights.map(() => Either.left(ofError(thrown(String(defect)))))
            )
          )
        ),
        Effect.ensuring(
          Effect.suspend(() => {
            inFlight -= 1
            for (const flight of batch.flights) {
              if (flight.place === "landed") continue
              forget(flight)
              abandon(flight)
            }
            return dispatch
          })
        )
      )

    // Forked uninterruptibly, so that its end is noticed even when it is interrupted before it begins.
    const launch = (batch: Batch): Effect.Effect<void> =>
      Effect.uninterruptible(
        Effect.map(Effect.forkIn(run(batch), scope), (fiber) => {
          batch.fiber = fiber
        })
      )

    const full = (): boolean => queue.count() >= batchSize || queue.tokens() >= settings.batchTokens

    const ready = (): boolean => queue.count() > 0 && inFlight < (answered ? settings.limit() : 1) && (due || full())

    const dispatch: Effect.Effect<void> = Effect.suspend(() => {
      const batches: Array<Batch> = []
      while (ready()) {
        const taken = queue.take(batchSize, settings.batchTokens)
        const batch: Batch = { flights: taken, fiber: null, live: taken.length }
        for (const flight of taken) flight.place = batch
        batches.push(batch)
        inFlight += 1
      }
      if (queue.count() === 0) due = false
      return Effect.forEach(batches, launch, { discard: true })
    })

    /** Ends after `delay`, and not before `fill` while all waiting calls expect others. */
    const elapse: Effect.Effect<void> = Effect.gen(function* () {
      const started = yield* Clock.currentTimeMillis
      const fill = Duration.toMillis(settings.fill)
      yield* Effect.sleep(settings.delay)
      for (
        let left = fill - (yield* Clock.currentTimeMillis) + started;
        left > 0 && queue.count() > 0 && queue.expecting();
        left = fill - (yield* Clock.currentTimeMillis) + started
      ) {
        yield* Effect.sleep(Math.min(left, look))
      }
    })

    const awaitDelay: Effect.Effect<void> = Effect.suspend(() => {
      if (timer || due || queue.count() === 0) return Effect.void
      timer = true
      return Effect.interruptible(elapse).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            timer = false
          })
        ),
        Effect.zipRight(
          Effect.suspend(() => {
            due = queue.count() > 0
            return dispatch
          })
        ),
        Effect.forkIn(scope),
        Effect.asVoid,
        Effect.uninterruptible
      )
    })

    const board = (request: TextRequest, call: Call): Flight => {
      const known = flights.get(request.key)
      const flight = known ?? flightOf(request)
      if (known === undefined) {
        flights.set(request.key, flight)
        unseen.push(flight)
      } else if (flight.waiting === 0 && typeof flight.place === "object") {
        flight.place.live += 1
      }
      flight.waiting += 1
      flight.calls.push(call)
      return flight
    }

    const abandonAll = (waiting: ReadonlyArray<Flight>): void => {
      for (const flight of waiting) {
        forget(flight)
        abandon(flight)
      }
    }

    const landed = (waiting: ReadonlyArray<Flight>, found: ReadonlyArray<PackedVector | null>): void => {
      for (const [index, flight] of waiting.entries()) {
        const vector = found[index]
        if (vector !== null && vector !== undefined) {
          forget(flight)
          land(flight, Either.right<Embedded>({ vector, cut: false }))
        } else if (flight.waiting > 0) queue.push(flight)
        else {
          forget(flight)
          flight.place = "gone"
        }
      }
    }

    /** Looks up together the texts of all callers that came in the meantime; ends when there are none. */
    const lookUp: Effect.Effect<void> = Effect.suspend(() => {
      if (unseen.length === 0) {
        looking = false
        return awaitDelay
      }
      const waiting = unseen
      unseen = []
      return settings.lookUp(waiting.map((flight) => flight.key)).pipe(
        Effect.map((found) => landed(waiting, found)),
        Effect.catchAllDefect((defect) =>
          Effect.sync(() => {
            for (const flight of waiting) {
              forget(flight)
              land(flight, Either.left(ofError(thrown(String(defect)))))
            }
          })
        ),
        Effect.onInterrupt(() => Effect.sync(() => abandonAll(waiting))),
        Effect.zipRight(dispatch),
        Effect.zipRight(lookUp)
      )
    })

    // The callers that are about to run come first, so that they share the look-up.
    const takeOff: Effect.Effect<void> = Effect.suspend(() => {
      if (looking) return Effect.void
      looking = true
      return Effect.asVoid(Effect.forkIn(Effect.interruptible(Effect.zipRight(Effect.yieldNow(), lookUp)), scope))
    })

    const leave = (flight: Flight): Effect.Effect<void> => {
      flight.waiting -= 1
      if (flight.waiting > 0) return Effect.void
      if (flight.place === "queued") {
        queue.drop(flight)
        forget(flight)
        return Effect.void
      }
      if (typeof flight.place !== "object") return Effect.void
      const batch = flight.place
      batch.live -= 1
      if (batch.live > 0 || batch.fiber === null) return Effect.void
      for (const one of batch.flights) forget(one)
      return Effect.asVoid(Fiber.interrupt(batch.fiber))
    }

    const embed = (texts: ReadonlyArray<TextRequest>, options: CallOptions): Effect.Effect<ReadonlyArray<Result>> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          if (closed) return Effect.interrupt
          if (texts.length === 0) return Effect.succeed([])
          const call = callOf(texts.length, options)
          const waited = texts.map((text) => board(text, call))
          return (unseen.length === 0 ? Effect.void : takeOff).pipe(
            Effect.zipRight(
              Effect.onInterrupt(restore(call.landing.landed), () => Effect.forEach(waited, leave, { discard: true }))
            ),
            Effect.map(() => waited.flatMap(({ result }) => (result === null ? [] : [result])))
          )
        })
      )

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        closed = true
        abandonAll(unseen)
        unseen = []
        abandonAll(queue.take(Infinity, Infinity))
      })
    )
    return { embed }
  })
