/**
 * Cache of the service's answers, so that the same bytes are never paid for twice.
 *
 * A small answer is kept in the embedded database, as it came and compressed, a large one in a file of its own next to it, which is written and
 * read in pieces so that it neither blocks the event loop nor fills the memory. Entries are written atomically and survive the
 * death of the process; a damaged one is a miss. All times are milliseconds since the epoch.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { canonicalJson } from "./internal/base/canonicalJson.ts"
import * as FileType from "./internal/base/fileType.ts"
import { loaded } from "./internal/base/loaded.ts"
import { sha256 } from "./internal/base/sha256.ts"
import { unsent } from "./internal/base/wireFields.ts"
import * as originalText from "./internal/client/originalText.ts"
import type { RunStopped } from "./internal/client/runState.ts"
import * as SingleFlight from "./internal/state/answers/singleFlight.ts"
import * as Sizes from "./internal/state/answers/sizes.ts"
import * as CacheStore from "./internal/state/answers/store.ts"
import * as StateDirectory from "./internal/state/directory.ts"
import type { DatabaseFailure } from "./internal/state/libsql.ts"
import * as StateLock from "./internal/state/lock.ts"
import * as Server from "./internal/state/postgres/open.ts"
import { problemOf } from "./internal/state/remedies.ts"
import type { ServerFailure } from "./internal/state/serverFailure.ts"
import type { Answer } from "./service/Client.ts"
import { type ParseOptions, PiiEntity, resolve } from "./service/ParseOptions.ts"
import type { ServiceError } from "./service/ServiceError.ts"
import type { FileError } from "./SourceFile.ts"

/**
 * The cache cannot be used.
 *
 * @since 0.1.0
 * @category errors
 */
