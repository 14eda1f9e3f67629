import type { ChunkId } from "../../../DocumentChunk.ts"
import type { Holding } from "../../../LedgerEntry.ts"
import type { Summary } from "../../../Outcome.ts"
import { sha256 } from "../../base/sha256.ts"
import { exists, sameFolder } from "../directory.ts"
import { type Database, integer, nullable, type Row, text } from "../libsql.ts"
import * as ChunkIds from "./packedIds.ts"
import { type NumberedEntry, entryOf, pendingOf, type Rows, select } from "./rows.ts"
import * as Summaries from "./summary.ts"

/** The name belongs to another folder that still exists. */
export interface Clash {
  readonly _tag: "Clash"
  readonly path: string | null
}

/**
 * Binds a root's name to its folder and returns the root's number. A folder that no longer exists loses the name; a source that
 * is not a folder has the path null and never loses it.
 */
export const bind = (db: Database, name: string, path: string | null): number | Clash => {
  const row = db.sql("SELECT id, path FROM root WHERE name = ?").first(name)
  if (row === undefined) return db.sql("INSERT INTO root (name, path) VALUES (?, ?)").run(name, path).id
  const id = integer(row, 0)
  const bound = nullable(row, 1, text)
  if (bound === path) return id
  if (bound !== null && path !== null && exists(bound) && !sameFolder(bound, path))
    return { _tag: "Clash", path: bound }
  if ((bound === null) !== (path === null) && hasDocuments(db, id)) {
    if (bound === null || exists(bound)) return { _tag: "Clash", path: bound }
  }
  db.sql("UPDATE root SET path = ? WHERE id = ?").run(path, id)
  return id
}

const hasDocuments = (db: Database, root: number): boolean =>
  db.sql("SELECT 1 FROM document WHERE root = ? LIMIT 1").first(root) !== undefined

export const scopeOf = (db: Database, root: number, digest: string): number => {
  db.sql("INSERT OR IGNORE INTO scope (root, digest) VALUES (?, ?)").run(root, digest)
  return integer(db.sql("SELECT id FROM scope WHERE root = ? AND digest = ?").first(root, digest) ?? [], 0)
}

export const claimsOf = (db: Database, root: string, digest: string): number => {
  const row = db
    .sql(
      "SELECT count(*) FROM claim JOIN scope s ON s.id = claim.scope JOIN root r ON r.id = s.root WHERE r.name = ? AND s.digest = ?"
    )
    .first(root, digest)
  return row === undefined ? 0 : integer(row, 0)
}

export const completedAt = (db: Database, scope: number): number | null => {
  const row = db.sql("SELECT completed FROM scope WHERE id = ?").first(scope)
  return row === undefined ? null : nullable(row, 0, integer)
}

export const setCompleted = (db: Database, scope: number, at: number): void => {
  db.sql("UPDATE scope SET completed = ? WHERE id = ?").run(at, scope)
}

export const gainClaims = (db: Database, scope: number, documents: ReadonlyArray<number>): void => {
  db.sql("INSERT OR IGNORE INTO claim (scope, document) SELECT ?, value FROM json_each(?)").run(
    scope,
    JSON.stringify(documents)
  )
}

export const loseClaims = (db: Database, scope: number, documents: ReadonlyArray<number>): void => {
  db.sql("DELETE FROM claim WHERE scope = ? AND document IN (SELECT value FROM json_each(?))").run(
    scope,
    JSON.stringify(documents)
  )
}

/** Entries to page through. */
export type Selection = "all" | "failed" | "unclaimed" | "pending"

const conditions: Readonly<Record<Selection, string>> = {
  all: "",
  failed: "AND d.failed = 1",
  unclaimed: "AND NOT EXISTS (SELECT 1 FROM claim WHERE claim.document = d.id)",
  pending: "AND d.id IN (SELECT DISTINCT document FROM pending WHERE document > ?1 ORDER BY document LIMIT 1024)"
}

/** The next entries by number, from one root or, with null, from all. */
export const page = (
  rows: Rows,
  selection: Selection,
  root: string | null,
  after: number,
  limit: number
): ReadonlyArray<NumberedEntry> => {
  const where = `d.id > ?1 AND (?2 IS NULL OR r.name = ?2) ${conditions[selection]} ORDER BY d.id LIMIT ${limit}`
  return rows.db
    .sql(select(where))
    .all(after, root)
    .map((row) => entryOf(rows, row))
}

export const holding = (rows: Rows, { entry, id }: NumberedEntry): Holding => {
  const all = new Map<string, ReadonlyArray<ChunkId>>(pendingOf(rows.db, id))
  for (const ack of entry.stored?.acknowledged ?? []) {
    all.set(ack.sink, ChunkIds.without([...(entry.stored?.chunkIds ?? []), ...(all.get(ack.sink) ?? [])], []))
  }
  const { documentId, path, root } = entry
  return { documentId, root, path, held: [...all].map(([sink, chunkIds]) => ({ sink, chunkIds })) }
}

