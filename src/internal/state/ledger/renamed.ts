import { type BigIntStats, lstatSync } from "node:fs"
import { basename } from "node:path"
import { exists } from "../directory.ts"
import { bytes, type Database, integer, text } from "../libsql.ts"
import * as Sightings from "./sighting.ts"

/** A root whose folder is gone, and of whose files half or more are now in another folder. */
export interface Renamed {
  readonly name: string
  /** The root's former folder, which is gone. */
  readonly path: string
  /** Number of its files found in the new folder before the search ended. */
  readonly found: number
}

interface Lost {
  readonly id: number
  readonly name: string
  readonly path: string
}

/** Documents checked in one step, which blocks the event loop for some milliseconds. */
export const perStep = 512

/** Roots whose folders are gone; none when the name is known, which costs one lookup. */
const lostRoots = (db: Database, name: string): ReadonlyArray<Lost> => {
  if (db.sql("SELECT 1 FROM root WHERE name = ?").first(name) !== undefined) return []
  return db
    .sql("SELECT id, name, path FROM root WHERE path IS NOT NULL ORDER BY id")
    .all()
    .map((row) => ({ id: integer(row, 0), name: text(row, 1), path: text(row, 2) }))
    .filter(({ path }) => !exists(path))
}

const statOf = (path: string): BigIntStats | null => {
  try {
    return lstatSync(path, { bigint: true })
  } catch {
    return null
  }
}

/** Position of the new folder relative to the old one: leading segments to drop from a path, and a folder to put before it. */
interface Shift {
  readonly dropped: number
  readonly before: string
}

/** Candidates: the same folder; a subfolder of the old one; a folder that contains the old one. */
const shifts = (old: string, path: string): ReadonlyArray<Shift> => [
  ...Array.from({ length: path.split("/").length }, (_, dropped) => ({ dropped, before: "" })),
  { dropped: 0, before: `${basename(old)}/` }
]

const shifted = (path: string, { before, dropped }: Shift): string => before + path.split("/").slice(dropped).join("/")

/**
 * Returns a function that tells whether a file of a missing root is in the folder: by inode, size and time of modification, which a rename
 * keeps and a copy does not.
 */
export const finder = (folder: string): ((path: string, print: Uint8Array, old: string) => boolean) => {
  let known: Shift = { dropped: 0, before: "" }
  return (path, print, old) => {
    const { fingerprint, size } = Sightings.unpack(print, null)
    if (fingerprint?._tag !== "Stat" || fingerprint.inode === 0n) return false
    const hit = [known, ...shifts(old, path)].find((shift) => {
      const stat = statOf(`${folder}/${shifted(path, shift)}`)
      return (
        stat !== null &&
        BigInt.asUintN(64, stat.ino) === fingerprint.inode &&
        Number(stat.size) === size &&
        stat.mtimeNs === fingerprint.modified
      )
    })
    if (hit !== undefined) known = hit
    return hit !== undefined
  }
}

/**
 * Searches the folder for the files of roots whose folders are gone, by inode, size and time of modification, which a rename
 * keeps and a copy does not. Reads nothing when the name is known. Returns a function that checks the next 512 documents:
 * `undefined` while undecided, null when there is no such root.
 */
export const search = (db: Database, name: string, folder: string): (() => Renamed | null | undefined) => {
  const roots = [...lostRoots(db, name)]
  const isThere = finder(folder)
  let state: { readonly root: Lost; readonly total: number; last: number; found: number } | null = null

  const begin = (root: Lost) => {
    const row = db
      .sql("SELECT count(*) FROM document WHERE root = ? AND print IS NOT NULL AND etag IS NULL")
      .first(root.id)
    return { root, total: row === undefined ? 0 : integer(row, 0), last: 0, found: 0 }
  }

  return () => {
    if (state === null) {
      const root = roots.shift()
      if (root === undefined) return null
      state = begin(root)
    }
    const { root, total } = state
    const rows = db
      .sql(
        `SELECT id, path, print FROM document WHERE root = ? AND id > ? AND print IS NOT NULL AND etag IS NULL ORDER BY id LIMIT ${perStep}`
      )
      .all(root.id, state.last)
    for (const row of rows) {
      state.last = integer(row, 0)
      if (isThere(text(row, 1), bytes(row, 2), root.path)) state.found += 1
      if (state.found * 2 >= total) return { name: root.name, path: root.path, found: state.found }
    }
    if (rows.length < perStep) state = null
    return undefined
  }
}
