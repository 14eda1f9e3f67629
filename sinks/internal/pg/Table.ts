/** PostgreSQL with pgvector: connections, the table, its indexes and its searches. */
import { type EmbeddingSpace, type Found, type Opening, SinkError } from "docsluice/ChunkSink"
import type { Version } from "docsluice/Terms"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { columns, listed } from "../shared/ChunkRow.ts"
import * as Tenant from "../shared/Tenant.ts"
import * as Words from "../shared/Words.ts"
import {
  type Attributes,
  attributesOf,
  bind,
  bindVector,
  type Bound,
  column,
  mismatch,
  nameOf,
  ownTypes,
  type Place,
  quote,
  rowsOf,
  termsColumn,
  type VectorColumn,
  weightsColumn
} from "./Columns.ts"
import { dimensions } from "./Lexemes.ts"
import type { Connection } from "./Pool.ts"

/** The extension's type, in whatever schema it was put. */
export interface VectorType {
  readonly oid: number
  /** Quoted. */
  readonly schema: string
  /** Version of the extension: `0.8.0`. */
  readonly version: string
}

/** True if the extension is of this version `0.MINOR`, or later. */
export const isSince = ({ version }: VectorType, minor: number): boolean => {
  const [first = 0, second = 0] = version.split(".").map(Number)
  return first > 0 || second >= minor
}

/** The columns of the terms. */
export interface Terms {
  /** Quoted. */
  readonly name: string
  readonly version: Version
  /** The column of their weights, quoted, and its type; null in a table whose terms have positions instead. */
  readonly weights: { readonly name: string; readonly type: string } | null
}

/** A table that was prepared. */
export interface Table {
  /** The sink's id. */
  readonly sink: string
  readonly relation: number
  readonly schema: string
  /** Quoted, with its schema. */
  readonly name: string
  /** The rows to be read, for a FROM: the table, or those of the tenant. */
  readonly rows: string
  /** Null for a table without tenants. */
  readonly tenant: string | null
  readonly bound: ReadonlyArray<Bound>
  /** Null where there is no column for vectors. */
  readonly embedding: VectorColumn | null
  readonly vector: VectorType | null
  readonly space: EmbeddingSpace | null
  /** Null where there is no column for terms: in a table of the user's, and in one that only an earlier version wrote to. */
  readonly terms: Terms | null
  /** True when it had rows without terms when it was opened. */
  readonly waiting: boolean
}

/** Name of the index of the terms; unique in the schema, since it holds the table's object id. */
export const termsIndex = ({ relation }: Pick<Table, "relation">, version: Version): string =>
  `docsluice_${Words.nameOf(version)}_${relation}`

/** The column of weights of a table that is made now, where the extension has the type for it. */
const weightsOf = (vector: VectorType | null): ReadonlyArray<string> =>
  vector !== null && isSince(vector, 7) ? [`${weightsColumn} ${vector.schema}.sparsevec(${dimensions})`] : []

/** Stamps: a row for each table of the schema, valid as long as the table has the same object id. */
const stampsOf = ({ schema }: Place): string => `${quote(schema)}."docsluice_stores"`

/**
 * Bytes up to which a row stays in one piece, the most that a page holds. With the server's own 2 KB almost every row with a
 * vector would be split, which doubles the cost of writing it and of comparing all vectors.
 */
const wholeRow = 8160

const createTable = (place: Place, space: EmbeddingSpace | null, vector: VectorType | null): string => {
  const members = columns.map(({ member, name, kind, required }) =>
    [
      quote(name),
      ownTypes[kind],
      required ? "NOT NULL" : "",
      member === "id" && place.tenant === null ? "PRIMARY KEY" : ""
    ].join(" ")
  )
  if (place.tenant !== null) members.push("tenant text NOT NULL", "PRIMARY KEY (tenant, id)")
  const embedding =
    space === null || vector === null
      ? []
      : [`embedding ${vector.schema}.${place.vectorType ?? "vector"}(${space.dimensions})`]
  return `CREATE TABLE ${nameOf(place)} (${[...members, ...embedding, `${termsColumn} tsvector`, ...weightsOf(vector)].join(", ")}) WITH (toast_tuple_target = ${wholeRow})`
}

const VectorRow = Schema.Tuple(Schema.Struct({ oid: Schema.Number, schema: Schema.String, version: Schema.String }))