/** Entries with these bytes and options, at most 100, by number. */
export const sameContent = (rows: Rows, contentHash: string, optionsHash: string): ReadonlyArray<NumberedEntry> => {
  const hash = Buffer.from(contentHash, "hex")
  const settings = rows.settings.idsWhere((setting) => setting.optionsHash === optionsHash)
  return rows.db
    .sql(
      `${select("substr(d.hash, 1, 8) = ? AND d.hash = ? AND d.setting IN (SELECT value FROM json_each(?))")} ORDER BY d.id LIMIT 100`
    )
    .all(hash.subarray(0, 8), hash, JSON.stringify(settings))
    .map((row) => entryOf(rows, row))
}

/** A recorded run. */
export interface Run {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** The run's request, as the caller wrote it. */
  readonly request: string
  /** Null while it runs, and permanently when it was killed. */
  readonly finishedAt: number | null
  readonly summary: Summary | null
}

/** Adds a run and keeps the last hundred; keeps a request as long as one of those or a failure names it. */
export const startRun = (db: Database, startedAt: number, request: string): number => {
  const digest = request === "" ? "" : sha256(request)
  if (digest !== "") db.sql("INSERT OR IGNORE INTO request (digest, value) VALUES (?, ?)").run(digest, request)
  const { id } = db.sql("INSERT INTO run (started, request) VALUES (?, ?)").run(startedAt, digest)
  if (db.sql("DELETE FROM run WHERE id <= ?").run(id - 100).changes > 0) {
    db.sql(
      "DELETE FROM request WHERE digest NOT IN (SELECT request FROM run) AND id NOT IN (SELECT request FROM failure WHERE request IS NOT NULL)"
    ).run()
  }
  return id
}

/** A run's request, as the caller wrote it. */
export interface Request {
  /** SHA-256 of `text`, lower-case hexadecimal. */
  readonly digest: string
  readonly text: string
}

/** Distinct requests, that of the latest run first. */
export const requests = (db: Database): ReadonlyArray<Request> =>
  db
    .sql(
      "SELECT q.digest, q.value FROM request q ORDER BY (SELECT max(id) FROM run WHERE run.request = q.digest) DESC NULLS LAST, q.id DESC"
    )
    .all()
    .map((row) => ({ digest: text(row, 0), text: text(row, 1) }))

export const finishRun = (db: Database, id: number, finishedAt: number, summary: Summary): void => {
  db.sql("UPDATE run SET finished = ?, summary = ? WHERE id = ?").run(finishedAt, Summaries.encode(summary), id)
}

const runOf = (row: Row): Run => ({
  startedAt: integer(row, 0),
  request: text(row, 1),
  finishedAt: nullable(row, 2, integer),
  summary: Summaries.read(nullable(row, 3, text))
})

export const lastRun = (db: Database): Run | null => {
  const row = db
    .sql(
      "SELECT started, ifnull((SELECT value FROM request WHERE digest = run.request), ''), finished, summary FROM run ORDER BY id DESC LIMIT 1"
    )
    .first()
  return row === undefined ? null : runOf(row)
}

/** Counts of the ledger's contents. */
export interface Stats {
  readonly documents: number
  /** Documents with chunks in at least one sink. */
  readonly stored: number
  /** Documents in which no text was found: settled, without chunks. */
  readonly empty: number
  readonly failed: number
  /** Documents of which a sink may hold former chunks: those left by mode append, and those of killed runs. */
  readonly pending: number
  readonly roots: ReadonlyArray<{ readonly name: string; readonly path: string | null; readonly documents: number }>
}

export const stats = (db: Database): Stats => {
  const counts =
    db
      .sql(
        "SELECT count(*), count(setting), ifnull(sum(failed), 0), (SELECT count(DISTINCT document) FROM pending), (SELECT count(*) FROM content WHERE length(chunks) = length(?1) AND chunks = ?1) FROM document"
      )
      .first(ChunkIds.nothing) ?? []
  const empty = integer(counts, 4)
  const roots = db
    .sql("SELECT r.name, r.path, (SELECT count(*) FROM document d WHERE d.root = r.id) FROM root r ORDER BY r.name")
    .all()
  return {
    documents: integer(counts, 0),
    stored: integer(counts, 1) - empty,
    empty,
    failed: integer(counts, 2),
    pending: integer(counts, 3),
    roots: roots.map((row) => ({ name: text(row, 0), path: nullable(row, 1, text), documents: integer(row, 2) }))
  }
}
