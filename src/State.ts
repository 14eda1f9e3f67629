/**
 * The memory between runs, as one folder: ledger, parse cache, embedding cache and dead letters.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as DeadLetter from "./DeadLetter.ts"
import * as EmbeddingCache from "./EmbeddingCache.ts"
import * as Ledger from "./Ledger.ts"
import * as ParseCache from "./ParseCache.ts"

/**
 * The four services in which a run keeps its memory.
 *
 * @since 0.1.0
 * @category models
 */
export type State = Ledger.Ledger | ParseCache.ParseCache | EmbeddingCache.EmbeddingCache | DeadLetter.DeadLetter

/**
 * Errors of a state folder that cannot be used.
 *
 * @since 0.1.0
 * @category errors
 */
export type StateError =
  | Ledger.LedgerError
  | ParseCache.ParseCacheError
  | EmbeddingCache.EmbeddingCacheError
  | DeadLetter.DeadLetterError

/**
 * Paths of a state's parts in its folder.
 *
 * @since 0.1.0
 * @category models
 */
export interface Places {
  /** Folder of the ledger, `ledger.db`: the state itself. */
  readonly ledger: string
  readonly cache: string
  readonly deadLetters: string
  readonly embeddings: string
}

/**
 * The paths of the parts below the folder. Does not access the disk.
 *
 * @since 0.1.0
 * @category accessors
 */
export const places = (directory: string): Effect.Effect<Places, never, Path.Path> =>
  Effect.map(Path.Path, (path) => ({
    ledger: directory,
    cache: path.join(directory, "cache"),
    deadLetters: path.join(directory, "dead-letter.jsonl"),
    embeddings: path.join(directory, "embeddings")
  }))

/**
 * The state in a folder, the same as `--state` of the command line; created when missing. Locked as long as the layer is open;
 * fails with `Locked` when another process has it. The caches keep 2 GB each and evict the least recently used entries.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (directory: string): Layer.Layer<State, StateError, FileSystem.FileSystem | Path.Path> =>
  Layer.unwrapEffect(
    Effect.map(places(directory), ({ cache, deadLetters, embeddings, ledger }) =>
      Layer.mergeAll(
        Ledger.layer({ directory: ledger }),
        ParseCache.layer({ directory: cache }),
        EmbeddingCache.layer({ directory: embeddings }),
        DeadLetter.layer(deadLetters)
      )
    )
  )

/**
 * A state in memory, empty at first and gone with its scope: 256 MB of answers and 64 MB of vectors at most.
 *
 * @since 0.1.0
 * @category layers
 */
export const memory: Layer.Layer<State, Ledger.LedgerError | ParseCache.ParseCacheError> = Layer.mergeAll(
  Ledger.layerMemory,
  ParseCache.layerMemory(),
  EmbeddingCache.layerMemory(),
  DeadLetter.layerMemory
)
