/**
 * Cache of vectors, so that the same text is never paid for twice.
 *
 * An entry is a list of 32-bit floats under the hash of model, dimensions and text. Entries are written atomically, and a damaged
 * one is a miss. All times are milliseconds since the epoch.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { PackedVector } from "./DocumentChunk.ts"
import { loaded } from "./internal/base/loaded.ts"
import { unsent } from "./internal/base/wireFields.ts"
import * as StateDirectory from "./internal/state/directory.ts"
import type { DatabaseFailure } from "./internal/state/libsql.ts"
import * as StateLock from "./internal/state/lock.ts"
import * as Server from "./internal/state/postgres/open.ts"
import { problemOf } from "./internal/state/remedies.ts"
import type { ServerFailure } from "./internal/state/serverFailure.ts"
import * as VectorStore from "./internal/state/vectors.ts"

/**
 * The cache cannot be used.
 *
 * @since 0.1.0
 * @category errors
 */
export class EmbeddingCacheError extends Schema.TaggedError<EmbeddingCacheError>("docsluice/EmbeddingCacheError")(
  "EmbeddingCacheError",
  {
    /** The cache's directory. */
    directory: Schema.String,
    /** `Corrupted`: damage found while in use; the next session begins with an empty cache. Those from `Unreachable` on: of a server. */
    reason: Schema.Literal(
      "Locked",
      "Corrupted",
      "Newer",
      "ReadOnly",
      "Full",
      "Unreachable",
      "TimedOut",
      "Denied",
      "Missing",
      "Unsupported",
      "Io"
    ),
    /** What happened and what to do about it, in one line. */
    problem: Schema.String,
    /** `Locked`: the other process, where it is known. */
    pid: Schema.optional(Schema.Int),
    cause: unsent
  }
) {
  override get message(): string {
    return `${this.directory}: ${this.problem}`
  }
}

const cacheError = (directory: string) => (failed: DatabaseFailure | ServerFailure) =>
  new EmbeddingCacheError({
    directory,
    // Documents are taken over, not answers and vectors.
    reason: failed.reason === "Superseded" ? "Io" : failed.reason,
    ...problemOf("EmbeddingCacheError", failed),
    ...(failed._tag === "DatabaseFailure" && { cause: failed.cause })
  })

/**
 * A vector to keep.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  /** SHA-256 of what the vector depends on, lower-case hexadecimal. */
  readonly key: string
  readonly vector: PackedVector
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Stats {
  readonly entries: number
  /** 4 for each component, and about 160 for each entry. */
  readonly bytes: number
  readonly maxBytes: number
  /** When the oldest entry was put; null without entries. */
  readonly oldest: number | null
  readonly newest: number | null
}

/**
 * @since 0.1.0
 * @category services
 */
export class EmbeddingCache extends Context.Tag("docsluice/EmbeddingCache")<EmbeddingCache, EmbeddingCache.Service>() {}

export declare namespace EmbeddingCache {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Vectors in the order of the keys; null for a missing or damaged one. */
    readonly get: (
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<PackedVector | null>, EmbeddingCacheError>
    /**
     * Adds or replaces entries, then evicts the least recently used until the rest fits. An entry larger than the whole cache is
     * not kept. Survives the death of the process.
     */
    readonly put: (entries: ReadonlyArray<Entry>) => Effect.Effect<void, EmbeddingCacheError>
    readonly clear: Effect.Effect<void, EmbeddingCacheError>
    /** Evicts the least recently used entries until at most this many bytes are kept. */
    readonly trim: (maxBytes: number) => Effect.Effect<void, EmbeddingCacheError>
    readonly stats: Effect.Effect<Stats, EmbeddingCacheError>
  }
}

const lock = (directory: string): Effect.Effect<void, EmbeddingCacheError, Scope.Scope> =>
  Effect.mapError(StateDirectory.locked(directory), (refused) =>
    refused._tag === "Held"
      ? new EmbeddingCacheError({
          directory,
          reason: "Locked",
          problem: `${StateLock.nameOf(refused.holder)} uses this cache; wait for it or name another state directory`,
          pid: refused.holder?.pid
        })
      : cacheError(directory)(refused)
  )

/** 2 GB: 1.2 million vectors of 384 dimensions. */
const defaultMaxBytes = 2_000_000_000

/**
 * The cache in a directory, which is created when missing and locked while the scope is open.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  /** Path of the cache's own directory, by convention `embeddings` in the state directory. */
  readonly directory: string
  /** Bytes as {@link Stats} counts them; default 2,000,000,000. */
  readonly maxBytes?: number | undefined
}): Effect.Effect<EmbeddingCache.Service, EmbeddingCacheError, Scope.Scope> =>
  Effect.gen(function* () {
    const { directory, maxBytes = defaultMaxBytes } = options
    const typed = Effect.mapError(cacheError(directory))
    yield* lock(directory)
    return yield* stored(directory, maxBytes, yield* typed(VectorStore.scoped(directory, maxBytes)))
  })

