import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { codeOf, type Database, DatabaseFailure, failure, open } from "./libsql.ts"

/** The process that holds a lock, as recorded by itself. */
export interface Holder {
  readonly pid: number
  readonly host: string
}

/** Another holder has the lock. */
export interface Held {
  readonly _tag: "Held"
  /** Null when it could not be read. */
  readonly holder: Holder | null
}

/** The holder in words: `another process (pid 12 on build-3)`, or this process itself. */
export const nameOf = (holder: Holder | null): string => {
  if (holder === null) return "another process"
  const own = holder.pid === process.pid && holder.host === hostname()
  return `${own ? "this process itself" : "another process"} (pid ${holder.pid} on ${holder.host})`
}

interface Lock {
  readonly _tag: "Lock"
  readonly release: () => void
}

const readHolder = (file: string): Holder | null => {
  try {
    const [, pid, host] = /^(\d{1,10}) (\S+)\n$/.exec(readFileSync(file, "utf8")) ?? []
    return pid === undefined || host === undefined ? null : { pid: Number(pid), host }
  } catch {
    return null
  }
}

/** Created with our mode, so that no other user can read it at any moment. */
const createIfMissing = (file: string): void => {
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 })
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") throw failure(thrown)
  }
}

/** Identity of the file, different from that of any earlier file of the name; null when there is none. */
const identityOf = (file: string): string | null => {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino} ${found.birthtimeNs}`
}

/** Content of lock files of versions that did not use the kernel's lock. */
const former = /^\{"pid":\d+,"host":"[^"]*","began":"\d*"\}$/

/** A lock file is empty; one with other content is not ours, and never emptied or removed. */
const checkContent = (file: string): void => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return
  if (size > 1024 || !former.test(readFileSync(file, "utf8"))) {
    throw new DatabaseFailure({ reason: "Io", cause: new Error("it is not a lock file: it has content; move it away") })
  }
  truncateSync(file)
}

const acquire = (file: string): Database | null => {
  const db = open(file)
  try {
    db.exec("BEGIN EXCLUSIVE")
    return db
  } catch (thrown) {
    db.close()
    if (thrown instanceof DatabaseFailure && thrown.reason === "Locked") return null
    throw failure(thrown)
  }
}

/** Removal is only tidiness: a leftover file does not prevent taking the lock. */
const remove = (file: string): void => {
  try {
    rmSync(file, { force: true })
  } catch {
    // Some systems do not remove an open file.
  }
}

/** Used only in error messages of other processes, so a full disk must not prevent the lock. */
const writeHolder = (file: string): void => {
  remove(file)
  try {
    writeFileSync(file, `${process.pid} ${hostname()}\n`, { flag: "wx", mode: 0o600 })
  } catch {
    remove(file)
  }
}

/** Each other process that ends at the same moment takes one attempt; more than this do not occur at once. */
const attempts = 16

/**
 * Takes the lock file exclusively, also against other holders in this process.
 *
 * The lock is the operating system's, held through an open transaction on an empty database: it ends with the process in any
 * case, on any machine or in any container, so there is no stale lock and no guess about process ids. `FILE.pid` next to it names
 * the holder, only for the error message. Both are removed by `release`.
 */
const take = (path: string): Lock | Held => {
  const file = resolve(path)
  const owner = `${file}.pid`
  for (let attempt = 0; attempt < attempts; attempt++) {
    createIfMissing(file)
    checkContent(file)
    const before = identityOf(file)
    const db = acquire(file)
    if (db === null) return { _tag: "Held", holder: readHolder(owner) }
    // The former holder may have removed the file between our opening and locking it; the next holder would then create another.
    if (before === null || before !== identityOf(file)) {
      db.close()
      continue
    }
    writeHolder(owner)
    return {
      _tag: "Lock",
      release: () => {
        remove(owner)
        remove(file)
        db.close()
      }
    }
  }
  return { _tag: "Held", holder: readHolder(owner) }
}

/** Holds the lock of {@link take} until the scope ends. */
export const scoped = (file: string): Effect.Effect<void, Held | DatabaseFailure, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.flatMap(Effect.try({ try: () => take(file), catch: failure }), (taken) =>
        taken._tag === "Lock" ? Effect.succeed(taken) : Effect.fail(taken)
      ),
      (lock) => Effect.sync(lock.release)
    )
  )