export class ParseCacheError extends Schema.TaggedError<ParseCacheError>("docsluice/ParseCacheError")(
  "ParseCacheError",
  {
    /** The cache's directory; `:memory:` without one. */
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
  new ParseCacheError({
    directory,
    // Documents are taken over, not answers and vectors.
    reason: failed.reason === "Superseded" ? "Io" : failed.reason,
    ...problemOf("ParseCacheError", failed),
    ...(failed._tag === "DatabaseFailure" && { cause: failed.cause })
  })

/**
 * Everything that an answer depends on.
 *
 * @since 0.1.0
 * @category models
 */
export interface CacheKey {
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly contentHash: string
  /** Type under which the bytes are parsed: the MIME type of the file's extension, from {@link typeOf}. */
  readonly type: string
  /** From {@link optionsHash}. */
  readonly optionsHash: string
  /** The service: base address, or `embedded` and the engine's version. */
  readonly identity: string
}

const textOf = (key: CacheKey): string => `${key.contentHash} ${key.type} ${key.optionsHash} ${key.identity}`

/**
 * MIME type of a file by the extension of its name; two extensions may share one. None for a type that the service does not take.
 *
 * @since 0.1.0
 * @category constructors
 */
export const typeOf = (name: string): Option.Option<string> =>
  Option.map(FileType.fromName(name), (extension) => FileType.mimeTypes[extension])

const redaction = (redact: ParseOptions["redactPII"]) => {
  if (redact === undefined || redact === false) return false
  const options = redact === true ? {} : redact
  return {
    mode: options.mode ?? "accurate",
    entities: [...new Set(options.entities ?? PiiEntity.literals)].toSorted(),
    replaceStyle: options.replaceStyle ?? "tag"
  }
}

/**
 * Digest of the options that change an answer, with defaults filled in: equivalent requests have equal digests. Left out:
 * `timeout`, `headers`, `proxy`, `origin`, `integration`, `auditMetadata`, `zeroDataRetention`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const optionsHash = (options: ParseOptions): string => {
  const resolved = resolve(options)
  return sha256(
    canonicalJson({
      formats: resolved.formats,
      onlyMainContent: resolved.onlyMainContent,
      includeTags: resolved.includeTags,
      excludeTags: resolved.excludeTags,
      parsers: resolved.pdf,
      removeBase64Images: resolved.removeBase64Images,
      blockAds: resolved.blockAds,
      redactPII: redaction(resolved.redactPII),
      skipTlsVerification: resolved.skipTlsVerification
    })
  )
}

/**
 * A lookup: the key, and which cached answers are acceptable.
 *
 * @since 0.1.0
 * @category models
 */
export interface Request extends CacheKey {
  /** False with `zeroDataRetention`: the cache is neither read nor written. */
  readonly retain: boolean
  /** Entries older than this moment are ignored and replaced (`refresh`: the run's start); null accepts any. */
  readonly since: number | null
  /** Bytes of the file; when absent, a file of any size may turn out to have the bytes of this one. */
  readonly size?: number | undefined
}

/**
 * A request for a file whose bytes have not been hashed.
 *
 * @internal
 * @since 0.1.0
 * @category models
 */
export interface Unseen extends Omit<Request, "contentHash"> {
  readonly size: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Cached {
  readonly answer: Answer
  /** `cache` when this call did not pay for the answer. */
  readonly origin: "service" | "cache"
}

/**
 * Errors of a parse.
 *
 * @since 0.1.0
 * @category errors
 */
export type ParseFailure = ServiceError | FileError | RunStopped

/**
 * @since 0.1.0
 * @category models
 */
export interface Stats {
  readonly entries: number
  /** Bytes as stored, after compression. */
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
export class ParseCache extends Context.Tag("docsluice/ParseCache")<ParseCache, ParseCache.Service>() {}

/**
 * Caches an answer that has just arrived. Never fails: an answer that cannot be cached is reported in the log.
 *
 * @since 0.1.0
 * @category models
 */
export type Keep = (answer: Answer) => Effect.Effect<void>

/**
 * Obtains an answer: an effect, or a function that passes the answer to `keep` as soon as it arrives, so that it is cached before
 * the request counts as done.
 *
 * @since 0.1.0
 * @category models
 */
export type Ask<R> = Effect.Effect<Answer, ParseFailure, R> | ((keep: Keep) => Effect.Effect<Answer, ParseFailure, R>)

export declare namespace ParseCache {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /**
     * Returns the cached answer, or else that of `parse`, which is cached before this succeeds. Concurrent callers of one key
     * share one `parse`; interrupting one caller cancels it only if nobody else is waiting. A failure of the service is shared
     * too. A failure of the caller's own file or run is not: the next caller runs its own `parse`. An answer for other bytes than
     * requested (the file changed) is cached under those. A failure of the cache causes a warning, never the loss of an answer.
     */
    readonly getOrParse: <R>(request: Request, parse: Ask<R>) => Effect.Effect<Cached, ParseFailure, R>
    /**
     * Obtains and caches the answer for a large file that is not read for its hash first, when neither an answer nor a request in flight is
     * for a file of that many bytes; else none, and the caller hashes the file. Calls of `getOrParse` for a file of the same size wait
     * until it has ended, since their bytes may be the same. Without this method every file is hashed first.
     *
     * @internal
     */
    readonly parseUnseen?: <R>(request: Unseen, parse: Ask<R>) => Effect.Effect<Option.Option<Cached>, ParseFailure, R>
    /** The cached answer; none when it is missing or damaged. */
    readonly get: (key: CacheKey) => Effect.Effect<Option.Option<Answer>, ParseCacheError>
    /** Time at which the answer was cached, without reading it; for a plan. */
    readonly createdAt: (key: CacheKey) => Effect.Effect<Option.Option<number>, ParseCacheError>
    /** Adds or replaces an answer. One that is larger than the whole cache is not kept. */
    readonly put: (key: CacheKey, answer: Answer) => Effect.Effect<void, ParseCacheError>
    readonly remove: (key: CacheKey) => Effect.Effect<void, ParseCacheError>
    /** Removes every answer for these bytes, of one type or of all, whatever the options and the service. */
    readonly removeContent: (contentHash: string, type?: string) => Effect.Effect<void, ParseCacheError>
    readonly clear: Effect.Effect<void, ParseCacheError>
    /** Evicts the least recently used entries until at most this many bytes are kept. */
    readonly trim: (maxBytes: number) => Effect.Effect<void, ParseCacheError>
    readonly stats: Effect.Effect<Stats, ParseCacheError>
  }
}

/** Tags of failures that concern only the caller's own file or run, not another caller's with the same bytes. */
const callerFailures: ReadonlySet<string> = new Set([
  "FileUnreadable",
  "FileChanged",
  "FileTooLarge",
  "UnsupportedFile",
  "RunStopped"
])

const isShared = (key: CacheKey, exit: Exit.Exit<Cached, ParseFailure>): boolean =>
  Exit.match(exit, {
    onSuccess: ({ answer }) => answer.contentHash === key.contentHash,
    onFailure: (cause) => cause._tag === "Fail" && !callerFailures.has(cause.error._tag)
  })

const service = (directory: string, maxBytes: number, store: CacheStore.CacheStore<DatabaseFailure | ServerFailure>) =>
  Effect.gen(function* () {
    const sizes = Sizes.make()
    const flights = SingleFlight.make<Cached, ParseFailure>(yield* Effect.scope)
    const typed = Effect.mapError(cacheError(directory))

    /** Answers put so far; unchanged between two look-ups, both find the same. */
    let puts = 0

    const warned = <A>(effect: Effect.Effect<A, DatabaseFailure | ServerFailure>, otherwise: A): Effect.Effect<A> =>
      Effect.catchAll(effect, (failed) =>
        Effect.as(Effect.logWarning(cacheError(directory)(failed).message), otherwise)
      )

    const add = (key: Omit<CacheKey, "contentHash">, answer: Answer, size: number | undefined) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const { contentHash, data } = answer
        const content = { data, text: originalText.of(answer), size }
        return Effect.map(store.put(textOf({ ...key, contentHash }), content, now), () => {
          puts += 1
        })
      })

    const created = (key: CacheKey) => store.createdAt(textOf(key))

    const get = (key: CacheKey) =>
      Effect.map(typed(store.get(textOf(key))), (found) =>
        found === null ? Option.none() : Option.some({ data: found.data, contentHash: key.contentHash })
      )

    const found = (key: CacheKey, text: string): Effect.Effect<Answer | null> =>
      Effect.map(warned(store.get(text), null), (entry) =>
        entry === null ? null : { data: entry.data, contentHash: key.contentHash }
      )

    const lookUp = (request: Request, text: string): Effect.Effect<Answer | null> => {
      const { since } = request
      return since === null
        ? found(request, text)
        : Effect.flatMap(warned(created(request), null), (at) =>
            at !== null && at >= since ? found(request, text) : Effect.succeed(null)
          )
    }

    const asked = <R>(request: Omit<Request, "contentHash">, parse: Ask<R>) => {
      let kept = false
      const keep = (answer: Answer) =>
        Effect.suspend(() => {
          kept = true
          return warned(add(request, answer, request.size), undefined)
        })
      // No interruption between the answer and its caching: it is paid for.
      return Effect.uninterruptibleMask((restore) =>
        Effect.tap(restore(Effect.isEffect(parse) ? parse : parse(keep)), (answer) =>
          kept ? Effect.void : keep(answer)
        )
      )
    }

    const paid = (answer: Answer): Cached => ({ answer, origin: "service" })
    const hit = (answer: Answer): Cached => ({ answer, origin: "cache" })

    /** `seen`: the answers put when the look-up before this flight found none. */
    const fly = <R>(request: Request, text: string, parse: Ask<R>, seen: number | null) => {
      const paying = Effect.map(asked(request, parse), paid)
      const ask = request.size === undefined ? paying : sizes.hashed(request.size, paying)
      return Effect.suspend(() =>
        seen === puts
          ? ask
          : Effect.flatMap(lookUp(request, text), (answer) => (answer === null ? ask : Effect.succeed(hit(answer))))
      )
    }

    const getOrParse = <R>(request: Request, parse: Ask<R>): Effect.Effect<Cached, ParseFailure, R> => {
      if (!request.retain) return Effect.map(Effect.isEffect(parse) ? parse : parse(() => Effect.void), paid)
      const key = textOf(request)
      const flight = (seen: number | null) =>
        Effect.flatMap(flights.run(key, fly(request, key, parse, seen)), ({ exit, first }) => {
          if (first) return exit
          if (!isShared(request, exit)) return getOrParse(request, parse)
          return Exit.map(exit, ({ answer }) => hit(answer))
        })
      // A hit skips the fiber of a flight, which is half of its cost. A flight looks in the cache again only when an answer was put in
      // between.
      return Effect.suspend(() => {
        if (flights.isRunning(key)) return flight(null)
        const landing = request.size === undefined ? null : sizes.whenLanded(request.size)
        if (landing !== null) return Effect.zipRight(landing, getOrParse(request, parse))
        const seen = puts
        return Effect.flatMap(lookUp(request, key), (answer) =>
          answer === null ? flight(seen) : Effect.succeed(hit(answer))
        )
      })
    }

    const parseUnseen = <R>(request: Unseen, parse: Ask<R>) =>
      Effect.suspend(() =>
        request.retain && !sizes.isFlying(request.size) && !store.mayHold(request.size)
          ? Effect.asSome(Effect.map(sizes.unhashed(request.size, asked(request, parse)), paid))
          : Effect.succeedNone
      )

    return ParseCache.of({
      getOrParse,
      parseUnseen,
      get,
      createdAt: (key) => Effect.map(typed(created(key)), Option.fromNullable),
      put: (key, answer) => typed(add(key, answer, undefined)),
      remove: (key) => typed(store.remove(textOf(key))),
      removeContent: (contentHash, type) =>
        typed(store.removeAll(`${contentHash} ${type === undefined ? "" : `${type} `}`)),
      clear: typed(store.clear),
      trim: (limit) => typed(store.trim(limit)),
      stats: Effect.map(typed(store.stats), (stats) => ({ ...stats, maxBytes }))
    })
  })

const lock = (directory: string): Effect.Effect<void, ParseCacheError, Scope.Scope> =>
  Effect.mapError(StateDirectory.locked(directory), (refused) =>
    refused._tag === "Held"
      ? new ParseCacheError({
          directory,
          reason: "Locked",
          problem: `${StateLock.nameOf(refused.holder)} uses this cache; wait for it or name another state directory`,
          pid: refused.holder?.pid
        })
      : cacheError(directory)(refused)
  )

/** 2 GB. */
const defaultMaxBytes = 2_000_000_000

/**
 * The cache in a directory, which is created when missing and locked while the scope is open.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  /** Path of the cache's own directory, by convention `cache` in the state directory. */
  readonly directory: string
  /** Most bytes, as stored; default 2,000,000,000. */
  readonly maxBytes?: number | undefined
}): Effect.Effect<ParseCache.Service, ParseCacheError, Scope.Scope> =>
  Effect.zipRight(
    lock(options.directory),
    stored(options, (maxBytes) => CacheStore.scoped(options.directory, maxBytes))
  )

