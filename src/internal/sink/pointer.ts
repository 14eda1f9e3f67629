/** The generations of a store, as text in a place of their own: which one serves, and the one beside it. */
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Message, option, text } from "../base/message.ts"

/** What the generation that does not serve is: see `Generation.standing`. */
const Standing = Schema.Literal("filling", "whole", "former", "dropping")

export type Standing = typeof Standing.Type

const Other = Schema.Struct({
  number: Schema.Int,
  standing: Standing,
  /** Milliseconds since the epoch. */
  since: Schema.Number
})

const Pointer = Schema.Struct({
  format: Schema.Literal(1),
  /** Number of the generation that serves. */
  serving: Schema.Int,
  /** Null when there is none beside it. */
  other: Schema.NullOr(Other),
  /** Highest number that was given: none is given twice. */
  last: Schema.Int
})

export type Pointer = typeof Pointer.Type

/** Of a store that never had a second generation. */
export const first: Pointer = { format: 1, serving: 1, other: null, last: 1 }

/** With an id of a store, which sinks may keep next to a stamp. */
export const encode = (pointer: Pointer): string => JSON.stringify({ ...pointer, storeId: "generations" })

export const decode: (text: string) => Option.Option<Pointer> = Schema.decodeOption(Schema.parseJson(Pointer))

/** The pointer after a change; left: the reason why it cannot be made. */
export type Changed = Either.Either<Pointer, Message>

/** A change of the pointer; `at`: now, in milliseconds since the epoch. */
export type Change = (pointer: Pointer, at: number) => Changed

const standing = (pointer: Pointer, next: Standing, at: number): Changed =>
  pointer.other === null
    ? Either.left(none)
    : Either.right({ ...pointer, other: { ...pointer.other, standing: next, since: at } })

const none = text`it has one generation; ingest with ${option("beside")} fills a second one`

/** A generation beside the serving one is filled from now on: the one that is there, or a new one. */
export const begin: Change = (pointer, at) => {
  const { last, other } = pointer
  if (other !== null && other.standing !== "dropping") return standing(pointer, "filling", at)
  return other === null
    ? Either.right({ ...pointer, last: last + 1, other: { number: last + 1, standing: "filling", since: at } })
    : Either.left("its other generation is being dropped; drop it again")
}

/** The generation has all that the run that filled it should write. */
export const filled =
  (number: number): Change =>
  (pointer, at) =>
    pointer.other?.number === number && pointer.other.standing === "filling"
      ? standing(pointer, "whole", at)
      : Either.right(pointer)

/** The other generation serves, and the serving one becomes the other. */
const exchanged = (pointer: Pointer, number: number, left: Standing, at: number): Changed =>
  Either.right({ ...pointer, serving: number, other: { number: pointer.serving, standing: left, since: at } })

const reasons: Readonly<Record<Standing, Message>> = {
  filling: text`its other generation is not whole: the run that fills it did not end; run it again with ${option("beside")}`,
  whole: "nothing was switched before: there is nothing to roll back to",
  former: text`its other generation is the former one; roll back to it, or fill it again with ${option("beside")}`,
  dropping: "its other generation is being dropped; drop it again"
}

/** Changes over to the generation that was filled. */
export const switched: Change = (pointer, at) => {
  const { other } = pointer
  if (other === null) return Either.left(none)
  return other.standing === "whole"
    ? exchanged(pointer, other.number, "former", at)
    : Either.left(reasons[other.standing])
}

/** Goes back to the generation that served before. */
export const rolledBack: Change = (pointer, at) => {
  const { other } = pointer
  if (other === null) return Either.left(none)
  return other.standing === "former"
    ? exchanged(pointer, other.number, "whole", at)
    : Either.left(reasons[other.standing])
}

/** The other generation is about to be deleted. */
export const dropping: Change = (pointer, at) => standing(pointer, "dropping", at)

/** The other generation was deleted. */
export const dropped: Change = (pointer) =>
  Either.right(pointer.other?.standing === "dropping" ? { ...pointer, other: null } : pointer)
