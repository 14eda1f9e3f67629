import type { ChunkId } from "../../../DocumentChunk.ts"
import type { Acknowledgement, Failure, Generation, Key, LedgerEntry } from "../../../LedgerEntry.ts"
import { documentId, rootOf } from "../../../SourceFile.ts"
import { bytes, corrupted, type Database, integer, nullable, type Row, text } from "../libsql.ts"
import {
  checksum,
  decodeAcks,
  decodeFailure,
  decodeReport,
  decodeSetting,
  encodeAcks,
  encodeFailure,
  encodeSetting,
  type Setting
} from "./encoding.ts"
import * as ChunkIds from "./packedIds.ts"
import * as Sightings from "./sighting.ts"

/** A table of texts, each kept once; both directions are cached in memory. */
export interface Interned<A> {
  readonly idOf: (value: A) => number
  readonly valueOf: (id: number) => A
  readonly idsWhere: (holds: (value: A) => boolean) => ReadonlyArray<number>
  /** Clears the cached texts: after a rollback a number may refer to another text. */
  readonly reset: () => void
}

const interned = <A>(
  db: Database,
  table: "setting" | "acknowledgement",
  encode: (value: A) => string,
  decode: (source: string) => A
): Interned<A> => {
  const ids = new Map<string, number>()
  const values = new Map<number, A>()
  const find = (source: string): number | undefined => {
    const row = db.sql(`SELECT id FROM ${table} WHERE value = ?`).first(source)
    return row === undefined ? undefined : integer(row, 0)
  }
  const idOf = (value: A): number => {
    const source = encode(value)
    const known = ids.get(source)
    if (known !== undefined) return known
    const id = find(source) ?? db.sql(`INSERT INTO ${table} (value) VALUES (?)`).run(source).id
    ids.set(source, id)
    return id
  }
  const valueOf = (id: number): A => {
    const known = values.get(id)
    if (known !== undefined) return known
    const row = db.sql(`SELECT value FROM ${table} WHERE id = ?`).first(id)
    if (row === undefined) throw corrupted(`${table} ${id} is missing`)
    const value = decode(text(row, 0))
    values.set(id, value)
    return value
  }
  const idsWhere = (holds: (value: A) => boolean): ReadonlyArray<number> =>
    db
      .sql(`SELECT id, value FROM ${table}`)
      .all()
      .filter((row) => holds(decode(text(row, 1))))
      .map((row) => integer(row, 0))
  const reset = (): void => {
    ids.clear()
    values.clear()
  }
  return { idOf, valueOf, idsWhere, reset }
}

/** A document's rows between the announcement of its chunks and its commit. */
export interface Announced {
  readonly id: number
  readonly stored: Generation | null
  readonly failed: boolean
  /** As {@link pendingOf} returns it. */
  readonly pending: ReadonlyMap<string, ReadonlyArray<ChunkId>>
  /** A scope that claims it; null when none is known to. */
  readonly scope: number | null
}

export interface Rows {
  readonly db: Database
  readonly settings: Interned<Setting>
  readonly acks: Interned<ReadonlyArray<Acknowledgement>>
  /**
   * By document id, so that a commit does not read again what its announcement read and wrote. The lock of the state makes this
   * process the only writer; every other write to a document removes it from here.
   */
  readonly announced: Map<string, Announced>
  /** Entries that were read and not written since, by document id: what a run read to decide it need not read to announce. */
  readonly entries: Map<string, Read>
  /** Ids of the roots by name. */
  readonly roots: Map<string, number>
  /** Forgets everything kept in memory, which a rollback makes untrue. */
  readonly reset: () => void
}

export const make = (db: Database): Rows => {
  const settings = interned(db, "setting", encodeSetting, decodeSetting)
  const acks = interned(db, "acknowledgement", encodeAcks, decodeAcks)
  const announced = new Map<string, Announced>()
  const entries = new Map<string, Read>()
  const roots = new Map<string, number>()
  const reset = (): void => {
    settings.reset()
    acks.reset()
    announced.clear()
    entries.clear()
    roots.clear()
  }
  return { db, settings, acks, announced, entries, roots, reset }
}

