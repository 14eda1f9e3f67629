import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PackedVector } from "../../../DocumentChunk.ts"
import { bytes, integer } from "../columns.ts"
import { NewerSchema } from "../directory.ts"
import type { ServerFailure } from "../serverFailure.ts"
import { bytesOf, overhead, sumOf, unpack, type VectorStore } from "../vectors.ts"
import * as Bounds from "./bound.ts"
import type { Connection } from "./connection.ts"
import { type Options, writing } from "./open.ts"

const table: Bounds.Table = { name: "vector", key: "decode(u.key, 'hex')" }

const make = (connection: Connection, maxBytes: number, bound: Bounds.Bound): VectorStore<ServerFailure> => {
  return {
    get: (keys) => {
      if (keys.length === 0) return Effect.succeed([])
      const wanted = keys.map((key) => Buffer.from(key, "hex"))
      return Effect.map(
        connection.whole(
          `SELECT key, sum, packed FROM ${connection.table(table.name)} WHERE key = ANY($1::bytea[])`,
          [wanted],
          (row): readonly [string, PackedVector | null] => {
            const key = bytes(row, 0)
            const packed = bytes(row, 2)
            const whole = packed.length > 0 && packed.length % 4 === 0 && integer(row, 1) === sumOf(key, packed)
            return [Buffer.from(key).toString("hex"), whole ? unpack(packed) : null]
          }
        ),
        (found) => {
          const byKey = new Map(found)
          for (const key of byKey.keys()) bound.used(key)
          return keys.map((key) => byKey.get(key) ?? null)
        }
      )
    },
    put: (entries, created) => {
      // Of two entries with one key the last counts, as they would one after the other.
      const all = [...new Map(entries.map((entry) => [entry.key, entry])).values()]
        .filter(({ vector }) => vector.byteLength + overhead <= maxBytes)
        .map(({ key, vector }) => ({ key: Buffer.from(key, "hex"), packed: bytesOf(vector) }))
        .toSorted((left, right) => Buffer.compare(left.key, right.key))
      if (all.length === 0) return Effect.void
      const sizes = all.map(({ packed }) => packed.length + overhead)
      return connection.transaction((transaction) =>
        Effect.zipRight(
          transaction.query(
            `INSERT INTO vector (key, created, used, bytes, sum, packed)
             SELECT u.key, $4, ${Bounds.tick} + u.place, u.bytes, u.sum, u.packed
             FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $5::bytea[]) WITH ORDINALITY AS u (key, bytes, sum, packed, place)
             ON CONFLICT (key) DO UPDATE SET created = excluded.created, used = excluded.used, bytes = excluded.bytes,
               sum = excluded.sum, packed = excluded.packed`,
            [
              all.map(({ key }) => key),
              sizes,
              all.map(({ key, packed }) => sumOf(key, packed)),
              created,
              all.map(({ packed }) => packed)
            ]
          ),
          bound.added(
            transaction,
            sizes.reduce((sum, size) => sum + size, 0)
          )
        )
      )
    },
    clear: Effect.asVoid(connection.transaction(({ query }) => query("DELETE FROM vector"))),
    trim: bound.trim,
    stats: bound.stats
  }
}

/** The vectors of a state, which is created when missing. */
export const scoped = (
  options: Options,
  maxBytes: number
): Effect.Effect<VectorStore<ServerFailure> | NewerSchema, ServerFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const connection = yield* writing(options)
    if (connection instanceof NewerSchema) return connection
    const bound = Bounds.make(connection, table, maxBytes)
    yield* Bounds.settling(bound)
    return make(connection, maxBytes, bound)
  })
