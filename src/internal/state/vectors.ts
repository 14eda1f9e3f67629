import { endianness } from "node:os"
import { crc32 } from "node:zlib"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { PackedVector } from "../../DocumentChunk.ts"
import type { Migration, NewerSchema } from "./directory.ts"
import * as FirstKeys from "./firstKeys.ts"
import * as GroupCommit from "./groupCommit.ts"
import {
  bytes,
  checkpoint,
  type Database,
  type DatabaseFailure,
  failure,
  integer,
  nullable,
  type Row
} from "./libsql.ts"
import * as Renewable from "./renewable.ts"
import * as Uses from "./uses.ts"

/** A vector to keep. */
export interface Entry {
  /** SHA-256, lower-case hexadecimal. */
  readonly key: string
  readonly vector: PackedVector
}

export interface StoreStats {
  readonly entries: number
  /** Bytes counted against the bound. */
  readonly bytes: number
  readonly oldest: number | null
  readonly newest: number | null
}

/** Vectors by key, on disk. */
export interface VectorStore<E = DatabaseFailure> {
  /** Vectors in the order of the keys; null for a missing or damaged one. */
  readonly get: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<PackedVector | null>, E>
  /** All in one transaction. `created` is in milliseconds since the epoch. */
  readonly put: (entries: ReadonlyArray<Entry>, created: number) => Effect.Effect<void, E>
  readonly clear: Effect.Effect<void, E>
  readonly trim: (maxBytes: number) => Effect.Effect<void, E>
  readonly stats: Effect.Effect<StoreStats, E>
}

const initial: Migration = (db) => {
  db.exec(`
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, created INTEGER NOT NULL, used INTEGER NOT NULL,
      bytes INTEGER NOT NULL, sum INTEGER NOT NULL, vector BLOB NOT NULL
    );
    CREATE INDEX entry_used ON entry (used, bytes);
  `)
}

const migrations: ReadonlyArray<Migration> = [initial]

/** Bytes of an entry in addition to its vector: row, key and their entries in two indexes. */
export const overhead = 160

export const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)

const order = endianness()

/**
 * Checksum of key and numbers, so that damaged numbers or those of another key are not returned. A machine of the other byte
 * order gets only misses.
 */
export const sumOf = (key: Uint8Array, packed: Uint8Array): number => crc32(packed, crc32(key, crc32(order)))

export const unpack = (packed: Uint8Array): PackedVector => {
  const vector = new PackedVector(packed.length / 4)
  bytesOf(vector).set(packed)
  return vector
}

const attempt = <A>(body: () => A): Effect.Effect<A, DatabaseFailure> => Effect.try({ try: body, catch: failure })

