/** Counts over all documents, and what the ledger believes of its sinks. */
import { bytes, integer, nullable, text } from "../columns.ts"
import { corrupted } from "../libsql.ts"
import { decodeAcks, decodeSetting } from "./encoding.ts"
import type { Acknowledgement } from "./entry.ts"
import * as ChunkIds from "./packedIds.ts"
import { type Dialect, isKnown, rows, type Script } from "./script.ts"
import * as Changes from "./verdict.ts"

/** Id by which stores recognise the state. */
export function* stateId(): Script<string> {
  const [id] = yield* rows("SELECT id FROM state", [], (row) => text(row, 0))
  if (id === undefined) throw corrupted("the state has no id")
  return id
}

/** Numbers of the settings with a property. */
export function* settingsWhere(
  holds: (setting: ReturnType<typeof decodeSetting>) => boolean
): Script<ReadonlyArray<number>> {
  const all = yield* rows("SELECT id, value FROM setting", [], (row) => ({
    id: integer(row, 0),
    holds: holds(decodeSetting(text(row, 1)))
  }))
  return all.filter((one) => one.holds).map(({ id }) => id)
}

/** Numbers of the settings and of the acknowledgements that make a document settled. */
export interface Settled {
  readonly settings: ReadonlyArray<number>
  readonly acks: ReadonlyArray<number>
}

export function* settledBy(expected: Changes.Expected): Script<Settled> {
  const settings = yield* settingsWhere((setting) => Changes.isSettled(setting, expected))
  const acks = yield* rows("SELECT id, value FROM acknowledgement", [], (row) => ({
    id: integer(row, 0),
    holds: Changes.acknowledged(decodeAcks(text(row, 1)), expected)
  }))
  return { settings, acks: acks.filter(({ holds }) => holds).map(({ id }) => id) }
}

/** Lists of acknowledgements of documents, in the order in which they were first recorded. */
const acksInUse = () =>
  rows(
    "SELECT id, value FROM acknowledgement WHERE id IN (SELECT acks FROM document WHERE acks IS NOT NULL) ORDER BY id",
    [],
    (row) => ({ id: integer(row, 0), acks: decodeAcks(text(row, 1)) })
  )

/** Sinks that hold or may hold documents of this ledger; of several stores of a sink, the one recorded last. */
export function* sinksInUse(): Script<ReadonlyArray<Acknowledgement>> {
  const last = new Map<string, Acknowledgement>()
  const left = yield* rows("SELECT DISTINCT sink FROM pending ORDER BY sink", [], (row) => text(row, 0))
  for (const sink of left) last.set(sink, { sink, store: null })
  for (const { acks } of yield* acksInUse()) for (const ack of acks) last.set(ack.sink, ack)
  return [...last.values()]
}

/** A store of a sink, and the documents acknowledged there. */
export interface BelievedStore {
  /** Null for a sink without stamps. */
  readonly store: string | null
  readonly documents: number
  readonly chunks: number
}

/** The ledger's record of one sink. */
export interface Belief {
  /** Stores, the one with the most documents first. */
  readonly stores: ReadonlyArray<BelievedStore>
  /** Names of the roots whose documents are in the sink. */
  readonly roots: ReadonlyArray<string>
}

/** Documents and chunks of a list of acknowledgements. Lists of ids that are packed alike are counted by their lengths: see `packedIds`. */
function* sumsOf({ contents, idsInJson }: Dialect, acks: number): Script<Omit<BelievedStore, "store">> {
  const first = "substr(c.chunks, 1, 1)"
  const groups = yield* rows(
    `SELECT ${first}, length(c.chunks), count(*), sum(CASE WHEN ${first} = $2 THEN ${idsInJson} END)
     FROM document d JOIN ${contents.table} c ON ${contents.document} = d.id WHERE d.acks = $1 GROUP BY 1, 2`,
    [acks, Buffer.of(0)],
    (row) => {
      const documents = integer(row, 2)
      const size = bytes(row, 0)[0] ?? 0
      const inJson = nullable(row, 3, integer) ?? 0
      return { documents, chunks: size === 0 ? inJson : (documents * (integer(row, 1) - 1)) / size }
    }
  )
  return {
    documents: groups.reduce((sum, { documents }) => sum + documents, 0),
    chunks: groups.reduce((sum, { chunks }) => sum + chunks, 0)
  }
}

export function* belief(dialect: Dialect, sink: string): Script<Belief> {
  const stores = new Map<string | null, BelievedStore>()
  const roots = new Set<string>()
  for (const { acks, id } of yield* acksInUse()) {
    const ack = acks.find((one) => one.sink === sink)
    if (ack === undefined) continue
    const { store } = ack
    const before = stores.get(store) ?? { store, documents: 0, chunks: 0 }
    const { chunks, documents } = yield* sumsOf(dialect, id)
    stores.set(store, { store, documents: before.documents + documents, chunks: before.chunks + chunks })
    const names = yield* rows(
      "SELECT name FROM root WHERE id IN (SELECT root FROM document WHERE acks = $1)",
      [id],
      (row) => text(row, 0)
    )
    for (const name of names) roots.add(name)
  }
  return {
    stores: [...stores.values()].toSorted((left, right) => right.documents - left.documents),
    roots: [...roots]
  }
}

/**
 * Counts of the ledger's contents.
 *
 * @since 0.1.0
 * @category models
 */
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

export function* stats(dialect: Dialect): Script<Stats> {
  const { contents, hasFailed } = dialect
  const [counts = { documents: 0, stored: 0, empty: 0, failed: 0, pending: 0 }] = yield* rows(
    `SELECT count(*) FILTER (WHERE ${isKnown(dialect)}), count(setting), count(*) FILTER (WHERE ${hasFailed}),
       (SELECT count(DISTINCT document) FROM pending),
       (SELECT count(*) FROM ${contents.table} c WHERE length(c.chunks) = ${ChunkIds.nothing.length} AND c.chunks = $1)
     FROM document d`,
    [ChunkIds.nothing],
    (row) => ({
      documents: integer(row, 0),
      stored: integer(row, 1) - integer(row, 4),
      empty: integer(row, 4),
      failed: integer(row, 2),
      pending: integer(row, 3)
    })
  )
  const roots = yield* rows(
    "SELECT r.name, r.path, (SELECT count(*) FROM document d WHERE d.root = r.id) FROM root r",
    [],
    (row) => ({ name: text(row, 0), path: nullable(row, 1, text), documents: integer(row, 2) })
  )
  return { ...counts, roots: roots.toSorted((left, right) => (left.name < right.name ? -1 : 1)) }
}
