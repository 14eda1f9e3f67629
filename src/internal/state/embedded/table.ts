import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { integer, text } from "../columns.ts"
import type { Settled } from "../ledger/figures.ts"
import type { Place } from "../ledger/places.ts"
import { isBelow } from "../ledger/released.ts"
import type { SeenFile, Standing, Vanished } from "../ledger/runLedger.ts"
import * as Sightings from "../ledger/sighting.ts"
import * as Changes from "../ledger/verdict.ts"
import { corrupted, type Database, type Row } from "../libsql.ts"

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

const flag = {
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
const pageSql = ({ acks, settings }: Settled): string => `
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

/** Returns a function that reads the next page into the table; it returns false when there are no more. */
export const reader = (db: Database, table: Table, { root, scope }: Place, settled: Settled): (() => boolean) => {
  const sql = pageSql(settled)
  let last = 0
  return () => {
    const row = db.sql(sql).first(scope, root, last)
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
  if ((flags & flag.settled) === 0 || !Changes.trustsSightings(expected)) return "known"
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

/** True for a document that was found, and for one that was added since the table was read. */
export const isSeen = (table: Table, path: string): boolean => {
  const position = table.positions.get(path)
  return position === undefined || ((table.flags[position] ?? 0) & flag.seen) !== 0
}

/** Documents below the folders that were not found. */
export const unseen = (
  table: Table,
  folders: ReadonlyArray<string>
): ReadonlyArray<{ readonly id: number; readonly path: string }> => {
  const left: Array<{ readonly id: number; readonly path: string }> = []
  for (const [path, position] of table.positions) {
    if (((table.flags[position] ?? 0) & flag.seen) !== 0) continue
    if (folders.some((folder) => isBelow(path, folder))) left.push({ id: table.ids[position] ?? 0, path })
  }
  return left
}

/** Number of documents that the scope claimed at the start. */
export const claimed = ({ flags }: Table): number =>
  flags.reduce((count, flags) => count + ((flags & flag.claimed) === 0 ? 0 : 1), 0)

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
