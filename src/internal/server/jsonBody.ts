import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { BadRequest, type PayloadTooLarge, type RequestTimeout } from "../../service/ServiceError.ts"
import * as bodyPieces from "./bodyPieces.ts"

const notJson = () =>
  new BadRequest({ status: 400, code: "BAD_REQUEST_INVALID_JSON", error: "the body is not valid JSON" })

const decodeJson = Schema.decode(Schema.parseJson())

const decoder = new TextDecoder("utf-8", { fatal: true })

/** Reads a body as JSON; holds its bytes. */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  bounds: Omit<bodyPieces.Bounds<never>, "broken">
): Effect.Effect<unknown, BadRequest | PayloadTooLarge | RequestTimeout, Scope.Scope> =>
  Effect.gen(function* () {
    const held: Array<Uint8Array> = []
    yield* bodyPieces.read(request, { ...bounds, broken: notJson }, (piece) => Effect.sync(() => void held.push(piece)))
    const text = yield* Effect.try({ try: () => decoder.decode(Buffer.concat(held)), catch: notJson })
    return yield* Effect.mapError(decodeJson(text), notJson)
  })
