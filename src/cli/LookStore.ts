/** The store of `look --to`, with the folders of its documents: all of it is checked before anything is served. */
import { statSync } from "node:fs"
import { resolve } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SinkError } from "../ChunkSink.ts"
import type { EmbeddingCacheError } from "../EmbeddingCache.ts"
import type * as Ask from "../internal/look/ask.ts"
import { AskedStore } from "../internal/look/store.ts"
import * as QueryVector from "../internal/target/queryVector.ts"
import * as RerankerTarget from "../internal/target/rerankerTarget.ts"
import type { Environment } from "../internal/target/secret.ts"
import * as StoreSearch from "../internal/target/storeSearch.ts"
import type { LedgerError } from "../Ledger.ts"
import type * as Command from "./Command.ts"
import { flags } from "./flags.ts"
import * as Reader from "./Reader.ts"
import * as SearchedStore from "./SearchedStore.ts"
import * as State from "./State.ts"
import { type Refused, UsageError } from "./UsageError.ts"

export const takes = {
  to: flags.lookedStore,
  embedder: flags.queryEmbedder,
  rerank: flags.rerank,
  roots: flags.lookedRoots,
  state: flags.lookedState
}

export type Given = Command.Given<typeof takes> & { readonly environment: Environment }

/** All that questions to the store need, but what draws their pages. */
export type LookStore = Omit<Ask.Options, "drawing">

export type LookStoreError =
  | Refused
  | StoreSearch.StoreMissing
  | SinkError
  | State.StateMissing
  | LedgerError
  | EmbeddingCacheError

/** State directory of a run that was told no other. */
export const usualState = ".docsluice"

/**
 * Null without `--to`. Fails for a store that does not exist, a spelling that cannot be used, a folder of a root that is missing, and a
 * given state without a ledger; the usual state may be missing. Opens the store once to look at it, and closes it again.
 */
export const read = (
  given: Given
): Effect.Effect<LookStore | null, LookStoreError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { embedder, environment, rerank, to } = given
    if (to.length === 0) return yield* withoutStore(given)
    const target = yield* SearchedStore.read(to)
    const roots = yield* rootsOf(given.roots)
    yield* QueryVector.check({ embedder, environment })
    yield* RerankerTarget.check(rerank, environment)
    const state = yield* stateOf(given.state)
    yield* Effect.scoped(StoreSearch.open(target))
    return { target, embedder, rerank, environment, roots, state }
  })

/** As {@link read}: provides the page with the store, if there is one. */
export const open = (
  given: Given
): Effect.Effect<Layer.Layer<never>, LookStoreError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const options = yield* read(given)
    if (options === null) return Layer.empty
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const { make } = yield* Effect.promise(() => import("../internal/look/ask.ts"))
    return Layer.succeed(AskedStore, (drawing) => Effect.provide(make({ ...options, drawing }), context))
  })

const withoutStore = ({ embedder, rerank, roots }: Given): Effect.Effect<null, UsageError> => {
  const [flag] = [
    ...(roots.length > 0 ? ["--root"] : []),
    ...(Option.isSome(embedder) ? ["--embedder"] : []),
    ...(rerank === "none" ? [] : ["--rerank"])
  ]
  return flag === undefined
    ? Effect.succeed(null)
    : new UsageError({
        problem: `${flag}: it is for the store that is searched; name that too: --to libsql:FILE, for instance`
      })
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The folders of `--root`; fails where one is missing. */
export const rootsOf = (spellings: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, string>, UsageError> =>
  Effect.gen(function* () {
    const roots = new Map<string, string>()
    for (const spelling of spellings) {
      const refused = (problem: string) => new UsageError({ problem: `--root ${spelling}: ${problem}` })
      const [, name = "", folder = ""] = /^([^=]*)=(.+)$/su.exec(spelling) ?? []
      if (folder === "" || Either.isLeft(Reader.segment.read(name))) {
        return yield* refused("expected NAME=DIR, the name of a root and its folder, such as docs=/data/docs")
      }
      if (roots.has(name)) return yield* refused(`the root ${name} was given already; each has one folder`)
      if (!isFolder(folder)) return yield* refused("there is no such folder; name the one that holds the documents")
      roots.set(name, resolve(folder))
    }
    return roots
  })

/** The given state, which must be there, else the usual one if it is. */
export const stateOf = Option.match({
  onNone: () => Effect.map(State.exists(usualState), (there) => (there ? resolve(usualState) : null)),
  onSome: (state: string) => Effect.as(State.required(state), State.isAddress(state) ? state : resolve(state))
})
