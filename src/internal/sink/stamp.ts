/** The stamp of a store: its id, its embedding space and its owner. Sinks keep it as text. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { EmbeddingSpace } from "./space.ts"

const members = {
  /** Identifies the store. A different id means a different store, without the chunks written to the former one. */
  storeId: Schema.NonEmptyString,
  /** Null when the chunks have no vectors. */
  space: Schema.NullOr(EmbeddingSpace)
}

export const Stamp = Schema.Struct({
  format: Schema.Literal(2),
  ...members,
  /** Id of the state that the store belongs to; null for a store of a run without a state, and of an earlier version. */
  owner: Schema.NullOr(Schema.NonEmptyString),
  /** True when several states write to it, each below its own roots. */
  shared: Schema.Boolean,
  /** For a shared store, the state that claimed each root name first. */
  roots: Schema.Record({ key: Schema.String, value: Schema.NonEmptyString })
})

export type Stamp = typeof Stamp.Type

/** The format before stores had owners. */
const Ownerless = Schema.Struct({ format: Schema.Literal(1), ...members })

const StampText = Schema.parseJson(Schema.Union(Stamp, Ownerless))

const encodeStamp = Schema.encodeSync(Schema.parseJson(Stamp))

export const encode = (stamp: Stamp): string => encodeStamp(stamp)

/** Decodes a stamp; None when this version cannot read it. A stamp of format 1 has no owner. Unknown members are dropped. */
export const decode = (text: string): Option.Option<Stamp> =>
  Option.map(Schema.decodeOption(StampText)(text), (stamp) =>
    stamp.format === 2 ? stamp : { ...stamp, format: 2, owner: null, shared: false, roots: {} }
  )

/** A store id that no other store has: the time in milliseconds and 96 random bits. */
export const freshId: Effect.Effect<string> = Effect.gen(function* () {
  let id = (yield* Clock.currentTimeMillis).toString(16)
  for (let word = 0; word < 3; word++) {
    id += `-${(yield* Random.nextIntBetween(0, 2 ** 32)).toString(16).padStart(8, "0")}`
  }
  return id
})
