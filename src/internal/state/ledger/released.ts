/** Parts of a root that a scope covers, and documents in them whose files are gone. */
import { lstatSync } from "node:fs"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { corrupted } from "../libsql.ts"

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

/** True when the path is the folder or lies below it; the empty folder is the root. */
export const isBelow = (path: string, folder: string): boolean =>
  folder === "" || path === folder || path.startsWith(`${folder}/`)

/** True when all parts of a scope lie below folders that another one covers whole; `parts` as stored. */
export const isInside = (parts: string | null, whole: ReadonlyArray<string>): boolean => {
  if (whole.includes("")) return true
  if (parts === null) return false
  const decoded = decode(parts)
  if (Either.isLeft(decoded)) throw corrupted("the parts of a scope are not readable")
  return decoded.right.length > 0 && decoded.right.every(({ path }) => whole.some((folder) => isBelow(path, folder)))
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
