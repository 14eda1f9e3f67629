/** Documents between their tables and memory. */
import * as Effect from "effect/Effect"
import { sha256 } from "../../base/sha256.ts"
import { flag, integer, nullable, text } from "../columns.ts"
import type { Document, Pending } from "../ledger/document.ts"
import {
  checksum,
  decodeAcks,
  decodeSetting,
  encodeAcks,
  encodeFailure,
  encodeReport,
  encodeSetting
} from "../ledger/encoding.ts"
import * as ChunkIds from "../ledger/packedIds.ts"
import * as Shared from "../ledger/rows.ts"
import * as Sightings from "../ledger/sighting.ts"
import { corrupted, type Row } from "../libsql.ts"
import { ServerFailure } from "../serverFailure.ts"
import type { Transaction, Value } from "./connection.ts"
import { heldByAnother } from "./session.ts"

const columns = `d.id, r.name, d.path, d.generation, s.value, a.value, d.print, d.etag, d.hash, d.chunks, d.report, d.checksum,
  d.failure, d.failure_print, d.failure_etag, q.digest, d.holder, d.fence`

/** Sinks with pending chunks, and the chunks of each. */
const pendingColumns = `(SELECT array_agg(p.sink ORDER BY p.sink) FROM pending p WHERE p.document = d.id),
  (SELECT array_agg(p.chunks ORDER BY p.sink) FROM pending p WHERE p.document = d.id)`

const joins = `FROM document d JOIN root r ON r.id = d.root LEFT JOIN setting s ON s.id = d.setting
  LEFT JOIN acknowledgement a ON a.id = d.acks LEFT JOIN request q ON q.id = d.request`

/** Texts that are the same in many rows are decoded once. */
const remembered = <A>(decode: (source: string) => A): ((source: string) => A) => {
  const known = new Map<string, A>()
  return (source) => {
    const before = known.get(source)
    if (before !== undefined) return before
    if (known.size > 256) known.clear()
    const value = decode(source)
    known.set(source, value)
    return value
  }
}

const settingOf = remembered(decodeSetting)
const acksOf = remembered(decodeAcks)

const shared: Shared.Shared = {
  setting: (row, column) => settingOf(text(row, column)),
  acks: (row, column) => acksOf(text(row, column))
}

/** Chunks of a list that comes with its row; none where the statement leaves them out. */
const pendingOf = (row: Row): Pending => {
  const sinks: unknown = row[Shared.width + 3]
  const chunks: unknown = row[Shared.width + 4]
  const pending: Pending = new Map()
  if (!Array.isArray(sinks) || !Array.isArray(chunks)) return pending
  for (const [at, sink] of sinks.entries()) {
    const packed: unknown = chunks[at]
    if (!(packed instanceof Uint8Array)) throw corrupted("a list of chunk ids does not hold bytes")
    pending.set(String(sink), ChunkIds.unpack(packed))
  }
  return pending
}

/** Reads a row of {@link select}. */
export const documentOf = (row: Row): Document =>
  Shared.documentOf(row, shared, {
    holder: nullable(row, Shared.width, integer),
    fence: integer(row, Shared.width + 1),
    busy: flag(row, Shared.width + 2),
    pending: pendingOf(row)
  })

/**
 * Statement over whole documents, with their pending chunks or without. `session`: parameter with the own session, for which those that other
 * processes work on are busy; null for none.
 */
export const select = (where: string, session: string | null, pending: boolean): string =>
  `SELECT ${columns}, ${session === null ? "false" : `coalesce(${heldByAnother(session)}, false)`}${pending ? `, ${pendingColumns}` : ""} ${joins} WHERE ${where}`

/** One column for each array; the rows of `u` are the documents. */
interface Column {
  readonly name: string
  readonly type: string
  readonly value: (document: Document) => Value
  /** How it enters the table; default as it is. */
  readonly entering?: string
}

const digestOf = (value: string | null): string | null => (value === null ? null : sha256(value))

const settingText = ({ stored }: Document): string | null => (stored === null ? null : encodeSetting(stored))
const acksText = ({ stored }: Document): string | null => (stored === null ? null : encodeAcks(stored.acknowledged))

