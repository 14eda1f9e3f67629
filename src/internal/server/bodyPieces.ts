/** Bodies of requests, piece by piece, within a bound and a time. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { catalogue, PayloadTooLarge, RequestTimeout } from "../../service/ServiceError.ts"
import { proceed } from "./nodeHttpServer.ts"

/** Fails when a body has to end before it is there. `received` tells the bytes that have arrived. */
export type Watch = (received: () => number) => Effect.Effect<never, RequestTimeout>

/** Rate in bytes a millisecond below which a body is too slow. */
export const leastRate = 10

/** The 408 of a body that is too slow. */
export const tooSlow = (retryAfter?: number): RequestTimeout =>
  new RequestTimeout({
    status: 408,
    code: "SCRAPE_TIMEOUT",
    error: `${catalogue.RequestTimeout.error}: less than ${leastRate} KB of the upload arrived a second`,
    retryAfter
  })

/** Bounds of a body. */
export interface Bounds<E> {
  readonly maxBytes: number
  readonly watch: Watch
  /** The error of a body that breaks off. */
  readonly broken: () => E
}

/** The 413 of a body that is too large. */
export const tooLarge = () => new PayloadTooLarge({ status: 413, error: catalogue.PayloadTooLarge.error })

/** The `Content-Length` of a request. */
export const declaredLength = (request: HttpServerRequest.HttpServerRequest): number | undefined => {
  const header = request.headers["content-length"]
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined
}

/** Fails when less than {@link leastRate} arrives over any period of that length. */
export const stalled =
  (period: Duration.DurationInput): Watch =>
  (received) => {
    const least = leastRate * Duration.toMillis(period)
    let last = 0
    return Effect.sleep(period).pipe(
      Effect.map(() => {
        const moved = received() - last >= least
        last = received()
        return moved
      }),
      Effect.repeat({ while: (moved) => moved }),
      Effect.zipRight(tooSlow())
    )
  }

/**
 * Reads a body; `add` gets its pieces up to `maxBytes`. A larger declared length is refused before a byte is read. A body without one is
 * read to twice the bound before the refusal, and after a failure of `add` the rest is read and left: most clients read no answer before
 * they have sent everything. The read has its own fiber: interrupting it closes the connection, and the answer has to be sent first.
 */
export const read = <E, E2>(
  request: HttpServerRequest.HttpServerRequest,
  { broken, maxBytes, watch }: Bounds<E>,
  add: (piece: Uint8Array) => Effect.Effect<void, E2>
): Effect.Effect<void, E | E2 | PayloadTooLarge | RequestTimeout, Scope.Scope> =>
  Effect.gen(function* () {
    if ((declaredLength(request) ?? 0) > maxBytes) return yield* tooLarge()
    proceed(request.source)
    let received = 0
    const added: { failure?: Effect.Effect<never, E2> } = {}
    const addTo = (piece: Uint8Array) =>
      Effect.catchAll(add(piece), (error) =>
        Effect.sync(() => {
          added.failure = Effect.fail(error)
        })
      )
    const overflow = yield* Deferred.make<never, PayloadTooLarge>()
    const reading = yield* request.stream.pipe(
      Stream.runForEach((piece) => {
        received += piece.length
        if (received <= maxBytes && added.failure === undefined) return addTo(piece)
        return received <= 2 * maxBytes
          ? Effect.void
          : Effect.zipRight(Deferred.fail(overflow, tooLarge()), Effect.never)
      }),
      Effect.mapError(broken),
      Effect.forkScoped
    )
    const watching = watch(() => received)
    yield* Effect.raceFirst(Fiber.join(reading), Effect.raceFirst(Deferred.await(overflow), watching))
    return yield* received > maxBytes ? tooLarge() : (added.failure ?? Effect.void)
  })
