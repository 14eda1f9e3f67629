/** The rule of a chunk's metadata, for values of any origin: an object of texts, numbers, booleans and lists of texts. */

import * as Either from "effect/Either"

/** Flat metadata. */
export type Flat = Readonly<Record<string, string | number | boolean | ReadonlyArray<string>>>

/** A value that chunk metadata may not hold, and its path from the metadata: `[]` for the whole, `["tags", 2]` for an item. */
export interface Problem {
  readonly path: readonly [] | readonly [name: string] | readonly [name: string, at: number]
  readonly value: unknown
}

/** The first value that breaks the rule, in the order of the members; null when there is none. */
export const problemOf = (metadata: unknown): Problem | null => {
  if (!isPlain(metadata)) return { path: [], value: metadata }
  for (const [name, value] of Object.entries(metadata)) {
    if (isScalar(value)) continue
    if (!Array.isArray(value)) return { path: [name], value }
    // Not `every`, which skips the holes of a list.
    for (const [at, item] of value.entries()) if (typeof item !== "string") return { path: [name, at], value: item }
  }
  return null
}

/** The given metadata itself, or the first value that breaks the rule. */
export const check = (metadata: unknown): Either.Either<Flat, Problem> =>
  isFlat(metadata) ? Either.right(metadata) : Either.left(problemOf(metadata) ?? { path: [], value: metadata })

const isFlat = (metadata: unknown): metadata is Flat => problemOf(metadata) === null

/** The object without its undefined members, as in JSON; any other value unchanged. */
export const withoutUndefined = (metadata: unknown): unknown =>
  isPlain(metadata) && Object.values(metadata).includes(undefined)
    ? Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined))
    : metadata

/** The field's name, as in `metadata.tags[2]`. */
export const fieldOf = ({ path: [name, at] }: Problem): string => {
  if (name === undefined) return "metadata"
  const field = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
  return `metadata${field}${at === undefined ? "" : `[${at}]`}`
}

/** One sentence with the field, the value's kind, and the values that are allowed. */
export const inWords = (problem: Problem): string =>
  problem.path.length === 0
    ? `metadata is ${kindOf(problem.value)} instead of a plain object`
    : `${fieldOf(problem)} is ${kindOf(problem.value)} instead of ${problem.path.length === 1 ? "a string, a number, a boolean or a list of strings" : "a string"}`

const isScalar = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** True for a plain object of any realm; false for a `Map` or an instance of a class, whose data no store would see. */
const isPlain = (value: unknown): value is object => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return "a list"
  if (typeof value !== "object") return `a ${typeof value}`
  const { constructor } = value
  return typeof constructor === "function" && constructor !== Object ? `an object (${constructor.name})` : "an object"
}
