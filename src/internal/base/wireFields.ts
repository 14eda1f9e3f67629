/** Fields of errors whose values are not JSON, or must not leave the process. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A value of this process alone, a thrown one for instance: it may hold a secret, so that it is never encoded. */
export const unsent: Schema.PropertySignature<"?:", unknown, never, "?:", unknown> = Schema.optionalToOptional(
  Schema.Unknown,
  Schema.Unknown,
  { decode: Option.none, encode: Option.none }
)

const parseJson = Schema.decodeUnknownEither(Schema.parseJson())
const stringify = Schema.encodeEither(Schema.parseJson())

/** A value that is encoded as JSON; left out where there is no JSON of it. */
export const json: Schema.PropertySignature<"?:", unknown, never, "?:", unknown> = Schema.optionalToOptional(
  Schema.Unknown,
  Schema.Unknown,
  {
    decode: (value) => value,
    encode: Option.filterMap((value) => Either.getRight(Either.flatMap(stringify(value), parseJson)))
  }
)

/** The value that the schema decodes; left out where there is none, or one that a later version wrote. */
export const known = <A, I>(
  schema: Schema.Schema<A, I>
): Schema.PropertySignature<"?:", A | undefined, never, "?:", unknown> => {
  const decode = Schema.decodeUnknownOption(schema)
  const encode = Schema.encodeOption(schema)
  return Schema.optionalToOptional(Schema.Unknown, Schema.Union(Schema.typeSchema(schema), Schema.Undefined), {
    decode: Option.flatMap((value) => decode(value)),
    encode: Option.flatMap((value) => (value === undefined ? Option.none() : encode(value)))
  })
}