export const insertFailure = (db: Database, document: number, failure: Failure): void => {
  db.sql(
    "INSERT OR REPLACE INTO failure (document, print, etag, body, request) VALUES (?, ?, ?, ?, (SELECT id FROM request WHERE digest = ?))"
  ).run(
    document,
    Sightings.pack(failure),
    Sightings.etagOf(failure.fingerprint),
    encodeFailure(failure),
    failure.request
  )
}

const columns = `d.id, r.name, d.path, d.generation, d.print, d.etag, d.hash, d.setting, d.acks,
  c.chunks, c.report, c.checksum, f.print, f.etag, f.body, q.digest`

const details =
  "LEFT JOIN content c ON c.document = d.id LEFT JOIN failure f ON f.document = d.id LEFT JOIN request q ON q.id = f.request"

/**
 * Statements over whole entries; their rows go to {@link entryOf}. `CROSS` fixes the order of the join: the planner would read a
 * root's documents by path and sort them by number, again for every page.
 */
export const select = (where: string): string =>
  `SELECT ${columns} FROM document d CROSS JOIN root r ON r.id = d.root ${details} WHERE ${where}`

const selectByPath = `SELECT ${columns}, EXISTS (SELECT 1 FROM pending p WHERE p.document = d.id) FROM root r CROSS JOIN document d ON d.root = r.id ${details}
  WHERE r.name = ? AND d.path = ?`

const storedOf = (rows: Rows, row: Row): Generation | null => {
  const setting = nullable(row, 7, integer)
  if (setting === null) return null
  const hash = bytes(row, 6)
  const chunks = bytes(row, 9)
  const report = text(row, 10)
  if (checksum(hash, chunks, report) !== integer(row, 11)) {
    throw corrupted(`the row of ${text(row, 1)}/${text(row, 2)} fails its checksum`)
  }
  return {
    ...Sightings.unpack(bytes(row, 4), nullable(row, 5, text)),
    ...rows.settings.valueOf(setting),
    contentHash: Buffer.from(hash).toString("hex"),
    acknowledged: rows.acks.valueOf(integer(row, 8)),
    chunkIds: ChunkIds.unpack(chunks),
    report: decodeReport(report)
  }
}

const failureOf = (row: Row): Failure | null => {
  const body = nullable(row, 14, text)
  if (body === null) return null
  return {
    ...Sightings.unpack(bytes(row, 12), nullable(row, 13, text)),
    ...decodeFailure(body),
    request: nullable(row, 15, text)
  }
}

export interface NumberedEntry {
  readonly id: number
  readonly entry: LedgerEntry
}

/** One document, read by its key. */
export interface Read extends NumberedEntry {
  /** True when {@link pendingOf} it is not empty. */
  readonly isPending: boolean
}

export const entryOf = (rows: Rows, row: Row): NumberedEntry => {
  const root = text(row, 1)
  const path = text(row, 2)
  return {
    id: integer(row, 0),
    entry: {
      documentId: documentId(root, path),
      root,
      path,
      generation: integer(row, 3),
      stored: storedOf(rows, row),
      failure: failureOf(row)
    }
  }
}

export const find = (rows: Rows, key: Key): Read | null => {
  const row = rows.db.sql(selectByPath).first(rootOf(key), key.path)
  return row === undefined ? null : { ...entryOf(rows, row), isPending: integer(row, 16) === 1 }
}

/** Entries kept by {@link read}, the last ones: more than a run holds between the decision and the announcement. */
const mostEntries = 1024

/** As {@link find}, for a document that is about to be written. */
export const read = (rows: Rows, key: Key): LedgerEntry | null => {
  const found = find(rows, key)
  if (found === null) return null
  if (rows.entries.size >= mostEntries) {
    for (const oldest of rows.entries.keys()) {
      rows.entries.delete(oldest)
      break
    }
  }
  rows.entries.set(key.documentId, found)
  return found.entry
}

/** To be called by every write to a document, before or after it. */
export const written = ({ announced, entries }: Rows, key: Pick<Key, "documentId">): void => {
  announced.delete(key.documentId)
  entries.delete(key.documentId)
}

/** Chunks of the document that a sink may hold in addition to the generation that it acknowledged. */
export const pendingOf = (db: Database, document: number): ReadonlyMap<string, ReadonlyArray<ChunkId>> =>
  new Map(
    db
      .sql("SELECT sink, chunks FROM pending WHERE document = ? ORDER BY sink")
      .all(document)
      .map((row) => [text(row, 0), ChunkIds.unpack(bytes(row, 1))])
  )
