/** Keeps a table of entries within a size: the least recently used ones are evicted. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { integer, nullable } from "../columns.ts"
import type { ServerFailure } from "../serverFailure.ts"
import type { Connection, Transaction } from "./connection.ts"

export interface Bound {
  /** Notes that the entry was used; written before entries are evicted, and at the end. */
  readonly used: (key: string) => void
  /** To be called in the transaction that added so many bytes. */
  readonly added: (transaction: Transaction, bytes: number) => Effect.Effect<void, ServerFailure>
  readonly trim: (maxBytes: number) => Effect.Effect<void, ServerFailure>
  readonly stats: Effect.Effect<Stats, ServerFailure>
  /** Writes the uses. */
  readonly settle: Effect.Effect<void, ServerFailure>
}

export interface Stats {
  readonly entries: number
  readonly bytes: number
  readonly oldest: number | null
  readonly newest: number | null
}

/** Name of a table, and its key as a text in SQL. */
export interface Table {
  readonly name: "answer" | "vector"
  readonly key: "u.key" | "decode(u.key, 'hex')"
}

/** The table is summed up again after a process has added this part of its bound. */
const share = 64

/** Uses that are kept in memory at most; those before are forgotten. */
const mostUses = 65_536

/** Next tick of the order of use, the same for all processes: microseconds of the server. */
export const tick = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

const evict = ({ query }: Transaction, { name }: Table, maxBytes: number) =>
  query(
    `DELETE FROM ${name} t USING (SELECT key, sum(bytes) OVER (ORDER BY used DESC, key DESC) AS together FROM ${name}) o
     WHERE o.key = t.key AND o.together > $1`,
    [maxBytes]
  )

export const make = (connection: Connection, table: Table, maxBytes: number): Bound => {
  let since = 0
  const uses = new Set<string>()
  const settle = ({ query }: Transaction) =>
    Effect.suspend(() => {
      if (uses.size === 0) return Effect.void
      const keys = [...uses]
      return Effect.map(
        query(
          `UPDATE ${table.name} t SET used = ${tick} + u.place FROM unnest($1::text[]) WITH ORDINALITY AS u (key, place)
           WHERE t.key = ${table.key}`,
          [keys]
        ),
        () => {
          for (const key of keys) uses.delete(key)
        }
      )
    })
  return {
    used: (key) => {
      uses.delete(key)
      if (uses.size >= mostUses) uses.clear()
      uses.add(key)
    },
    added: (transaction, bytes) =>
      Effect.suspend(() => {
        since += bytes
        if (since * share < maxBytes) return Effect.void
        return Effect.map(Effect.zipRight(settle(transaction), evict(transaction, table, maxBytes)), () => {
          since = 0
        })
      }),
    trim: (limit) =>
      Effect.asVoid(
        connection.transaction((transaction) => Effect.zipRight(settle(transaction), evict(transaction, table, limit)))
      ),
    stats: Effect.map(
      connection.rows(
        `SELECT count(*), coalesce(sum(bytes), 0), min(created), max(created) FROM ${table.name}`,
        [],
        (row) => ({
          entries: integer(row, 0),
          bytes: integer(row, 1),
          oldest: nullable(row, 2, integer),
          newest: nullable(row, 3, integer)
        })
      ),
      ([stats = { entries: 0, bytes: 0, oldest: null, newest: null }]) => stats
    ),
    settle: Effect.suspend(() => (uses.size === 0 ? Effect.void : connection.transaction(settle)))
  }
}

/** Writes the uses at the end of a scope; a failure is only logged. */
export const settling = (bound: Bound): Effect.Effect<void, never, Scope.Scope> =>
  Effect.addFinalizer(() => Effect.catchAll(bound.settle, (failed) => Effect.logWarning(failed.message)))