const stored = (
  { directory, maxBytes = defaultMaxBytes }: { readonly directory: string; readonly maxBytes?: number | undefined },
  open: (
    maxBytes: number
  ) => Effect.Effect<
    CacheStore.CacheStore<DatabaseFailure | ServerFailure> | StateDirectory.NewerSchema,
    DatabaseFailure | ServerFailure,
    Scope.Scope
  >
): Effect.Effect<ParseCache.Service, ParseCacheError, Scope.Scope> =>
  Effect.flatMap(Effect.mapError(open(maxBytes), cacheError(directory)), (store) =>
    store instanceof StateDirectory.NewerSchema
      ? new ParseCacheError({
          directory,
          reason: "Newer",
          problem: `the parse cache was written by a later version of docsluice (schema ${store.found}, known here: ${store.known}); use that version or name another state`
        })
      : service(directory, maxBytes, store)
  )

/**
 * The cache in a directory, read-only; an empty one where there is none. Takes no lock and changes nothing, so it opens during a
 * run and in a directory that cannot be written. `get` does not count as a use; methods that would write fail with `ReadOnly`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeReadOnly = (options: {
  /** As {@link make} takes it. */
  readonly directory: string
  /** As {@link make} takes it. */
  readonly maxBytes?: number | undefined
}): Effect.Effect<ParseCache.Service, ParseCacheError, Scope.Scope> =>
  stored(options, (maxBytes) => CacheStore.readOnly(options.directory, maxBytes))

