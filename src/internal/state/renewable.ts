/** Stores that may be lost, such as caches: a damaged one begins again, empty, at once or, where the damage is found in use, in the next session. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { closing, type Migration, NewerSchema, openDatabase } from "./directory.ts"
import { type Database, type DatabaseFailure, failure } from "./libsql.ts"

/** Notices damage that a call of the store comes upon. */
export type Watch = <A>(call: Effect.Effect<A, DatabaseFailure>) => Effect.Effect<A, DatabaseFailure>

/** For a store that does not begin again. */
export const unwatched: Watch = (call) => call

/** A store and its end, which commits what waits. */
export interface Made<S> {
  readonly store: S
  readonly close: () => void
}

export interface Renewable<S> {
  /** For the log: `parse cache`. */
  readonly name: string
  readonly migrations: ReadonlyArray<Migration>
  /** Name of the database's file. */
  readonly database: string
  /** Name of the folder with what is not in the database. */
  readonly files?: string
  /** Every call of the store passes `watch`. */
  readonly make: (db: Database, watch: Watch) => Made<S>
}

interface Opened<S> extends Made<S> {
  readonly db: Database
}

const erase = (directory: string, { database, files }: Pick<Renewable<unknown>, "database" | "files">): void => {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(directory, `${database}${suffix}`), { force: true })
  if (files !== undefined) rmSync(join(directory, files), { force: true, recursive: true })
}

export const tellRenewal = (directory: string, { name }: Pick<Renewable<unknown>, "name">): Effect.Effect<void> =>
  Effect.logWarning(`the ${name} was damaged and begins again, empty`).pipe(Effect.annotateLogs({ directory }))

const openOnce = <S>(directory: string, renewable: Renewable<S>, watch: Watch): Opened<S> | NewerSchema => {
  const db = openDatabase(directory, renewable.database, renewable.migrations)
  if (db instanceof NewerSchema) return db
  try {
    return { db, ...renewable.make(db, watch) }
  } catch (thrown) {
    db.close()
    throw failure(thrown)
  }
}

/** The store of a directory that exists and is locked by the caller. */
export const scoped = <S>(
  directory: string,
  renewable: Renewable<S>
): Effect.Effect<S | NewerSchema, DatabaseFailure, Scope.Scope> =>
  Effect.gen(function* () {
    let damaged = false
    const watch: Watch = (call) =>
      Effect.tapError(call, ({ reason }) => Effect.sync(() => void (damaged ||= reason === "Corrupted")))
    const open = Effect.try({ try: () => openOnce(directory, renewable, watch), catch: failure })
    const erased = Effect.try({ try: () => erase(directory, renewable), catch: failure })
    const renewed = Effect.zipRight(erased, Effect.zipLeft(open, tellRenewal(directory, renewable)))
    const close = (opened: Opened<S> | NewerSchema): void => {
      if (opened instanceof NewerSchema) return
      try {
        if (!damaged) opened.close()
      } finally {
        opened.db.close()
      }
      if (damaged) erase(directory, renewable)
    }
    const opened = yield* Effect.acquireRelease(
      Effect.catchIf(
        open,
        ({ reason }) => reason === "Corrupted",
        () => renewed
      ),
      (opened) => closing(directory, () => close(opened))
    )
    return opened instanceof NewerSchema ? opened : opened.store
  })
