import { lstatSync } from "node:fs"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { corrupted, type Database, integer, nullable, text } from "../libsql.ts"
import { flag, type Table } from "./scan.ts"

/** A part of a root that a scope covers. */
export const Part = Schema.Struct({
  /** POSIX path below the root; empty for the root itself. */
  path: Schema.String,
  /** True when every file below it is found, except those excluded on purpose. */
  whole: Schema.Boolean
})

export type Part = typeof Part.Type

const json = Schema.parseJson(Schema.Array(Part))
const decode = Schema.decodeUnknownEither(json)

/** The parts of a scope as a text. */
export const encodeParts: (parts: ReadonlyArray<Part>) => string = Schema.encodeSync(json)

/** Records the parts of the root that the scope covers. */
export const setParts = (db: Database, scope: number, parts: ReadonlyArray<Part>): void => {
  const value = encodeParts(parts)
  db.sql("UPDATE scope SET parts = ? WHERE id = ? AND parts IS NOT ?").run(value, scope, value)
}

/** Documents that the discovery of a scope did not find, whose files are gone, and that another scope claims. */
export interface Gone {
  /** Documents that only scopes inside this one claim: their claims end. */
  readonly released: ReadonlyArray<{ readonly id: number; readonly path: string }>
  /** Documents that a wider scope claims: a discovery of that scope decides. */
  readonly kept: ReadonlyArray<string>
}

export interface Subject {
  /** Number of the root. */
  readonly root: number
  /** Number of the scope; 0 for an unknown one. */
  readonly scope: number
  /** The root's folder; null for a source that is not a folder, whose files cannot be looked for. */
  readonly path: string | null
  readonly parts: ReadonlyArray<Part>
}

/** Most documents of one statement. */
const perStatement = 2048

export const isBelow = (path: string, folder: string): boolean =>
  folder === "" || path === folder || path.startsWith(`${folder}/`)

/** Scopes of the root whose parts all lie below folders that this scope covers whole. */
const scopesInside = (db: Database, { root, scope }: Subject, whole: ReadonlyArray<string>): ReadonlySet<number> => {
  const inside = new Set<number>()
  for (const row of db.sql("SELECT id, parts FROM scope WHERE root = ? AND id <> ?").all(root, scope)) {
    if (isInside(nullable(row, 1, text), whole)) inside.add(integer(row, 0))
  }
  return inside
}

/** True when all parts of a scope lie below folders that another one covers whole; `parts` as stored. */
export const isInside = (parts: string | null, whole: ReadonlyArray<string>): boolean =>
  whole.includes("") || (parts !== null && within(parts, whole))

const within = (source: string, whole: ReadonlyArray<string>): boolean => {
  const parts = decode(source)
  if (Either.isLeft(parts)) throw corrupted("the parts of a scope are not readable")
  return parts.right.length > 0 && parts.right.every(({ path }) => whole.some((folder) => isBelow(path, folder)))
}

/** True when nothing is at the path, not even a dangling link. */
export const isGone = (path: string): boolean => {
  try {
    lstatSync(path)
    return false
  } catch (cause) {
    return cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR")
  }
}

/**
 * To be called when discovery is complete. Costs a pass over the table in memory, and a file status for each document that was
 * not found and that another scope claims. `next` checks the next 2048 documents and returns false when there are no more; `gone`
 * then is complete.
 */
export const search = (
  db: Database,
  table: Table,
  subject: Subject
): { readonly next: () => boolean; readonly gone: Gone } => {
  const released: Array<Gone["released"][number]> = []
  const kept: Array<string> = []
  const { path: root } = subject
  const whole = subject.parts.flatMap((part) => (part.whole ? [part.path] : []))
  const unseen = root === null || whole.length === 0 ? [] : notSeen(table, whole)
  const inside = unseen.length === 0 ? new Set<number>() : scopesInside(db, subject, whole)
  let at = 0
  const next = (): boolean => {
    const part = new Map(unseen.slice(at, at + perStatement).map(({ id, path }) => [id, path]))
    at += perStatement
    const claims = new Map<number, boolean>()
    const rows = db
      .sql("SELECT document, scope FROM claim WHERE scope <> ? AND document IN (SELECT value FROM json_each(?))")
      .all(subject.scope, JSON.stringify([...part.keys()]))
    for (const row of rows) {
      const document = integer(row, 0)
      claims.set(document, (claims.get(document) ?? true) && inside.has(integer(row, 1)))
    }
    for (const [id, mayGo] of claims) {
      const path = part.get(id)
      if (path === undefined || root === null || !isGone(`${root}/${path}`)) continue
      if (mayGo) released.push({ id, path })
      else kept.push(path)
    }
    return at < unseen.length
  }
  return { next: unseen.length === 0 ? () => false : next, gone: { released, kept } }
}

const notSeen = (
  table: Table,
  whole: ReadonlyArray<string>
): ReadonlyArray<{ readonly id: number; readonly path: string }> => {
  const unseen: Array<{ readonly id: number; readonly path: string }> = []
  for (const [path, position] of table.positions) {
    if (((table.flags[position] ?? 0) & flag.seen) !== 0) continue
    if (whole.some((folder) => isBelow(path, folder))) unseen.push({ id: table.ids[position] ?? 0, path })
  }
  return unseen
}

/** Removes all claims on the documents. */
export const release = (db: Database, documents: ReadonlyArray<number>): void => {
  db.sql("DELETE FROM claim WHERE document IN (SELECT value FROM json_each(?))").run(JSON.stringify(documents))
}
