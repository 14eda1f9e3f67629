/**
 * Root of a run that names none. It is the working directory, unless an absolute path leads out of that: then it is a root that the
 * state knows and that holds all paths, else the deepest folder that does; a folder named alone is its own root. A later run that names
 * fewer of the paths has the same root, and documents keep their ids.
 */
import { existsSync, realpathSync, statSync } from "node:fs"
import { dirname, isAbsolute, relative, resolve, sep } from "node:path"
import * as Either from "effect/Either"
import { option, problem, text } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"

/** A root in the state. */
export interface Known {
  readonly name: string
  /** Null where its source is no folder. */
  readonly path: string | null
  readonly documents: number
}

export interface RunRoot {
  /** Absolute path. */
  readonly root: string
  /** Name of a root that the state knows; undefined for a new one. */
  readonly name: string | undefined
  /** The paths, absolute; patterns that exclude are unchanged. */
  readonly patterns: ReadonlyArray<string>
}

const special = /[*?[\]{}()|\\]/

/** A URL, alone or after a scheme: discovery refuses it with a word on why. */
const address = /^(?:[a-z][a-z0-9+.-]+:)+\/\//i

const isBelow = (folder: string, path: string): boolean => {
  const below = relative(folder, path)
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below)
}

/** The path with its links followed, as far as it exists. */
const real = (path: string): string => {
  if (existsSync(path)) return realpathSync(path)
  const parent = dirname(path)
  return parent === path ? path : resolve(real(parent), relative(parent, path))
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The folder of an argument: itself, that of a file, or the one before the first special character of a glob. */
const folderOf = (path: string): string => {
  if (existsSync(path) || !special.test(path)) return isFolder(path) ? path : dirname(path)
  const segments = path.split("/")
  return (
    segments
      .slice(
        0,
        segments.findIndex((segment) => special.test(segment))
      )
      .join("/") || "/"
  )
}

const common = (folders: ReadonlyArray<string>): string =>
  folders.reduce((shared, folder) => {
    let held = shared
    while (!isBelow(held, folder)) held = dirname(held)
    return held
  })

const deepest = (roots: ReadonlyArray<Known & { readonly path: string }>) =>
  roots.toSorted((left, right) => right.path.length - left.path.length)[0]

const isExclusion = (path: string): boolean => path.startsWith("!")

/** The paths below the working directory in its own spelling, if all of them lead there through links; otherwise undefined. */
const linked = (paths: ReadonlyArray<string>, cwd: string): ReadonlyArray<string> | undefined => {
  const here = real(cwd)
  const found = paths.map((path) => (isExclusion(path) ? path : relative(here, real(resolve(cwd, path))) || "."))
  return found.every((path) => isExclusion(path) || isBelow(here, resolve(here, path))) ? found : undefined
}

/** The paths, those absolute that lead out of the working directory by their names alone. */
export const spelled = (paths: ReadonlyArray<string>, cwd: string): ReadonlyArray<string> =>
  paths.map((path) =>
    isExclusion(path) || address.test(path) || isBelow(cwd, resolve(cwd, path)) ? path : resolve(cwd, path)
  )

/** True if an absolute path leads out of the working directory; false where a path is refused in any case. */
export const leaves = (paths: ReadonlyArray<string>, cwd: string): boolean => {
  const named = paths.filter((path) => !isExclusion(path))
  const outside = named.filter((path) => !isBelow(cwd, resolve(cwd, path)))
  return outside.length > 0 && outside.every(isAbsolute) && !named.some((path) => address.test(path))
}

/** The root for paths of which one leads out of the working directory ({@link leaves}). */
export const choose = (
  paths: ReadonlyArray<string>,
  cwd: string,
  known: ReadonlyArray<Known>
): Either.Either<RunRoot, OptionError> => {
  const here = linked(paths, cwd)
  if (here !== undefined) return Either.right({ root: cwd, name: undefined, patterns: here })
  const absolute = paths.map((path) => (isExclusion(path) ? path : resolve(cwd, path)))
  const named = absolute.filter((path) => !isExclusion(path))
  const roots = known.flatMap((root) => (root.path === null ? [] : [{ ...root, path: root.path }]))
  // Also one that is gone for now, such as a volume that is not mounted: its documents stay.
  const held = deepest(roots.filter(({ path }) => named.every((one) => isBelow(path, one))))
  if (held !== undefined) return Either.right({ root: held.path, name: held.name, patterns: absolute })
  const missing = named.find((path) => !special.test(path) && !existsSync(path))
  if (missing !== undefined) {
    return Either.left(new OptionError({ option: null, problem: `${missing}: there is no such file or folder` }))
  }
  const folder = common(named.map(folderOf))
  if (dirname(folder) === folder) {
    const words = text`${paths.join(" ")}: no folder but ${folder} holds all of them; ingest one after the other, or give ${option("root")}`
    return Either.left(new OptionError({ option: null, ...problem(words) }))
  }
  const inside = roots.find(({ documents, path }) => documents > 0 && isBelow(folder, path))
  if (inside !== undefined) {
    const words = text`the documents of ${inside.path}, which is the root ${JSON.stringify(inside.name)}, would be stored a second time below ${folder}; give ${option("root")} ${inside.path} for those, or ${option("root")} ${folder} if that is meant`
    return Either.left(new OptionError({ option: null, ...problem(words) }))
  }
  return Either.right({ root: folder, name: undefined, patterns: absolute })
}
