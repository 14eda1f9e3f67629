import { isUtf8 } from "node:buffer"
import { createRequire } from "node:module"
import * as Schema from "effect/Schema"
import type Libsql from "libsql"
import { loaded } from "../base/packageFiles.ts"

/** The native package, loaded with the first database: importing this module loads no native code, and a bundler leaves it alone. */
const binding = (): typeof Libsql => loaded("libsql", import.meta.url, (place) => createRequire(place)("libsql"))

/** A column's value. Text must not contain U+0000: the binding cuts it there. */
export type Value = string | number | null | Uint8Array

/** One row, columns in the order of the statement. */
export type Row = ReadonlyArray<unknown>

/** Reason of a failure of the embedded database. */
export type Reason = "Locked" | "Corrupted" | "ReadOnly" | "Full" | "Io"

/** A failure of the embedded database; mapped to the error of the store that uses it. */
export class DatabaseFailure extends Schema.TaggedError<DatabaseFailure>("docsluice/internal/DatabaseFailure")(
  "DatabaseFailure",
  {
    reason: Schema.Literal("Locked", "Corrupted", "ReadOnly", "Full", "Io"),
    cause: Schema.Defect
  }
) {
  override get message(): string {
    return this.cause instanceof Error ? this.cause.message : String(this.cause)
  }
}

const reasons: ReadonlyArray<readonly [prefix: string, reason: Reason]> = [
  ["SQLITE_BUSY", "Locked"],
  ["SQLITE_LOCKED", "Locked"],
  ["SQLITE_CORRUPT", "Corrupted"],
  ["SQLITE_NOTADB", "Corrupted"],
  ["SQLITE_READONLY", "ReadOnly"],
  ["SQLITE_PERM", "ReadOnly"],
  ["SQLITE_AUTH", "ReadOnly"],
  ["SQLITE_FULL", "Full"],
  ["SQLITE_IOERR_SHMSIZE", "Full"],
  ["EROFS", "ReadOnly"],
  ["EACCES", "ReadOnly"],
  ["EPERM", "ReadOnly"],
  ["ENOSPC", "Full"],
  ["EDQUOT", "Full"]
]

/** The code of a thrown value, of the database or the file system; empty without one. */
export const codeOf = (thrown: unknown): string =>
  typeof thrown === "object" && thrown !== null && "code" in thrown && typeof thrown.code === "string"
    ? thrown.code
    : ""

/** Converts a thrown value of the database or the file system. */
export const failure = (thrown: unknown): DatabaseFailure => {
  if (thrown instanceof DatabaseFailure) return thrown
  const code = codeOf(thrown)
  const reason = reasons.find(([prefix]) => code.startsWith(prefix))?.[1] ?? "Io"
  return new DatabaseFailure({ reason, cause: thrown })
}

/** Failure for data that differs from what was written. */
export const corrupted = (problem: string): DatabaseFailure =>
  new DatabaseFailure({ reason: "Corrupted", cause: new Error(problem) })

/** A prepared statement. Every call is synchronous and throws `DatabaseFailure` only. */
export interface Statement {
  readonly run: (...parameters: ReadonlyArray<Value>) => { readonly changes: number; readonly id: number }
  readonly first: (...parameters: ReadonlyArray<Value>) => Row | undefined
  readonly all: (...parameters: ReadonlyArray<Value>) => ReadonlyArray<Row>
}

/** A connection. Every call is synchronous and throws `DatabaseFailure` only. */
export interface Database {
  readonly exec: (sql: string) => void
  /** Prepares a statement once; later calls with the same text return the same one. */
  readonly sql: (text: string) => Statement
  /** Runs the body in a transaction; not to be nested. */
  readonly transaction: <A>(body: () => A) => A
  readonly close: () => void
}

const guarded = <A>(body: () => A): A => {
  try {
    return body()
  } catch (thrown) {
    throw failure(thrown)
  }
}

/** SQLite rejects one of our statements only when a damaged schema lacks a table or column. */
const understood = <A>(body: () => A): A => {
  try {
    return body()
  } catch (thrown) {
    throw codeOf(thrown) === "SQLITE_ERROR"
      ? new DatabaseFailure({ reason: "Corrupted", cause: thrown })
      : failure(thrown)
  }
}

const isRow = (row: unknown): row is Row => Array.isArray(row)

const asRow = (row: unknown): Row => {
  if (isRow(row)) return row
  throw corrupted("a statement returned a value that is not a row")
}

/** Of the statements that return rows, only `SELECT` reads the contents of the file. */
const givesRows = /^\s*(?:(SELECT)|PRAGMA)\b/i

/**
 * The same rows with every text as bytes. The binding aborts the process on a text that is not UTF-8, and one flipped bit of a
 * file can turn any column into such a text, also one that holds numbers or blobs.
 */
const withoutTexts = (sql: string, columns: number): string => {
  const names = Array.from({ length: columns }, (_, index) => `c${index}`)
  const values = names.map((name) => `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END`)
  return `WITH row (${names.join()}) AS (${sql}) SELECT ${values.join()} FROM row`
}

type Prepared = Libsql.Statement<Array<ReadonlyArray<Value>>>

