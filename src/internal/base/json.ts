import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** Parses JSON; left when the text is not JSON. */
export const parseJson: (text: string) => Either.Either<unknown, unknown> = Schema.decodeUnknownEither(
  Schema.parseJson()
)
