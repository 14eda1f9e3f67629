/** Watches the files below a root and reports changes in batches. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type ContainerKind, containerKind } from "../base/containerKind.ts"
import { unsent } from "../base/wireFields.ts"
import * as FileTypes from "./fileTypes.ts"
import * as FileWatch from "./fileWatch.ts"
import { absoluteRoot, basesOf } from "./paths.ts"

/**
 * The system does not, or no longer, report changes, for instance because too many folders are watched.
 *
 * @since 0.1.0
 * @category errors
 */
export class WatchError extends Schema.TaggedError<WatchError>("docsluice/WatchError")("WatchError", {
  root: Schema.String,
  cause: unsent
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
  /** Reason for the batch. `start`: the watch begins. `rescan`: nothing was reported for a while, and a full discovery is due. */
  readonly cause: "start" | "changes" | "rescan"
  /**
   * POSIX paths below the root that were added, changed or deleted: files of the types that can be read, `.gitignore` files
   * and folders; a rename gives two paths. `.` is the root itself: it was removed, came back or was replaced, or a folder in it
   * was. Only a hint: run a discovery for the present files.
   */
  readonly paths: ReadonlyArray<string>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly root: string
  /** Paths and globs of the files of interest, as a discovery takes them; default: everything below the root. */
  readonly patterns?: ReadonlyArray<string> | undefined
  /** Paths to leave out with everything below them, such as the caller's own state and outputs. */
  readonly exclude?: ReadonlyArray<string> | undefined
  /** Kinds of files that are opened, as of a discovery; default none. */
  readonly expand?: ReadonlyArray<ContainerKind> | undefined
  /** Watch dot files and `node_modules` too; default false. */
  readonly hidden?: boolean | undefined
  /** Time without changes after which a batch is sent; default 300 millis. */
  readonly debounce?: Duration.DurationInput | undefined
  /** Longest time that continuing changes can delay a batch; default 5 seconds. */
  readonly atMost?: Duration.DurationInput | undefined
  /**
   * Time without any reported change after which a `rescan` batch is sent, for changes that the system missed; default 10
   * minutes.
   */
  readonly rescan?: Duration.DurationInput | undefined
}

const defaults = { debounce: "300 millis", atMost: "5 seconds", rescan: "10 minutes" } as const

/**
 * Batches of changes. The first comes as soon as the watch has begun, so that a discovery made then misses nothing; each further
 * one comes after files have changed and then stayed unchanged for `debounce`.
 *
 * Changes while the consumer is busy come with the next batch; each changed path is held once. Links are not followed, except for
 * the root. A root that is not there is waited for, and one that is replaced, moved away, mounted over or unmounted is watched
 * again at its path, within a second or so. Never ends by itself.
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
 * As {@link changes}, one batch at a time: the inner effect waits for the next batch. Interrupting it and running it again loses
 * no change.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options): Effect.Effect<Effect.Effect<Batch, WatchError>, WatchError, Scope.Scope> => {
  const root = absoluteRoot(options.root)
  const failed = Effect.mapError((cause: unknown) => new WatchError({ root, cause }))
  const debounce = Duration.decode(options.debounce ?? defaults.debounce)
  const atMost = Duration.toMillis(options.atMost ?? defaults.atMost)
  const kinds = new Set(options.expand)
  const opens = (extension: string): boolean => {
    const kind = containerKind(extension)
    return kind !== undefined && kinds.has(kind)
  }
  const opened = Effect.flatMap(FileTypes.all, ({ takes }) =>
    FileWatch.open({
      root,
      bases: options.patterns === undefined ? [root] : basesOf(root, options.patterns),
      exclude: (options.exclude ?? []).map(absoluteRoot),
      takes: (extension) => takes(extension) || opens(extension),
      hidden: options.hidden ?? false
    })
  )
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

/** Time between two listings of a source that reports no changes. */
const pollInterval = "1 minute"

/**
 * A `rescan` batch a minute, for a source that cannot report changes, such as an object store.
 *
 * @since 0.1.0
 * @category constructors
 */
export const polling: Effect.Effect<Batch> = Effect.suspend(() => pollingEvery(pollInterval))

/**
 * As {@link polling}, with a time of your own between two listings.
 *
 * @since 0.1.0
 * @category constructors
 */
export const pollingEvery = (interval: Duration.DurationInput): Effect.Effect<Batch> =>
  Effect.as(Effect.sleep(interval), { cause: "rescan", paths: [] })

/**
 * Delays before a failed pass is tried again.
 *
 * @since 0.1.0
 * @category models
 */
export interface BackOff {
  /** After the first failure, doubled after each further one; default 2 seconds. */
  readonly first?: Duration.DurationInput | undefined
  /** Longest delay; default 5 minutes. */
  readonly longest?: Duration.DurationInput | undefined
}

/**
 * Runs `pass` for every batch, one after the other, and again after a delay when it returns `again` (for instance, a service or a
 * sink was not available). A batch that comes during the delay starts a pass at once. Ends when `stop` is done, after the pass in
 * progress; fails when the watch or a pass fails.
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
      const later = Effect.as(Effect.sleep(wait), { cause: "rescan", paths: [] } satisfies Batch)
      const due = failures === 0 ? options.next : Effect.raceFirst(options.next, later)
      batch = yield* Effect.raceFirst(stopped, due)
    }
  })