const findVector = (connection: Connection) =>
  Effect.map(
    connection.query(
      `SELECT t.oid::int8::float8 AS oid, quote_ident(n.nspname) AS schema, e.extversion AS version FROM pg_type t
       JOIN pg_extension e ON e.extnamespace = t.typnamespace AND e.extname = 'vector'
       JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typname = 'vector'`
    ),
    (rows) => (Schema.is(VectorRow)(rows) ? rows[0] : null)
  )

const isAvailable = (connection: Connection) =>
  Effect.map(connection.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"), (rows) => rows.length > 0)

const createExtension = "CREATE EXTENSION IF NOT EXISTS vector"

/** The extension for chunks without vectors, whose words it ranks faster: created where it may be, and done without elsewhere. */
const vectorIfAny = (connection: Connection) =>
  Effect.gen(function* () {
    const found = yield* findVector(connection)
    if (found !== null || !(yield* isAvailable(connection))) return found
    yield* connection.query("SAVEPOINT extension")
    return yield* Effect.catchIf(
      Effect.zipRight(connection.query(createExtension), findVector(connection)),
      ({ reason }) => reason !== "Unavailable",
      () => Effect.as(connection.query("ROLLBACK TO SAVEPOINT extension"), null)
    )
  })

/** The extension, created where it is only missing in this database and the user may. */
const vectorType = (sink: string, connection: Connection): Effect.Effect<VectorType, SinkError> =>
  Effect.gen(function* () {
    const found = yield* findVector(connection)
    if (found !== null) return found
    if (!(yield* isAvailable(connection))) {
      return yield* mismatch(
        sink,
        "the server has no extension `vector`; install pgvector on it (https://github.com/pgvector/pgvector), then CREATE EXTENSION vector in this database"
      )
    }
    yield* Effect.mapError(connection.query(createExtension), (error) =>
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

/** Key of the stamp. */
const stampKey = ({ table, tenant }: Place): string => (tenant === null ? table : `${table}#${tenant}`)

const TextRow = Schema.Tuple(Schema.Struct({ stamp: Schema.String }))

/** Columns of the table of stamps, `stamp` not in the first version; null where there is no table. */
const stampColumns = (connection: Connection, place: Place) =>
  Effect.flatMap(relationOf(connection, { ...place, table: "docsluice_stores" }), (relation) =>
    relation === null ? Effect.succeed(null) : attributesOf(connection, relation)
  )

/** The text of the stamp; null without one, and for that of a table that was replaced under its name. */
const readStamp = Effect.fnUntraced(function* (connection: Connection, place: Place, relation: number) {
  const there = yield* stampColumns(connection, place)
  if (there === null) return null
  if (!["table_name", "relation", "format", "store_id", "space"].every((name) => there.has(name))) {
    return yield* mismatch(
      place.sink,
      `${stampsOf(place)} is not a table of this sink, which keeps its stamps under that name; use another schema`
    )
  }
  const rows = yield* connection.query(
    `SELECT coalesce(to_jsonb(s) ->> 'stamp',
       jsonb_build_object('format', s.format, 'storeId', s.store_id, 'space', s.space)::text) AS stamp
     FROM ${stampsOf(place)} s WHERE table_name = $1 AND relation = $2`,
    [stampKey(place), relation]
  )
  return Schema.is(TextRow)(rows) ? rows[0].stamp : null
})

const hasRows = (connection: Connection, sql: string) =>
  Effect.map(connection.query(`SELECT 1 FROM ${sql} LIMIT 1`), (rows) => rows.length > 0)

const lock = "SELECT pg_advisory_xact_lock(hashtext('docsluice'))"

const chunksOf = (connection: Connection, place: Place, bound: ReadonlyArray<Bound>) =>
  Effect.map(
    connection.query(
      `SELECT ${column({ bound }, "id")}::text AS id, ${column({ bound }, "documentId")}::text AS document
       FROM ${rowsOf(place)} LIMIT 100`
    ),
    (rows) => rows.map((row) => listed(row["document"], row["id"]))
  )

/** False where nothing has the table's name. */
export const isThere = (connection: Connection, place: Place): Effect.Effect<boolean, SinkError> =>
  Effect.map(connection.query("SELECT 1 WHERE to_regclass($1) IS NOT NULL", [nameOf(place)]), (rows) => rows.length > 0)

/** Inspects the table and its stamp; changes nothing. */
export const inspect = (connection: Connection, place: Place): Effect.Effect<Found, SinkError> =>
  Effect.gen(function* () {
    const relation = yield* relationOf(connection, place)
    if (relation === null) {
      return (yield* isThere(connection, place))
        ? { _tag: "Foreign", problem: `${nameOf(place)} is no table; choose another name` }
        : { _tag: "Absent" }
    }
    const stamp = yield* readStamp(connection, place, relation)
    if (stamp !== null) {
      return { _tag: "Stamped", stamp, empty: !(yield* hasRows(connection, rowsOf(place))), changed: false }
    }
    const attributes = yield* attributesOf(connection, relation)
    const bound = yield* Effect.either(bind(place, attributes))
    if (bound._tag === "Left") {
      const tenants = place.mapping === null && place.tenant === null && attributes.has("tenant")
      return { _tag: "Foreign", problem: tenants ? Tenant.needed : bound.left.problem, tenants }
    }
    const embedding = yield* bindVector(place, attributes, null)
    const vectors =
      embedding !== null && (yield* hasRows(connection, `${rowsOf(place)} WHERE ${embedding.name} IS NOT NULL`))
    const chunks = yield* chunksOf(connection, place, bound.right)
    if (place.tenant !== null && chunks.length === 0) return { _tag: "Absent" }
    return { _tag: "Unstamped", chunks, vectors }
  })

/**
 * Adds the columns of terms to a table that an earlier version made, and the index by which rows without terms are found. `finish`
 * fills the columns, since the texts are in the table.
 */
const addTerms = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place,
  attributes: Attributes,
  { relation, vector }: Pick<Table, "relation" | "vector">
) {
  if (!attributes.has(termsColumn)) {
    const added = [`${termsColumn} tsvector`, ...weightsOf(vector)].map((one) => `ADD COLUMN ${one}`)
    yield* connection.query(`ALTER TABLE ${nameOf(place)} ${added.join(", ")}`)
  }
  yield* connection.query(
    `CREATE INDEX IF NOT EXISTS ${quote(`docsluice_waiting_${relation}`)} ON ${nameOf(place)} (id) WHERE ${termsColumn} IS NULL`
  )
})

/** The columns of the latest terms that a table has. */
const termsOf = (attributes: Attributes): Terms | null => {
  const version = Words.versionOf(
    [...attributes.values()].flatMap(({ name, type }) => (type === "tsvector" ? [name] : []))
  )
  if (version === null) return null
  const weights = attributes.get(`weights${version}`)
  const isWeighed = weights !== undefined && /(?:^|\.)sparsevec\(/u.test(weights.type)
  return {
    name: quote(Words.nameOf(version)),
    version,
    weights: isWeighed ? { name: quote(weights.name), type: weights.type } : null
  }
}

/** The columns and the vector type of an existing table. */
const bindTable = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place,
  known: Pick<Table, "relation" | "vector" | "space">
): Effect.fn.Return<Table, SinkError> {
  const attributes = yield* attributesOf(connection, known.relation)
  const bound = yield* bind(place, attributes)
  const embedding = yield* bindVector(place, attributes, known.space)
  const terms = place.mapping === null ? termsOf(attributes) : null
  const waiting = terms !== null && (yield* hasRows(connection, `${rowsOf(place)} WHERE ${terms.name} IS NULL`))
  const { schema, sink, tenant } = place
  return { sink, schema, tenant, name: nameOf(place), rows: rowsOf(place), bound, embedding, terms, waiting, ...known }
})

/** Opens a table of this sink for reading only. */
export const read = (
  connection: Connection,
  place: Place,
  space: EmbeddingSpace | null
): Effect.Effect<Table, SinkError> =>
  Effect.gen(function* () {
    const relation = (yield* relationOf(connection, place)) ?? (yield* mismatch(place.sink, "the table is gone"))
    const vector = yield* findVector(connection)
    return yield* bindTable(connection, place, { relation, vector, space })
  })

const writeStamp = Effect.fnUntraced(function* (
  connection: Connection,
  place: Place,
  { relation, space }: Table,
  stamp: string
) {
  const there = yield* stampColumns(connection, place)
  if (there === null) {
    yield* connection.query(
      `CREATE TABLE ${stampsOf(place)} (table_name text PRIMARY KEY, relation oid NOT NULL,
         format integer NOT NULL, store_id text NOT NULL, space jsonb, stamp text)`
    )
  } else if (!there.has("stamp")) {
    yield* connection.query(`ALTER TABLE ${stampsOf(place)} ADD COLUMN stamp text`)
  }
  yield* connection.query(
    `INSERT INTO ${stampsOf(place)} (table_name, relation, format, store_id, space, stamp)
     VALUES ($1, $2, 2, $3::text::jsonb ->> 'storeId', $4, $3::text) ON CONFLICT (table_name) DO UPDATE SET
       relation = excluded.relation, format = excluded.format, store_id = excluded.store_id, space = excluded.space,
       stamp = excluded.stamp`,
    [stampKey(place), relation, stamp, space === null ? null : JSON.stringify(space)]
  )
})

/** Creates the table or uses the existing one, as `decide` says; to be called in a transaction. */
export const prepare = (
  connection: Connection,
  place: Place,
  { decide, space }: Opening
): Effect.Effect<Table, SinkError> =>
  Effect.gen(function* () {
    const { mapping, schema, sink } = place
    yield* connection.query(lock)
    const found = yield* inspect(connection, place)
    const there = yield* relationOf(connection, place)
    if (found._tag === "Unstamped" && there !== null) {
      yield* bindVector(place, yield* attributesOf(connection, there), space)
    }
    const { action, stamp } = yield* decide(found)
    const creates = action === "create" && mapping === null
    const vector =
      space !== null
        ? yield* vectorType(sink, connection)
        : yield* creates ? vectorIfAny(connection) : findVector(connection)
    if (vector !== null && place.vectorType === "halfvec" && !isSince(vector, 7)) {
      return yield* mismatch(
        sink,
        `\`halfvec\` needs version 0.7 of pgvector, and the database has ${vector.version}; ALTER EXTENSION vector UPDATE`
      )
    }
    if (creates) {
      const schemas = yield* connection.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema])
      if (schemas.length === 0) yield* connection.query(`CREATE SCHEMA ${quote(schema)}`)
      if (there !== null && place.tenant === null) yield* connection.query(`DROP TABLE ${nameOf(place)}`)
      if (there === null || place.tenant === null) {
        yield* connection.query(createTable(place, space, vector))
        yield* connection.query(
          `CREATE INDEX ON ${nameOf(place)} (${place.tenant === null ? "" : "tenant, "}document_id)`
        )
      } else if (space !== null && vector !== null && !(yield* attributesOf(connection, there)).has("embedding")) {
        // The tenants before had no vectors.
        yield* connection.query(
          `ALTER TABLE ${nameOf(place)} ADD COLUMN embedding ${vector.schema}.${place.vectorType ?? "vector"}(${space.dimensions})`
        )
      }
    }
    const relation =
      (yield* relationOf(connection, place)) ?? (yield* mismatch(sink, `there is no table ${nameOf(place)}; create it`))
    const attributes = yield* attributesOf(connection, relation)
    if (mapping === null && (action === "create" || termsOf(attributes) === null)) {
      yield* addTerms(connection, place, attributes, { relation, vector })
    }
    const table = yield* bindTable(connection, place, { relation, vector, space })
    if (action !== "open") yield* writeStamp(connection, place, table, stamp)
    return table
  })

