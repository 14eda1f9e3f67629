/**
 * Root of a run over an object store. Without `--root` it is a root that the state knows and that holds all addresses, else the longest
 * prefix that does: a later run that names fewer of them has the same root, and documents keep their ids.
 */
import * as Either from "effect/Either"
import { staticPrefix } from "../internal/objects/keyPatterns.ts"
import * as ObjectTarget from "../internal/target/objectTarget.ts"
import type { Known } from "./RunRoot.ts"
import { UsageError } from "./UsageError.ts"

export interface ObjectRoot {
  /** Address, with a slash at its end unless it is a whole bucket. */
  readonly root: string
  /** Name of a root that the state knows; undefined for a new one. */
  readonly name: string | undefined
  /** Names and globs below the root; those that exclude are unchanged. */
  readonly paths: ReadonlyArray<string>
}

const isExclusion = (path: string): boolean => path.startsWith("!")

/** True for the name of an object rather than of a folder. */
const hasExtension = (path: string): boolean => /\.[a-z0-9]{1,8}$/iu.test(path)

/** The folder of an address: itself, that of an object, or the one before the first special character. */
const folderOf = (address: string): string => {
  const [, bucket = "", path = ""] = /^([a-z0-9+.-]+:\/\/[^/]+)\/?(.*)$/isu.exec(address) ?? []
  const fixed = staticPrefix(path)
  if (fixed === "" || fixed.endsWith("/")) return `${bucket}/${fixed}`
  return `${bucket}/${hasExtension(fixed) ? fixed.slice(0, fixed.lastIndexOf("/") + 1) : `${fixed}/`}`
}

const common = (folders: ReadonlyArray<string>): string =>
  folders.reduce((shared, folder) => {
    let held = shared
    while (!folder.startsWith(held)) held = held.slice(0, held.lastIndexOf("/", held.length - 2) + 1)
    return held
  })

/** The address by which the state knows a root. */
const keptAs = (root: string, endpoint: string | undefined): string =>
  ObjectTarget.make({ root, endpoint })?.scope.path ?? root

/** The root for paths of which one is an address. */
export const choose = (
  paths: ReadonlyArray<string>,
  endpoint: string | undefined,
  known: ReadonlyArray<Known>
): Either.Either<ObjectRoot, UsageError> => {
  const named = paths.filter((path) => !isExclusion(path))
  const local = named.find((path) => !ObjectTarget.isAddress(path))
  if (local !== undefined) {
    const problem = `${local}: files of this machine and of an object store cannot be ingested in one run; run once for each`
    return Either.left(new UsageError({ problem }))
  }
  const folder = common(named.map(folderOf))
  if (!/^[a-z0-9+.-]+:\/\/[^/]+\//isu.test(folder)) {
    const problem = `${named.join(" ")}: one bucket at a time; run once for each`
    return Either.left(new UsageError({ problem }))
  }
  const whole = keptAs(folder, endpoint)
  const roots = known.flatMap((root) => (root.path === null ? [] : [{ ...root, path: root.path }]))
  const held = roots
    .filter(({ path }) => path.endsWith("/") && whole.startsWith(path))
    .toSorted((left, right) => right.path.length - left.path.length)[0]
  const inside = roots.find(({ documents, path }) => documents > 0 && path !== whole && path.startsWith(whole))
  if (held === undefined && inside !== undefined) {
    const inner = `${folder}${inside.path.slice(whole.length)}`
    const problem = `the documents of ${inner}, which is the root ${JSON.stringify(inside.name)}, would be stored a second time below ${folder}; give --root ${inner} for those, or --root ${folder} if that is meant`
    return Either.left(new UsageError({ problem }))
  }
  const root = held === undefined ? folder : folder.slice(0, folder.length - whole.length + held.path.length)
  return Either.right({
    root,
    name: held?.name,
    paths: paths.map((path) => (isExclusion(path) ? path : path.slice(root.length) || "."))
  })
}
