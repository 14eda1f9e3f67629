/**
 * Statements of a transaction, written once for both databases.
 *
 * A script is a generator that yields statements and receives their rows. libSQL runs it to its end inside one synchronous transaction;
 * PostgreSQL awaits each statement, and may run the whole script again: it has to be idempotent.
 */
import type { Row } from "../libsql.ts"

/** A parameter. A list is one parameter, to be used with {@link Dialect.isIn}. */
export type Value = string | number | null | Uint8Array | ReadonlyArray<string | number>

/** Parameters are named `$1`, `$2`, … */
export interface Statement {
  readonly sql: string
  readonly values: ReadonlyArray<Value>
}

export type Script<A> = Generator<Statement, A, ReadonlyArray<Row>>

/** Runs a statement that reads, and reads its rows by a function that may throw `DatabaseFailure`. */
export function* rows<A>(sql: string, values: ReadonlyArray<Value>, read: (row: Row) => A): Script<ReadonlyArray<A>> {
  return (yield { sql, values }).map(read)
}

/** Runs a statement that writes. */
export function* query(sql: string, values: ReadonlyArray<Value> = []): Script<void> {
  yield { sql, values }
}

/** Spellings in which the two databases, or their tables, differ. `d` is a document. */
export interface Dialect {
  /** Condition that a column is one of the values of a parameter that is a list. */
  readonly isIn: (column: string, parameter: string, type: "bigint" | "text") => string
  /** Suffix of a statement that keeps other processes from its rows. */
  readonly locked: string
  /** Condition that the last attempt at the document failed. */
  readonly hasFailed: string
  /** The numbers of requests that failures name, as a subquery. */
  readonly failedRequests: string
  /** Tables with chunks, as `c`, and the number of the document that they are of. */
  readonly contents: { readonly table: "content" | "document"; readonly document: "c.document" | "c.id" }
  /** Number of ids in the list `c.chunks`, which is packed as JSON. */
  readonly idsInJson: string
  /** Chunk settings of `root`, null where a version of the tables that is only read has none. */
  readonly chunking: string
  /** Adds a run at $1 with the digest $2 of its request; $3 is a token that tells it from others. */
  readonly addRun: (startedAt: number, digest: string, token: string) => Script<number>
  /** The report of `run`. */
  readonly report: string
  readonly setReport: (run: number, body: string) => Script<void>
  /** Drops the reports of all runs up to a number. */
  readonly dropReports: (last: number) => Script<void>
}

/** Condition that something is known of a document; others are rows that a process made when it began to work on one. */
export const isKnown = ({ hasFailed }: Dialect): string =>
  `(d.setting IS NOT NULL OR ${hasFailed} OR EXISTS (SELECT 1 FROM pending p WHERE p.document = d.id))`
