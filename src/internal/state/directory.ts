/** The state, in a folder or on a server: the ledger, answers of the service, vectors, and their locks. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import {
  checkSchema,
  configure,
  corrupted,
  type Database,
  type DatabaseFailure,
  failure,
  integer,
  open
} from "./libsql.ts"
import * as StateLock from "./lock.ts"

/** Names of everything that this package puts into a folder of the state. */
const ours =
  /^(?:lock(?:\.pid)?|(?:ledger|index|vectors|credits|agent)\.db.*|cache|embeddings|answers|spool|serve|agent|dead-letter\.jsonl.*)$/

/** Removes all permissions except the owner's; a file of another owner keeps its mode. */
export const restrict = (path: string, mode: number): void => {
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, mode)
  } catch {
    // Not there, or of another owner.
  }
}

/** A folder that holds only files of the state belongs to the state, also when the user or an earlier version created it. */
const create = (directory: string): void => {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    if (readdirSync(directory).every((name) => ours.test(name))) restrict(directory, 0o700)
  } catch (thrown) {
    throw failure(thrown)
  }
}

/** Locks the folder until the scope ends; creates it with its parents (mode 0700) when it is missing. */
export const locked = (directory: string): Effect.Effect<void, StateLock.Held | DatabaseFailure, Scope.Scope> =>
  Effect.zipRight(
    Effect.try({ try: () => create(directory), catch: failure }),
    StateLock.scoped(join(directory, "lock"))
  )

/** One step from a version of the schema to the next; the database may already hold rows. */
export type Migration = (db: Database) => void

/** The database was written by a later version of this package. */
export class NewerSchema {
  readonly found: number
  readonly known: number
  constructor(found: number, known: number) {
    this.found = found
    this.known = known
  }
}

/** Migrates the database to the latest version, which is the number of migrations; each step is a transaction of its own. */
export const migrate = (db: Database, migrations: ReadonlyArray<Migration>): NewerSchema | null => {
  const found = integer(db.sql("PRAGMA user_version").first() ?? [], 0)
  if (found > migrations.length) return new NewerSchema(found, migrations.length)
  migrations.slice(found).forEach((step, index) => {
    db.transaction(() => {
      step(db)
      db.exec(`PRAGMA user_version=${found + index + 1}`)
    })
  })
  return null
}

/** Suffixes of the files that SQLite puts next to a database. */
const suffixes = ["", "-journal", "-wal", "-shm"] as const

/**
 * Closes the new database without a write-ahead log. The binding may keep this connection open for long, and with it the index of
 * the log under the database's first name. Later connections of this process would use that index, those of other processes
 * another, and each would miss the other's writes.
 */
const createAside = (file: string, migrations: ReadonlyArray<Migration>): void => {
  const aside = `${file}.new`
  for (const suffix of suffixes) rmSync(`${aside}${suffix}`, { force: true })
  // Created before the database opens it: SQLite gives log and journal the mode of this file.
  writeFileSync(aside, "", { flag: "wx", mode: 0o600 })
  const db = open(aside)
  try {
    migrate(db, migrations)
  } finally {
    db.close()
  }
  renameSync(aside, file)
}

/**
 * Opens or creates a database of the state; throws `DatabaseFailure`.
 *
 * A new one is written under another name and then renamed, so that an empty or short file is always damage.
 */
export const openDatabase = (
  directory: string,
  name: string,
  migrations: ReadonlyArray<Migration>
): Database | NewerSchema => {
  // Absolute, since the binding treats names that look like addresses as remote databases.
  const file = resolve(directory, name)
  try {
    if (!existsSync(file)) {
      if (existsSync(`${file}-wal`)) throw corrupted(`${name} is missing, its log is there`)
      createAside(file, migrations)
    } else if (statSync(file).size === 0) {
      throw corrupted(`${name} is empty`)
    }
    for (const suffix of suffixes) restrict(`${file}${suffix}`, 0o600)
  } catch (thrown) {
    throw failure(thrown)
  }
  const db = open(file)
  try {
    checkSchema(db)
    configure(db)
    const newer = migrate(db, migrations)
    if (newer === null) return db
    db.close()
    return newer
  } catch (thrown) {
    db.close()
    throw failure(thrown)
  }
}

/**
 * Closes a store at the end of its scope. An error, for instance of a full disk, becomes a warning: everything committed is in
 * the log, which the next session applies.
 */
export const closing = (directory: string, close: () => void): Effect.Effect<void> =>
  Effect.catchAll(Effect.try({ try: close, catch: failure }), (failed) =>
    Effect.logWarning(`the state could not be put in order when it was closed: ${failed.message}`).pipe(
      Effect.annotateLogs({ directory })
    )
  )

/** True when both paths are the same folder, in any spelling. */
export const sameFolder = (left: string, right: string): boolean => {
  try {
    return realpathSync(left) === realpathSync(right)
  } catch {
    return left === right
  }
}

/** True when something is at the path. The address of a root that is no folder always counts as there: nothing here can tell. */
export const exists = (path: string): boolean =>
  /^(?:[a-z]+:)?[a-z][a-z0-9+.-]*:\/\//i.test(path) || existsSync(path.replace(/^(?:zip|tar|list):/u, ""))
