import type { Acknowledgement } from "../../../LedgerEntry.ts"
import { documentId } from "../../../SourceFile.ts"
import { exists, sameFolder } from "../directory.ts"
import { type Database, integer, nullable, text } from "../libsql.ts"
import { find, type Rows } from "./rows.ts"
import type { Unclaimed } from "./runLedger.ts"
import { type Clash, holding } from "./runs.ts"
import { flag, type Table } from "./scan.ts"

/** Numbers of a root and a scope; 0 for an unknown one. */
export interface Place {
  readonly name: string
  readonly root: number
  readonly scope: number
}

/** Finds the root and scope that a scan would read, without binding the name or creating the scope. */
export const place = (
  db: Database,
  request: { readonly root: string; readonly path: string | null; readonly patterns: string }
): Place | Clash => {
  const row = db.sql("SELECT id, path FROM root WHERE name = ?").first(request.root)
  if (row === undefined) return { name: request.root, root: 0, scope: 0 }
  const root = integer(row, 0)
  const bound = nullable(row, 1, text)
  if (bound !== null && request.path !== null && exists(bound) && !sameFolder(bound, request.path)) {
    return { _tag: "Clash", path: bound }
  }
  const scope = db.sql("SELECT id FROM scope WHERE root = ? AND digest = ?").first(root, request.patterns)
  return { name: request.root, root, scope: scope === undefined ? 0 : integer(scope, 0) }
}

/** A document by its path, and as {@link Unclaimed.released}. */
interface Named {
  readonly path: string
  readonly released: boolean
}

/** Documents of the root that were not seen, and that no other scope claims or `released` names; {@link holdingOf} reads each. */
export const unclaimed = (
  rows: Rows,
  table: Table,
  { root, scope }: Place,
  released: ReadonlyArray<{ readonly path: string }>
): ReadonlyArray<Named> =>
  rows.db
    .sql(
      "SELECT path FROM document d WHERE d.root = ? AND NOT EXISTS (SELECT 1 FROM claim c WHERE c.document = d.id AND c.scope <> ?) ORDER BY d.id"
    )
    .all(root, scope)
    .map((row) => text(row, 0))
    .filter((path) => {
      const position = table.positions.get(path)
      return position !== undefined && ((table.flags[position] ?? 0) & flag.seen) === 0
    })
    .map((path): Named => ({ path, released: false }))
    .concat(released.map(({ path }) => ({ path, released: true })))

/** The document's chunks in the sinks; null when it is no longer there. */
export const holdingOf = (rows: Rows, { name }: Place, { path, released }: Named): Unclaimed | null => {
  const found = find(rows, { documentId: documentId(name, path), path })
  return found === null ? null : { ...holding(rows, found), released }
}

/** Sinks that hold or may hold documents of this ledger; of several stores of a sink, the one recorded last. */
export const sinksInUse = (rows: Rows): ReadonlyArray<Acknowledgement> => {
  const last = new Map<string, Acknowledgement>()
  for (const row of rows.db.sql("SELECT DISTINCT sink FROM pending").all()) {
    last.set(text(row, 0), { sink: text(row, 0), store: null })
  }
  for (const row of rows.db.sql("SELECT DISTINCT acks FROM document WHERE acks IS NOT NULL ORDER BY acks").all()) {
    for (const ack of rows.acks.valueOf(integer(row, 0))) last.set(ack.sink, ack)
  }
  return [...last.values()]
}