/** Drops a table of this sink, empties one of the user's or the tenant's part, and deletes the stamp; to be called in a transaction. */
export const clear = (connection: Connection, place: Place): Effect.Effect<void, SinkError> =>
  Effect.gen(function* () {
    yield* connection.query(lock)
    const found = yield* inspect(connection, place)
    if (found._tag === "Foreign") return yield* mismatch(place.sink, found.problem)
    if (found._tag !== "Absent") {
      const drops = found._tag === "Stamped" && place.mapping === null && place.tenant === null
      const those = place.tenant === null ? "" : ` WHERE tenant = '${place.tenant}'`
      yield* connection.query(`${drops ? "DROP TABLE" : "DELETE FROM"} ${nameOf(place)}${those}`)
    }
    if ((yield* stampColumns(connection, place)) === null) return undefined
    yield* connection.query(`DELETE FROM ${stampsOf(place)} WHERE table_name = $1`, [stampKey(place)])
    const relation = place.tenant === null ? null : yield* relationOf(connection, place)
    if (relation === null || (yield* hasRows(connection, nameOf(place)))) return undefined
    // The table goes with its last tenant, so that the next one may have vectors of another length.
    const others = yield* connection.query(`SELECT 1 FROM ${stampsOf(place)} WHERE relation = $1`, [relation])
    if (others.length === 0) yield* connection.query(`DROP TABLE ${nameOf(place)}`)
    return undefined
  })