const make = (db: Database, maxBytes: number, watch: Renewable.Watch): Renewable.Made<VectorStore> => {
  const total = (): number => integer(db.sql("SELECT ifnull(sum(bytes), 0) FROM entry").first() ?? [], 0)
  let size = total()
  let clock = integer(db.sql("SELECT ifnull(max(used), 0) FROM entry").first() ?? [], 0)
  const uses = Uses.make(db)
  const first = FirstKeys.make(clock === 0)
  const group = GroupCommit.make(db, 16, () => {
    size = total()
  })

  const drop = (id: number, entryBytes: number): void => {
    db.sql("DELETE FROM entry WHERE id = ?").run(id)
    uses.forget(id)
    size -= entryBytes
  }

  const leastUsed = (limit: number): ReadonlyArray<Row> =>
    size > limit ? db.sql("SELECT id, bytes FROM entry ORDER BY used LIMIT 256").all() : []

  const trim = (limit: number): void => {
    if (size > limit) uses.settle()
    for (let rows = leastUsed(limit); rows.length > 0; rows = leastUsed(limit)) {
      for (const row of rows) if (size > limit) drop(integer(row, 0), integer(row, 1))
    }
  }

  const read = (key: Uint8Array, row: Row): PackedVector | null => {
    const packed = bytes(row, 3)
    if (packed.length % 4 !== 0 || packed.length === 0 || integer(row, 2) !== sumOf(key, packed)) return null
    clock += 1
    uses.add(integer(row, 1), clock)
    return unpack(packed)
  }

  /** Vectors that are there, by key. */
  const find = (keys: ReadonlyArray<string>): ReadonlyMap<string, PackedVector> => {
    const found = new Map<string, PackedVector>()
    const rows = db
      .sql("SELECT key, id, sum, vector FROM entry WHERE key IN (SELECT unhex(value) FROM json_each(?))")
      .all(JSON.stringify(keys))
    for (const row of rows) {
      const key = bytes(row, 0)
      const vector = read(key, row)
      if (vector !== null) found.set(Buffer.from(key).toString("hex"), vector)
    }
    return found
  }

  const get = (keys: ReadonlyArray<string>): ReadonlyArray<PackedVector | null> => {
    const sought = keys.filter(first.mayHave)
    const found = sought.length === 0 ? new Map<string, PackedVector>() : find(sought)
    return keys.map((key) => found.get(key) ?? null)
  }

  /** True when there was none under the key. */
  const insert = (hex: string, packed: Uint8Array, created: number): boolean => {
    const key = Buffer.from(hex, "hex")
    const entryBytes = packed.length + overhead
    const { changes } = db
      .sql("INSERT OR IGNORE INTO entry (key, created, used, bytes, sum, vector) VALUES (?, ?, ?, ?, ?, ?)")
      .run(key, created, clock + 1, entryBytes, sumOf(key, packed), packed)
    if (changes === 0) return false
    first.add(hex)
    clock += 1
    size += entryBytes
    return true
  }

  const add = (hex: string, vector: PackedVector, created: number): void => {
    const packed = bytesOf(vector)
    const entryBytes = packed.length + overhead
    if (entryBytes > maxBytes) return
    trim(maxBytes - entryBytes)
    if (insert(hex, packed, created)) return
    const old = db.sql("SELECT id, bytes FROM entry WHERE key = ?").first(Buffer.from(hex, "hex"))
    if (old !== undefined) drop(integer(old, 0), integer(old, 1))
    insert(hex, packed, created)
  }

  const write = (body: () => void) => watch(group.write(body))

  const store: VectorStore = {
    get: (keys) => Effect.tap(watch(attempt(() => get(keys))), () => (uses.due() ? write(uses.settle) : Effect.void)),
    put: (entries, created) =>
      write(() => {
        for (const { key, vector } of entries) add(key, vector, created)
      }),
    clear: Effect.zipRight(
      write(() => {
        db.exec("DELETE FROM entry")
        uses.clear()
        size = 0
      }),
      watch(attempt(() => db.exec("VACUUM")))
    ),
    trim: (limit) => write(() => trim(limit)),
    stats: watch(
      attempt(() => {
        const row =
          db.sql("SELECT count(*), ifnull(sum(bytes), 0), min(created), max(created) FROM entry").first() ?? []
        return {
          entries: integer(row, 0),
          bytes: integer(row, 1),
          oldest: nullable(row, 2, integer),
          newest: nullable(row, 3, integer)
        }
      })
    )
  }
  const close = (): void => {
    group.flush()
    db.transaction(uses.settle)
    checkpoint(db)
  }
  return { store, close }
}

/**
 * The store of a directory that exists and is locked by the caller. A damaged one is replaced by an empty one, at once or in the
 * next session.
 */
export const scoped = (
  directory: string,
  maxBytes: number
): Effect.Effect<VectorStore | NewerSchema, DatabaseFailure, Scope.Scope> =>
  Renewable.scoped(directory, {
    name: "embedding cache",
    migrations,
    database: "vectors.db",
    make: (db, watch) => make(db, maxBytes, watch)
  })
