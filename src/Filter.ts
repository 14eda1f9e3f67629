/**
 * Filters of a search: conditions on a chunk's metadata, source, pages, headings, kinds and date, in the form of MongoDB's.
 *
 * **Fields**: `metadata.NAME`, `source` (the document's path), `documentId`, `page`, `heading`, `kind` (types of blocks), `date` (the
 * metadata member `date`). A plain value is `$eq`. A field with several values, such as a metadata list, the pages and the headings,
 * matches by any of them.
 *
 * **Types are never mixed**: the number 2020 and the text `"2020"` are different, and a value of another type does not match, and is no
 * error. `$gt`, `$gte`, `$lt` and `$lte` compare numbers with a number, and with an ISO 8601 date those texts that are dates, in time:
 * without a zone in UTC, to the millisecond. Texts are compared in every code unit, upper and lower case apart.
 *
 * **Absent values**: `$ne`, `$nin`, `$not` and `$exists: false` are exact opposites, so they hold where the field is absent. An empty list is
 * absent, and so is a `date` that is no date.
 *
 * @example
 * import type { Filter } from "docsluice/Filter"
 *
 * export const recent: Filter = {
 *   "metadata.year": { $gte: 2020 },
 *   $or: [{ heading: { $contains: "Calibration" } }, { page: { $lte: 3 } }],
 *   $not: { "metadata.tags": "draft" }
 * }
 *
 * @since 0.1.0
 */
import type * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { DocumentChunk } from "./DocumentChunk.ts"
import * as instant from "./internal/filter/instant.ts"
import * as meaning from "./internal/filter/matches.ts"
import * as reading from "./internal/filter/parse.ts"
import type { Condition, Filter as Form, FilterError, Operator, Use } from "./internal/filter/syntax.ts"
import * as syntax from "./internal/filter/syntax.ts"

export {
  bounds,
  type Comparison,
  type Condition,
  FilterError,
  type Leaf,
  type Operator,
  type Order,
  type Subject,
  type Use,
  type Value
} from "./internal/filter/syntax.ts"

/**
 * A condition on chunks; all members must hold, and `{}` holds for every chunk.
 *
 * @since 0.1.0
 * @category models
 */
export type Filter = Form

/**
 * A filter that was read: its condition, and the operators that it uses, each at its first place.
 *
 * @since 0.1.0
 * @category models
 */
export interface Parsed {
  readonly condition: Condition
  readonly uses: ReadonlyArray<Use>
}

/**
 * Every operator, in the order of the documentation.
 *
 * @since 0.1.0
 * @category models
 */
export const operators: ReadonlyArray<Operator> = syntax.operators

/**
 * Reads a filter of any origin, for instance from JSON. The error is that of the first place that is not valid.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parse: (filter: unknown) => Either.Either<Parsed, FilterError> = reading.parse

const isFilter = (input: unknown): input is Filter => parse(input)._tag === "Right"

const filterOrIssue = (input: unknown, _: unknown, ast: ParseResult.Type["ast"]) => {
  if (isFilter(input)) return ParseResult.succeed(input)
  const parsed = parse(input)
  return ParseResult.fail(new ParseResult.Type(ast, input, parsed._tag === "Left" ? parsed.left.message : undefined))
}

/**
 * A filter for schemas of requests and settings; decoding gives it as it is.
 *
 * @since 0.1.0
 * @category models
 */
export const Filter: Schema.Schema<Filter> = Schema.declare(
  [],
  { decode: () => filterOrIssue, encode: () => filterOrIssue },
  {
    identifier: "docsluice/Filter",
    description:
      'Conditions that must all hold, as in MongoDB: {"metadata.year":{"$gte":2020},"$or":[{"page":1},{"heading":"Summary"}]}',
    jsonSchema: { type: "object" },
    arbitrary: () => (fc) => fc.constant<Filter>({})
  }
)

/**
 * True when the condition holds for the chunk; pure and total. A sink's translation must find exactly these chunks.
 *
 * @since 0.1.0
 * @category predicates
 */
export const matches: (
  condition: Condition,
  chunk: Pick<DocumentChunk, "documentId" | "headingPath" | "kinds" | "metadata" | "pages" | "source">
) => boolean = meaning.matches

/**
 * Milliseconds since 1970 of a text that is an ISO 8601 date in one of the forms that filters compare: `YYYY-MM-DD`, or that and `T` or a
 * space, `HH:MM`, optional seconds with up to 9 decimals, of which 3 count, and an optional zone (`Z`, `+HH:MM`), without which it is
 * UTC. Null for any other text.
 *
 * @since 0.1.0
 * @category conversions
 */
export const instantOf: (text: string) => number | null = instant.instantOf

/**
 * The forms of `instantOf` as a regular expression in the syntax that JavaScript, PostgreSQL and Rust share, without anchors and
 * capturing groups; for sinks that compare dates in their engine.
 *
 * @since 0.1.0
 * @category conversions
 */
export const datePattern: string = instant.datePattern
