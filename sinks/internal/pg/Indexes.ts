import type { EmbeddingSpace, SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import { mismatch, quote, termsColumn } from "./Columns.ts"
import type { Pool } from "./Pool.ts"
import { documentOf, metrics } from "./Search.ts"
import type { Table } from "./Table.ts"

/** Which indexes a table is to have. */
export interface Wanted {
  readonly text: boolean
  readonly vector: boolean
  readonly language: string
}

/** Dimensions that pgvector can index. */
const mostDimensions = 2000

/** Fails with `Mismatch` for an index that the server would refuse once everything is stored. */
export const check = (sink: string, wanted: Wanted, space: EmbeddingSpace | null): Effect.Effect<void, SinkError> =>
  wanted.vector && space !== null && space.dimensions > mostDimensions
    ? Effect.fail(
        mismatch(
          sink,
          `an HNSW index takes at most ${mostDimensions} dimensions, and ${space.model} has ${space.dimensions}; leave out the option \`vectorIndex\`, or use a model with fewer`
        )
      )
    : Effect.void

/** Builds the wanted indexes that are missing, once all rows have their terms, and updates the planner's statistics after a first load. */
export const build = (pool: Pool, table: Table, wanted: Wanted): Effect.Effect<void, SinkError> =>
  pool.transaction((connection) =>
    Effect.gen(function* () {
      const create = (kind: string, definition: string) =>
        connection.patient(
          `CREATE INDEX IF NOT EXISTS ${quote(`docsluice_${kind}_${table.relation}`)} ON ${table.name} USING ${definition}`
        )
      const texts = `text_${wanted.language.slice(0, 24)}`
      if (wanted.text && table.terms !== null) {
        yield* create(termsColumn, `gin (${table.terms})`)
        // An index of texts, as an earlier version searched them.
        yield* connection.query(
          `DROP INDEX IF EXISTS ${quote(table.schema)}.${quote(`docsluice_${texts}_${table.relation}`)}`
        )
      } else if (wanted.text) {
        yield* create(texts, `gin (${documentOf(table, wanted.language)})`)
      }
      if (wanted.vector && table.embedding !== null && table.vector !== null && table.space !== null) {
        const { operatorClass } = metrics[table.space.metric]
        yield* create("vector", `hnsw (${table.embedding} ${table.vector.schema}.${operatorClass})`)
      }
      if (table.empty) yield* connection.patient(`ANALYZE ${table.name}`)
    })
  )
