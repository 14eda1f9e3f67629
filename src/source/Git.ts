/**
 * Files of a git repository at a branch, a tag or a commit, on this machine or elsewhere.
 *
 * The ref is looked up when a run begins: what it lists and reads is of one commit. A file whose blob the ledger knows is not read; one that
 * was moved is read, and its answer comes from the cache. git itself reads the repository, so it has to be installed, and finds credentials
 * where it always does. Of a repository elsewhere a copy without history is kept, into which the next run fetches what is new.
 *
 * Links and submodules are left out. Files of Git LFS are the small texts that stand for them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import { loaded } from "../internal/base/loaded.ts"
import * as Place from "../internal/git/place.ts"
import * as ObjectRoot from "../internal/objects/objectRoot.ts"
import type * as Source from "../Source.ts"

const stores = loaded(() => import("../internal/git/gitStore.ts"))

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Source.Selection {
  /** `git:PATH@REF` or `git:URL@REF`, such as `git:.@v2` or `git:https://github.com/owner/manual.git@main`; default ref `HEAD`. */
  readonly root: string
  /** First part of every document id; default the repository's base name and the ref, as `manual@main`. */
  readonly name?: string | undefined
  /** Folder for copies of repositories elsewhere; default `docsluice/git` in `XDG_CACHE_HOME` or `~/.cache`. */
  readonly cache?: string | undefined
}

/**
 * The files of a commit, as a run takes them. Fails when the repository or the ref cannot be read. git, which reads the files, ends with the
 * scope, which has to last as long as the run.
 *
 * @example
 * import * as Git from "docsluice/source/Git"
 *
 * const manual = Git.make({ root: "git:https://github.com/owner/manual.git@main", patterns: ["guides"] })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Source.Source<Source.SourceUnavailable, Scope.Scope> =>
  ObjectRoot.source(
    options,
    Either.map(Place.parse(options.root), (place) => ({
      name: place.name,
      address: Place.addressOf(place),
      prefix: "",
      open: Effect.flatMap(stores, ({ open }) => open(place, options.cache))
    }))
  )
