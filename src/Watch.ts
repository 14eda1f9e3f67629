/**
 * Tells that files below a root have changed, in batches.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as FileWatch from "./internal/discovery/fileWatch.ts"
import { absoluteRoot } from "./internal/discovery/paths.ts"

/**
 * The system does not report changes, or no longer: too many folders are watched, for instance.
 *
 * @since 0.1.0
 * @category errors
 */
export class WatchError extends Schema.TaggedError<WatchError>("docsluice/WatchError")("WatchError", {
  root: Schema.String,
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    const code = this.cause instanceof Error && "code" in this.cause ? ` (${String(this.cause.code)})` : ""
    return `${this.root}: changes cannot be watched${code}${code.includes("ENOSPC") ? "; raise fs.inotify.max_user_watches" : ""}`
  }
}

/**
 * What happened since the last batch.
 *
 * @since 0.1.0
 * @category models
 */
export interface Batch {
  /** Why now. `start`: the watch begins. `rescan`: nothing was reported, and a look at everything is due. */
  readonly cause: "start" | "changes" | "rescan"
  /**
   * POSIX paths below the root that were added, changed or deleted: files of the types that the service takes, `.gitignore` files
   * and folders; a rename is two of them. `.` is the root itself: it went, came back or was replaced, or a folder in it was. A
   * hint: what is there now, a discovery tells.
   */
  readonly paths: ReadonlyArray<string>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly root: string
  /** Paths that are left out with all below them: the caller's own state and outputs. */
  readonly exclude?: ReadonlyArray<string> | undefined
  /** Watch dot files and `node_modules` too; default false. */
  readonly hidden?: boolean | undefined
  /** How long it must have been quiet; default 300 millis. */
  readonly debounce?: Duration.DurationInput | undefined
  /** A batch comes after this long though it never was quiet; default 5 seconds. */
  readonly atMost?: Duration.DurationInput | undefined
  /** A batch comes after this long without any change, for changes that the system did not report; default 10 minutes. */
  readonly rescan?: Duration.DurationInput | undefined
}

const defaults = { debounce: "300 millis", atMost: "5 seconds", rescan: "10 minutes" } as const

/**
 * Batches of changes: the first at once when the watch has begun, so that nothing falls between a first look and the watch; then one
 * whenever files have changed and it was quiet for a moment.
 *
 * What changes while the consumer is busy comes with the next batch; held are the changed paths, each once. Links are not
 * followed, except by the root. A root that is not there is waited for, and one that is replaced, moved away, mounted over or
 * unmounted is watched again at its path, within a second or so. Never ends by itself.
 *
 * @since 0.1.0
 * @category constructors
 */
export const changes = (options: Options): Stream.Stream<Batch, WatchError> =>
  Stream.unwrapScoped(
    Effect.map(make(options), (next) =>
      Stream.concat(Stream.succeed<Batch>({ cause: "start", paths: [] }), Stream.repeatEffect(next))
    )
  )

/**
 * As {@link changes}, one at a time: what is given waits for the next batch. It may be interrupted and asked again, and loses
 * nothing by that.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Effect.Effect<Effect.Effect<Batch, WatchError>, WatchError, Scope.Scope> => {
  const root = absoluteRoot(options.root)
  const failed = Effect.mapError((cause: unknown) => new WatchError({ root, cause }))
  const debounce = Duration.decode(options.debounce ?? defaults.debounce)
  const atMost = Duration.toMillis(options.atMost ?? defaults.atMost)
  const opened = FileWatch.open({
    root,
    exclude: (options.exclude ?? []).map(absoluteRoot),
    hidden: options.hidden ?? false
  })
  return Effect.map(failed(opened), (log) => {
    const quiet = Effect.gen(function* () {
      const start = yield* Clock.currentTimeMillis
      let before = -1
      while (before !== log.count() && (yield* Clock.currentTimeMillis) - start < atMost) {
        before = log.count()
        yield* Effect.sleep(debounce)
      }
    })
    const changed = Effect.zipRight(
      failed(log.changed),
      Effect.map(quiet, (): Batch => ({ cause: "changes", paths: log.take() }))
    )
    const due = Effect.as(Effect.sleep(options.rescan ?? defaults.rescan), null)
    return Effect.flatMap(Effect.raceFirst(Effect.as(failed(log.changed), "changes" as const), due), (cause) =>
      cause === null ? Effect.succeed<Batch>({ cause: "rescan", paths: [] }) : changed
    )
  })
}

/**
 * How soon something is tried again that failed.
 *
 * @since 0.1.0
 * @category models
 */
export interface BackOff {
  /** After the first failure, doubled after each further one; default 2 seconds. */
  readonly first?: Duration.DurationInput | undefined
  /** Never longer than this; default 5 minutes. */
  readonly longest?: Duration.DurationInput | undefined
}

/**
 * Runs `pass` for every batch, one after the other, and again after a while when it says that something may go better then (a
 * service or a sink that was not there). A change that comes while it waits is a pass at once. Ends when `stop` is done, after the
 * pass under way; fails as the watch or a pass does.
 *
 * @since 0.1.0
 * @category running
 */
export const passes = <E, R>(options: {
  /** From {@link make}. */
  readonly next: Effect.Effect<Batch, WatchError>
  readonly pass: (batch: Batch) => Effect.Effect<"done" | "again", E, R>
  readonly stop: Effect.Effect<void>
  readonly backOff?: BackOff | undefined
}): Effect.Effect<void, E | WatchError, R> =>
  Effect.gen(function* () {
    const first = Duration.toMillis(options.backOff?.first ?? "2 seconds")
    const longest = Duration.toMillis(options.backOff?.longest ?? "5 minutes")
    const stopped = Effect.as(options.stop, null)
    let failures = 0
    let batch: Batch | null = { cause: "start", paths: [] }
    while (batch !== null) {
      const outcome: "done" | "again" = yield* options.pass(batch)
      failures = outcome === "again" ? failures + 1 : 0
      const wait = Math.min(longest, first * 2 ** Math.min(30, failures - 1))
      const later: Effect.Effect<Batch> =
        failures === 0 ? Effect.never : Effect.as(Effect.sleep(wait), { cause: "rescan", paths: [] } satisfies Batch)
      batch = yield* Effect.raceFirst(stopped, Effect.raceFirst(options.next, later))
    }
  })
