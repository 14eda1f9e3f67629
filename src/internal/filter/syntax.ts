/** Filters: their JSON form, the conditions that they mean, and the error of one that is not valid. */
import * as Schema from "effect/Schema"

/** Operators in the order in which documentation and messages list them; in a filter each begins with `$`. */
export const operators = [
  "eq",
  "ne",
  "in",
  "nin",
  "gt",
  "gte",
  "lt",
  "lte",
  "contains",
  "exists",
  "and",
  "or",
  "not"
] as const

/**
 * An operator without its `$`. A plain value counts as `eq`, several conditions in one object as `and`.
 *
 * @since 0.1.0
 * @category models
 */
export type Operator = (typeof operators)[number]

/** Fields with texts. */
export const textFields = ["source", "documentId", "heading", "kind"] as const

/** Every field that is not a member of the metadata. */
export const ownFields = [...textFields, "page", "date"] as const

/**
 * A value that a filter compares with.
 *
 * @since 0.1.0
 * @category models
 */
export type Value = string | number | boolean

/**
 * Conditions on a field that must all hold.
 *
 * `$ne`, `$nin`, `$not` and `$exists: false` are the exact opposites of `$eq`, `$in`, their condition and `$exists: true`; so they also
 * hold for a chunk without the field and for values of other types.
 *
 * @since 0.1.0
 * @category models
 */
export interface Comparison<A extends Value = Value, Ordered extends Value = A, Part extends string = string> {
  /** A value is equal: of the same type, texts in every code unit. */
  readonly $eq?: A | undefined
  readonly $ne?: A | undefined
  /** A value equals one of these; with none of them nothing matches. */
  readonly $in?: ReadonlyArray<A> | undefined
  readonly $nin?: ReadonlyArray<A> | undefined
  /** A number is greater, or a date later. Dates are ISO 8601, compared in time. */
  readonly $gt?: Ordered | undefined
  readonly $gte?: Ordered | undefined
  readonly $lt?: Ordered | undefined
  readonly $lte?: Ordered | undefined
  /** A text has this part, in this case; a metadata list has this item. */
  readonly $contains?: Part | undefined
  /** There is a value; an empty list has none. */
  readonly $exists?: boolean | undefined
  readonly $not?: Comparison<A, Ordered, Part> | undefined
}

type Field<A extends Value, Ordered extends Value = A, Part extends string = string> =
  | A
  | Comparison<A, Ordered, Part>
  | undefined

/**
 * A condition on chunks, in the form of MongoDB's; all members must hold, and `{}` holds for every chunk.
 *
 * @since 0.1.0
 * @category models
 */
export interface Filter {
  readonly $and?: ReadonlyArray<Filter> | undefined
  readonly $or?: ReadonlyArray<Filter> | undefined
  readonly $not?: Filter | undefined
  /** The document's path below the root. */
  readonly source?: Field<string, never>
  readonly documentId?: Field<string, never>
  /** Any of the chunk's headings, from the outermost to the innermost. */
  readonly heading?: Field<string, never>
  /** Any of the chunk's block types: `paragraph`, `table`, … */
  readonly kind?: Field<string, never>
  /** Any of the pages that the chunk touches, from 1. */
  readonly page?: Field<number, number, never>
  /** The metadata member `date`, where it is an ISO 8601 date; also equality is in time here. */
  readonly date?: Field<string, string, never>
  /** A member of the chunk's metadata; all that follows `metadata.` is its name, dots included. */
  readonly [metadata: `metadata.${string}`]: Field<Value, number | string>
}

/**
 * The values that a condition looks at. `metadata`: the member's value, or the items of a list. `source` and `documentId`: one text.
 * `heading` and `kind`: texts. `page`: numbers, ascending.
 *
 * @since 0.1.0
 * @category models
 */
export type Subject =
  | { readonly name: "metadata"; readonly key: string }
  | { readonly name: "source" | "documentId" | "heading" | "kind" | "page" }

/**
 * A filter in the form in which a sink translates it; `ne`, `nin` and `exists: false` are a `Not`, and `date` is the metadata member. Every
 * condition holds for a chunk or does not, whatever the types of its values.
 *
 * `And` and `Or` have at least one part, except the `And` of an empty filter. `In`: any value equals one of these, in type too; all three
 * may be empty, and then nothing matches. `Compare`: any value is a number that compares so. `CompareTime`: any value is a text that is
 * a date (see `instantOf`) which compares so, in milliseconds since 1970. `Contains`: a metadata list has this item; or any other value
 * is a text with this part. `Exists`: there is a value.
 *
 * @since 0.1.0
 * @category models
 */
export type Condition =
  | { readonly _tag: "And"; readonly parts: ReadonlyArray<Condition> }
  | { readonly _tag: "Or"; readonly parts: ReadonlyArray<Condition> }
  | { readonly _tag: "Not"; readonly part: Condition }
  | Leaf

/**
 * A condition on one subject.
 *
 * @since 0.1.0
 * @category models
 */
export type Leaf =
  | {
      readonly _tag: "In"
      readonly subject: Subject
      readonly texts: ReadonlyArray<string>
      readonly numbers: ReadonlyArray<number>
      readonly booleans: ReadonlyArray<boolean>
    }
  | {
      readonly _tag: "Compare"
      readonly subject: Subject
      readonly order: Exclude<Order, "eq">
      readonly number: number
    }
  | { readonly _tag: "CompareTime"; readonly subject: Subject; readonly order: Order; readonly instant: number }
  | { readonly _tag: "Contains"; readonly subject: Subject; readonly text: string }
  | { readonly _tag: "Exists"; readonly subject: Subject }

/**
 * The relation of a value to that of the filter.
 *
 * @since 0.1.0
 * @category models
 */
export type Order = "eq" | "gt" | "gte" | "lt" | "lte"

/**
 * The first use of an operator in a filter.
 *
 * @since 0.1.0
 * @category models
 */
export interface Use {
  readonly operator: Operator
  /** The place, as in `FilterError`. */
  readonly path: string
}

/**
 * Bounds of a filter; a larger one is a `FilterError`.
 *
 * @since 0.1.0
 * @category models
 */
export const bounds = {
  /** Nested `$and`, `$or` and `$not`. */
  depth: 8,
  /** Operators and plain values in all. */
  conditions: 256,
  /** Values in the lists of `$in` and `$nin` together. */
  values: 1000,
  /** UTF-16 code units of all names and texts together. */
  length: 100_000
} as const

/**
 * A filter that is not valid.
 *
 * @since 0.1.0
 * @category errors
 */
export class FilterError extends Schema.TaggedError<FilterError>("docsluice/FilterError")("FilterError", {
  /** The place inside the filter: `filter.$or[1]["metadata.year"].$gte`. */
  path: Schema.String,
  /** The problem and its remedy, in one line. */
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.path}: ${this.problem}`
  }
}
