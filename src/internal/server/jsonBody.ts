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

type Bounds = Omit<bodyPieces.Bounds<never>, "broken">

type Failure = BadRequest | PayloadTooLarge | RequestTimeout

/** Reads a body as text in UTF-8; holds its bytes. */
export const text = (
  request: HttpServerRequest.HttpServerRequest,
  bounds: Bounds
): Effect.Effect<string, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const held: Array<Uint8Array> = []
    yield* bodyPieces.read(request, { ...bounds, broken: notJson }, (piece) => Effect.sync(() => void held.push(piece)))
    return yield* Effect.try({ try: () => decoder.decode(Buffer.concat(held)), catch: notJson })
  })

/** Reads a body as JSON; holds its bytes. */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  bounds: Bounds
): Effect.Effect<unknown, Failure, Scope.Scope> =>
  Effect.flatMap(text(request, bounds), (whole) => Effect.mapError(decodeJson(whole), notJson))
