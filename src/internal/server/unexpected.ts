import * as Effect from "effect/Effect"
import { catalogue, InternalServerError } from "../../service/ServiceError.ts"

/** The 500 of a fault of the server itself: the log has its cause, the caller does not. */
export const unexpected = (...cause: ReadonlyArray<unknown>): Effect.Effect<never, InternalServerError> =>
  Effect.zipRight(
    Effect.logError(...cause),
    new InternalServerError({ status: 500, error: catalogue.InternalServerError.error, code: "UNKNOWN_ERROR" })
  )
