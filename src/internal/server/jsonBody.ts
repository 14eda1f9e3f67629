import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { BadRequest, catalogue, PayloadTooLarge, type RequestTimeout } from "../../service/ServiceError.ts"
import { proceed } from "./nodeHttpServer.ts"
import { declaredLength, stalled } from "./receivedUpload.ts"

/** Bounds of a body. */
export interface Bounds {
  readonly maxBytes: number
  /** A body of which nothing arrives for this time ends with a 408. */
  readonly idleTimeout: Duration.DurationInput
}

const tooLarge = () => new PayloadTooLarge({ status: 413, error: catalogue.PayloadTooLarge.error })

const notJson = () =>
  new BadRequest({ status: 400, code: "BAD_REQUEST_INVALID_JSON", error: "the body is not valid JSON" })

const decodeJson = Schema.decode(Schema.parseJson())

const decoder = new TextDecoder("utf-8", { fatal: true })

/**
 * Reads a body as JSON; holds its bytes. A larger declared length is refused before a byte is read; a body without one is read to twice
 * the bound before the refusal, since most clients read no answer before they have sent everything. The read has a fiber of its own:
 * interrupting it closes the connection, and the answer has to be sent first.
 */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  { idleTimeout, maxBytes }: Bounds
): Effect.Effect<unknown, BadRequest | PayloadTooLarge | RequestTimeout, Scope.Scope> =>
  Effect.gen(function* () {
    if ((declaredLength(request) ?? 0) > maxBytes) return yield* tooLarge()
    proceed(request.source)
    let received = 0
    let held: Array<Uint8Array> = []
    const overflow = yield* Deferred.make<never, PayloadTooLarge>()
    const reading = yield* request.stream.pipe(
      Stream.runForEach((piece) => {
        received += piece.length
        if (received <= maxBytes) held.push(piece)
        else held = []
        return received <= 2 * maxBytes
          ? Effect.void
          : Effect.zipRight(Deferred.fail(overflow, tooLarge()), Effect.never)
      }),
      Effect.mapError(notJson),
      Effect.forkScoped
    )
    const idle = stalled(() => received, idleTimeout)
    yield* Effect.raceFirst(Fiber.join(reading), Effect.raceFirst(Deferred.await(overflow), idle))
    if (received > maxBytes) return yield* tooLarge()
    const text = yield* Effect.try({ try: () => decoder.decode(Buffer.concat(held)), catch: notJson })
    return yield* Effect.mapError(decodeJson(text), notJson)
  })
