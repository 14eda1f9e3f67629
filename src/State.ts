/**
 * The memory between runs: ledger, parse cache, embedding cache and dead letters, in one folder or in one schema of a PostgreSQL database.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as DeadLetter from "./DeadLetter.ts"
import * as EmbeddingCache from "./EmbeddingCache.ts"
import { shown as shownAddress } from "./internal/state/postgres/address.ts"
import { isAddress as isServerAddress } from "./internal/state/serverFailure.ts"
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
 * Errors of a state that cannot be used.
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
 * Where a state lies on a server.
 *
 * @since 0.1.0
 * @category models
 */
export type PostgresOptions = Ledger.PostgresOptions

/**
 * The state in a schema of a PostgreSQL database, 13 or later: `?schema=` of the address, by default `docsluice`. Created when missing. Any
 * number of processes may use it at a time; each document is one process's at a time. Needs the package `pg`.
 *
 * The caches keep 2 GB each and evict the least recently used entries. All four services share `maxConnections` connections.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgres = (options: PostgresOptions): Layer.Layer<State, StateError> =>
  Layer.unwrapScoped(
    Effect.map(Ledger.connect(options), (connection) => {
      const connected = { ...options, ...connection }
      return Layer.mergeAll(
        Ledger.layerPostgres(connected),
        ParseCache.layerPostgres(connected),
        EmbeddingCache.layerPostgres(connected),
        DeadLetter.layerPostgres(connected)
      )
    })
  )

/**
 * {@link layerPostgres} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgresConfig = (
  options: Config.Config.Wrap<PostgresOptions>
): Layer.Layer<State, StateError | ConfigError> => Layer.unwrapEffect(Effect.map(Config.unwrap(options), layerPostgres))

/**
 * True for the address of a state on a server, as against the path of a folder.
 *
 * @since 0.1.0
 * @category guards
 */
export const isAddress: (state: string) => boolean = isServerAddress

/**
 * The state as `--state` spells it: the address of a PostgreSQL database, `Redacted` where it has a password, or the path of a folder.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerOf = (
  state: string | Redacted.Redacted
): Layer.Layer<State, StateError, FileSystem.FileSystem | Path.Path> => {
  const spelled = Redacted.isRedacted(state) ? Redacted.value(state) : state
  return isAddress(spelled) ? layerPostgres({ url: state }) : layer(spelled)
}

/**
 * The state as it may be shown: an address without user, password and the driver's parameters.
 *
 * @since 0.1.0
 * @category accessors
 */
export const shown = (state: string): string => (isAddress(state) ? shownAddress(state) : state)

/**
 * A state in memory, empty at first and gone with its scope: 256 MB of answers and 64 MB of vectors at most.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory: Layer.Layer<State, Ledger.LedgerError | ParseCache.ParseCacheError> = Layer.mergeAll(
  Ledger.layerMemory,
  ParseCache.layerMemory(),
  EmbeddingCache.layerMemory(),
  DeadLetter.layerMemory
)
