/** Dead letters in a table, a line each. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { text } from "../columns.ts"
import { NewerSchema } from "../directory.ts"
import { failed, type ServerFailure } from "../serverFailure.ts"
import type { Connection } from "./connection.ts"
import { keyOf } from "./key.ts"
import { type Options, reading, shownOf, writing } from "./open.ts"

export { type Options, shownOf }

/** A letter as its line; `at`: when it failed, in ISO 8601. */
export interface Line {
  readonly root: string | null
  readonly source: string
  readonly at: string
  readonly line: string
}

export interface Letters {
  /** Adds a letter and replaces that of the same file. */
  readonly add: (line: Line) => Effect.Effect<void, ServerFailure>
  /** Removes the letter of a file, and that of the same source without a root. */
  readonly remove: (root: string | null, source: string) => Effect.Effect<void, ServerFailure>
  /** Replaces all letters; those of documents that failed in another process since stay. */
  readonly replace: (lines: ReadonlyArray<Line>) => Effect.Effect<void, ServerFailure>
  /** All lines, oldest failure first. A letter of a document that was stored since is none. */
  readonly lines: Effect.Effect<ReadonlyArray<string>, ServerFailure>
}

/** A key that no document has is that of a letter without a root. */
const letterKey = (root: string | null, source: string): string =>
  root === null ? keyOf("\0", source) : keyOf(root, source)

/** The ledger's row of the letter's document: their keys are the same. */
const document = (condition: string): string => `EXISTS (SELECT 1 FROM document d WHERE d.key = l.key AND ${condition})`

const insert = `INSERT INTO letter AS l (key, root, source, at, line)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
  ON CONFLICT (key) DO UPDATE SET at = excluded.at, line = excluded.line WHERE l.line <> excluded.line`

const columns = (lines: ReadonlyArray<Line>) => [
  lines.map(({ root, source }) => letterKey(root, source)),
  lines.map(({ root }) => root),
  lines.map(({ source }) => source),
  lines.map(({ at }) => at),
  lines.map(({ line }) => line)
]

const make = (connection: Connection): Letters => ({
  add: (line) =>
    Effect.asVoid(
      connection.transaction(({ query }) =>
        Effect.zipRight(
          query("DELETE FROM letter WHERE key = $1", [letterKey(null, line.source)]),
          query(insert, columns([line]))
        )
      )
    ),
  remove: (root, source) =>
    Effect.asVoid(
      connection.transaction(({ query }) =>
        query("DELETE FROM letter WHERE key = ANY($1::uuid[])", [[letterKey(root, source), letterKey(null, source)]])
      )
    ),
  replace: (lines) =>
    Effect.asVoid(
      connection.transaction(({ query }) =>
        Effect.zipRight(
          query(
            `DELETE FROM letter l WHERE NOT (l.key = ANY($1::uuid[])) AND NOT ${document("d.failure IS NOT NULL")}`,
            [lines.map(({ root, source }) => letterKey(root, source))]
          ),
          lines.length === 0 ? Effect.void : query(insert, columns(lines))
        )
      )
    ),
  lines: connection.rows(
    `SELECT line FROM letter l WHERE NOT ${document("d.failure IS NULL AND d.setting IS NOT NULL")} ORDER BY at, key`,
    [],
    (row) => text(row, 0)
  )
})

const newer = ({ found, known }: NewerSchema): ServerFailure =>
  failed("Io", `the state was written by a later version of docsluice (schema ${found}, known here: ${known})`)

/** The letters of a state, which is created when missing. */
export const scoped = (options: Options): Effect.Effect<Letters, ServerFailure, Scope.Scope> =>
  Effect.flatMap(writing(options), (connection) =>
    connection instanceof NewerSchema ? newer(connection) : Effect.succeed(make(connection))
  )

/** All lines of a state, which is not created; none where there is none. */
export const read = (options: Options): Effect.Effect<ReadonlyArray<string>, ServerFailure> =>
  Effect.scoped(
    Effect.flatMap(reading(options), (connection): Effect.Effect<ReadonlyArray<string>, ServerFailure> => {
      if (connection === null) return Effect.succeed([])
      return connection instanceof NewerSchema ? newer(connection) : make(connection).lines
    })
  )
