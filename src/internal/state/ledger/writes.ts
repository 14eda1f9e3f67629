import type { ChunkId } from "../../../DocumentChunk.ts"
import type { Acknowledgement, Failure, Generation, Key, Removal, Sighting } from "../../../LedgerEntry.ts"
import { rootOf } from "../../../SourceFile.ts"
import { corrupted, type Database, integer } from "../libsql.ts"
import { canonical, checksum, encodeReport } from "./encoding.ts"
import * as ChunkIds from "./packedIds.ts"
import { type Announced, find, insertFailure, pendingOf, type Rows, written } from "./rows.ts"
import * as Sightings from "./sighting.ts"

/** Writes of the ledger; all run inside a transaction of the caller. */

const rootRow = ({ db, roots }: Rows, name: string): number => {
  const cached = roots.get(name)
  if (cached !== undefined) return cached
  const known = db.sql("SELECT id FROM root WHERE name = ?").first(name)
  const id = known === undefined ? db.sql("INSERT INTO root (name) VALUES (?)").run(name).id : integer(known, 0)
  roots.set(name, id)
  return id
}

/** Id of a document that had no row; null when it has one. */
const addDocument = (rows: Rows, key: Key): number | null => {
  const added = rows.db
    .sql("INSERT OR IGNORE INTO document (root, path) VALUES (?, ?)")
    .run(rootRow(rows, rootOf(key)), key.path)
  return added.changes === 1 ? added.id : null
}

const documentRow = (rows: Rows, key: Key): number => {
  const root = rootRow(rows, rootOf(key))
  const known = rows.db.sql("SELECT id FROM document WHERE root = ? AND path = ?").first(root, key.path)
  if (known !== undefined) return integer(known, 0)
  return rows.db.sql("INSERT INTO document (root, path) VALUES (?, ?)").run(root, key.path).id
}

/** The rows of a document, which gets one when it has none. */
const rowsOf = (rows: Rows, key: Key): Announced => {
  const announced = rows.announced.get(key.documentId)
  if (announced !== undefined) return announced
  const known = rows.entries.get(key.documentId)
  const added = known === undefined ? addDocument(rows, key) : null
  if (added !== null) return { id: added, stored: null, failed: false, pending: new Map(), scope: null }
  const found = known ?? find(rows, key)
  if (found === null) throw corrupted(`the row of ${key.documentId} cannot be found`)
  const { entry, id, isPending } = found
  const pending = isPending ? pendingOf(rows.db, id) : new Map<string, ReadonlyArray<ChunkId>>()
  return { id, stored: entry.stored, failed: entry.failure !== null, pending, scope: null }
}

const claim = (db: Database, scope: number | null, document: number): void => {
  if (scope !== null) db.sql("INSERT OR IGNORE INTO claim (scope, document) VALUES (?, ?)").run(scope, document)
}

const setPending = (db: Database, document: number, sink: string, ids: ReadonlyArray<ChunkId>): void => {
  if (ids.length === 0) db.sql("DELETE FROM pending WHERE document = ? AND sink = ?").run(document, sink)
  else {
    db.sql("INSERT OR REPLACE INTO pending (document, sink, chunks) VALUES (?, ?, ?)").run(
      document,
      sink,
      ChunkIds.pack(ids)
    )
  }
}

export const mergeAcks = (
  old: ReadonlyArray<Acknowledgement>,
  now: ReadonlyArray<Acknowledgement>
): ReadonlyArray<Acknowledgement> => [...old.filter((ack) => !now.some((other) => other.sink === ack.sink)), ...now]

/** Chunks due for removal: those of sinks that have the present generation, or all when there is none. */
export const due = (
  key: Key,
  pending: ReadonlyMap<string, ReadonlyArray<ChunkId>>,
  acknowledged: ReadonlyArray<Acknowledgement> | null
): ReadonlyArray<Removal> =>
  [...pending]
    .filter(([sink]) => acknowledged === null || acknowledged.some((ack) => ack.sink === sink))
    .map(([sink, chunkIds]) => ({ documentId: key.documentId, path: key.path, sink, chunkIds }))

