import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { migrate, type Migration, NewerSchema } from "./directory.ts"
import { checkSchema, codeOf, type Database, DatabaseFailure, failure, integer, open } from "./libsql.ts"

/**
 * A read-only connection: the file is attached, read-only, to an empty database in memory. `DETACH` releases file and log at
 * once, whereas the binding would keep a closed connection's open until its statements are garbage-collected.
 */
const attach = (file: string, how: "mode=ro" | "immutable=1"): Database => {
  const db = open(":memory:")
  try {
    db.sql("PRAGMA busy_timeout=5000").all()
    db.sql("ATTACH ? AS looked").run(`${pathToFileURL(file).href}?${how}`)
    checkSchema(db, "looked")
  } catch (thrown) {
    db.close()
    throw failure(thrown)
  }
  return {
    ...db,
    close: () => {
      try {
        db.exec("DETACH looked")
      } finally {
        db.close()
      }
    }
  }
}

/** A temporary copy, deleted with the connection. */
const copied = (fill: (copy: string) => void, migrations: ReadonlyArray<Migration>): Database | NewerSchema => {
  const folder = mkdtempSync(join(tmpdir(), "docsluice-"))
  const discard = (): void => rmSync(folder, { force: true, recursive: true })
  try {
    const copy = join(folder, "copy.db")
    fill(copy)
    const db = open(copy)
    const close = (): void => {
      try {
        db.close()
      } finally {
        discard()
      }
    }
    checkSchema(db)
    const newer = migrate(db, migrations)
    if (newer === null) return { ...db, close }
    db.close()
    discard()
    return newer
  } catch (thrown) {
    discard()
    throw failure(thrown)
  }
}

const logOf = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0

/** Failures to create the index of the log, which SQLite creates for a reader too, in a read-only folder or on a full disk. */
const needsIndex = (thrown: unknown): boolean =>
  thrown instanceof DatabaseFailure && /^SQLITE_(?:CANTOPEN|READONLY|IOERR_SHM)/.test(codeOf(thrown.cause))

const current = (db: Database, migrations: ReadonlyArray<Migration>): Database | NewerSchema => {
  const found = integer(db.sql("PRAGMA looked.user_version").first() ?? [], 0)
  if (found === migrations.length) return db
  try {
    if (found > migrations.length) return new NewerSchema(found, migrations.length)
    return copied((copy) => void db.sql("VACUUM looked INTO ?").run(copy), migrations)
  } finally {
    db.close()
  }
}

/**
 * Opens a database of the state to read it; throws `DatabaseFailure`, also from a call that would write. Null when there is none.
 *
 * Takes no lock of the state and works while another process writes; every statement sees the commits made before it. Nothing in
 * the folder changes: a database of an earlier version is read from a migrated copy, and so is one whose log has no index in a
 * folder that cannot be written.
 */
export const look = (
  directory: string,
  name: string,
  migrations: ReadonlyArray<Migration>
): Database | NewerSchema | null => {
  const file = resolve(directory, name)
  if (!existsSync(file)) return null
  try {
    return current(attach(file, "mode=ro"), migrations)
  } catch (thrown) {
    if (!needsIndex(thrown)) throw thrown
  }
  if (logOf(file) === 0) return current(attach(file, "immutable=1"), migrations)
  return copied((copy) => {
    copyFileSync(file, copy)
    copyFileSync(`${file}-wal`, `${copy}-wal`)
  }, migrations)
}
