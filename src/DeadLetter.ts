/**
 * The files that could not be stored, one line each, until they are.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Failed } from "./Outcome.ts"

/**
 * The dead letters cannot be read or written.
 *
 * @since 0.1.0
 * @category errors
 */
export class DeadLetterError extends Schema.TaggedError<DeadLetterError>("docsluice/DeadLetterError")(
  "DeadLetterError",
  {
    file: Schema.String,
    cause: Schema.optional(Schema.Defect)
  }
) {
  override get message(): string {
    return `${this.file}: the dead letters cannot be read or written`
  }
}

/**
 * One line of `dead-letter.jsonl`.
 *
 * @since 0.1.0
 * @category models
 */
export class Entry extends Schema.Class<Entry>("docsluice/DeadLetter")({
  /** POSIX path below the root. */
  source: Schema.NonEmptyString,
  /** SHA-256 of the bytes, where they were read. */
  contentHash: Schema.NullOr(Schema.String),
  /** Tag of the error. */
  tag: Schema.String,
  message: Schema.String,
  /** Whether the same file may succeed later. */
  retryable: Schema.Boolean,
  /** Requests that were sent for it in its last run. */
  attempts: Schema.NonNegativeInt,
  /** ISO 8601, UTC. */
  at: Schema.String
}) {}

/**
 * @since 0.1.0
 * @category services
 */
export class DeadLetter extends Context.Tag("docsluice/DeadLetter")<DeadLetter, DeadLetter.Service>() {}

export declare namespace DeadLetter {
  /**
   * @since 0.1.0
   * @category services
   */
  export interface Service {
    /** Keeps a failure, in place of an earlier one of the same source; durable when it returns. */
    readonly add: (failure: Failed) => Effect.Effect<void, DeadLetterError>
    /** Forgets a source; free when there is nothing to forget. */
    readonly remove: (source: string) => Effect.Effect<void, DeadLetterError>
    /** What is kept now, oldest failure first. */
    readonly entries: Effect.Effect<ReadonlyArray<Entry>>
  }
}

const Line = Schema.parseJson(Entry)
const decode = Schema.decodeEither(Line)
const encode = Schema.encodeSync(Line)

const entryOf = (failure: Failed): Effect.Effect<Entry> =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    Entry.make({
      source: failure.source,
      contentHash: failure.contentHash,
      tag: failure.tag,
      message: failure.message,
      retryable: failure.retryable,
      attempts: failure.attempts,
      at: new Date(now).toISOString()
    })
  )

/** Puts the entry last. */
const put = (entries: Map<string, Entry>, entry: Entry): void => {
  entries.delete(entry.source)
  entries.set(entry.source, entry)
}

/**
 * Kept as long as the layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory: Layer.Layer<DeadLetter> = Layer.sync(DeadLetter, () => {
  const entries = new Map<string, Entry>()
  return {
    add: (failure) => Effect.map(entryOf(failure), (entry) => put(entries, entry)),
    remove: (source) => Effect.sync(() => void entries.delete(source)),
    entries: Effect.sync(() => [...entries.values()])
  }
})

/**
 * Kept in a file, one JSON object a line.
 *
 * A new failure is appended and synced. What is replaced or removed is taken out by writing a new file and renaming it: at
 * once while there is little, else when it is a third of the file, and when the scope closes; a kill before that leaves a
 * line too many, and of two lines of a source the later one counts. A last line that was cut off is dropped; other lines
 * that are no entries are dropped with a warning in the log. Holds all entries.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  file: string
): Effect.Effect<DeadLetter.Service, DeadLetterError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const disk = yield* store(file)
    const { entries, damaged } = yield* disk.load
    const semaphore = yield* Effect.makeSemaphore(1)
    let stale = damaged
    /** The file may end in a part of a line, to which nothing may be appended. */
    let cut = damaged > 0
    const compact = Effect.suspend(() => disk.rewrite([...entries.values()])).pipe(
      Effect.tap(() => {
        stale = 0
        cut = false
      })
    )
    const append = (entry: Entry) =>
      Effect.onError(disk.append(entry), () =>
        Effect.sync(() => {
          stale += 1
          cut = true
        })
      )
    const tidy = Effect.suspend(() => (stale > 0 && stale * 2 >= entries.size ? compact : Effect.void))
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => (stale > 0 ? compact : Effect.void)).pipe(
        Effect.catchTag("DeadLetterError", (error) => Effect.logError(error.message, error))
      )
    )
    if (cut) yield* compact
    return DeadLetter.of({
      add: (failure) =>
        Effect.flatMap(entryOf(failure), (entry) =>
          Effect.suspend(() => {
            if (entries.has(entry.source)) stale += 1
            put(entries, entry)
            return cut ? compact : Effect.zipRight(append(entry), tidy)
          })
        ).pipe(semaphore.withPermits(1)),
      remove: (source) =>
        Effect.suspend(() => {
          if (!entries.delete(source)) return Effect.void
          stale += 1
          return tidy
        }).pipe(semaphore.withPermits(1)),
      entries: Effect.sync(() => [...entries.values()])
    })
  })

