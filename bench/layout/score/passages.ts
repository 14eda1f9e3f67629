/** Statements about a document's text: a passage is there, is absent, precedes another, or is a cell with these neighbours. */
import { Schema } from "effect"
import * as Tokens from "../tokens.ts"
import type { Grid, Reading } from "./reading.ts"
import { cell } from "./reading.ts"

const Text = Schema.optional(Schema.NullOr(Schema.String))

export const Statement = Schema.Struct({
  type: Schema.String,
  text: Text,
  before: Text,
  after: Text,
  cell: Text,
  up: Text,
  down: Text,
  left: Text,
  right: Text,
  top_heading: Text,
  left_heading: Text,
  max_diffs: Schema.optional(Schema.NullOr(Schema.Number))
})
type Statement = typeof Statement.Type

/** End of the place in `words` that differs from `wanted` by at most `most` words; -1 if there is none. */
const find = (wanted: ReadonlyArray<string>, words: ReadonlyArray<string>, most: number): number => {
  let row = Array.from({ length: wanted.length + 1 }, (_, at) => at)
  let end = -1
  let least = most + 1
  words.forEach((word, place) => {
    const next = [0]
    wanted.forEach((own, at) => {
      const swapped = (row[at] ?? 0) + (own === word ? 0 : 1)
      next.push(Math.min(swapped, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    })
    row = next
    const differences = row.at(-1) ?? 0
    if (differences < least) {
      least = differences
      end = place
    }
  })
  return end
}

const isCell = (statement: Statement, tables: ReadonlyArray<Grid>): boolean => {
  const own = cell(statement.cell ?? "")
  const is = (wanted: string | null | undefined, found: string | undefined): boolean =>
    wanted === undefined || wanted === null || wanted === "" || cell(wanted) === found
  return tables.some((grid) =>
    grid.some((row, top) =>
      row.some(
        (text, left) =>
          text === own &&
          is(statement.up, grid[top - 1]?.[left]) &&
          is(statement.down, grid[top + 1]?.[left]) &&
          is(statement.left, row[left - 1]) &&
          is(statement.right, row[left + 1]) &&
          (is(statement.top_heading, undefined) ||
            grid.slice(0, top).some((above) => is(statement.top_heading, above[left]))) &&
          (is(statement.left_heading, undefined) ||
            row.slice(0, left).some((before) => is(statement.left_heading, before)))
      )
    )
  )
}

const holds = (statement: Statement, { tables, words }: Reading): boolean | undefined => {
  // The bound is in characters, of which a word has some five.
  const most = Math.ceil((statement.max_diffs ?? 0) / 5)
  const place = (text: string | null | undefined): number => find(Tokens.of(text ?? ""), words, most)
  switch (statement.type) {
    case "present":
      return place(statement.text) >= 0
    case "absent":
      return place(statement.text) < 0
    case "order": {
      const before = place(statement.before)
      const after = place(statement.after)
      return before >= 0 && after >= 0 && before < after
    }
    case "table":
      return isCell(statement, tables)
    default:
      return undefined
  }
}

/** Share of the statements that hold; undefined where none can be tested. */
export const share = (statements: ReadonlyArray<Statement>, reading: Reading): number | undefined => {
  const results = statements.flatMap((statement) => holds(statement, reading) ?? [])
  return results.length === 0 ? undefined : results.filter(Boolean).length / results.length
}