/** Every sink that may hold chunks, with those that it may hold in addition to the generation that it acknowledged. */
export const leftovers = (
  old: Generation | null,
  before: ReadonlyMap<string, ReadonlyArray<ChunkId>>,
  ids: ReadonlyArray<ChunkId>,
  acks: ReadonlyArray<Acknowledgement>
): ReadonlyMap<string, ReadonlyArray<ChunkId>> => {
  const all = new Map(before)
  for (const ack of old?.acknowledged ?? []) {
    all.set(ack.sink, [...(before.get(ack.sink) ?? []), ...(old?.chunkIds ?? [])])
  }
  const present = (sink: string) => (acks.some((ack) => ack.sink === sink) ? ids : [])
  return new Map([...all].map(([sink, held]) => [sink, ChunkIds.without(held, present(sink))]))
}

/** A document's generation that every named sink has acknowledged. */
export interface Commit extends Key, Generation {
  /** The scope that found the document; null for none. */
  readonly scope: number | null
}

const writeGeneration = (
  rows: Rows,
  id: number,
  commit: Commit,
  acks: ReadonlyArray<Acknowledgement>,
  step: 0 | 1
): void => {
  const { db } = rows
  const { optionsHash, identity, configuration, embedder, lacked } = commit
  const hash = Buffer.from(commit.contentHash, "hex")
  const chunks = ChunkIds.pack(commit.chunkIds)
  const report = encodeReport(commit.report)
  db.sql(
    "UPDATE document SET print = ?, etag = ?, hash = ?, setting = ?, acks = ?, failed = 0, generation = generation + ? WHERE id = ?"
  ).run(
    Sightings.pack(commit),
    Sightings.etagOf(commit.fingerprint),
    hash,
    rows.settings.idOf({ optionsHash, identity, configuration, embedder, lacked }),
    rows.acks.idOf(canonical(acks)),
    step,
    id
  )
  db.sql("INSERT OR REPLACE INTO content (document, chunks, report, checksum) VALUES (?, ?, ?, ?)").run(
    id,
    chunks,
    report,
    checksum(hash, chunks, report)
  )
}

/** Records a generation; returns the chunks that may now be removed: those of the acknowledging sinks that are not in it. */
export const commit = (rows: Rows, entry: Commit): ReadonlyArray<Removal> => {
  const { db } = rows
  const { failed, id, pending: before, scope, stored } = rowsOf(rows, entry)
  written(rows, entry)
  const sameGeneration = stored !== null && ChunkIds.same(stored.chunkIds, entry.chunkIds)
  const acks = sameGeneration ? mergeAcks(stored.acknowledged, entry.acknowledged) : entry.acknowledged
  writeGeneration(rows, id, entry, acks, sameGeneration ? 0 : 1)
  if (failed) db.sql("DELETE FROM failure WHERE document = ?").run(id)
  if (scope !== entry.scope) claim(db, entry.scope, id)
  const after = leftovers(stored, before, entry.chunkIds, acks)
  for (const [sink, ids] of after) {
    if (ids.length > 0 || before.has(sink)) setPending(db, id, sink, ids)
  }
  return due(entry, new Map([...after].filter(([, ids]) => ids.length > 0)), acks)
}

/** Records a new sighting of the stored bytes, and clears the failure. */
export const touch = (rows: Rows, key: Key, sighting: Sighting, scope: number | null): void => {
  const { db } = rows
  const id = documentRow(rows, key)
  written(rows, key)
  db.sql("UPDATE document SET print = ?, etag = ?, failed = 0 WHERE id = ? AND setting IS NOT NULL").run(
    Sightings.pack(sighting),
    Sightings.etagOf(sighting.fingerprint),
    id
  )
  db.sql("DELETE FROM failure WHERE document = ?").run(id)
  claim(db, scope, id)
}

const setAcks = (rows: Rows, id: number, acks: ReadonlyArray<Acknowledgement>): void => {
  rows.db.sql("UPDATE document SET acks = ? WHERE id = ?").run(rows.acks.idOf(canonical(acks)), id)
}

/** Records the failure; the stored generation stays. */
export const fail = (rows: Rows, key: Key, failure: Failure, scope: number | null): void => {
  const { db } = rows
  const id = documentRow(rows, key)
  written(rows, key)
  insertFailure(db, id, failure)
  db.sql("UPDATE document SET failed = 1 WHERE id = ?").run(id)
  claim(db, scope, id)
}

/** Clears the failure; a document of which no sink holds anything is deleted. */
export const forgive = (rows: Rows, key: Key): void => {
  const { db } = rows
  written(rows, key)
  const found = find(rows, key)
  if (found === null) return
  if (found.entry.stored === null && pendingOf(db, found.id).size === 0) return drop(db, found.id)
  db.sql("DELETE FROM failure WHERE document = ?").run(found.id)
  db.sql("UPDATE document SET failed = 0 WHERE id = ?").run(found.id)
}

