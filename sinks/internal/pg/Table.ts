import { checkSpace, EmbeddingSpace, SinkError, type StoreStamp } from "docsluice/ChunkSink"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { columns } from "../shared/ChunkRow.ts"
import { storeId } from "../shared/Stamp.ts"
import { attributesOf, bind, bindVector, type Bound, mismatch, nameOf, ownTypes, type Place, quote } from "./Columns.ts"
import type { Connection } from "./Pool.ts"

/** The extension's type, in whatever schema it was put. */
export interface VectorType {
  readonly oid: number
  /** Quoted. */
  readonly schema: string
}

/** A table that was prepared. */
export interface Table {
  /** The sink's id. */
  readonly sink: string
  readonly relation: number
  /** Quoted, with its schema. */
  readonly name: string
  readonly bound: ReadonlyArray<Bound>
  /** Quoted; null where there is no column for vectors. */
  readonly embedding: string | null
  readonly vector: VectorType | null
  readonly space: EmbeddingSpace | null
  /** Whether it held nothing when it was prepared. */
  readonly empty: boolean
  readonly stamp: string
}

/** Store ids and spaces: a row for each table of the schema, valid as long as the table has the same object id. */
export const stampsOf = ({ schema }: Place): string => `${quote(schema)}."docsluice_stores"`

/**
 * Bytes up to which a row stays in one piece, the most that a page holds. With the server's own 2 KB almost every row with a
 * vector would be split, which doubles the cost of writing it and of comparing all vectors.
 */
const wholeRow = 8160

const createTable = (place: Place, space: EmbeddingSpace | null, vector: VectorType | null): string => {
  const members = columns.map(({ member, name, kind, required }) =>
    [quote(name), ownTypes[kind], required ? "NOT NULL" : "", member === "id" ? "PRIMARY KEY" : ""].join(" ")
  )
  const embedding = space === null || vector === null ? [] : [`embedding ${vector.schema}.vector(${space.dimensions})`]
  return `CREATE TABLE ${nameOf(place)} (${[...members, ...embedding].join(", ")}) WITH (toast_tuple_target = ${wholeRow})`
}

const VectorRow = Schema.Tuple(Schema.Struct({ oid: Schema.Number, schema: Schema.String }))

const findVector = (connection: Connection) =>
  Effect.map(
    connection.query(
      `SELECT t.oid::int8::float8 AS oid, quote_ident(n.nspname) AS schema FROM pg_type t
       JOIN pg_extension e ON e.extnamespace = t.typnamespace AND e.extname = 'vector'
       JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typname = 'vector'`
    ),
    (rows) => (Schema.is(VectorRow)(rows) ? rows[0] : null)
  )

/** The extension, created where it is only missing in this database and the user may. */
const vectorType = (sink: string, connection: Connection): Effect.Effect<VectorType, SinkError> =>
  Effect.gen(function* () {
    const found = yield* findVector(connection)
    if (found !== null) return found
    const available = yield* connection.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
    if (available.length === 0) {
      return yield* mismatch(
        sink,
        "the server has no extension `vector`; install pgvector on it (https://github.com/pgvector/pgvector), then CREATE EXTENSION vector in this database"
      )
    }
    yield* Effect.mapError(connection.query("CREATE EXTENSION IF NOT EXISTS vector"), (error) =>
      error.reason === "Unavailable"
        ? error
        : new SinkError({
            sink,
            reason: "Mismatch",
            problem:
              "the database has no extension `vector`, and this user may not create it; have its owner run CREATE EXTENSION vector"
          })
    )
    const created = yield* findVector(connection)
    return created ?? (yield* mismatch(sink, "the extension `vector` has no type of that name"))
  })

const RelationRow = Schema.Tuple(Schema.Struct({ relation: Schema.Number }))

const relationOf = (connection: Connection, { schema, table }: Place): Effect.Effect<number | null, SinkError> =>
  Effect.map(
    connection.query(
      `SELECT c.oid::int8::float8 AS relation FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p')`,
      [schema, table]
    ),
    (rows) => (Schema.is(RelationRow)(rows) ? rows[0].relation : null)
  )

const StampRow = Schema.Tuple(
  Schema.Struct({
    format: Schema.Literal(1),
    storeId: Schema.String,
    space: Schema.NullOr(EmbeddingSpace),
    /** Whether the table is the one that was stamped, and not one that was made or restored under its name. */
    same: Schema.Boolean
  })
)

type StoredStamp = (typeof StampRow.Type)[0]

const readStamp = (
  connection: Connection,
  place: Place,
  relation: number
): Effect.Effect<StoredStamp | null, SinkError> =>
  Effect.flatMap(
    connection.query(
      `SELECT format, store_id AS "storeId", space, relation = $2 AS same FROM ${stampsOf(place)} WHERE table_name = $1`,
      [place.table, relation]
    ),
    (rows) =>
      rows.length === 0
        ? Effect.succeed(null)
        : Effect.mapBoth(Schema.decodeUnknown(StampRow)(rows), {
            onSuccess: ([row]) => row,
            onFailure: () => mismatch(place.sink, "its stamp is not one that this version reads; use another table")
          })
  )

