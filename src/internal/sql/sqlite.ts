/** Rows of a file of libSQL or SQLite. */
import { accessSync, constants, existsSync } from "node:fs"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { SourceUnavailable } from "../../Source.ts"
import * as Libsql from "../state/libsql.ts"
import { quoted, versionOf } from "./query.ts"
import type { Asked, Content, Failed, Listed, Rows } from "./rows.ts"

/** Rows of a page. */
const pageSize = 1000

/** Longest wait for another process's transaction, in milliseconds. */
const busyTimeout = 5000

const view = "temp.docsluice_rows"
const listing = "temp.docsluice_listing"

/** A problem of the file or of the query in words. */
class Refused extends Error {
  readonly reason: SourceUnavailable["reason"]

  constructor(reason: SourceUnavailable["reason"], problem: string) {
    super(problem)
    this.reason = reason
  }
}

const meanings: ReadonlyArray<readonly [prefix: string, reason: SourceUnavailable["reason"], problem: string]> = [
  ["SQLITE_BUSY", "Failed", "another process writes to the file; run again later"],
  ["SQLITE_NOTADB", "Damaged", "the file is not a database"],
  ["SQLITE_CORRUPT", "Damaged", "the database is damaged"],
  ["SQLITE_READONLY_", "Denied", "its log cannot be read in this folder; let this user write to the folder"],
  ["SQLITE_READONLY", "Invalid", "the query writes; give one that only reads"],
  ["SQLITE_ERROR", "Invalid", "the query cannot be run; check it"]
]

const otherwise = ["", "Failed", "the file cannot be read"] as const

const causeOf = (thrown: unknown): unknown => (thrown instanceof Libsql.DatabaseFailure ? thrown.cause : thrown)

const codeOf = (thrown: unknown): string => Libsql.codeOf(causeOf(thrown))

const failure =
  (failed: Failed) =>
  (thrown: unknown): SourceUnavailable => {
    if (thrown instanceof Refused) return failed(thrown.reason, thrown.message)
    const cause = causeOf(thrown)
    const [, reason, problem] = meanings.find(([prefix]) => codeOf(thrown).startsWith(prefix)) ?? otherwise
    return failed(reason, `${problem} (${cause instanceof Error ? cause.message : String(cause)})`)
  }

const connected = (file: string, how: string): Libsql.Database => {
  const db = Libsql.open(`${pathToFileURL(file).href}?${how}`)
  try {
    db.sql(`PRAGMA busy_timeout=${busyTimeout}`).all()
    Libsql.checkSchema(db)
  } catch (thrown) {
    db.close()
    throw thrown
  }
  return db
}

/** Opens a file that is there for reading only. One whose folder cannot be written, and that has no log, is read as if nobody changed it. */
const opened = (file: string): Libsql.Database => {
  if (!existsSync(file)) throw new Refused("Missing", `there is no file ${file}; check the address of the database`)
  try {
    accessSync(file, constants.R_OK)
  } catch {
    throw new Refused("Denied", "the file of the database may not be read; let this user read it")
  }
  try {
    return connected(file, "mode=ro")
  } catch (thrown) {
    if (!/^SQLITE_(?:CANTOPEN|READONLY)/u.test(codeOf(thrown)) || existsSync(`${file}-wal`)) throw thrown
    return connected(file, "immutable=1")
  }
}

const text = (row: Libsql.Row, column: number): string => Buffer.from(Libsql.bytes(row, column)).toString()

/** A value of any type as a text. */
const literal = (value: string): string => `CASE WHEN ${value} IS NULL THEN NULL ELSE quote(${value}) END`

/** Runs the query once, and keeps its keys and versions in a table that goes with the connection. Gives the statement that reads a row. */
const listed = (db: Libsql.Database, { columns, query }: Asked): string => {
  if (text(db.sql("SELECT encoding FROM pragma_encoding").first() ?? [], 0) !== "UTF-8") {
    throw new Refused("Invalid", "the database keeps texts in UTF-16; copy it into one with UTF-8")
  }
  db.exec(`CREATE TEMP VIEW docsluice_rows AS SELECT * FROM (${query}\n)`)
  const names = db.sql("SELECT name FROM pragma_table_info('docsluice_rows')").all()
  const found = versionOf(
    columns,
    names.map((row) => text(row, 0))
  )
  if (typeof found === "string") throw new Refused("Invalid", found)
  const [key, content] = [quoted(columns.key), quoted(columns.content)]
  const version = found.version === null ? "NULL" : literal(`r.${quoted(found.version)}`)
  db.exec(
    `CREATE TEMP TABLE docsluice_listing AS SELECT r.${key} AS key, ${version} AS version, octet_length(r.${content}) AS size FROM ${view} r`
  )
  return `SELECT ${version}, CAST(coalesce(r.${content}, '') AS BLOB) FROM ${listing} l JOIN ${view} r ON r.${key} = l.key WHERE l.rowid = ?`
}

const page = `SELECT rowid, CAST(key AS TEXT), version, coalesce(size, 0) FROM ${listing} WHERE rowid > ? ORDER BY rowid LIMIT ${pageSize}`

const entryOf = (row: Libsql.Row): Listed => ({
  id: Libsql.integer(row, 0),
  key: Libsql.nullable(row, 1, text),
  version: Libsql.nullable(row, 2, text),
  size: Libsql.integer(row, 3)
})

const contentOf = (row: Libsql.Row): Content => ({
  version: Libsql.nullable(row, 0, text),
  bytes: Libsql.bytes(row, 1)
})

/** The rows of a file, which is open as long as the scope. Each call blocks the event loop until it ends. */
export const open = (
  file: string,
  asked: Asked,
  failed: Failed
): Effect.Effect<Rows, SourceUnavailable, Scope.Scope> => {
  const attempt = <A>(body: () => A) => Effect.try({ try: body, catch: failure(failed) })
  return Effect.gen(function* () {
    const db = yield* Effect.acquireRelease(
      attempt(() => opened(file)),
      (made) => Effect.sync(() => made.close())
    )
    const reading = yield* attempt(() => listed(db, asked))
    return {
      list: Stream.paginateEffect(0, (last) =>
        Effect.map(
          attempt(() => db.sql(page).all(last).map(entryOf)),
          (entries) => [entries, entries.length < pageSize ? Option.none() : Option.some(last + pageSize)]
        )
      ),
      read: ({ id }) => attempt(() => db.sql(reading).all(id).map(contentOf))
    }
  })
}