const stored = (
  directory: string,
  maxBytes: number,
  store: VectorStore.VectorStore<DatabaseFailure | ServerFailure> | StateDirectory.NewerSchema
): Effect.Effect<EmbeddingCache.Service, EmbeddingCacheError> => {
  if (store instanceof StateDirectory.NewerSchema) {
    return new EmbeddingCacheError({
      directory,
      reason: "Newer",
      problem: `the embedding cache was written by a later version of docsluice (schema ${store.found}, known here: ${store.known}); use that version or name another state`
    })
  }
  const typed = Effect.mapError(cacheError(directory))
  return Effect.succeed(
    EmbeddingCache.of({
      get: (keys) => typed(store.get(keys)),
      put: (entries) => Effect.flatMap(Clock.currentTimeMillis, (now) => typed(store.put(entries, now))),
      clear: typed(store.clear),
      trim: (limit) => typed(store.trim(limit)),
      stats: Effect.map(typed(store.stats), (stats) => ({ ...stats, maxBytes }))
    })
  )
}

/**
 * Where a cache lies on a server, and how large it may be.
 *
 * @since 0.1.0
 * @category models
 */
export interface PostgresOptions extends Server.Options {
  /** Bytes as {@link Stats} counts them; default 2,000,000,000. Several processes together may exceed it by a 64th each. */
  readonly maxBytes?: number | undefined
}

const serverVectors = loaded(() => import("./internal/state/postgres/vectors.ts"))

/**
 * The cache of a state on PostgreSQL, which is created when missing; any number of processes may use it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgres = (options: PostgresOptions): Layer.Layer<EmbeddingCache, EmbeddingCacheError> =>
  Layer.scoped(
    EmbeddingCache,
    Effect.suspend(() => {
      const directory = Server.shownOf(options)
      const maxBytes = options.maxBytes ?? defaultMaxBytes
      return serverVectors.pipe(
        Effect.flatMap(({ scoped }) => Effect.mapError(scoped(options, maxBytes), cacheError(directory))),
        Effect.flatMap((store) => stored(directory, maxBytes, store))
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
): Layer.Layer<EmbeddingCache, EmbeddingCacheError | ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layerPostgres))

/**
 * As {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: {
  readonly directory: string
  readonly maxBytes?: number | undefined
}): Layer.Layer<EmbeddingCache, EmbeddingCacheError> => Layer.scoped(EmbeddingCache, make(options))

interface Kept {
  readonly vector: PackedVector
  readonly created: number
}

/** Bytes counted for an entry in addition to its vector. */
const overhead = 160

/** A `Map` keeps the order of insertion: the first key is the least recently used one. */
const inMemory = (maxBytes: number): EmbeddingCache.Service => {
  const entries = new Map<string, Kept>()
  let bytes = 0
  const drop = (key: string): void => {
    const kept = entries.get(key)
    if (kept === undefined) return
    entries.delete(key)
    bytes -= kept.vector.byteLength + overhead
  }
  const trim = (limit: number): void => {
    for (const key of entries.keys()) {
      if (bytes <= limit) return
      drop(key)
    }
  }
  const add = ({ key, vector }: Entry, created: number): void => {
    if (vector.byteLength + overhead > maxBytes) return
    drop(key)
    // A copy, since other vectors share this one's buffer and may be dropped before it.
    entries.set(key, { vector: new PackedVector(vector), created })
    bytes += vector.byteLength + overhead
  }
  const find = (key: string): PackedVector | null => {
    const kept = entries.get(key)
    if (kept === undefined) return null
    entries.delete(key)
    entries.set(key, kept)
    return kept.vector
  }
  const stats = (): Stats => {
    let oldest: number | null = null
    let newest: number | null = null
    for (const { created } of entries.values()) {
      oldest = Math.min(oldest ?? created, created)
      newest = Math.max(newest ?? created, created)
    }
    return { entries: entries.size, bytes, maxBytes, oldest, newest }
  }
  return {
    get: (keys) => Effect.sync(() => keys.map(find)),
    put: (added) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        for (const entry of added) add(entry, now)
        trim(maxBytes)
      }),
    clear: Effect.sync(() => trim(-1)),
    trim: (limit) => Effect.sync(() => trim(limit)),
    stats: Effect.sync(stats)
  }
}

/**
 * A cache in memory, empty at first; 64 MB by default.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeMemory = (
  options: { readonly maxBytes?: number | undefined } = {}
): Effect.Effect<EmbeddingCache.Service> => Effect.sync(() => inMemory(options.maxBytes ?? 64_000_000))

/**
 * As {@link makeMemory}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory = (options: { readonly maxBytes?: number | undefined } = {}): Layer.Layer<EmbeddingCache> =>
  Layer.effect(EmbeddingCache, makeMemory(options))
