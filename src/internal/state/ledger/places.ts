/** Roots and scopes. */
import type { ScopeRequest } from "../../../Source.ts"
import { integer, nullable, text } from "../columns.ts"
import { exists, sameFolder } from "../directory.ts"
import { encodeParts, isInside } from "./released.ts"
import { type Dialect, query, rows, type Script } from "./script.ts"

/** The name belongs to another folder that still exists. */
export interface Clash {
  readonly _tag: "Clash"
  readonly path: string | null
}

/** Numbers of a root and of one of its scopes; 0 for unknown ones. */
export interface Place {
  readonly root: number
  readonly scope: number
}

export interface Bound extends Place {
  /** Time of the scope's last complete discovery. */
  readonly completedAt: number | null
}

function* rootNamed(name: string, suffix = ""): Script<{ id: number; path: string | null } | undefined> {
  const [root] = yield* rows(`SELECT id, path FROM root WHERE name = $1 ${suffix}`, [name], (row) => ({
    id: integer(row, 0),
    path: nullable(row, 1, text)
  }))
  return root
}

const isOther = (bound: string | null, path: string | null): boolean =>
  bound !== null && path !== null && exists(bound) && !sameFolder(bound, path)

/** Finds the root and scope that a scan would read, without binding the name or creating the scope. */
export function* place({ path, patterns, root: name }: ScopeRequest): Script<Place | Clash> {
  const root = yield* rootNamed(name)
  if (root === undefined) return { root: 0, scope: 0 }
  if (isOther(root.path, path)) return { _tag: "Clash", path: root.path }
  const [scope = 0] = yield* rows("SELECT id FROM scope WHERE root = $1 AND digest = $2", [root.id, patterns], (row) =>
    integer(row, 0)
  )
  return { root: root.id, scope }
}

/** Number of the root of that name, which is added when it is missing. */
export function* rootRow(name: string): Script<number> {
  yield* query(
    "INSERT INTO root (name) SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM root WHERE name = $1) ON CONFLICT DO NOTHING",
    [name]
  )
  return (yield* rootNamed(name))?.id ?? 0
}

/**
 * Binds the root's name to its folder, and finds or adds the scope. A folder that no longer exists loses the name; a source that is not a
 * folder has the path null and never loses it.
 */
export function* bind({ locked }: Dialect, request: ScopeRequest): Script<Bound | Clash> {
  const { path, patterns } = request
  const id = yield* rootRow(request.root)
  const bound = (yield* rootNamed(request.root, locked))?.path ?? null
  if (bound !== path) {
    if (isOther(bound, path)) return { _tag: "Clash", path: bound }
    if ((bound === null) !== (path === null)) {
      const some = yield* rows("SELECT 1 FROM document WHERE root = $1 LIMIT 1", [id], () => true)
      if (some.length > 0 && (bound === null || exists(bound))) return { _tag: "Clash", path: bound }
    }
    yield* query("UPDATE root SET path = $2 WHERE id = $1", [id, path])
  }
  yield* query(
    "INSERT INTO scope (root, digest) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM scope WHERE root = $1 AND digest = $2) ON CONFLICT DO NOTHING",
    [id, patterns]
  )
  if (request.parts !== undefined) {
    yield* query("UPDATE scope SET parts = $3 WHERE root = $1 AND digest = $2 AND parts IS DISTINCT FROM $3", [
      id,
      patterns,
      encodeParts(request.parts)
    ])
  }
  const [scope] = yield* rows(
    "SELECT id, completed FROM scope WHERE root = $1 AND digest = $2",
    [id, patterns],
    (row) => ({ root: id, scope: integer(row, 0), completedAt: nullable(row, 1, integer) })
  )
  return scope ?? { root: id, scope: 0, completedAt: null }
}

/** Documents that the scope claims; 0 for an unknown scope. */
export function* claimsOf({ patterns, root }: ScopeRequest): Script<number> {
  const [count = 0] = yield* rows(
    "SELECT count(*) FROM claim JOIN scope s ON s.id = claim.scope JOIN root r ON r.id = s.root WHERE r.name = $1 AND s.digest = $2",
    [root, patterns],
    (row) => integer(row, 0)
  )
  return count
}

/** Scopes of the root whose parts all lie below folders that this one covers whole. */
export function* scopesInside({ root, scope }: Place, whole: ReadonlyArray<string>): Script<ReadonlySet<number>> {
  const others = yield* rows("SELECT id, parts FROM scope WHERE root = $1 AND id <> $2", [root, scope], (row) => ({
    id: integer(row, 0),
    inside: isInside(nullable(row, 1, text), whole)
  }))
  return new Set(others.filter(({ inside }) => inside).map(({ id }) => id))
}

/** Releases the documents from all scopes. */
export const release = ({ isIn }: Dialect, documents: ReadonlyArray<number>): Script<void> =>
  query(`DELETE FROM claim WHERE ${isIn("document", "$1", "bigint")}`, [documents])
