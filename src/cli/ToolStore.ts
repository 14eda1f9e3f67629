/** The tools over a store, for agents: all of it is checked before anything is served. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { SinkError } from "../ChunkSink.ts"
import * as Corpus from "../Corpus.ts"
import * as QueryVector from "../internal/target/queryVector.ts"
import * as RerankerTarget from "../internal/target/rerankerTarget.ts"
import type { Environment } from "../internal/target/secret.ts"
import * as StoreSearch from "../internal/target/storeSearch.ts"
import type { Tools } from "../internal/tools/values.ts"
import type * as Command from "./Command.ts"
import * as FilterText from "./FilterText.ts"
import { flags } from "./flags.ts"
import * as LookStore from "./LookStore.ts"
import * as SearchedStore from "./SearchedStore.ts"
import type { StateMissing } from "./State.ts"
import { type Refused, UsageError } from "./UsageError.ts"

export const takes = {
  to: flags.store,
  embedder: flags.queryEmbedder,
  rerank: flags.rerank,
  filter: flags.filter,
  tenant: flags.tenant,
  roots: flags.lookedRoots,
  state: flags.agentsState,
  allowWrite: flags.allowWrite
}

export type Given = Command.Given<typeof takes> & { readonly environment: Environment }

export type OpenError = Refused | Corpus.OpenError | StoreSearch.StoreMissing | SinkError | StateMissing

/**
 * Opens the store and its tools until the scope closes. Without `--allow-write` nothing is written or locked, and a store that is not there
 * is a failure.
 */
export const open = (given: Given): Effect.Effect<Tools, OpenError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const { allowWrite, environment, rerank } = given
    const target = yield* SearchedStore.read(given.to)
    const roots = yield* LookStore.rootsOf(given.roots)
    const filter = yield* FilterText.parse(given.filter)
    const tenant = Option.getOrUndefined(given.tenant)
    const embedder = Option.getOrUndefined(given.embedder)
    yield* QueryVector.check({ embedder: given.embedder, environment })
    yield* RerankerTarget.check(rerank, environment)
    const limited = filter !== undefined || tenant !== undefined
    if (allowWrite && limited) {
      const problem =
        "--allow-write: agents that are limited by --filter or --tenant change nothing; leave out one of the two"
      return yield* new UsageError({ problem })
    }
    if (!allowWrite) yield* Effect.scoped(StoreSearch.open(target, tenant))
    const state = allowWrite
      ? Option.getOrElse(given.state, () => LookStore.usualState)
      : yield* LookStore.stateOf(given.state)
    const corpus = yield* Corpus.make({
      to: target.open,
      ...(embedder !== undefined && Corpus.isEmbedder(embedder) && { embedder }),
      ...(Corpus.isReranker(rerank) && { rerank }),
      ...(allowWrite && state !== null && { state })
    })
    const { make } = yield* Effect.promise(() => import("../internal/tools/values.ts"))
    return yield* make(corpus, {
      filter,
      tenant,
      roots: Object.fromEntries(roots),
      state: state ?? undefined,
      write: allowWrite
    })
  })
