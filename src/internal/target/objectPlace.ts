/** Addresses as they are spelled for a run: a root, and the patterns below it. */
import * as Either from "effect/Either"
import { staticPrefix } from "../objects/keyPatterns.ts"
import * as ObjectTarget from "./objectTarget.ts"

/** The deepest root that holds all addresses. */
export interface Place {
  readonly root: string
  /** Names and globs below that root, or one that holds it; patterns that exclude are unchanged. */
  readonly below: (root: string) => ReadonlyArray<string>
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

const ofStore = (paths: ReadonlyArray<string>, named: ReadonlyArray<string>): Either.Either<Place, string> => {
  const root = common(named.map(folderOf))
  if (!/^[a-z0-9+.-]+:\/\/[^/]+\//isu.test(root)) {
    return Either.left(`${named.join(" ")}: one bucket at a time; run once for each`)
  }
  const below = (held: string) => paths.map((path) => (isExclusion(path) ? path : path.slice(held.length) || "."))
  return Either.right({ root, below })
}

/** The part of a spelling that names the list or archive, and the pattern after `!/`. */
const parted = (path: string): readonly [root: string, pattern: string] => {
  const end = path.indexOf("!/")
  return end < 0 ? [path, "."] : [path.slice(0, end), path.slice(end + 2) || "."]
}

const ofListing = (paths: ReadonlyArray<string>, named: ReadonlyArray<string>): Either.Either<Place, string> => {
  const roots = new Set(named.map((path) => ObjectTarget.absolute(parted(path)[0])))
  const [root] = roots
  if (root === undefined || roots.size > 1) {
    return Either.left(`${named.join(" ")}: one list or archive at a time; run once for each`)
  }
  const below = () => paths.map((path) => (isExclusion(path) ? path : parted(path)[1]))
  return Either.right({ root, below })
}

/** The root of paths of which one is an address; the problem in words on the left. */
export const of = (paths: ReadonlyArray<string>): Either.Either<Place, string> => {
  const named = paths.filter((path) => !isExclusion(path))
  const local = named.find((path) => !ObjectTarget.isAddress(path))
  if (local !== undefined) {
    return Either.left(
      `${local}: files of this machine and those of an address cannot be ingested in one run; run once for each`
    )
  }
  const stores = named.filter(ObjectTarget.isStore)
  if (stores.length === named.length) return ofStore(paths, named)
  return stores.length === 0
    ? ofListing(paths, named)
    : Either.left(`${named.join(" ")}: one bucket, list or archive at a time; run once for each`)
}
