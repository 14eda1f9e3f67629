import type { Migration } from "../directory.ts"
import * as FirstKeys from "../firstKeys.ts"
import { bytes, type Database, integer, nullable, type Row, text } from "../libsql.ts"
import * as Uses from "../uses.ts"

const initial: Migration = (db) => {
  db.exec(`
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, created INTEGER NOT NULL,
      used INTEGER NOT NULL, file TEXT
    );
    CREATE INDEX entry_used ON entry (used);
    CREATE TABLE body (entry INTEGER PRIMARY KEY, packed BLOB NOT NULL);
  `)
}

/** Keys of the earlier version do not contain the file type, so an answer could be found for a file of another type. */
const typed: Migration = (db) => {
  db.exec("DELETE FROM body; DELETE FROM entry")
}

/** `size`: bytes of the file; null for an answer of an earlier version, whose file may have any size. */
const sized: Migration = (db) => {
  db.exec("ALTER TABLE entry ADD COLUMN size INTEGER; CREATE INDEX entry_size ON entry (size)")
}

export const migrations: ReadonlyArray<Migration> = [initial, typed, sized]

export interface Found {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly created: number
  readonly body:
    | { readonly _tag: "Packed"; readonly packed: Uint8Array }
    | { readonly _tag: "File"; readonly file: string }
}

export interface Addition {
  readonly key: string
  /** Bytes of the file; null when unknown. */
  readonly size: number | null
  readonly created: number
  /** Bytes as stored, after compression. */
  readonly bytes: number
  readonly body: Found["body"]
}

export interface IndexStats {
  readonly entries: number
  readonly bytes: number
  readonly oldest: number | null
  readonly newest: number | null
}

/** All calls are synchronous and throw `DatabaseFailure`; those that write run inside a transaction of the caller. */
export interface CacheIndex {
  readonly find: (key: string) => Found | null
  /** False when no entry can be for a file of that many bytes. */
  readonly mayHold: (size: number) => boolean
  /**
   * Adds or replaces the entry and evicts the least recently used ones until the rest fits; returns the files that no entry names
   * any more.
   */
  readonly put: (addition: Addition) => ReadonlyArray<string>
  readonly remove: (id: number) => ReadonlyArray<string>
  /** Removes every entry whose key has the prefix. */
  readonly removeAll: (prefix: string) => ReadonlyArray<string>
  readonly clear: () => ReadonlyArray<string>
  readonly trim: (maxBytes: number) => ReadonlyArray<string>
  /** Marks the entry as used; written with the next `put` or `settle`. */
  readonly use: (id: number) => void
  readonly settle: () => void
  readonly files: () => ReadonlySet<string>
  readonly stats: () => IndexStats
  /** Number of the last use; greater than that of any entry. */
  readonly clock: () => number
  /** Reads the values held in memory again; to be called after a failed transaction. */
  readonly reset: () => void
}

const total = (db: Database): number => integer(db.sql("SELECT ifnull(sum(bytes), 0) FROM entry").first() ?? [], 0)

const lastUse = (db: Database): number => integer(db.sql("SELECT ifnull(max(used), 0) FROM entry").first() ?? [], 0)

/** `isOurs`: no other process writes to it. */
export const make = (db: Database, maxBytes: number, isOurs: boolean): CacheIndex => {
  let size = total(db)
  let clock = lastUse(db)
  const uses = Uses.make(db)
  const first = FirstKeys.make(isOurs && size === 0)

  const drop = (id: number, entryBytes: number, file: string | null): ReadonlyArray<string> => {
    if (file === null) db.sql("DELETE FROM body WHERE entry = ?").run(id)
    db.sql("DELETE FROM entry WHERE id = ?").run(id)
    uses.forget(id)
    size -= entryBytes
    return file === null ? [] : [file]
  }

  const dropBy = (column: "id" | "key", value: string | number): ReadonlyArray<string> => {
    const row = db.sql(`SELECT id, bytes, file FROM entry WHERE ${column} = ?`).first(value)
    return row === undefined ? [] : drop(integer(row, 0), integer(row, 1), nullable(row, 2, text))
  }

  const leastUsed = (limit: number): Row | undefined =>
    size > limit ? db.sql("SELECT id, bytes, file FROM entry ORDER BY used LIMIT 1").first() : undefined

  const trim = (limit: number): ReadonlyArray<string> => {
    if (size > limit || uses.due()) uses.settle()
    const files: Array<string> = []
    for (let row = leastUsed(limit); row !== undefined; row = leastUsed(limit)) {
      files.push(...drop(integer(row, 0), integer(row, 1), nullable(row, 2, text)))
    }
    return files
  }

  const put = ({ body, bytes: added, created, key, size: fileSize }: Addition): ReadonlyArray<string> => {
    const replaced = first.mayHave(key) ? dropBy("key", key) : []
    first.add(key)
    const evicted = trim(maxBytes - added)
    clock += 1
    const { id } = db
      .sql("INSERT INTO entry (key, bytes, created, used, file, size) VALUES (?, ?, ?, ?, ?, ?)")
      .run(key, added, created, clock, body._tag === "File" ? body.file : null, fileSize)
    if (body._tag === "Packed") db.sql("INSERT INTO body (entry, packed) VALUES (?, ?)").run(id, body.packed)
    size += added
    return [...replaced, ...evicted]
  }

  const removeAll = (prefix: string): ReadonlyArray<string> =>
    db
      .sql("SELECT id FROM entry WHERE key >= ? AND key < ?")
      .all(prefix, `${prefix}\u{10FFFF}`)
      .flatMap((row) => dropBy("id", integer(row, 0)))

  const find = (key: string): Found | null => {
    if (!first.mayHave(key)) return null
    const row = db
      .sql("SELECT e.id, e.created, e.file, b.packed FROM entry e LEFT JOIN body b ON b.entry = e.id WHERE e.key = ?")
      .first(key)
    if (row === undefined) return null
    const file = nullable(row, 2, text)
    return {
      id: integer(row, 0),
      created: integer(row, 1),
      body: file === null ? { _tag: "Packed", packed: bytes(row, 3) } : { _tag: "File", file }
    }
  }

  const mayHold = (fileSize: number): boolean =>
    db.sql("SELECT 1 FROM entry WHERE size = ? OR size IS NULL LIMIT 1").first(fileSize) !== undefined

  const files = (): ReadonlySet<string> =>
    new Set(
      db
        .sql("SELECT file FROM entry WHERE file IS NOT NULL")
        .all()
        .map((row) => text(row, 0))
    )

  const clear = (): ReadonlyArray<string> => {
    const all = [...files()]
    db.exec("DELETE FROM body; DELETE FROM entry")
    uses.clear()
    size = 0
    return all
  }

  const stats = (): IndexStats => {
    const row = db.sql("SELECT count(*), ifnull(sum(bytes), 0), min(created), max(created) FROM entry").first() ?? []
    return {
      entries: integer(row, 0),
      bytes: integer(row, 1),
      oldest: nullable(row, 2, integer),
      newest: nullable(row, 3, integer)
    }
  }

  return {
    find,
    mayHold,
    put,
    remove: (id) => dropBy("id", id),
    removeAll,
    clear,
    trim,
    use: (id) => {
      clock += 1
      uses.add(id, clock)
    },
    settle: uses.settle,
    files,
    stats,
    clock: () => clock,
    reset: () => {
      size = total(db)
    }
  }
}