const prepared = (connection: Libsql.Database, sql: string): Prepared => {
  const statement: Prepared = connection.prepare(sql)
  if (!statement.reader) return statement
  const found = givesRows.exec(sql)
  if (found === null) throw new Error("only SELECT and PRAGMA may return rows: their texts are made safe to read")
  const safe: Prepared =
    found[1] === undefined ? statement : connection.prepare(withoutTexts(sql, statement.columns().length))
  return safe.raw(true)
}

/** Parameters are always passed as one array: the binding aborts the process on a bare `Buffer`. */
const prepare = (connection: Libsql.Database, sql: string): Statement => {
  const reader = prepared(connection, sql)
  return {
    run: (...parameters) =>
      guarded(() => {
        const result = reader.run(parameters)
        return { changes: result.changes, id: Number(result.lastInsertRowid) }
      }),
    first: (...parameters) =>
      guarded(() => {
        const row = reader.get(parameters)
        return row === undefined ? undefined : asRow(row)
      }),
    all: (...parameters) => guarded(() => reader.all(parameters).map(asRow))
  }
}

/**
 * Opens or creates a database file; `:memory:` creates one that lives as long as the connection.
 *
 * WAL with `synchronous=NORMAL`: a commit survives the death of the process at any moment without an fsync of its own. A power
 * cut may lose the last commits, never the consistency; all writers here recover from that.
 */
export const open = (file: string): Database => {
  const connection = guarded(() => new (binding())(file))
  const statements = new Map<string, Statement>()
  const exec = (sql: string): void => {
    guarded(() => connection.exec(sql))
  }
  const sql = (text: string): Statement => {
    const known = statements.get(text)
    if (known !== undefined) return known
    const statement = understood(() => prepare(connection, text))
    statements.set(text, statement)
    return statement
  }
  const transaction = <A>(body: () => A): A => {
    sql("BEGIN IMMEDIATE").run()
    try {
      const result = body()
      sql("COMMIT").run()
      return result
    } catch (thrown) {
      // After a full disk or an I/O error SQLite has rolled back already.
      if (connection.inTransaction) exec("ROLLBACK")
      throw failure(thrown)
    }
  }
  const close = (): void => {
    statements.clear()
    guarded(() => connection.close())
  }
  return { exec, sql, transaction, close }
}

/**
 * Throws when the definition of a table is not UTF-8, on which the binding aborts the process. To be called before any other
 * statement.
 */
export const checkSchema = (db: Database, database: "main" | "looked" = "main"): void => {
  for (const row of db.sql(`SELECT sql FROM ${database}.sqlite_master WHERE sql IS NOT NULL`).all()) text(row, 0)
}

/** Settings of a store's connection. */
export const configure = (db: Database): void => {
  // Comes first: another process may be reading the state when the log is created.
  db.sql("PRAGMA busy_timeout=5000").all()
  db.sql("PRAGMA journal_mode=WAL").first()
  // A cache of 4 MiB: a larger one fills up with the number of documents, and its pages are in the system's cache anyway. A log of 16 MiB: a
  // page that is written again and again until then is moved into the database once.
  db.exec(
    "PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-4096; PRAGMA wal_autocheckpoint=4096"
  )
}

/**
 * Syncs everything committed before, so that no power cut loses it, and moves the log into the database file. A reader, however long it
 * reads, is not waited for: the log stays then, synced.
 */
export const checkpoint = (db: Database): void => {
  db.sql("PRAGMA busy_timeout=0").all()
  let isBusy: boolean
  try {
    isBusy = db.sql("PRAGMA wal_checkpoint(TRUNCATE)").first()?.[0] !== 0
  } finally {
    db.sql("PRAGMA busy_timeout=5000").all()
  }
  if (!isBusy) return
  const version = integer(db.sql("PRAGMA user_version").first() ?? [], 0)
  db.exec("PRAGMA synchronous=FULL")
  try {
    // A commit that syncs the log syncs what stands in it before.
    db.transaction(() => db.exec(`PRAGMA user_version=${version}`))
  } finally {
    db.exec("PRAGMA synchronous=NORMAL")
  }
}

/**
 * To be called before a connection is closed; leaves no log. The binding keeps the file and, in WAL mode, the index of the log
 * open until its statements are garbage-collected: if another process wrote in between, this process would read the reopened
 * database by the old index.
 */
export const settle = (db: Database): void => {
  checkpoint(db)
  try {
    db.sql("PRAGMA journal_mode=DELETE").first()
  } catch {
    // Another connection is reading. The log stays, empty.
  }
}

export const close = (db: Database): void => {
  try {
    settle(db)
  } finally {
    db.close()
  }
}

export const text = (row: Row, column: number): string => {
  const value = bytes(row, column)
  if (isUtf8(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString()
  throw corrupted(`column ${column} is not a text`)
}

export const integer = (row: Row, column: number): number => {
  const value = row[column]
  if (typeof value === "number") return value
  throw corrupted(`column ${column} is not a number`)
}

export const bytes = (row: Row, column: number): Uint8Array => {
  const value = row[column]
  if (value instanceof Uint8Array) return value
  throw corrupted(`column ${column} is not a blob`)
}

export const nullable = <A>(row: Row, column: number, read: (row: Row, column: number) => A): A | null =>
  row[column] === null ? null : read(row, column)