const lightColumns: ReadonlyArray<Column> = [
  { name: "print", type: "bytea", value: ({ stored }) => (stored === null ? null : Sightings.pack(stored)) },
  {
    name: "etag",
    type: "text",
    value: ({ stored }) => (stored === null ? null : Sightings.etagOf(stored.fingerprint))
  },
  {
    name: "acks",
    type: "text",
    value: (document) => digestOf(acksText(document)),
    entering: "(SELECT id FROM acknowledgement WHERE digest = u.acks)"
  },
  { name: "failure", type: "text", value: ({ failure }) => (failure === null ? null : encodeFailure(failure)) },
  {
    name: "failure_print",
    type: "bytea",
    value: ({ failure }) => (failure === null ? null : Sightings.pack(failure))
  },
  {
    name: "failure_etag",
    type: "text",
    value: ({ failure }) => (failure === null ? null : Sightings.etagOf(failure.fingerprint))
  },
  {
    name: "request",
    type: "text",
    value: ({ failure }) => failure?.request ?? null,
    entering: "(SELECT id FROM request WHERE digest = u.request)"
  },
  { name: "holder", type: "bigint", value: ({ holder }) => holder },
  { name: "fence", type: "bigint", value: ({ fence }) => fence }
]

const hashBytes = ({ stored }: Document): Buffer => Buffer.from(stored?.contentHash ?? "", "hex")
const chunkBytes = ({ stored }: Document): Uint8Array => ChunkIds.pack(stored?.chunkIds ?? [])
const reportText = ({ stored }: Document): string => (stored === null ? "" : encodeReport(stored.report))

const wholeColumns: ReadonlyArray<Column> = [
  ...lightColumns,
  { name: "generation", type: "bigint", value: ({ generation }) => generation },
  { name: "hash", type: "bytea", value: hashBytes },
  { name: "chunks", type: "bytea", value: chunkBytes },
  { name: "report", type: "text", value: reportText },
  {
    name: "checksum",
    type: "bigint",
    value: (document) => checksum(hashBytes(document), chunkBytes(document), reportText(document))
  },
  {
    name: "setting",
    type: "text",
    value: (document) => digestOf(settingText(document)),
    entering: "(SELECT id FROM setting WHERE digest = u.setting)"
  }
]

const parameter = (value: Value): string | number | boolean | null | Uint8Array =>
  value === null || typeof value !== "object" || value instanceof Uint8Array ? value : null

/** A statement among others: its parameters are numbered from `first`. */
interface Part {
  readonly sql: (first: number) => string
  readonly values: ReadonlyArray<Value>
  /** True when its rows have a column `lost`. */
  readonly tells: boolean
}

/** Runs statements in one trip, which write different rows: their order is of no matter. Returns what they tell. */
const together = (
  { rows }: Transaction,
  parts: ReadonlyArray<Part>
): Effect.Effect<ReadonlyArray<boolean>, ServerFailure> => {
  if (parts.length === 0) return Effect.succeed([])
  const values: Array<Value> = []
  const named = parts.map((part, at) => {
    const text = `part${at} AS (${part.sql(values.length + 1)})`
    values.push(...part.values)
    return text
  })
  const told = parts.flatMap(({ tells }, at) => (tells ? [`SELECT lost FROM part${at}`] : []))
  const last = told.length === 0 ? "SELECT false WHERE false" : told.join(" UNION ALL ")
  return rows(`WITH ${named.join(", ")} ${last}`, values, (row) => flag(row, 0))
}

/** `lost`: a text that many rows share is not in its table. */
const update = (columns: ReadonlyArray<Column>, documents: ReadonlyArray<Document>): ReadonlyArray<Part> => {
  if (documents.length === 0) return []
  const set = columns.map(({ entering, name }) => `${name} = ${entering ?? `u.${name}`}`)
  const names = columns.map(({ name }) => name)
  const shared = columns.filter(({ entering }) => entering !== undefined).map(({ name }) => name)
  const lost = shared
    .filter((name) => name !== "request")
    .map((name) => `(d.${name} IS NULL AND u.${name} IS NOT NULL)`)
  return [
    {
      sql: (first) => {
        const lists = columns.map(({ type }, at) => `$${first + at + 1}::${type}[]`)
        return `UPDATE document d SET ${set.join(", ")} FROM unnest($${first}::bigint[], ${lists.join(", ")}) AS u (id, ${names.join(", ")})
          WHERE d.id = u.id RETURNING ${lost.join(" OR ")} AS lost`
      },
      values: [
        documents.map(({ id }) => id),
        ...columns.map(({ value }) => documents.map((document) => parameter(value(document))))
      ],
      tells: true
    }
  ]
}

