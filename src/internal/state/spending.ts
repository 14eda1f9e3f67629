import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { closing, locked, type Migration, NewerSchema, openDatabase } from "./directory.ts"
import * as GroupCommit from "./groupCommit.ts"
import { close, type Database, type DatabaseFailure, failure, integer } from "./libsql.ts"
import type { Held } from "./lock.ts"

/** Credits that were spent, by account, on disk. */
export interface Spending {
  readonly spent: (account: string) => Effect.Effect<number, DatabaseFailure>
  /** Adds to what was spent; on the disk when it succeeds, also after a power cut. */
  readonly spend: (account: string, credits: number) => Effect.Effect<void, DatabaseFailure>
}

const initial: Migration = (db) => {
  db.exec("CREATE TABLE account (name BLOB PRIMARY KEY, spent INTEGER NOT NULL) WITHOUT ROWID")
}

const migrations: ReadonlyArray<Migration> = [initial]

const opened = (directory: string): Effect.Effect<Database, DatabaseFailure | NewerSchema> =>
  Effect.flatMap(
    Effect.try({ try: () => openDatabase(directory, "credits.db", migrations), catch: failure }),
    (found) => (found instanceof NewerSchema ? Effect.fail(found) : Effect.succeed(found))
  )

/** Opens `credits.db` in the folder, which is created when missing and locked until the scope ends. */
export const make = (directory: string): Effect.Effect<Spending, DatabaseFailure | NewerSchema | Held, Scope.Scope> =>
  Effect.gen(function* () {
    yield* locked(directory)
    const db = yield* opened(directory)
    const group = GroupCommit.make(db, 256, () => {})
    yield* Effect.addFinalizer(() =>
      closing(directory, () => {
        group.flush()
        close(db)
      })
    )
    // Unlike a cache: a credit that was spent must not come back after a power cut.
    yield* Effect.try({ try: () => db.exec("PRAGMA synchronous=FULL"), catch: failure })
    return {
      spent: (account) =>
        Effect.try({
          try: () => {
            const row = db.sql("SELECT spent FROM account WHERE name = ?").first(Buffer.from(account))
            return row === undefined ? 0 : integer(row, 0)
          },
          catch: failure
        }),
      spend: (account, credits) =>
        group.write(() => {
          db.sql(
            "INSERT INTO account (name, spent) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET spent = spent + ?2"
          ).run(Buffer.from(account), credits)
        })
    }
  })
