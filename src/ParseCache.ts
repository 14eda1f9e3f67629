/**
 * Keeps answers, so that the same bytes are never paid for twice.
 *
 * A small answer lies compressed in the embedded database, a large one in a file of its own beside it, which is written and read
 * in pieces: none holds the event loop or the memory as a whole. An entry is there whole or not at all, and outlives the death of
 * the process once it was put; one that is damaged is a miss. All times are milliseconds since the epoch.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { canonicalJson } from "./internal/base/canonicalJson.ts"
import { sha256 } from "./internal/base/sha256.ts"
import * as SingleFlight from "./internal/state/answers/singleFlight.ts"
import * as CacheStore from "./internal/state/answers/store.ts"
import * as StateDirectory from "./internal/state/directory.ts"
import type { DatabaseFailure, Reason } from "./internal/state/libsql.ts"
import * as StateLock from "./internal/state/lock.ts"
import type { RunStopped } from "./RunState.ts"
import type { Answer } from "./service/Client.ts"
import * as FileType from "./service/FileType.ts"
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
    /** `Corrupted`: found on the way; the next session begins with an empty cache. */
    reason: Schema.Literal("Locked", "Corrupted", "Newer", "ReadOnly", "Full", "Io"),
    /** What happened and what to do about it, in one line. */
    problem: Schema.String,
    /** `Locked`: the other process, where it is known. */
    pid: Schema.optional(Schema.Int),
    cause: Schema.optional(Schema.Defect)
  }
) {
  override get message(): string {
    return `${this.directory}: ${this.problem}`
  }
}

const remedies: Readonly<Record<Reason, string>> = {
  Locked: "another process uses this cache; wait for it or name another state directory",
  Corrupted: "the parse cache is damaged; it begins anew the next time it is opened",
  ReadOnly: "the parse cache cannot be written; change its permissions or name another state directory",
  Full: "the disk of the parse cache is full",
  Io: "the parse cache cannot be used"
}

const cacheError = (directory: string) => (failed: DatabaseFailure) =>
  new ParseCacheError({
    directory,
    reason: failed.reason,
    problem: `${remedies[failed.reason]} (${failed.message})`,
    cause: failed.cause
  })

/**
 * What an answer depends on.
 *
 * @since 0.1.0
 * @category models
 */
export interface CacheKey {
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly contentHash: string
  /** What the bytes are taken for: the MIME type of the file's extension, from {@link typeOf}. */
  readonly type: string
  /** From {@link optionsHash}. */
  readonly optionsHash: string
  /** The service: base address, or `embedded` and the engine's version. */
  readonly identity: string
}

const textOf = (key: CacheKey): string => `${key.contentHash} ${key.type} ${key.optionsHash} ${key.identity}`

/**
 * The type of a file by its name: two extensions of one MIME type are one. None for a type that the service does not take.
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
 * Digest of the options that change an answer, defaults filled in: two spellings of the same request have one. Not in it:
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
 * How a document is asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Request extends CacheKey {
  /** False with `zeroDataRetention`: the cache is neither read nor written. */
  readonly retain: boolean
  /** Entries from before this moment are passed by and replaced (`--refresh`: the run's start); null: any will do. */
  readonly since: number | null
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Cached {
  readonly answer: Answer
  /** `cache`: it was not paid for by this call. */
  readonly origin: "service" | "cache"
}

/**
 * What a parse can end with.
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
  /** Bytes as they are kept. */
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
 * Asks for an answer: an effect, or a function that gives the answer to `keep` as soon as it has it, so that it is in the cache
 * before the request counts as done.
 *
 * @since 0.1.0
 * @category models
 */
export type Ask<R> =
  | Effect.Effect<Answer, ParseFailure, R>
  | ((keep: (answer: Answer) => Effect.Effect<void>) => Effect.Effect<Answer, ParseFailure, R>)

export declare namespace ParseCache {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /**
     * The kept answer, or else that of `parse`, which is kept before this succeeds. Callers of one key at one time share
     * one `parse`; the interruption of one takes it along only when no other waits. A failure of the service is shared
     * too; one of the caller's own file or run is not: the next caller then runs its own. A `parse` that answers for other bytes than
     * asked (the file changed) is kept under those. A cache that does not work costs a warning, never the answer.
     */
    readonly getOrParse: <R>(request: Request, parse: Ask<R>) => Effect.Effect<Cached, ParseFailure, R>
    /** None where there is none, or a damaged one. */
    readonly get: (key: CacheKey) => Effect.Effect<Option.Option<Answer>, ParseCacheError>
    /** When the answer was put, without reading it: for a plan. */
    readonly createdAt: (key: CacheKey) => Effect.Effect<Option.Option<number>, ParseCacheError>
    /** Replaces. What alone is larger than the cache may be is not kept. */
    readonly put: (key: CacheKey, answer: Answer) => Effect.Effect<void, ParseCacheError>
    readonly remove: (key: CacheKey) => Effect.Effect<void, ParseCacheError>
    /** Every answer for these bytes, of one type or of all, whatever the options and the service. */
    readonly removeContent: (contentHash: string, type?: string) => Effect.Effect<void, ParseCacheError>
    readonly clear: Effect.Effect<void, ParseCacheError>
    /** Takes the least recently used entries out until no more than this many bytes are kept. */
    readonly trim: (maxBytes: number) => Effect.Effect<void, ParseCacheError>
    readonly stats: Effect.Effect<Stats, ParseCacheError>
  }
}