/** Adds texts that are not there yet to a table of texts that many rows share; `known`: those that are there, to which it adds. */
const intern = (
  { query }: Transaction,
  table: "setting" | "acknowledgement",
  texts: ReadonlyArray<string | null>,
  known: Set<string>
): Effect.Effect<unknown, ServerFailure> => {
  const distinct = [...new Set(texts)].filter((value) => value !== null && !known.has(value))
  for (const value of distinct) if (value !== null) known.add(value)
  if (distinct.length === 0) return Effect.void
  return query(
    `INSERT INTO ${table} (digest, value) SELECT u.digest, u.value FROM unnest($1::text[], $2::text[]) AS u (digest, value)
     WHERE NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.digest = u.digest) ORDER BY u.digest ON CONFLICT DO NOTHING`,
    [distinct.map((value) => sha256(value ?? "")), distinct]
  )
}

const pendingParts = (documents: ReadonlyArray<Document>): ReadonlyArray<Part> => {
  const all = documents.flatMap((document) =>
    document.sinks.map((sink) => ({ id: document.id, sink, ids: document.pending.get(sink) ?? [] }))
  )
  const gone = all.filter(({ ids }) => ids.length === 0)
  const there = all.filter(({ ids }) => ids.length > 0)
  const parts: Array<Part> = []
  if (gone.length > 0) {
    parts.push({
      sql: (first) =>
        `DELETE FROM pending p USING unnest($${first}::bigint[], $${first + 1}::text[]) AS u (id, sink)
         WHERE p.document = u.id AND p.sink = u.sink`,
      values: [gone.map(({ id }) => id), gone.map(({ sink }) => sink)],
      tells: false
    })
  }
  if (there.length > 0) {
    parts.push({
      sql: (first) =>
        `INSERT INTO pending (document, sink, chunks)
         SELECT * FROM unnest($${first}::bigint[], $${first + 1}::text[], $${first + 2}::bytea[])
         ON CONFLICT (document, sink) DO UPDATE SET chunks = excluded.chunks`,
      values: [there.map(({ id }) => id), there.map(({ sink }) => sink), there.map(({ ids }) => ChunkIds.pack(ids))],
      tells: false
    })
  }
  return parts
}

const claimParts = (documents: ReadonlyArray<Document>): ReadonlyArray<Part> => {
  const all = documents.flatMap(({ claims, id }) => claims.map((scope) => ({ id, scope })))
  if (all.length === 0) return []
  return [
    {
      // Of the newest scan, which may have looked before: a worker writes for a run that is over while another one has begun.
      sql: (first) =>
        `INSERT INTO claim (scope, document, scan)
         SELECT u.scope, u.document, coalesce((SELECT max(n.id) FROM scan n WHERE n.scope = u.scope), 0)
         FROM unnest($${first}::bigint[], $${first + 1}::bigint[]) AS u (document, scope)
         ON CONFLICT (scope, document) DO UPDATE SET scan = excluded.scan WHERE claim.scan < excluded.scan`,
      values: [all.map(({ id }) => id), all.map(({ scope }) => scope)],
      tells: false
    }
  ]
}

/** Deletes documents with all that belongs to them. */
export const drop = ({ query }: Transaction, ids: ReadonlyArray<number>): Effect.Effect<unknown, ServerFailure> =>
  ids.length === 0
    ? Effect.void
    : Effect.forEach(
        ["pending WHERE document", "claim WHERE document", "document WHERE id"],
        (which) => query(`DELETE FROM ${which} = ANY($1::bigint[])`, [ids]),
        { discard: true }
      )

/** Writes what changed. `known`: texts that many rows share and that are in their tables; those added are added to it. */
export const save = (
  transaction: Transaction,
  documents: ReadonlyArray<Document>,
  known: Set<string>
): Effect.Effect<void, ServerFailure> =>
  Effect.gen(function* () {
    const rows = documents.filter(({ id }) => id !== 0)
    const kept = rows.filter(({ change }) => change !== "dropped")
    const written = kept.filter(({ change }) => change !== "none")
    const whole = written.filter(({ change }) => change === "whole")
    yield* intern(transaction, "setting", whole.map(settingText), known)
    yield* intern(transaction, "acknowledgement", written.map(acksText), known)
    const light = written.filter(({ change }) => change === "light")
    const lost = yield* together(transaction, [
      ...update(wholeColumns, whole),
      ...update(lightColumns, light),
      ...pendingParts(kept),
      ...claimParts(kept)
    ])
    if (lost.includes(true)) {
      // Somebody emptied the tables: run again, everything is added again.
      known.clear()
      yield* new ServerFailure({ reason: "Missing", said: "settings of documents are gone", passing: true })
    }
    yield* drop(
      transaction,
      rows.filter(({ change }) => change === "dropped").map(({ id }) => id)
    )
  })
