/** Roots and scopes. */
import * as Effect from "effect/Effect"
import type { ScopeRequest } from "../../../Source.ts"
import { exists, sameFolder } from "../directory.ts"
import type { Place } from "../ledger/preview.ts"
import { encodeParts } from "../ledger/released.ts"
import * as Renames from "../ledger/renamed.ts"
import type { Clash } from "../ledger/runs.ts"
import type { ServerFailure } from "../serverFailure.ts"
import { bytes, integer, nullable, text } from "./columns.ts"
import type { Connection, Transaction } from "./connection.ts"
import { rootRow } from "./writer.ts"

interface Root {
  readonly id: number
  readonly path: string | null
}

const rootOf = (
  { rows }: Pick<Transaction, "rows">,
  name: string,
  lock: "" | "FOR UPDATE"
): Effect.Effect<Root | undefined, ServerFailure> =>
  Effect.map(
    rows(`SELECT id, path FROM root WHERE name = $1 ${lock}`, [name], (row) => ({
      id: integer(row, 0),
      path: nullable(row, 1, text)
    })),
    ([root]) => root
  )

/** Finds the root and scope that a scan would read, without binding the name or creating the scope; 0 for unknown ones. */
export const place = (connection: Connection, request: ScopeRequest): Effect.Effect<Place | Clash, ServerFailure> =>
  connection.transaction((transaction) =>
    Effect.gen(function* () {
      const root = yield* rootOf(transaction, request.root, "")
      if (root === undefined) return { name: request.root, root: 0, scope: 0 }
      if (root.path !== null && request.path !== null && exists(root.path) && !sameFolder(root.path, request.path)) {
        return { _tag: "Clash", path: root.path }
      }
      const [scope = 0] = yield* transaction.rows(
        "SELECT id FROM scope WHERE root = $1 AND digest = $2",
        [root.id, request.patterns],
        (row) => integer(row, 0)
      )
      return { name: request.root, root: root.id, scope }
    })
  )

/** Numbers of a root and of one of its scopes. */
export interface Bound {
  readonly root: number
  readonly scope: number
  /** Time of the scope's last complete discovery. */
  readonly completedAt: number | null
}

/** Binds the root's name to its folder, and finds or makes the scope. A folder that no longer exists loses the name. */
export const bind = (transaction: Transaction, request: ScopeRequest): Effect.Effect<Bound | Clash, ServerFailure> =>
  Effect.gen(function* () {
    const { query, rows } = transaction
    const { path } = request
    yield* rootRow(transaction, request.root)
    const root = yield* rootOf(transaction, request.root, "FOR UPDATE")
    const id = root?.id ?? 0
    const bound = root?.path ?? null
    if (bound !== path) {
      if (bound !== null && path !== null && exists(bound) && !sameFolder(bound, path)) {
        return { _tag: "Clash", path: bound }
      }
      if ((bound === null) !== (path === null)) {
        const [some] = yield* rows("SELECT 1 FROM document WHERE root = $1 LIMIT 1", [id], () => true)
        if (some === true && (bound === null || exists(bound))) return { _tag: "Clash", path: bound }
      }
      yield* query("UPDATE root SET path = $2 WHERE id = $1", [id, path])
    }
    yield* query(
      "INSERT INTO scope (root, digest) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM scope WHERE root = $1 AND digest = $2) ON CONFLICT DO NOTHING",
      [id, request.patterns]
    )
    if (request.parts !== undefined) {
      const parts = encodeParts(request.parts)
      yield* query("UPDATE scope SET parts = $3 WHERE root = $1 AND digest = $2 AND parts IS DISTINCT FROM $3", [
        id,
        request.patterns,
        parts
      ])
    }
    const [scope] = yield* rows(
      "SELECT id, completed FROM scope WHERE root = $1 AND digest = $2",
      [id, request.patterns],
      (row) => ({ root: id, scope: integer(row, 0), completedAt: nullable(row, 1, integer) })
    )
    return scope ?? { root: id, scope: 0, completedAt: null }
  })

/**
 * A root whose folder is gone and of whose files half or more are in the folder of the request, when the name of the request is new. Looks
 * at the status of each file of such a root.
 */
export const renamed = (
  connection: Connection,
  name: string,
  folder: string
): Effect.Effect<Renames.Renamed | null, ServerFailure> =>
  Effect.gen(function* () {
    if ((yield* rootOf(connection, name, "")) !== undefined) return null
    const roots = yield* connection.rows(
      "SELECT id, name, path FROM root WHERE path IS NOT NULL ORDER BY id",
      [],
      (row) => ({ id: integer(row, 0), name: text(row, 1), path: text(row, 2) })
    )
    const isThere = Renames.finder(folder)
    for (const root of roots.filter(({ path }) => !exists(path))) {
      const [total = 0] = yield* connection.rows(
        "SELECT count(*) FROM document WHERE root = $1 AND print IS NOT NULL AND etag IS NULL",
        [root.id],
        (row) => integer(row, 0)
      )
      let found = 0
      let last = 0
      for (let full = true; full;) {
        const page = yield* connection.rows(
          `SELECT id, path, print FROM document WHERE root = $1 AND id > $2 AND print IS NOT NULL AND etag IS NULL
           ORDER BY id LIMIT ${Renames.perStep}`,
          [root.id, last],
          (row) => ({ id: integer(row, 0), path: text(row, 1), print: bytes(row, 2) })
        )
        for (const { id, path, print } of page) {
          last = id
          if (isThere(path, print, root.path)) found += 1
          if (found * 2 >= total) return { name: root.name, path: root.path, found }
        }
        full = page.length === Renames.perStep
      }
    }
    return null
  })