/**
 * What a file holds now, oldest failure first. Changes nothing, whatever is to be put in order, and works while a run writes to it:
 * a last line that is not whole yet is left out.
 *
 * @since 0.1.0
 * @category accessors
 */
export const read = (
  file: string
): Effect.Effect<ReadonlyArray<Entry>, DeadLetterError, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(store(file), (disk) => Effect.map(disk.load, ({ entries }) => [...entries.values()]))

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (file: string): Layer.Layer<DeadLetter, DeadLetterError, FileSystem.FileSystem | Path.Path> =>
  Layer.scoped(DeadLetter, make(file))

interface Store {
  /** `damaged`: lines that must not stay. */
  readonly load: Effect.Effect<{ readonly entries: Map<string, Entry>; readonly damaged: number }, DeadLetterError>
  readonly append: (entry: Entry) => Effect.Effect<void, DeadLetterError>
  readonly rewrite: (entries: ReadonlyArray<Entry>) => Effect.Effect<void, DeadLetterError>
}

const store = (file: string): Effect.Effect<Store, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const failed = Effect.mapError((cause: unknown) => new DeadLetterError({ file, cause }))
    const folder = fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
    const write = (target: string, flag: "a" | "w", text: string) =>
      Effect.scoped(
        Effect.gen(function* () {
          const handle = yield* fs.open(target, { flag, mode: 0o600 })
          // The platform takes a write of nothing for a failed one.
          if (text !== "") yield* handle.writeAll(new TextEncoder().encode(text))
          yield* handle.sync
        })
      )
    const temporary = `${file}.tmp`
    return {
      load: fs.readFileString(file).pipe(
        Effect.catchIf(
          (error) => error._tag === "SystemError" && error.reason === "NotFound",
          () => Effect.succeed("")
        ),
        failed,
        Effect.flatMap((text) => parse(file, text))
      ),
      append: (entry) => failed(Effect.zipRight(folder, write(file, "a", `${encode(entry)}\n`))),
      rewrite: (entries) =>
        failed(
          folder.pipe(
            Effect.zipRight(write(temporary, "w", entries.map((entry) => `${encode(entry)}\n`).join(""))),
            Effect.zipRight(fs.rename(temporary, file)),
            Effect.onError(() => Effect.ignore(fs.remove(temporary, { force: true })))
          )
        )
    }
  })

const parse = (file: string, text: string): Effect.Effect<{ entries: Map<string, Entry>; damaged: number }> =>
  Effect.gen(function* () {
    const entries = new Map<string, Entry>()
    const lines = text.split("\n")
    let damaged = 0
    for (const [index, line] of lines.entries()) {
      const isLast = index === lines.length - 1
      if (line === "") continue
      const entry = decode(line)
      if (Either.isRight(entry)) {
        if (entries.has(entry.right.source) || isLast) damaged += 1
        put(entries, entry.right)
        continue
      }
      damaged += 1
      if (!isLast)
        yield* Effect.logWarning("dropped a line that is no dead letter").pipe(
          Effect.annotateLogs({ file, line: index + 1 })
        )
    }
    return { entries, damaged }
  })