const hasRows = (connection: Connection, sql: string) =>
  Effect.map(connection.query(`SELECT 1 FROM ${sql} LIMIT 1`), (rows) => rows.length > 0)

const lock = "SELECT pg_advisory_xact_lock(hashtext('docsluice'))"

/** Creates what is missing and checks what is there; to be called in a transaction. */
export const prepare = (
  connection: Connection,
  place: Place,
  space: EmbeddingSpace | null
): Effect.Effect<Table, SinkError> =>
  Effect.gen(function* () {
    const { sink, schema, table, mapping } = place
    yield* connection.query(lock)
    const vector = space === null ? yield* findVector(connection) : yield* vectorType(sink, connection)
    const schemas = yield* connection.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema])
    if (schemas.length === 0) yield* connection.query(`CREATE SCHEMA ${quote(schema)}`)
    yield* connection.query(
      `CREATE TABLE IF NOT EXISTS ${stampsOf(place)} (table_name text PRIMARY KEY, relation oid NOT NULL,
         format integer NOT NULL, store_id text NOT NULL, space jsonb)`
    )
    const create = Effect.gen(function* () {
      if (mapping !== null) return yield* mismatch(sink, `there is no table ${nameOf(place)}; create it`)
      yield* connection.query(createTable(place, space, vector))
      yield* connection.query(`CREATE INDEX ON ${nameOf(place)} (document_id)`)
      return (yield* relationOf(connection, place)) ?? (yield* mismatch(sink, "the table is gone; run again"))
    })
    const before = yield* relationOf(connection, place)
    const stamp = before === null ? null : yield* readStamp(connection, place, before)
    const empty = before === null || !(yield* hasRows(connection, nameOf(place)))
    yield* checkSpace({ sink, stamped: stamp?.space ?? null, asked: space, empty: empty || stamp === null })
    const remake = before !== null && stamp?.same === true && empty && mapping === null
    if (remake) yield* connection.query(`DROP TABLE ${nameOf(place)}`)
    const relation = before === null || remake ? yield* create : before
    const attributes = yield* attributesOf(connection, relation)
    const bound = yield* bind(place, attributes)
    const embedding = yield* bindVector(place, attributes, space)
    const strangers = stamp === null && embedding !== null && !empty
    if (strangers && (yield* hasRows(connection, `${nameOf(place)} WHERE ${embedding} IS NOT NULL`))) {
      return yield* mismatch(
        sink,
        `the table ${nameOf(place)} holds vectors of an unknown model; use another table, or --rebuild to empty this one`
      )
    }
    const id = stamp?.same === true ? stamp.storeId : yield* storeId
    yield* connection.query(
      `INSERT INTO ${stampsOf(place)} VALUES ($1, $2, 1, $3, $4) ON CONFLICT (table_name) DO UPDATE SET
         relation = excluded.relation, format = excluded.format, store_id = excluded.store_id, space = excluded.space`,
      [table, relation, id, space === null ? null : JSON.stringify(space)]
    )
    return { sink, relation, name: nameOf(place), bound, embedding, vector, space, empty, stamp: id }
  })

/** The stamp; null without one, which is also so when nothing is there. */
export const stamp = (connection: Connection, place: Place): Effect.Effect<StoreStamp | null, SinkError> =>
  Effect.gen(function* () {
    const relation = yield* relationOf(connection, place)
    const stamps = yield* relationOf(connection, { ...place, table: "docsluice_stores" })
    if (relation === null || stamps === null) return null
    return yield* readStamp(connection, place, relation)
  })

/**
 * Drops a table of ours, empties one of the user's, and forgets the stamp; to be called in a transaction. A table that has
 * neither a stamp nor the columns is not touched.
 */
export const clear = (connection: Connection, place: Place): Effect.Effect<void, SinkError> =>
  Effect.gen(function* () {
    yield* connection.query(lock)
    const relation = yield* relationOf(connection, place)
    const stamps = yield* relationOf(connection, { ...place, table: "docsluice_stores" })
    if (relation !== null) {
      const stamp = stamps === null ? null : yield* readStamp(connection, place, relation)
      if (stamp?.same === true && place.mapping === null) {
        yield* connection.query(`DROP TABLE ${nameOf(place)}`)
      } else {
        yield* bind(place, yield* attributesOf(connection, relation))
        yield* connection.query(`DELETE FROM ${nameOf(place)}`)
      }
    }
    if (stamps !== null) yield* connection.query(`DELETE FROM ${stampsOf(place)} WHERE table_name = $1`, [place.table])
  })
