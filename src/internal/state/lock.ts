import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { type Database, DatabaseFailure, failure, open } from "./libsql.ts"

/** Another holder has the directory. */
export interface Held {
  readonly _tag: "Held"
  /** The other process, where it could be read. */
  readonly pid: number | null
}

export interface Lock {
  readonly _tag: "Lock"
  readonly release: () => void
}

const names = { lock: "lock", owner: "lock.pid" } as const

const readOwner = (file: string): number | null => {
  try {
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10)
    return Number.isSafeInteger(pid) ? pid : null
  } catch {
    return null
  }
}

const acquire = (file: string): Database | null => {
  const db = open(file)
  try {
    db.exec("BEGIN EXCLUSIVE")
    return db
  } catch (thrown) {
    db.close()
    if (thrown instanceof DatabaseFailure && thrown.reason === "Locked") return null
    throw thrown
  }
}

/**
 * Takes the directory for this holder alone, other holders in this process excluded too; throws `DatabaseFailure`.
 *
 * The lock is the operating system's, held through an open transaction on an empty database: it ends with the process
 * however that ends, so there is no stale lock and no guess about process ids, which are for the message only.
 */
export const take = (directory: string): Lock | Held => {
  const owner = join(directory, names.owner)
  const db = acquire(resolve(directory, names.lock))
  if (db === null) return { _tag: "Held", pid: readOwner(owner) }
  try {
    writeFileSync(owner, `${process.pid}\n`)
  } catch (thrown) {
    db.close()
    throw failure(thrown)
  }
  return {
    _tag: "Lock",
    release: () => {
      rmSync(owner, { force: true })
      db.close()
    }
  }
}
