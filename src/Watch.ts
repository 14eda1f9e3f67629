/**
 * Reports changes of files below a root, in batches.
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
 * The system does not report changes, or has stopped doing so, for example because too many folders are watched.
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
 * Changes since the last batch.
 *
 * @since 0.1.0
 * @category models
 */
export interface Batch {
  /** Cause of the batch. `start`: the watch begins. `rescan`: nothing was reported for a while, and a full scan is due. */
  readonly cause: "start" | "changes" | "rescan"
  /**
   * POSIX paths below the root that were added, changed or deleted: files of the types that the service accepts, `.gitignore`
   * files and folders; a rename is two paths. `.` is the root itself: it, or a folder in it, went, came back or was replaced. The
   * paths are a hint: only a discovery finds the present files.
   */
  readonly paths: ReadonlyArray<string>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly root: string
  /** Paths excluded with all below them: the caller's own state and outputs. */
  readonly exclude?: ReadonlyArray<string> | undefined
  /** Watch dot files and `node_modules` too; default false. */
  readonly hidden?: boolean | undefined
  /** Quiet time after the last change before a batch is emitted; default 300 millis. */
  readonly debounce?: Duration.DurationInput | undefined
  /** Longest wait for a batch when it never is quiet; default 5 seconds. */
  readonly atMost?: Duration.DurationInput | undefined
  /** Time without any change after which a `rescan` batch is emitted, for unreported changes; default 10 minutes. */
  readonly rescan?: Duration.DurationInput | undefined
}

const defaults = { debounce: "300 millis", atMost: "5 seconds", rescan: "10 minutes" } as const

/**
 * Batches of changes. The first is emitted as soon as the watch has begun, so no change is lost between a first scan and the
 * watch; then one whenever files have changed and it was quiet for `debounce`.
 *
 * Changes made while the consumer is busy come with the next batch; only the changed paths are held, each once. Links are not
 * followed, except the root itself. A missing root is waited for; one that is replaced, moved away, mounted over or unmounted
 * is watched again at its path, within a second or so. Never ends by itself.
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
 * As {@link changes}, one batch at a time: the effect returned waits for the next batch. It may be interrupted and run again
 * without losing a change.
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
 * Delays before another pass when something failed.
 *
 * @since 0.1.0
 * @category models
 */
export interface BackOff {
  /** Delay after the first failure, doubled after each further one; default 2 seconds. */
  readonly first?: Duration.DurationInput | undefined
  /** Maximum delay; default 5 minutes. */
  readonly longest?: Duration.DurationInput | undefined
}

/**
 * Runs `pass` for every batch, one after the other, and again after a delay when the pass reports that a retry may succeed (an
 * unavailable service or sink). A change during the delay starts a pass at once. Ends after the current pass when `stop`
 * completes; fails as the watch or a pass does.
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
