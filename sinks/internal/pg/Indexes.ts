import type { EmbeddingSpace, SinkError } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { mismatch, quote } from "./Columns.ts"
import type { Connection, Pool } from "./Pool.ts"
import { metrics } from "./Search.ts"
import type { Settings } from "./Settings.ts"
import { type Table, termsIndex } from "./Table.ts"
import { documentOf } from "./WordSearch.ts"

/** The indexes that a table is to have. */
export interface Wanted {
  readonly text: boolean
  readonly language: string
  readonly vectors: Settings
}

/** Most dimensions that pgvector can index, by the type of the column. */
const mostDimensions = { vector: 2000, halfvec: 4000 } as const

/** Fails with `Mismatch` for vectors that the options exclude, and for an index that the server would refuse once everything is stored. */
export const check = (
  sink: string,
  { vectors }: Wanted,
  space: EmbeddingSpace | null
): Effect.Effect<void, SinkError> => {
  if (space === null) return Effect.void
  if (vectors.dimensions !== null && vectors.dimensions !== space.dimensions) {
    return mismatch(
      sink,
      `the option \`dimensions\` says ${vectors.dimensions}, and ${space.model} has ${space.dimensions}; change one of the two`
    )
  }
  const most = mostDimensions[vectors.vectorType ?? "vector"]
  if (vectors.vectorIndex === "none" || space.dimensions <= most) return Effect.void
  return mismatch(
    sink,
    `an HNSW index takes at most ${most} dimensions of the type ${vectors.vectorType ?? "vector"}, and ${space.model} has ${space.dimensions}; leave out the option \`vectorIndex\`, ${
      space.dimensions <= mostDimensions.halfvec ? "set `vectorType` to halfvec, " : ""
    }or use a model with fewer`
  )
}

const IndexRow = Schema.Tuple(
  Schema.Struct({
    name: Schema.String,
    class: Schema.String,
    options: Schema.Array(Schema.String),
    valid: Schema.Boolean
  })
)

/** Name of the vectors' index; unique in the schema, since it holds the table's object id. */
const vectorIndex = ({ relation }: Table): string => `docsluice_vector_${relation}`

/** Quoted name of the vectors' index if it was built for another metric or with other settings than those given, else null. */
const outdated = (connection: Connection, table: Table, operatorClass: string, settings: Settings) =>
  Effect.map(
    connection.query(
      `SELECT i.indexrelid::regclass::text AS name, o.opcname AS class, coalesce(c.reloptions, '{}') AS options, i.indisvalid AS valid
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_opclass o ON o.oid = i.indclass[0]
       WHERE i.indrelid = $1 AND c.relname = $2`,
      [table.relation, vectorIndex(table)]
    ),
    (rows) => {
      if (!Schema.is(IndexRow)(rows)) return null
      const [{ class: built, name, options, valid }] = rows
      const numberOf = (option: string, otherwise: number) =>
        Number(options.find((one) => one.startsWith(`${option}=`))?.slice(option.length + 1) ?? otherwise)
      const { efConstruction, m } = settings.hnsw
      const fits =
        valid &&
        built === operatorClass &&
        (m === null || numberOf("m", own.m) === m) &&
        (efConstruction === null || numberOf("ef_construction", own.efConstruction) === efConstruction)
      return fits ? null : name
    }
  )

/** pgvector's own settings of an index. */
const own = { m: 16, efConstruction: 64 } as const

const withClause = ({ efConstruction, m }: Settings["hnsw"]): string => {
  const settings = [
    ...(m === null ? [] : [`m = ${m}`]),
    ...(efConstruction === null ? [] : [`ef_construction = ${efConstruction}`])
  ]
  return settings.length === 0 ? "" : ` WITH (${settings.join(", ")})`
}

/** True where the server has no statistics of a table, or those of a tenth more or fewer rows. */
const isUnknown = (connection: Connection, { name, relation, schema }: Table): Effect.Effect<boolean, SinkError> =>
  Effect.map(
    connection.query(
      `SELECT 1 FROM pg_class c, (SELECT count(*) AS rows FROM ${name}) AS now WHERE c.oid = $1 AND (
         abs(rows - reltuples) > 0.1 * rows
         OR NOT EXISTS (SELECT 1 FROM pg_stats WHERE schemaname = $2 AND tablename = c.relname)
       )`,
      [relation, schema]
    ),
    (rows) => rows.length > 0
  )

/**
 * Builds the wanted indexes that are missing, once all rows have their terms, and that of the vectors again when its metric or its settings changed; brings the server's
 * statistics up to date, which searches by words use too. All in one transaction: searches use the former index until the new one is there.
 */
export const build = (pool: Pool, table: Table, wanted: Wanted): Effect.Effect<void, SinkError> =>
  pool.transaction((connection) =>
    Effect.gen(function* () {
      // An index, too, tells the server the number of rows.
      const unknown = yield* isUnknown(connection, table)
      const create = (name: string, definition: string) =>
        connection.patient(`CREATE INDEX IF NOT EXISTS ${quote(name)} ON ${table.name} USING ${definition}`)
      const texts = `docsluice_text_${wanted.language.slice(0, 24)}_${table.relation}`
      if (wanted.text && table.terms !== null) {
        yield* create(termsIndex(table, table.terms.version), `gin (${table.terms.name})`)
        // An index of texts, as an earlier version searched them.
        yield* connection.query(`DROP INDEX IF EXISTS ${quote(table.schema)}.${quote(texts)}`)
      } else if (wanted.text) {
        yield* create(texts, `gin (${documentOf(table, wanted.language)})`)
      }
      const { embedding, space, vector } = table
      const { vectors } = wanted
      if (vectors.vectorIndex === "hnsw" && embedding !== null && vector !== null && space !== null) {
        const operatorClass = `${embedding.type}_${metrics[vectors.metric ?? space.metric].operatorClass}`
        const former = yield* outdated(connection, table, operatorClass, vectors)
        if (former !== null) yield* connection.query(`DROP INDEX ${former}`)
        yield* create(
          vectorIndex(table),
          `hnsw (${embedding.name} ${vector.schema}.${operatorClass})${withClause(vectors.hnsw)}`
        )
      }
      if (unknown) yield* connection.patient(`ANALYZE ${table.name}`)
    })
  )
