/** The spelling of a source: a path or a glob, relative to the working directory as on the command line. */
import { statSync } from "node:fs"
import { basename, dirname, isAbsolute, relative, resolve } from "node:path"
import * as Either from "effect/Either"
import type * as Discovery from "../../Discovery.ts"
import { OptionError } from "../../OptionError.ts"

interface Place {
  /** Folder that paths and document ids refer to. */
  readonly root: string
  readonly pattern: string
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

const magic = /[*?[\]{}!]/u

/** Inside the working directory its documents are named from there; elsewhere from the named folder, or the folder of the named file. */
const placeOf = (spelling: string): Place => {
  const within = relative(".", spelling)
  const inside = !isAbsolute(within) && within.split(/[/\\]/u)[0] !== ".."
  if (inside || spelling.startsWith("!")) return { root: ".", pattern: spelling }
  const whole = resolve(spelling)
  if (isFolder(whole)) return { root: whole, pattern: "." }
  let root = dirname(whole)
  while (!exists(whole) && magic.test(root) && root !== dirname(root)) root = dirname(root)
  return { root, pattern: root === dirname(whole) ? basename(whole) : relative(root, whole).replaceAll("\\", "/") }
}

/** Options of the discovery; patterns of different roots, or an empty list, are refused. */
export const make = (
  spellings: ReadonlyArray<string>
): Either.Either<Pick<Discovery.Options, "root" | "patterns">, OptionError> => {
  const places = spellings.map(placeOf)
  const [first] = places
  const refused = (problem: string) => Either.left(new OptionError({ option: "source", problem }))
  if (first === undefined) return refused("name a file, a folder or a pattern")
  if (places.some(({ root }) => root !== first.root)) {
    return refused("these are below different folders; give one source for each, or { root, patterns }")
  }
  return Either.right({ root: first.root, patterns: places.map(({ pattern }) => pattern) })
}
