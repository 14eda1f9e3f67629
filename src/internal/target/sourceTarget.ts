/** The spelling of a source: a path or a glob, relative to the working directory as on the command line, or an address. */
import { statSync } from "node:fs"
import { basename, dirname, isAbsolute, relative, resolve } from "node:path"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Discovery from "../../Discovery.ts"
import { OptionError } from "../../OptionError.ts"
import * as Source from "../../Source.ts"
import * as ObjectPlace from "./objectPlace.ts"
import * as ObjectTarget from "./objectTarget.ts"

/**
 * A root with patterns: a folder; or `s3://BUCKET/PREFIX`, `az://CONTAINER/PREFIX`, `sitemap:URL`, `list:URL`, `list:FILE`, `zip:FILE` or
 * `tar:FILE`, for which the options of folders alone do nothing.
 */
export interface RootOptions extends Discovery.Options {
  /** Address of the object store of `s3://` and `az://`; default of the environment, then Amazon's or Azure's. */
  readonly endpoint?: string | undefined
  /** Hosts, without ports, of `list:` and `sitemap:` that may have private addresses, `*` for all; default none. */
  readonly allowPrivate?: ReadonlyArray<string> | undefined
}

/** What the files of an address need as long as they are read. */
export type Requirements = HttpClient.HttpClient | Scope.Scope

/** The option that the root does not have; undefined where all fit. */
const misplaced = ({ allowPrivate, endpoint, gitignore, root }: RootOptions): string | undefined => {
  if (gitignore === true && ObjectTarget.isAddress(root))
    return "gitignore: it is for folders; leave it out, or give `ignore`"
  if (endpoint !== undefined && !ObjectTarget.isStore(root)) return "endpoint: it is for s3:// and az://; leave it out"
  return allowPrivate !== undefined && !ObjectTarget.isWeb(root)
    ? "allowPrivate: it is for list: and sitemap:; leave it out"
    : undefined
}

/** The files of a root. */
export const open = (
  options: RootOptions
): Source.Source<Discovery.DiscoveryError | Source.SourceUnavailable, Requirements> => {
  const source = ObjectTarget.make(options) ?? Discovery.folder(options)
  const problem = misplaced(options)
  return problem === undefined
    ? source
    : Source.within(
        source.scope,
        Stream.fail(new Source.SourceUnavailable({ source: options.root, reason: "Invalid", problem }))
      )
}

/** The root as a later run finds it again: absolute, where it is on this machine. */
export const absolute = (root: string): string =>
  ObjectTarget.isAddress(root) ? ObjectTarget.absolute(root) : resolve(root)

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
  const refused = (problem: string) => Either.left(new OptionError({ option: "source", problem }))
  if (spellings.some(ObjectTarget.isAddress)) {
    const place = ObjectPlace.of(spellings)
    if (Either.isLeft(place)) return refused(place.left)
    const { below, root } = place.right
    return Either.right({ root, patterns: below(root) })
  }
  const places = spellings.map(placeOf)
  const [first] = places
  if (first === undefined) return refused("name a file, a folder or a pattern")
  if (places.some(({ root }) => root !== first.root)) {
    return refused("these are below different folders; give one source for each, or { root, patterns }")
  }
  return Either.right({ root: first.root, patterns: places.map(({ pattern }) => pattern) })
}
