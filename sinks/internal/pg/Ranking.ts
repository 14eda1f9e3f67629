import type { CheckedQuery as Query, SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import type { Ranking } from "../shared/Fusion.ts"
import { column } from "./Columns.ts"
import { type Parameters, translate, unmapped } from "./Filter.ts"
import type { Connection, Pool } from "./Pool.ts"
import type { Settings } from "./Settings.ts"
import type { Table } from "./Table.ts"

/** An open table, with the options of its searches. */
export interface Store {
  readonly pool: Pool
  readonly table: Table
  /** Text search configuration of the server, for a table without terms. */
  readonly language: string
  readonly settings: Settings
}

/** An empty filter, or the filter's condition with an `AND` before it. */
export const matching = (
  table: Table,
  filter: Query["filter"],
  parameters: Parameters
): Effect.Effect<string, SinkError> =>
  filter === undefined
    ? Effect.succeed("")
    : (unmapped(table, filter) ?? Effect.succeed(` AND ${translate(table, filter, parameters)}`))

export const idColumn = (table: Table): string => column(table, "id")

/** The rows of a statement that selects `id` and `score`, best first. */
export const ranked = (
  connection: Connection,
  sql: string,
  parameters: Parameters
): Effect.Effect<Ranking<string>, SinkError> =>
  Effect.map(connection.query(sql, parameters.values), (rows) =>
    rows.map(({ id, score }) => ({ key: String(id), score: typeof score === "number" ? score : null }))
  )
