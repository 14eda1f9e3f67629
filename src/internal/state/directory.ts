import { accessSync, constants, existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { configure, corrupted, type Database, failure, integer, open } from "./libsql.ts"

/** Creates the folder with its parents; throws `DatabaseFailure`. */
export const create = (directory: string): void => {
  try {
    mkdirSync(directory, { recursive: true })
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (thrown) {
    throw failure(thrown)
  }
}

/** One step from a version of the schema to the next; a step may be run on a database that already holds rows. */
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

/** Brings the database to the version that is the number of migrations; each step is a transaction of its own. */
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

/**
 * Without a log: the binding may keep this connection open for long, and with it the index of the log under its first name. Later
 * connections of this process would go by that index, those of other processes by another, and each would miss the other's writes.
 */
const createAside = (file: string, migrations: ReadonlyArray<Migration>): void => {
  const aside = `${file}.new`
  for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(`${aside}${suffix}`, { force: true })
  const db = open(aside)
  try {
    migrate(db, migrations)
  } finally {
    db.close()
  }
  renameSync(aside, file)
}

/**
 * Opens a database of the state, or creates it; throws `DatabaseFailure`.
 *
 * It is made aside and renamed into place whole, so that an empty or short file is damage and never a new database.
 */
export const openDatabase = (
  directory: string,
  name: string,
  migrations: ReadonlyArray<Migration>
): Database | NewerSchema => {
  // Absolute: the binding takes names that look like addresses for remote databases.
  const file = resolve(directory, name)
  try {
    if (!existsSync(file)) {
      if (existsSync(`${file}-wal`)) throw corrupted(`${name} is missing, its log is there`)
      createAside(file, migrations)
    } else if (statSync(file).size === 0) {
      throw corrupted(`${name} is empty`)
    }
  } catch (thrown) {
    throw failure(thrown)
  }
  const db = open(file)
  try {
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

/** The same folder, whatever the spelling. */
export const sameFolder = (left: string, right: string): boolean => {
  try {
    return realpathSync(left) === realpathSync(right)
  } catch {
    return left === right
  }
}

/** Whether something is at the path. */
export const exists = (path: string): boolean => existsSync(path)