/** Failures that say something about this caller's file or run, and nothing about another's with the same bytes. */
const own: ReadonlySet<string> = new Set([
  "FileUnreadable",
  "FileChanged",
  "FileTooLarge",
  "UnsupportedFile",
  "RunStopped"
])

const isShared = (key: CacheKey, exit: Exit.Exit<Cached, ParseFailure>): boolean =>
  Exit.match(exit, {
    onSuccess: ({ answer }) => answer.contentHash === key.contentHash,
    onFailure: (cause) => cause._tag === "Fail" && !own.has(cause.error._tag)
  })

const service = (directory: string, maxBytes: number, store: CacheStore.CacheStore) =>
  Effect.gen(function* () {
    const flights = SingleFlight.make<Cached, ParseFailure>(yield* Effect.scope)
    const typed = Effect.mapError(cacheError(directory))

    const warned = <A>(effect: Effect.Effect<A, ParseCacheError>): Effect.Effect<Option.Option<A>> =>
      effect.pipe(
        Effect.asSome,
        Effect.catchTag("ParseCacheError", (error) => Effect.as(Effect.logWarning(error.message), Option.none<A>()))
      )

    const put = (key: CacheKey, answer: Answer) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.asVoid(typed(store.put(textOf({ ...key, contentHash: answer.contentHash }), answer.data, now)))
      )

    const get = (key: CacheKey) =>
      Effect.map(typed(store.get(textOf(key))), (found) =>
        found === null ? Option.none() : Option.some({ data: found.data, contentHash: key.contentHash })
      )

    const createdAt = (key: CacheKey) => Effect.map(typed(store.createdAt(textOf(key))), Option.fromNullable)

    const lookUp = (request: Request): Effect.Effect<Option.Option<Answer>> => {
      const { since } = request
      if (since === null) return Effect.map(warned(get(request)), Option.flatten)
      return Effect.flatMap(warned(createdAt(request)), (created) =>
        Option.exists(Option.flatten(created), (at) => at >= since)
          ? Effect.map(warned(get(request)), Option.flatten)
          : Effect.succeedNone
      )
    }

    const asked = <R>(request: Request, parse: Ask<R>) => {
      let kept = false
      const keep = (answer: Answer) =>
        Effect.suspend(() => {
          kept = true
          return warned(put(request, answer))
        })
      // Between the answer and its being kept no interruption: it is paid for.
      return Effect.uninterruptibleMask((restore) =>
        Effect.tap(restore(Effect.isEffect(parse) ? parse : parse((answer) => Effect.asVoid(keep(answer)))), (answer) =>
          kept ? Effect.void : keep(answer)
        )
      )
    }

    const fly = <R>(request: Request, parse: Ask<R>) =>
      Effect.gen(function* () {
        const found = yield* lookUp(request)
        if (Option.isSome(found)) return { answer: found.value, origin: "cache" } as const
        return { answer: yield* asked(request, parse), origin: "service" } as const
      })

    const getOrParse = <R>(request: Request, parse: Ask<R>): Effect.Effect<Cached, ParseFailure, R> => {
      if (!request.retain) {
        const once = Effect.isEffect(parse) ? parse : parse(() => Effect.void)
        return Effect.map(once, (answer) => ({ answer, origin: "service" }))
      }
      const key = textOf(request)
      const flight = Effect.flatMap(flights.run(key, fly(request, parse)), ({ exit, first }) => {
        if (first) return exit
        if (!isShared(request, exit)) return getOrParse(request, parse)
        return Exit.map(exit, ({ answer }): Cached => ({ answer, origin: "cache" }))
      })
      // A hit needs no fiber of its own: that is half of what it costs. The flight looks again, so nothing slips between.
      return Effect.suspend(() =>
        flights.isRunning(key)
          ? flight
          : Effect.flatMap(
              lookUp(request),
              Option.match({
                onNone: () => flight,
                onSome: (answer) => Effect.succeed<Cached>({ answer, origin: "cache" })
              })
            )
      )
    }

    return ParseCache.of({
      getOrParse,
      get,
      createdAt,
      put,
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
 * The cache in a directory, which is created when it is not there and locked as long as the scope is open.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  /** Path of the cache's own directory, by custom `cache` in the state directory. */
  readonly directory: string
  /** Bytes as they are kept; default 2,000,000,000. */
  readonly maxBytes?: number | undefined
}): Effect.Effect<ParseCache.Service, ParseCacheError, Scope.Scope> =>
  Effect.zipRight(
    lock(options.directory),
    stored(options, (maxBytes) => CacheStore.scoped(options.directory, maxBytes))
  )

const stored = (
  { directory, maxBytes = defaultMaxBytes }: { readonly directory: string; readonly maxBytes?: number | undefined },
  open: (maxBytes: number) => ReturnType<typeof CacheStore.scoped>
): Effect.Effect<ParseCache.Service, ParseCacheError, Scope.Scope> =>
  Effect.flatMap(Effect.mapError(open(maxBytes), cacheError(directory)), (store) =>
    store instanceof StateDirectory.NewerSchema
      ? new ParseCacheError({
          directory,
          reason: "Newer",
          problem: `the parse cache was written by a later version of docsluice (schema ${store.found}, known here: ${store.known}); use that version or name another state directory`
        })
      : service(directory, maxBytes, store)
  )

/**
 * The cache in a directory, to be looked at: an empty one where there is none. Takes no lock and changes nothing, so it opens
 * while a run is on, and where nothing can be written. `get` does not count as a use; what would write fails with `ReadOnly`.
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
 * A cache that is empty at first and gone with its scope; holds compressed answers in memory, 256 MB of them by default.
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
