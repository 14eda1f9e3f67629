/** Tables of documents for tests: a row for each, in a file of libSQL, and in a database of PostgreSQL. */
import { createRequire } from "node:module"
import { Effect } from "effect"
import type Libsql from "libsql"
import { Pool } from "pg"

const binding: typeof Libsql = createRequire(import.meta.url)("libsql")

/** A connection to a file, which it makes. */
export const connected = (file: string): Libsql.Database => new binding(file)

/** Runs a statement, and gives its rows. */
export type Run = (
  statement: string,
  ...values: ReadonlyArray<unknown>
) => Promise<ReadonlyArray<Record<string, unknown>>>

/** Runs a statement on a file, which the first one makes; gives no rows. */
export const inFile =
  (file: string) =>
  (statement: string, ...values: ReadonlyArray<unknown>): void => {
    const db = connected(file)
    try {
      db.prepare(statement).run([...values])
    } finally {
      db.close()
    }
  }

/** Runs statements on a server as long as the scope. */
export const onServer = (url: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Pool({ connectionString: url, max: 1 }).on("error", () => {})),
      (pool) => Effect.promise(() => pool.end())
    ),
    (pool): Run =>
      (statement, ...values) =>
        pool.query<Record<string, unknown>>(statement, [...values]).then(({ rows }) => rows)
  )
