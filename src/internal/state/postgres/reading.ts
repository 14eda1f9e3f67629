/** Questions to the ledger that change nothing. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Acknowledgement, Holding, Key, LedgerEntry } from "../../../LedgerEntry.ts"
import { documentId } from "../../../SourceFile.ts"
import type { Belief } from "../ledger/belief.ts"
import { decodeAcks, decodeSetting } from "../ledger/encoding.ts"
import * as ChunkIds from "../ledger/packedIds.ts"
import type { Stats } from "../ledger/runs.ts"
import { corrupted } from "../libsql.ts"
import type { ServerFailure } from "../serverFailure.ts"
import { integer, nullable, text } from "./columns.ts"
import type { Connection, Value } from "./connection.ts"
import { type Document, entryOf, heldOf, keyOfDocument } from "./document.ts"
import { documentOf, select } from "./rows.ts"

/** SQL that holds of a document of which something is known; others are rows that a process made when it began to work on one. */
export const isKnown =
  "(d.setting IS NOT NULL OR d.failure IS NOT NULL OR EXISTS (SELECT 1 FROM pending p WHERE p.document = d.id))"

/** Documents of one statement. */
export const perPage = 256

/** Rows by a growing number, page by page; `last` is the number of a row. */
export const paged = <A>(
  page: (after: number) => Effect.Effect<ReadonlyArray<A>, ServerFailure>,
  last: (row: A) => number,
  size: number = perPage
): Stream.Stream<A, ServerFailure> =>
  Stream.paginateChunkEffect(0, (after) =>
    Effect.map(page(after), (rows) => {
      const end = rows.at(-1)
      return [
        Chunk.unsafeFromArray(rows),
        rows.length < size || end === undefined ? Option.none<number>() : Option.some(last(end))
      ] as const
    })
  )

/** Documents with the condition, in order of first sight; $1 is the number before, further parameters begin at $2. */
export const documents = (
  connection: Connection,
  condition: string,
  values: ReadonlyArray<Value> = [],
  pending: boolean = false
): Stream.Stream<Document, ServerFailure> =>
  paged(
    (after) =>
      connection.rows(
        `${select(`d.id > $1 ${condition}`, pending)} ORDER BY d.id LIMIT ${perPage}`,
        [after, ...values],
        documentOf
      ),
    ({ id }) => id
  )

export const find = (
  connection: Connection,
  key: Key,
  pending: boolean
): Effect.Effect<Option.Option<Document>, ServerFailure> =>
  Effect.map(connection.rows(select("d.key = $1", pending), [keyOfDocument(key)], documentOf), ([document]) =>
    Option.fromNullable(document)
  )

export const holdingOf = (document: Document): Holding => ({
  documentId: documentId(document.root, document.path),
  root: document.root,
  path: document.path,
  held: [...heldOf(document)].map(([sink, chunkIds]) => ({ sink, chunkIds }))
})

export const sameContent = (
  connection: Connection,
  contentHash: string,
  optionsHash: string
): Effect.Effect<ReadonlyArray<LedgerEntry>, ServerFailure> =>
  connection.transaction(({ rows }) =>
    Effect.gen(function* () {
      const settings = yield* rows("SELECT id, value FROM setting", [], (row) => ({
        id: integer(row, 0),
        setting: decodeSetting(text(row, 1))
      }))
      const same = settings.filter(({ setting }) => setting.optionsHash === optionsHash).map(({ id }) => id)
      const found = yield* rows(
        `${select("d.hash = $1 AND d.setting = ANY($2::bigint[])", false)} ORDER BY d.id LIMIT 100`,
        [Buffer.from(contentHash, "hex"), same],
        documentOf
      )
      return found.map(entryOf)
    })
  )

interface Acks {
  readonly id: number
  readonly acks: ReadonlyArray<Acknowledgement>
}

const acksInUse = (connection: Connection): Effect.Effect<ReadonlyArray<Acks>, ServerFailure> =>
  connection.rows(
    "SELECT id, value FROM acknowledgement a WHERE EXISTS (SELECT 1 FROM document d WHERE d.acks = a.id) ORDER BY id",
    [],
    (row) => ({ id: integer(row, 0), acks: decodeAcks(text(row, 1)) })
  )

