/** The rows of a ledger in a folder: libSQL, synchronous, and with one process at a time. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { integer } from "../columns.ts"
import * as GroupCommit from "../groupCommit.ts"
import { settledBy } from "../ledger/figures.ts"
import { type Holder, isRefused } from "../ledger/operations.ts"
import type { Place } from "../ledger/places.ts"
import type { Claimed, Findings, Holds, RowStore } from "../ledger/rowStore.ts"
import type { Expected } from "../ledger/runLedger.ts"
import { type Dialect, query, rows, type Script, type Value } from "../ledger/script.ts"
import {
  checkpoint,
  corrupted,
  type Database,
  type DatabaseFailure,
  failure,
  type Value as LibsqlValue
} from "../libsql.ts"
import { Documents } from "./rows.ts"
import * as Table from "./table.ts"

/** Most writes of one transaction: 64 occupy the event loop for about 4 ms. */
const batchLimit = 64

/** Documents of one statement. */
const perStatement = 2048

/** libSQL has no lists: they are JSON. */
const isIn: Dialect["isIn"] = (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`

const dialect: Dialect = {
  isIn,
  locked: "",
  hasFailed: "d.failed = 1",
  failedRequests: "SELECT request FROM failure WHERE request IS NOT NULL",
  contents: { table: "content", document: "c.document" },
  idsInJson: "json_array_length(CAST(substr(c.chunks, 2) AS TEXT))",
  chunking: "chunking",
  addRun: function* (startedAt, digest) {
    yield* query("INSERT INTO run (started, request) VALUES ($1, $2)", [startedAt, digest])
    const [id = 0] = yield* rows("SELECT max(id) FROM run", [], (row) => integer(row, 0))
    return id
  },
  report: "(SELECT body FROM run_report WHERE run_report.run = run.id)",
  setReport: (run, body) => query("INSERT OR REPLACE INTO run_report (run, body) VALUES ($1, $2)", [run, body]),
  dropReports: (last) => query("DELETE FROM run_report WHERE run <= $1", [last])
}

const isList = (value: Value): value is ReadonlyArray<string | number> => Array.isArray(value)

const valueOf = (value: Value): LibsqlValue => (isList(value) ? JSON.stringify(value) : value)

/** With parameters as libSQL spells them. */
const spelled = (sql: string): string => sql.replaceAll(/\$(?=\d)/gu, "?")

const reads = /^\s*SELECT\b/iu

/** Runs the script to its end. */
const run = <A>(db: Database, script: () => Script<A>): A => {
  const steps = script()
  let next = steps.next([])
  while (next.done !== true) {
    const { sql, values } = next.value
    const statement = db.sql(spelled(sql))
    if (reads.test(sql)) next = steps.next(statement.all(...values.map(valueOf)))
    else {
      statement.run(...values.map(valueOf))
      next = steps.next([])
    }
  }
  return next.value
}

/** The lock of the state makes this process the only one. */
const alone: Holder = { session: 0, held: undefined }

const nothingHeld = <E>(store: Pick<RowStore<E>, "documents">): Holds<E> => ({
  hold: () => Effect.succeed({ standing: "alone", entry: null }),
  letGo: () => Effect.void,
  // A run may have written the document since it was found.
  taken: ({ condition, holds, values }, found) =>
    found.pipe(
      Stream.mapEffect(({ id }) =>
        store.documents(`d.id > $1 AND d.id = $${values.length + 2} AND ${condition}`, [id - 1, ...values, id], {
          pending: true,
          limit: 1
        })
      ),
      Stream.mapConcat((now) => now.filter(holds))
    ),
  isLent: () => false,
  ended: () => {},
  rest: Effect.void,
  isRootFree: () => Effect.succeed(true)
})

/** What the database does for a table of documents in memory. */
interface Tables<E> {
  readonly db: Database
  readonly read: <A>(body: () => A) => Effect.Effect<A, E>
  readonly write: <A>(body: () => A) => Effect.Effect<A, E>
}

/** Reads the documents of a root; the table then knows of each file in about 0.5 µs. */
const tableOf = Effect.fnUntraced(function* <E>({ db, read }: Tables<E>, place: Place, expected: Expected) {
  const table = Table.emptyTable()
  const settled = yield* read(() => run(db, () => settledBy(expected)))
  const next = Table.reader(db, table, place, settled)
  while (yield* read(next)) yield* Effect.yieldNow()
  return table
})

const claimsOf = (db: Database, scope: number, page: ReadonlyMap<number, string>): ReadonlyArray<Claimed> => {
  const claims = new Map<number, Array<number>>()
  const found = rows(
    `SELECT document, scope FROM claim WHERE scope <> $1 AND ${isIn("document", "$2", "bigint")}`,
    [scope, [...page.keys()]],
    (row) => ({ document: integer(row, 0), scope: integer(row, 1) })
  )
  for (const claim of run(db, () => found)) {
    const scopes = claims.get(claim.document)
    if (scopes === undefined) claims.set(claim.document, [claim.scope])
    else scopes.push(claim.scope)
  }
  return [...claims].map(([id, scopes]) => ({ id, path: page.get(id) ?? "", scopes }))
}

const findingsOf = <E>(
  { db, read }: Tables<E>,
  table: Table.Table,
  { scope }: Place,
  expected: Expected
): Findings<E> => ({
  claimed: Table.claimed(table),
  see: (files) => Effect.sync(() => files.map((file) => Table.see(table, file, expected))),
  vanished: Stream.suspend(() => Stream.fromIterable(Table.vanished(table))),
  claimedElsewhere: (folders) =>
    Stream.suspend(() => Stream.fromIterable(Table.unseen(table, folders))).pipe(
      Stream.grouped(perStatement),
      Stream.mapEffect((page) =>
        Effect.map(
          read(() => claimsOf(db, scope, new Map([...page].map(({ id, path }) => [id, path])))),
          Chunk.unsafeFromArray
        )
      ),
      Stream.flattenChunks
    )
})

const batches = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / perStatement) }, (_, index) =>
    all.slice(index * perStatement, (index + 1) * perStatement)
  )

/** Then the scope claims the found documents and no others. */
const complete = <E>({ db, write }: Tables<E>, table: Table.Table, scope: number, at: number) =>
  Effect.gen(function* () {
    const { gained, lost } = Table.claims(table)
    const change = (sql: string, documents: ReadonlyArray<number>) =>
      Effect.forEach(batches(documents), (part) => write(() => run(db, () => query(sql, [scope, part]))), {
        discard: true
      })
    yield* change("INSERT OR IGNORE INTO claim (scope, document) SELECT $1, value FROM json_each($2)", gained)
    yield* change(`DELETE FROM claim WHERE scope = $1 AND ${isIn("document", "$2", "bigint")}`, lost)
    yield* write(() => run(db, () => query("UPDATE scope SET completed = $2 WHERE id = $1", [scope, at])))
  })

/** The rows of a database. `flush` commits the writes that wait. */
export const make = <E>(
  db: Database,
  lasting: boolean,
  failed: (failure: DatabaseFailure) => E
): { readonly store: RowStore<E>; readonly flush: () => void } => {
  const documents = new Documents(db)
  const group = GroupCommit.make(db, batchLimit, documents.reset)
  const read = <A>(body: () => A): Effect.Effect<A, E> =>
    Effect.try({ try: body, catch: (thrown) => failed(failure(thrown)) })
  const write = <A>(body: () => A): Effect.Effect<A, E> => Effect.mapError(group.write(body), failed)
  const tables: Tables<E> = {
    db,
    read,
    write: (body) =>
      write(() => {
        documents.forget()
        return body()
      })
  }
  const rowsOf = {
    documents: (
      condition: string,
      values: ReadonlyArray<Value>,
      { limit, pending }: { limit: number; pending: boolean }
    ) =>
      read(() => documents.select(`${spelled(condition)} ORDER BY d.id LIMIT ${limit}`, values.map(valueOf), pending))
  }
  const store: RowStore<E> = {
    lasting,
    dialect,
    read: (script) => read(() => run(db, script)),
    write: (script) => tables.write(() => run(db, script)),
    change: ({ apply, creates, key }) =>
      write(() => {
        const result = documents.change(key, creates, (document) => apply(document, alone))
        if (isRefused(result)) throw corrupted(`${key.path} is in other hands`)
        return result
      }),
    ...rowsOf,
    find: (key) => read(() => documents.find(key)),
    holds: nothingHeld(rowsOf),
    scan: (bound, _, expected) =>
      Effect.map(tableOf(tables, bound, expected), (table) => ({
        ...findingsOf(tables, table, bound, expected),
        scope: bound.scope,
        documents: table.ids.length,
        complete: (at) => complete(tables, table, bound.scope, at),
        end: Effect.void
      })),
    preview: (place, _, expected) =>
      Effect.map(tableOf(tables, place, expected), (table) => ({
        ...findingsOf(tables, table, place, expected),
        isSeen: ({ path }) => Table.isSeen(table, path)
      })),
    checkpoint: read(() => checkpoint(db))
  }
  return { store, flush: group.flush }
}
