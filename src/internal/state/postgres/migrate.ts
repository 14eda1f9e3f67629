import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import { integer, nullable, text } from "../columns.ts"
import { NewerSchema } from "../directory.ts"
import type { ServerFailure } from "../serverFailure.ts"
import { type Connection, quoted, type Transaction } from "./connection.ts"
import { migrations } from "./schema.ts"

/** Version of the tables in the schema; 0 where there are none. */
const versionOf = ({ rows }: Transaction, schema: string): Effect.Effect<number, ServerFailure> =>
  Effect.flatMap(
    rows("SELECT to_regclass($1)::text", [`${quoted(schema)}.state`], (row) => nullable(row, 0, text)),
    ([table]) =>
      table === null || table === undefined
        ? Effect.succeed(0)
        : Effect.map(
            rows("SELECT version FROM state", [], (row) => integer(row, 0)),
            ([version]) => version ?? 0
          )
  )

/**
 * Creates the tables, or brings those of an earlier version to the latest, in one transaction: several processes may do so at once, and
 * one that is killed leaves nothing.
 */
export const migrate = (connection: Connection): Effect.Effect<NewerSchema | null, ServerFailure> =>
  connection.transaction((transaction) => step(transaction, connection.address.schema))

const step = (transaction: Transaction, schema: string): Effect.Effect<NewerSchema | null, ServerFailure> =>
  Effect.gen(function* () {
    const { query, rows } = transaction
    const before = yield* versionOf(transaction, schema)
    if (before === migrations.length) return null
    // Another process may migrate for longer than anyone holds a document.
    yield* query("SET LOCAL lock_timeout TO DEFAULT")
    yield* query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`docsluice state ${schema}`])
    const [there] = yield* rows("SELECT count(*) FROM pg_namespace WHERE nspname = $1", [schema], (row) =>
      integer(row, 0)
    )
    if (there === 0) yield* query(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`)
    const version = yield* versionOf(transaction, schema)
    if (version > migrations.length) return new NewerSchema(version, migrations.length)
    if (version === 0) yield* query("CREATE TABLE state (version integer NOT NULL, id text NOT NULL)")
    for (const migration of migrations.slice(version)) yield* query(migration)
    yield* version === 0
      ? query("INSERT INTO state (version, id) VALUES ($1, $2)", [migrations.length, randomBytes(8).toString("hex")])
      : query("UPDATE state SET version = $1", [migrations.length])
    return null
  })

/**
 * Checks the tables for a state that is read only; false where there are none. Those of every earlier version are read as they are, until a
 * run brings them up to date.
 */
export const look = (connection: Connection): Effect.Effect<NewerSchema | boolean, ServerFailure> =>
  connection.transaction((transaction) =>
    Effect.gen(function* () {
      const version = yield* versionOf(transaction, connection.address.schema)
      if (version > migrations.length) return new NewerSchema(version, migrations.length)
      return version > 0
    })
  )