/**
 * Records the chunks about to be written, so that a kill or a failure in the middle leaves no unknown chunk. `instead`: the sink
 * replaces the document, so until it acknowledges, it may hold either generation.
 */
export const announce = (
  rows: Rows,
  key: Key,
  ids: ReadonlyArray<ChunkId>,
  sinks: ReadonlyArray<string>,
  scope: number | null,
  how: "beside" | "instead"
): void => {
  const { db } = rows
  const before = rowsOf(rows, key)
  const { id, stored } = before
  if (before.scope !== scope) claim(db, scope, id)
  const pending = new Map(before.pending)
  const acks = stored?.acknowledged ?? []
  for (const sink of sinks) {
    const before = pending.get(sink) ?? []
    const held = before.length === 0 ? ids : [...before, ...ids]
    const acknowledged = acks.some((ack) => ack.sink === sink) ? (stored?.chunkIds ?? []) : []
    const next =
      how === "beside"
        ? ChunkIds.without(held, acknowledged)
        : ChunkIds.without(acknowledged.length === 0 ? held : [...held, ...acknowledged], [])
    if (next.length > 0 || pending.has(sink)) setPending(db, id, sink, next)
    if (next.length > 0) pending.set(sink, next)
    else pending.delete(sink)
  }
  const left = how === "beside" ? acks : acks.filter((ack) => !sinks.includes(ack.sink))
  if (left.length < acks.length) setAcks(rows, id, left)
  rows.entries.delete(key.documentId)
  rows.announced.set(key.documentId, {
    ...before,
    stored: stored === null ? null : { ...stored, acknowledged: left },
    pending,
    scope: scope ?? before.scope
  })
}

/** Records that the sink no longer holds these chunks. */
export const removed = (rows: Rows, removal: Removal): void => {
  const { db } = rows
  written(rows, removal)
  const found = find(rows, removal)
  if (found === null) return
  const left = ChunkIds.without(pendingOf(db, found.id).get(removal.sink) ?? [], removal.chunkIds)
  setPending(db, found.id, removal.sink, left)
}

/** Chunks of the document that may now be removed. */
export const dueOf = (rows: Rows, key: Key): ReadonlyArray<Removal> => {
  const found = find(rows, key)
  if (found === null) return []
  return due(key, pendingOf(rows.db, found.id), found.entry.stored?.acknowledged ?? null)
}

const drop = (db: Database, id: number): void => {
  for (const table of ["content", "failure", "pending", "claim"]) {
    db.sql(`DELETE FROM ${table} WHERE document = ?`).run(id)
  }
  db.sql("DELETE FROM document WHERE id = ?").run(id)
}

/** Stops counting the sinks as having the generation; its chunks become pending, since they may still hold them. */
export const disown = (rows: Rows, key: Key, sinks: ReadonlyArray<string>): void => {
  const { db } = rows
  written(rows, key)
  const found = find(rows, key)
  const stored = found?.entry.stored ?? null
  if (found === null || stored === null) return
  const before = pendingOf(db, found.id)
  for (const { sink } of stored.acknowledged.filter((ack) => sinks.includes(ack.sink))) {
    setPending(db, found.id, sink, ChunkIds.without([...stored.chunkIds, ...(before.get(sink) ?? [])], []))
  }
  const left = stored.acknowledged.filter((ack) => !sinks.includes(ack.sink))
  db.sql("UPDATE document SET acks = ? WHERE id = ?").run(rows.acks.idOf(canonical(left)), found.id)
}

/** Records that the sinks hold nothing of the document any more; deletes it when no other sink does. */
export const forget = (rows: Rows, key: Key, sinks: ReadonlyArray<string>): void => {
  const { db } = rows
  written(rows, key)
  const found = find(rows, key)
  if (found === null) return
  for (const sink of sinks) setPending(db, found.id, sink, [])
  const acks = (found.entry.stored?.acknowledged ?? []).filter((ack) => !sinks.includes(ack.sink))
  if (acks.length === 0 && pendingOf(db, found.id).size === 0) return drop(db, found.id)
  if (found.entry.stored === null) return
  const changed = db.sql("UPDATE document SET acks = ? WHERE id = ?").run(rows.acks.idOf(canonical(acks)), found.id)
  if (changed.changes !== 1) throw corrupted(`the row of ${key.documentId} cannot be updated`)
}
