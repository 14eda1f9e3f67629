import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** An optional member that is undefined where the value has another type. */
export const tolerant = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optional(Schema.UndefinedOr(schema).annotations({ decodingFallback: () => Either.right(undefined) }))

/** A copy without the members that are undefined. */
export const compact = <A extends object>(value: A): A => {
  const copy = { ...value }
  for (const [name, member] of Object.entries(copy)) {
    if (member === undefined) Reflect.deleteProperty(copy, name)
  }
  return copy
}
