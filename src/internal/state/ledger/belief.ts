/** The ledger's record of one sink. */
import type { Acknowledgement } from "../../../LedgerEntry.ts"
import { bytes, corrupted, type Database, integer, nullable, text } from "../libsql.ts"
import type { Rows } from "./rows.ts"

/** A store of a sink, and the documents acknowledged there. */
export interface BelievedStore {
  /** Null for a sink without stamps. */
  readonly store: string | null
  readonly documents: number
  readonly chunks: number
}

export interface Belief {
  /** Stores, the one with the most documents first. */
  readonly stores: ReadonlyArray<BelievedStore>
  /** Names of the roots whose documents are in the sink. */
  readonly roots: ReadonlyArray<string>
}

export const stateId = (db: Database): string => {
  const row = db.sql("SELECT id FROM state").first()
  if (row === undefined) throw corrupted("the state has no id")
  return text(row, 0)
}

/** Ids in lists that are packed alike: see `packedIds`. */
const idsIn = (db: Database, acks: number, size: number, length: number, lists: number): number => {
  if (size > 0) return (lists * (length - 1)) / size
  const row = db
    .sql(
      `SELECT ifnull(sum(json_array_length(CAST(substr(c.chunks, 2) AS TEXT))), 0) FROM document d
       JOIN content c ON c.document = d.id WHERE d.acks = ? AND length(c.chunks) = ? AND substr(c.chunks, 1, 1) = x'00'`
    )
    .first(acks, length)
  return row === undefined ? 0 : integer(row, 0)
}

const acksWith = (rows: Rows, sink: string) =>
  rows.acks
    .idsWhere((acks) => acks.some((ack) => ack.sink === sink))
    .flatMap((id) => {
      const ack: Acknowledgement | undefined = rows.acks.valueOf(id).find((one) => one.sink === sink)
      return ack === undefined ? [] : [{ id, store: ack.store }]
    })

export const of = (rows: Rows, sink: string): Belief => {
  const { db } = rows
  const stores = new Map<string | null, { documents: number; chunks: number }>()
  const roots = new Set<string>()
  for (const { id, store } of acksWith(rows, sink)) {
    const groups = db
      .sql(
        `SELECT substr(c.chunks, 1, 1), length(c.chunks), count(*) FROM document d
         JOIN content c ON c.document = d.id WHERE d.acks = ? GROUP BY 1, 2`
      )
      .all(id)
    if (groups.length === 0) continue
    const sums = stores.get(store) ?? { documents: 0, chunks: 0 }
    stores.set(store, sums)
    for (const row of groups) {
      const lists = integer(row, 2)
      sums.documents += lists
      sums.chunks += idsIn(db, id, bytes(row, 0)[0] ?? 0, integer(row, 1), lists)
    }
    const names = db.sql("SELECT DISTINCT r.name FROM document d JOIN root r ON r.id = d.root WHERE d.acks = ?").all(id)
    for (const row of names) roots.add(nullable(row, 0, text) ?? "")
  }
  return {
    stores: [...stores]
      .map(([store, { chunks, documents }]) => ({ store, documents, chunks }))
      .toSorted((left, right) => right.documents - left.documents),
    roots: [...roots]
  }
}
