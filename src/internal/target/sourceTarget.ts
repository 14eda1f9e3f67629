/** The spelling of a source: a path or a glob, relative to the working directory as on the command line, or an address. */
import { resolve } from "node:path"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Discovery from "../../Discovery.ts"
import * as Source from "../../Source.ts"
import { loaded } from "../base/loaded.ts"
import { type Message, option, problem, text } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"
import * as ObjectTarget from "./objectTarget.ts"
import * as RunRoot from "./runRoot.ts"

/**
 * A root with patterns: a folder; or `s3://BUCKET/PREFIX`, `az://CONTAINER/PREFIX`, `sitemap:URL`, `list:URL`, `list:FILE`, `zip:FILE`,
 * `tar:FILE`, `git:REPOSITORY@REF` or another of the spellings of `ObjectTarget`, for which the options of folders alone do nothing.
 */
export interface RootOptions extends Discovery.Options {
  /** Address of the object store of `s3://` and `az://`; default of the environment, then Amazon's or Azure's. */
  readonly endpoint?: string | undefined
  /** Hosts, without ports, of `list:` and `sitemap:` that may have private addresses, `*` for all; default none. */
  readonly allowPrivate?: ReadonlyArray<string> | undefined
}

/** What the files of an address need as long as they are read. */
export type Requirements = HttpClient.HttpClient | Scope.Scope

/** Which option the root does not have, and the remedy; undefined where all fit. */
export const misplaced = ({
  allowPrivate,
  endpoint,
  expand = [],
  gitignore,
  root
}: RootOptions): Message | undefined => {
  if (gitignore === true && ObjectTarget.isAddress(root)) {
    return text`${option("gitignore")} is for folders; leave it out, or give ${option("ignore")}`
  }
  if (expand.length > 0 && ObjectTarget.isAddress(root)) {
    return text`${option("expand")} is for folders; leave it out`
  }
  if (endpoint !== undefined && !ObjectTarget.hasEndpoint(root)) {
    return text`${option("endpoint")} is for s3:// and az://; leave it out`
  }
  return allowPrivate !== undefined && !ObjectTarget.isWeb(root)
    ? text`${option("allowPrivate")} is for list: and sitemap:; leave it out`
    : undefined
}

/** The files of a root. */
export const open = (
  options: RootOptions
): Source.Source<Discovery.DiscoveryError | Source.SourceUnavailable, Requirements> => {
  const source = ObjectTarget.make(options) ?? Discovery.folder(options)
  const words = misplaced(options)
  if (words === undefined) return source
  const refused = new Source.SourceUnavailable({ source: options.root, reason: "Invalid", ...problem(words) })
  return Source.within(source.scope, Stream.fail(refused))
}

/** The root as a later run finds it again: absolute, where it is on this machine. */
export const absolute = (root: string): string =>
  ObjectTarget.isAddress(root) ? ObjectTarget.absolute(root) : resolve(root)

const addressRoot = loaded(() => import("./addressRoot.ts"))

/** A root with the paths below it. */
export interface Chosen {
  readonly root: string
  /** Name of a root that the state knows; undefined for its own. */
  readonly name: string | undefined
  readonly patterns: ReadonlyArray<string>
}

/** How the root of paths is chosen. */
export interface Choice<E, R> {
  readonly endpoint: string | undefined
  /** Roots of the state; asked only where a path leads out of the working directory. */
  readonly known: Effect.Effect<ReadonlyArray<RunRoot.Known>, E, R>
  /** True where relative paths may lead out of it, too; otherwise discovery refuses these. */
  readonly relative: boolean
}

/**
 * The root of paths, globs or addresses; an empty list, and paths without one root, are refused. Inside the working directory that is the
 * root; elsewhere it is one that is known, or the deepest that holds all of them.
 */
export const choose = <E, R>(
  spellings: ReadonlyArray<string>,
  { endpoint, known, relative }: Choice<E, R>
): Effect.Effect<Chosen, OptionError | E, R> =>
  Effect.gen(function* () {
    if (spellings.length === 0) {
      return yield* new OptionError({ option: "source", problem: "name a file, a folder or a pattern" })
    }
    if (spellings.some(ObjectTarget.isAddress)) {
      const { choose } = yield* addressRoot
      return yield* choose(spellings, endpoint, yield* known)
    }
    const cwd = resolve(".")
    const paths = relative ? RunRoot.spelled(spellings, cwd) : spellings
    return RunRoot.leaves(paths, cwd)
      ? yield* RunRoot.choose(paths, cwd, yield* known)
      : { root: ".", name: undefined, patterns: spellings }
  })
