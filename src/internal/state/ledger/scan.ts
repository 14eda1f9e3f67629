import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { corrupted, integer, type Row, text } from "../libsql.ts"
import type { Rows } from "./rows.ts"
import type { SeenFile, Standing, Vanished } from "./runLedger.ts"
import * as Sightings from "./sighting.ts"
import * as Changes from "./verdict.ts"

/**
 * Table of a root's documents at the start of a run, in some 200 bytes per path.
 *
 * Fingerprints are packed in one buffer per page, with one byte of flags per document; the paths are a `Map` from path to
 * position.
 */
export interface Table {
  readonly positions: Map<string, number>
  readonly ids: Array<number>
  readonly flags: Array<number>
  /** One DataView per page of rows; each row takes 41 bytes. */
  readonly prints: Array<DataView>
  readonly etags: Map<number, string>
}

export const flag = {
  /** Stored with the run's settings in all of the run's sinks, and not failed since. */
  settled: 1,
  /** Claimed by the scope at the end of its last complete discovery, or since. */
  claimed: 2,
  /** Found in this run. */
  seen: 4,
  /** The last attempt before this run failed. */
  failed: 8
} as const

/** Rows that one statement packs; a page blocks the event loop for some 5 ms. */
const pageSize = 2048

/**
 * Statement that returns a page as a few texts: far fewer crossings into the native binding than rows. The `+` keeps the planner
 * from reading the root's documents by path and sorting them by number, again for every page. The two lists of numbers are the
 * settings and the acknowledgements that make a document settled.
 */
const pageSql = (settings: ReadonlyArray<number>, acks: ReadonlyArray<number>): string => `
  SELECT count(*), max(id), json_group_array(path), json_group_array(id), group_concat(char(48 + flags), ''),
    group_concat(print, ''), json_group_array(etag)
  FROM (
    SELECT d.id, d.path, d.etag, hex(ifnull(d.print, zeroblob(41))) AS print,
      (d.failed = 0 AND d.print IS NOT NULL AND d.setting IN (${settings.join()}) AND d.acks IN (${acks.join()}))
      + 2 * EXISTS (SELECT 1 FROM claim c WHERE c.scope = ?1 AND c.document = d.id) + 8 * d.failed AS flags
    FROM document d WHERE +d.root = ?2 AND d.id > ?3 ORDER BY d.id LIMIT ${pageSize}
  )`

const parseRows = Schema.decodeUnknownEither(Schema.parseJson(Schema.Array(Schema.Unknown)))

const list = (source: string): ReadonlyArray<unknown> => {
  const rows = parseRows(source)
  if (Either.isRight(rows)) return rows.right
  throw corrupted("a page of rows is not readable")
}

const append = (table: Table, row: Row): void => {
  const paths = list(text(row, 2))
  const ids = list(text(row, 3))
  const flags = text(row, 4)
  const etags = list(text(row, 6))
  const prints = Buffer.from(text(row, 5), "hex")
  if (prints.length !== paths.length * Sightings.width) throw corrupted("a sighting does not have 41 bytes")
  const first = table.ids.length
  for (let index = 0; index < paths.length; index++) {
    const path = paths[index]
    const id = ids[index]
    const etag = etags[index]
    if (typeof path !== "string" || typeof id !== "number") throw corrupted("a document has no path")
    table.positions.set(path, first + index)
    table.ids.push(id)
    table.flags.push(flags.charCodeAt(index) - 48)
    if (typeof etag === "string") table.etags.set(first + index, etag)
  }
  // A copy, since the small buffer above may be part of a longer-lived pool.
  table.prints.push(new DataView(new Uint8Array(prints).buffer))
}

export const emptyTable = (): Table => ({
  positions: new Map(),
  ids: [],
  flags: [],
  prints: [],
  etags: new Map()
})

export interface Request {
  readonly root: number
  readonly scope: number
  readonly expected: Changes.Expected
}

const settledSql = (rows: Rows, expected: Changes.Expected): string => {
  const settings = rows.settings.idsWhere((setting) => Changes.isSettled(setting, expected))
  const acks = rows.acks.idsWhere((known) => Changes.acknowledged(known, expected.sinks))
  return pageSql(settings, acks)
}

/** Returns a function that reads the next page into the table; it returns false when there is none. */
export const reader = (rows: Rows, table: Table, request: Request): (() => boolean) => {
  const sql = settledSql(rows, request.expected)
  let last = 0
  return () => {
    const row = rows.db.sql(sql).first(request.scope, request.root, last)
    if (row === undefined || integer(row, 0) === 0) return false
    append(table, row)
    last = integer(row, 1)
    return integer(row, 0) === pageSize
  }
}

const isUntouched = (table: Table, position: number, file: Changes.Seen, startedAt: number): boolean => {
  const page = table.prints[Math.floor(position / pageSize)]
  if (page === undefined) throw corrupted("a document has no fingerprint")
  const at = (position % pageSize) * Sightings.width
  const etag = table.etags.get(position)
  if (etag === undefined && file.fingerprint?._tag === "Stat") return Sightings.untouchedAt(page, at, file, startedAt)
  return Changes.untouched(Sightings.readAt(page, at, etag ?? null), file, startedAt)
}

/**
 * Marks the file as found. `unchanged` means that nothing is to be done, and {@link Changes.decide} would agree. `known` and
 * `new` mean only that the ledger has a row or none: {@link Changes.decide} then decides by the whole entry.
 */
export const see = (table: Table, file: SeenFile, expected: Changes.Expected): Standing => {
  const position = table.positions.get(file.path)
  if (position === undefined) return "new"
  const flags = (table.flags[position] ?? 0) | flag.seen
  table.flags[position] = flags
  if ((flags & flag.settled) === 0 || expected.verify) return "known"
  if (expected.redo === "writes" || expected.redo === "parses") return "known"
  return isUntouched(table, position, file, expected.startedAt) ? "unchanged" : "known"
}

/** Documents that the scope claimed and this run did not find. */
export const vanished = (table: Table): ReadonlyArray<Vanished> => {
  const gone: Array<Vanished> = []
  for (const [path, position] of table.positions) {
    const flags = table.flags[position] ?? 0
    if ((flags & (flag.claimed | flag.seen)) === flag.claimed) gone.push({ path, failed: (flags & flag.failed) !== 0 })
  }
  return gone
}

/** Ids of documents whose claims are to be added or removed, from the found files. */
export const claims = (
  table: Table
): { readonly gained: ReadonlyArray<number>; readonly lost: ReadonlyArray<number> } => {
  const gained: Array<number> = []
  const lost: Array<number> = []
  for (let position = 0; position < table.ids.length; position++) {
    const state = (table.flags[position] ?? 0) & (flag.claimed | flag.seen)
    const id = table.ids[position] ?? 0
    if (state === flag.seen) gained.push(id)
    if (state === flag.claimed) lost.push(id)
  }
  return { gained, lost }
}
