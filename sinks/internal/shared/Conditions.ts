import type { Condition, Leaf } from "docsluice/Filter"

/** The words of an engine for conditions. */
export interface Words<A> {
  readonly and: (parts: ReadonlyArray<A>) => A
  readonly or: (parts: ReadonlyArray<A>) => A
  /** `condition` is what `part` was made of. */
  readonly not: (part: A, condition: Condition) => A
  readonly leaf: (leaf: Leaf) => A
}

/** The condition in the words of an engine, its leaves from left to right. */
export const translate = <A>(condition: Condition, words: Words<A>): A => {
  switch (condition._tag) {
    case "And":
      return words.and(condition.parts.map((part) => translate(part, words)))
    case "Or":
      return words.or(condition.parts.map((part) => translate(part, words)))
    case "Not":
      return words.not(translate(condition.part, words), condition.part)
    default:
      return words.leaf(condition)
  }
}

/** SQL that is true when one of these is; `FALSE` for none. */
export const anyOf = (tests: ReadonlyArray<string>): string =>
  tests.length === 0 ? "FALSE" : `(${tests.join(" OR ")})`

/** The condition in SQL; a leaf that is null counts as false. */
export const toSql = (condition: Condition, leaf: (leaf: Leaf) => string): string =>
  translate(condition, {
    and: (parts) => (parts.length === 0 ? "TRUE" : `(${parts.join(" AND ")})`),
    or: anyOf,
    not: (part) => `NOT COALESCE(${part}, FALSE)`,
    leaf
  })
