import { type BigIntStats, lstatSync } from "node:fs"
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import { bytes, integer, text } from "../columns.ts"
import { exists } from "../directory.ts"
import type { RowStore } from "./rowStore.ts"
import { rows, type Script } from "./script.ts"
import * as Sightings from "./sighting.ts"

/** A root whose folder is gone, and of whose files half or more are now in another folder. */
export interface Renamed {
  readonly name: string
  /** The root's former folder, which is gone. */
  readonly path: string
  /** Number of its files found in the new folder before the search ended. */
  readonly found: number
}

/** Documents checked in one step, which blocks the event loop for some milliseconds. */
const perStep = 512

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
const finder = (folder: string): ((path: string, print: Uint8Array, old: string) => boolean) => {
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

interface Root {
  readonly id: number
  readonly name: string
  readonly path: string
}

/** Roots with a folder; none when the name is known, which costs one lookup. */
function* rootsBefore(name: string): Script<ReadonlyArray<Root>> {
  const known = yield* rows("SELECT 1 FROM root WHERE name = $1", [name], () => true)
  if (known.length > 0) return []
  return yield* rows("SELECT id, name, path FROM root WHERE path IS NOT NULL ORDER BY id", [], (row) => ({
    id: integer(row, 0),
    name: text(row, 1),
    path: text(row, 2)
  }))
}

/** Documents that can be recognised by their inodes. */
const recognisable = "root = $1 AND print IS NOT NULL AND etag IS NULL"

function* countOf({ id }: Root): Script<number> {
  const [count = 0] = yield* rows(`SELECT count(*) FROM document WHERE ${recognisable}`, [id], (row) => integer(row, 0))
  return count
}

const pageOf = ({ id }: Root, after: number) =>
  rows(
    `SELECT id, path, print FROM document WHERE ${recognisable} AND id > $2 ORDER BY id LIMIT ${perStep}`,
    [id, after],
    (row) => ({ id: integer(row, 0), path: text(row, 1), print: bytes(row, 2) })
  )

/** Searches the folder for the files of roots whose folders are gone. Reads one row when the name is known. */
export const search = <E>(
  store: Pick<RowStore<E>, "read">,
  name: string,
  folder: string
): Effect.Effect<Renamed | null, E> =>
  Effect.gen(function* () {
    const roots = yield* store.read(() => rootsBefore(name))
    const isThere = finder(folder)
    for (const root of roots.filter(({ path }) => !exists(path))) {
      const total = yield* store.read(() => countOf(root))
      let found = 0
      let last = 0
      for (let full = true; full;) {
        const page = yield* store.read(() => pageOf(root, last))
        for (const { id, path, print } of page) {
          last = id
          if (isThere(path, print, root.path)) found += 1
          if (found * 2 >= total) return { name: root.name, path: root.path, found }
        }
        full = page.length === perStep
        yield* Effect.yieldNow()
      }
    }
    return null
  })