/**
 * As {@link makeReadOnly}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerReadOnly = (options: {
  readonly directory: string
  readonly maxBytes?: number | undefined
}): Layer.Layer<ParseCache, ParseCacheError> => Layer.scoped(ParseCache, makeReadOnly(options))

/**
 * As {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: {
  readonly directory: string
  readonly maxBytes?: number | undefined
}): Layer.Layer<ParseCache, ParseCacheError> => Layer.scoped(ParseCache, make(options))

/**
 * Where a cache lies on a server, and how large it may be.
 *
 * @since 0.1.0
 * @category models
 */
export interface PostgresOptions extends Server.Options {
  /** Most bytes, as stored; default 2,000,000,000. Several processes together may exceed it by a 64th each. */
  readonly maxBytes?: number | undefined
}

const serverAnswers = loaded(() => import("./internal/state/postgres/answers.ts"))

/**
 * The cache of a state on PostgreSQL, which is created when missing; any number of processes may use it. Each process sends the same bytes
 * once; two processes that begin with them at the same time both do.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgres = (options: PostgresOptions): Layer.Layer<ParseCache, ParseCacheError> =>
  Layer.scoped(
    ParseCache,
    stored({ directory: Server.shownOf(options), maxBytes: options.maxBytes }, (maxBytes) =>
      Effect.flatMap(serverAnswers, ({ scoped }) => scoped(options, maxBytes))
    )
  )

/**
 * {@link layerPostgres} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgresConfig = (
  options: Config.Config.Wrap<PostgresOptions>
): Layer.Layer<ParseCache, ParseCacheError | ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layerPostgres))

/**
 * The same, read-only; an empty one where there is none. Creates, locks and changes nothing.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgresReadOnly = (options: PostgresOptions): Layer.Layer<ParseCache, ParseCacheError> =>
  Layer.scoped(
    ParseCache,
    stored({ directory: Server.shownOf(options), maxBytes: options.maxBytes }, (maxBytes) =>
      Effect.gen(function* () {
        const { readOnly } = yield* serverAnswers
        return (yield* readOnly(options)) ?? (yield* CacheStore.memory(maxBytes))
      })
    )
  )

/**
 * A cache in memory, empty at first and gone with its scope; holds at most 256 MB of compressed answers by default.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory = (
  options: { readonly maxBytes?: number | undefined } = {}
): Layer.Layer<ParseCache, ParseCacheError> =>
  Layer.scoped(
    ParseCache,
    Effect.flatMap(
      Effect.mapError(CacheStore.memory(options.maxBytes ?? 256_000_000), cacheError(":memory:")),
      (store) => service(":memory:", options.maxBytes ?? 256_000_000, store)
    )
  )