export const sinksInUse = (connection: Connection): Effect.Effect<ReadonlyArray<Acknowledgement>, ServerFailure> =>
  Effect.gen(function* () {
    const last = new Map<string, Acknowledgement>()
    const left = yield* connection.rows("SELECT DISTINCT sink FROM pending ORDER BY sink", [], (row) => text(row, 0))
    for (const sink of left) last.set(sink, { sink, store: null })
    for (const { acks } of yield* acksInUse(connection)) for (const ack of acks) last.set(ack.sink, ack)
    return [...last.values()]
  })

/** Number of ids in lists that are packed alike; those that are no hashes are counted one by one. */
const counted = (length: number, first: number, lists: number, longhand: number): number =>
  first === 0 ? longhand : (lists * (length - 1)) / first

/** Ids in a list that is packed as JSON. */
const inJson = "json_array_length(convert_from(substr(d.chunks, 2), 'UTF8')::json)"

export const belief = (connection: Connection, sink: string): Effect.Effect<Belief, ServerFailure> =>
  Effect.gen(function* () {
    const stores = new Map<string | null, { documents: number; chunks: number }>()
    const roots = new Set<string>()
    for (const { acks, id } of yield* acksInUse(connection)) {
      const ack = acks.find((one) => one.sink === sink)
      if (ack === undefined) continue
      const groups = yield* connection.rows(
        `SELECT get_byte(d.chunks, 0), length(d.chunks), count(*), sum(CASE WHEN get_byte(d.chunks, 0) = 0 THEN ${inJson} END)
         FROM document d WHERE d.acks = $1 GROUP BY 1, 2`,
        [id],
        (row) => ({
          documents: integer(row, 2),
          chunks: counted(integer(row, 1), integer(row, 0), integer(row, 2), nullable(row, 3, integer) ?? 0)
        })
      )
      const sums = stores.get(ack.store) ?? { documents: 0, chunks: 0 }
      stores.set(ack.store, sums)
      for (const { chunks, documents } of groups) {
        sums.documents += documents
        sums.chunks += chunks
      }
      const names = yield* connection.rows(
        "SELECT r.name FROM root r WHERE EXISTS (SELECT 1 FROM document d WHERE d.root = r.id AND d.acks = $1)",
        [id],
        (row) => text(row, 0)
      )
      for (const name of names) roots.add(name)
    }
    return {
      stores: [...stores]
        .map(([store, { chunks, documents }]) => ({ store, documents, chunks }))
        .toSorted((left, right) => right.documents - left.documents),
      roots: [...roots]
    }
  })

export const stats = (connection: Connection): Effect.Effect<Stats, ServerFailure> =>
  connection.transaction(({ rows }) =>
    Effect.gen(function* () {
      const [counts] = yield* rows(
        `SELECT count(*) FILTER (WHERE ${isKnown}), count(setting), count(failure), (SELECT count(DISTINCT document) FROM pending),
           count(*) FILTER (WHERE setting IS NOT NULL AND chunks = $1) FROM document d`,
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
        'SELECT r.name, r.path, (SELECT count(*) FROM document d WHERE d.root = r.id) FROM root r ORDER BY r.name COLLATE "C"',
        [],
        (row) => ({ name: text(row, 0), path: nullable(row, 1, text), documents: integer(row, 2) })
      )
      return { documents: 0, stored: 0, empty: 0, failed: 0, pending: 0, ...counts, roots }
    })
  )

export const stateId = (connection: Connection): Effect.Effect<string, ServerFailure> =>
  connection
    .rows("SELECT id, version FROM state UNION ALL SELECT '', 0 ORDER BY 2 DESC LIMIT 1", [], (row) => {
      if (text(row, 0) === "") throw corrupted("the state has no id")
      return text(row, 0)
    })
    .pipe(Effect.map(([id = ""]) => id))
