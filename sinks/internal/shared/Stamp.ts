import { EmbeddingSpace } from "docsluice/ChunkSink"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"

/** What a target says of itself. */
export const Stamp = Schema.Struct({
  /** Version of the target's layout. */
  format: Schema.Literal(1),
  storeId: Schema.NonEmptyString,
  /** Null when the chunks have no vectors. */
  space: Schema.NullOr(EmbeddingSpace)
})
export type Stamp = typeof Stamp.Type

/** A store id that no other store has: the time in milliseconds and 96 random bits. */
export const storeId: Effect.Effect<string> = Effect.gen(function* () {
  let id = (yield* Clock.currentTimeMillis).toString(16)
  for (let word = 0; word < 3; word++) {
    id += `-${(yield* Random.nextIntBetween(0, 2 ** 32)).toString(16).padStart(8, "0")}`
  }
  return id
})
