/** Bodies of requests, piece by piece, within a bound and a time. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { catalogue, PayloadTooLarge, RequestTimeout } from "../../service/ServiceError.ts"
import { proceed } from "./nodeHttpServer.ts"

/** Bounds of a body. */
export interface Bounds<E> {
  readonly maxBytes: number
  /** A body of which nothing arrives for this time ends with a 408. */
  readonly idleTimeout: Duration.DurationInput
  /** The error of a body that breaks off. */
  readonly broken: () => E
}

const tooLarge = () => new PayloadTooLarge({ status: 413, error: catalogue.PayloadTooLarge.error })

/** The `Content-Length` of a request. */
export const declaredLength = (request: HttpServerRequest.HttpServerRequest): number | undefined => {
  const header = request.headers["content-length"]
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined
}

/** Fails when no byte arrives for `idleTimeout`. */
export const stalled = (
  received: () => number,
  idleTimeout: Duration.DurationInput
): Effect.Effect<never, RequestTimeout> => {
  let last = 0
  return Effect.sleep(idleTimeout).pipe(
    Effect.map(() => {
      const moved = received() > last
      last = received()
      return moved
    }),
    Effect.repeat({ while: (moved) => moved }),
    Effect.zipRight(new RequestTimeout({ status: 408, error: catalogue.RequestTimeout.error, code: "SCRAPE_TIMEOUT" }))
  )
}

/**
 * Reads a body; `add` gets its pieces up to `maxBytes`. A larger declared length is refused before a byte is read; a body without one is
 * read to twice the bound before the refusal, since most clients read no answer before they have sent everything. The read has a fiber of
 * its own: interrupting it closes the connection, and the answer has to be sent first.
 */
export const read = <E>(
  request: HttpServerRequest.HttpServerRequest,
  { broken, idleTimeout, maxBytes }: Bounds<E>,
  add: (piece: Uint8Array) => Effect.Effect<void>
): Effect.Effect<void, E | PayloadTooLarge | RequestTimeout, Scope.Scope> =>
  Effect.gen(function* () {
    if ((declaredLength(request) ?? 0) > maxBytes) return yield* tooLarge()
    proceed(request.source)
    let received = 0
    const overflow = yield* Deferred.make<never, PayloadTooLarge>()
    const reading = yield* request.stream.pipe(
      Stream.runForEach((piece) => {
        received += piece.length
        if (received <= maxBytes) return add(piece)
        return received <= 2 * maxBytes
          ? Effect.void
          : Effect.zipRight(Deferred.fail(overflow, tooLarge()), Effect.never)
      }),
      Effect.mapError(broken),
      Effect.forkScoped
    )
    const idle = stalled(() => received, idleTimeout)
    yield* Effect.raceFirst(Fiber.join(reading), Effect.raceFirst(Deferred.await(overflow), idle))
    return yield* received > maxBytes ? tooLarge() : Effect.void
  })
