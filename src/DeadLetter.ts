/**
 * Files that could not be stored, one line each, kept until they are stored.
 *
 * With a ledger, the ledger is the truth: each run begins by rewriting the letters from the ledger's failures ({@link ofLedger}),
 * so one file of letters belongs to one ledger. Without a ledger, the letters are the only record of failures.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { DeadLetterError } from "./internal/state/deadLetterError.ts"
import type { Failure, LedgerEntry } from "./internal/state/ledger/entry.ts"
import * as ServerLetters from "./internal/state/postgres/letters.ts"
import { onServer } from "./internal/state/remedies.ts"
import type { ServerFailure } from "./internal/state/serverFailure.ts"
import * as StoredError from "./internal/state/storedError.ts"
import type { Ledger, LedgerError } from "./Ledger.ts"
import { DocumentError, type Failed, Foreign, tagOf } from "./Outcome.ts"

export { DeadLetterError } from "./internal/state/deadLetterError.ts"

/** Members of a line that an earlier version wrote. */
const former = {
  /** POSIX path below the root. */
  source: Schema.NonEmptyString,
  /** SHA-256 of the bytes, where they were read. */
  contentHash: Schema.NullOr(Schema.String),
  /** Tag of the error. */
  tag: Schema.String,
  message: Schema.String,
  /** True when the same file may succeed in a later run. */
  retryable: Schema.Boolean,
  /** Requests sent for the file in its last run. */
  attempts: Schema.NonNegativeInt,
  /** ISO 8601, UTC. */
  at: Schema.String
}

/**
 * One line of `dead-letter.jsonl`.
 *
 * @since 0.1.0
 * @category models
 */
export class Entry extends Schema.Class<Entry>("docsluice/DeadLetter")({
  /** Name of the root; null when the source does not give one, and in lines of an earlier version. */
  root: Schema.NullOr(Schema.String),
  ...former,
  /** The error itself; `Foreign` in lines of an earlier version. */
  error: DocumentError,
  /** Ids of the sinks that the run wrote to; empty in lines of an earlier version. */
  targets: Schema.Array(Schema.String),
  /** Digest of the run's request (`Ledger.requests`); null when the request was empty, and in lines of an earlier version. */
  request: Schema.NullOr(Schema.String)
}) {}

/**
 * Identity of a letter: root and path, since two roots may have a file at the same path.
 *
 * @since 0.1.0
 * @category models
 */
export type Key = Pick<Entry, "root" | "source">

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
    /**
     * Adds a letter and replaces an earlier one of the same file. Durable when it returns; nothing is written when the same
     * letter is there already. A letter without a root matches any root.
     */
    readonly add: (letter: Entry) => Effect.Effect<void, DeadLetterError>
    /** Removes a file's letter, and one of the same source without a root; nothing is written when there is none. */
    readonly remove: (key: Key) => Effect.Effect<void, DeadLetterError>
    /** Replaces all letters by these, atomically; nothing is written when they are there already. */
    readonly replace: (letters: ReadonlyArray<Entry>) => Effect.Effect<void, DeadLetterError>
    /** All letters, oldest failure first. */
    readonly entries: Effect.Effect<ReadonlyArray<Entry>, DeadLetterError>
  }
}

/** For letters that are made of checked parts: a check of the error takes longer than all the rest. */
const unchecked = { disableValidation: true } as const

const Former = Schema.Struct({ ...former, ...StoredError.fields })
const Line = Schema.Struct({ ...Entry.fields, ...StoredError.fields })
const encodeLine = Schema.encodeSync(Schema.parseJson(Line))
const decodeLine = Schema.decodeEither(Schema.parseJson(Schema.Union(Line, Former)))

const encode = (entry: Entry): string => encodeLine({ ...entry, ...StoredError.of(entry.error) })

const decode = (line: string) =>
  Either.map(
    decodeLine(line),
    (read) =>
      new Entry({ root: null, targets: [], request: null, ...read, error: StoredError.errorOf(read) }, unchecked)
  )

/**
 * Letter of a failure in a ledger; equal failures give equal letters.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofFailure = (key: Key, failure: Failure): Entry =>
  new Entry(
    {
      root: key.root,
      source: key.source,
      contentHash: failure.contentHash,
      error: failure.error,
      tag: tagOf(failure.error),
      message: failure.error.message,
      retryable: failure.retryable,
      attempts: failure.attempts,
      at: new Date(failure.at).toISOString(),
      targets: failure.targets,
      request: failure.request
    },
    unchecked
  )

/**
 * Letters of all failures in a ledger, oldest failure first. Holds all of them in memory.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofLedger = (ledger: Ledger.Service): Effect.Effect<ReadonlyArray<Entry>, LedgerError> =>
  Effect.suspend(() =>
    Stream.runFold<LedgerEntry, LedgerError, never, Array<Entry>>(
      ledger.entries("failed"),
      [],
      (letters, { failure, path, root }) => {
        if (failure !== null) letters.push(ofFailure({ root, source: path }, failure))
        return letters
      }
    )
  ).pipe(
    Effect.map((letters) => letters.toSorted((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0)))
  )

/**
 * Letters as of failures for the documents that are stored without text or in part, in order of first sight; each is taken for one of the
 * latest run over its root. Holds all of them in memory.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofIncomplete = (ledger: Ledger.Service): Effect.Effect<ReadonlyArray<Entry>, LedgerError> =>
  Effect.suspend(() =>
    Stream.runFold<LedgerEntry, LedgerError, never, Array<Entry>>(
      ledger.entries("all"),
      [],
      (letters, { failure, path, root, stored }) => {
        if (stored !== null && failure === null && (stored.chunkIds.length === 0 || stored.report.truncated)) {
          const { checkedAt, contentHash, report } = stored
          const message = report.warnings.join("; ")
          const at = new Date(checkedAt).toISOString()
          const error = new Foreign({ tag: "Incomplete", message })
          const tried = { error, tag: error.tag, message, retryable: true, attempts: 0, at, targets: [], request: null }
          letters.push(new Entry({ root, source: path, contentHash, ...tried }, unchecked))
        }
        return letters
      }
    )
  )

/**
 * Letter of a failure dated now, for a run without a ledger.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofOutcome = (failure: Failed, root: string | null, targets: ReadonlyArray<string>): Effect.Effect<Entry> =>
  Effect.map(
    Clock.currentTimeMillis,
    (now) =>
      new Entry(
        {
          root,
          source: failure.source,
          contentHash: failure.contentHash,
          error: failure.error,
          tag: failure.tag,
          message: failure.message,
          retryable: failure.retryable,
          attempts: failure.attempts,
          at: new Date(now).toISOString(),
          targets,
          request: null
        },
        unchecked
      )
  )

/** Letters by file, oldest failure first. */
class Letters {
  private readonly byKey = new Map<string, Entry>()

  get size(): number {
    return this.byKey.size
  }

  readonly all = (): ReadonlyArray<Entry> => [...this.byKey.values()]

  /** True when an equal letter is there. */
  readonly has = (entry: Entry): boolean => {
    const known = this.byKey.get(nameOf(entry))
    return known !== undefined && isSame(known, entry)
  }

  /** Puts the entry last; true when it replaced another one. */
  readonly put = (entry: Entry): boolean => {
    const replaced = this.delete(entry)
    this.byKey.set(nameOf(entry), entry)
    return replaced
  }

  /** True when there was one. */
  readonly delete = ({ root, source }: Key): boolean => {
    const own = this.byKey.delete(nameOf({ root, source }))
    const anyones = this.byKey.delete(nameOf({ root: null, source }))
    return own || anyones
  }

  /** True when these are all letters, in any order. */
  readonly are = (entries: ReadonlyArray<Entry>): boolean => entries.length === this.size && entries.every(this.has)

  readonly clear = (): void => this.byKey.clear()
}

const nameOf = ({ root, source }: Key): string => JSON.stringify([root, source])

/** Compares two letters of one file. */
const isSame = (left: Entry, right: Entry): boolean =>
  left.at === right.at &&
  left.tag === right.tag &&
  left.message === right.message &&
  left.contentHash === right.contentHash &&
  left.retryable === right.retryable &&
  left.attempts === right.attempts &&
  left.request === right.request &&
  left.targets.length === right.targets.length &&
  left.targets.every((target, at) => target === right.targets[at])

/**
 * Letters in memory, for as long as the layer lives.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory: Layer.Layer<DeadLetter> = Layer.sync(DeadLetter, () => {
  const letters = new Letters()
  return {
    add: (letter) => Effect.sync(() => void letters.put(letter)),
    remove: (key) => Effect.sync(() => void letters.delete(key)),
    replace: (entries) =>
      Effect.sync(() => {
        letters.clear()
        for (const entry of entries) letters.put(entry)
      }),
    entries: Effect.sync(letters.all)
  }
})

/**
 * Letters in a file, one JSON object per line.
 *
 * A new failure is appended and synced. Replaced and removed letters leave the file when it is rewritten and renamed: once they
 * are a third of its lines, and when the scope closes. After a kill before that, a stale line remains; of two lines for one file
 * the later counts. A last line that was cut off is dropped; any other line that is not a letter is dropped with a warning in the
 * log. Holds all letters in memory.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  file: string
): Effect.Effect<DeadLetter.Service, DeadLetterError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const disk = yield* store(file)
    yield* disk.restrict
    const { letters, damaged } = yield* disk.load
    const semaphore = yield* Effect.makeSemaphore(1)
    let stale = damaged
    /** True while the file may end in a partial line, to which nothing may be appended. */
    let cut = damaged > 0
    const compact = Effect.suspend(() => disk.rewrite(letters.all())).pipe(
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
    const tidy = Effect.suspend(() => (stale > 0 && stale * 2 >= letters.size ? compact : Effect.void))
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => (stale > 0 ? compact : Effect.void)).pipe(
        Effect.catchTag("DeadLetterError", (error) => Effect.logError(error.message, error))
      )
    )
    if (cut) yield* compact
    return DeadLetter.of({
      add: (letter) =>
        Effect.suspend(() => {
          if (letters.has(letter) && !cut) return Effect.void
          if (letters.put(letter)) stale += 1
          return cut ? compact : Effect.zipRight(append(letter), tidy)
        }).pipe(semaphore.withPermits(1)),
      remove: (key) => {
        const removed = semaphore.withPermits(1)(
          Effect.suspend(() => {
            if (!letters.delete(key)) return Effect.void
            stale += 1
            return tidy
          })
        )
        // Called for every document that succeeds, when there are no letters at all in most runs.
        return Effect.suspend(() => (letters.size === 0 ? Effect.void : removed))
      },
      replace: (entries) =>
        Effect.suspend(() => {
          if (letters.are(entries)) return Effect.void
          letters.clear()
          for (const entry of entries) letters.put(entry)
          return compact
        }).pipe(semaphore.withPermits(1)),
      entries: Effect.sync(letters.all)
    })
  })

/**
 * Reads the letters of a file, oldest failure first. Never writes, even to a damaged file, and works while a run writes to it: an
 * incomplete last line is left out.
 *
 * @since 0.1.0
 * @category accessors
 */
export const read = (
  file: string
): Effect.Effect<ReadonlyArray<Entry>, DeadLetterError, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(store(file), ({ load }) => Effect.map(load, ({ letters }) => letters.all()))

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (file: string): Layer.Layer<DeadLetter, DeadLetterError, FileSystem.FileSystem | Path.Path> =>
  Layer.scoped(DeadLetter, make(file))

const serverFailed = (options: ServerLetters.Options) =>
  Effect.mapError(
    (failed: ServerFailure) =>
      new DeadLetterError({
        file: ServerLetters.shownOf(options),
        problem: `${onServer[failed.reason]} (${failed.message})`
      })
  )

/** A line that is not a letter is of a later version: it is left out. */
const ofLines = (lines: ReadonlyArray<string>): ReadonlyArray<Entry> =>
  lines.flatMap((line) => Either.match(decode(line), { onLeft: () => [], onRight: (entry) => [entry] }))

const lineOf = (entry: Entry): ServerLetters.Line => ({
  root: entry.root,
  source: entry.source,
  at: entry.at,
  line: encode(entry)
})

/**
 * Where letters lie on a server.
 *
 * @since 0.1.0
 * @category models
 */
export type PostgresOptions = ServerLetters.Options

/**
 * Letters of a state on PostgreSQL, which is created when missing; any number of processes may use it. The letter of a document that was
 * stored since, by any of them, does not count. Holds the keys of all letters in memory.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makePostgres = (
  options: PostgresOptions
): Effect.Effect<DeadLetter.Service, DeadLetterError, Scope.Scope> =>
  Effect.gen(function* () {
    const typed = serverFailed(options)
    const table = yield* typed(ServerLetters.scoped(options))
    const entries = Effect.map(typed(table.lines), ofLines)
    const known = new Set((yield* entries).map(nameOf))
    return DeadLetter.of({
      add: (letter) =>
        Effect.map(typed(table.add(lineOf(letter))), () => {
          known.add(nameOf(letter))
        }),
      // Called for every document that succeeds, when there are no letters at all in most runs.
      remove: ({ root, source }) =>
        Effect.suspend(() => {
          const own = known.delete(nameOf({ root, source }))
          const anyones = known.delete(nameOf({ root: null, source }))
          return own || anyones ? typed(table.remove(root, source)) : Effect.void
        }),
      replace: (letters) =>
        Effect.map(typed(table.replace(letters.map(lineOf))), () => {
          known.clear()
          for (const letter of letters) known.add(nameOf(letter))
        }),
      entries
    })
  })

/**
 * As {@link makePostgres}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgres = (options: PostgresOptions): Layer.Layer<DeadLetter, DeadLetterError> =>
  Layer.scoped(DeadLetter, makePostgres(options))

/**
 * {@link layerPostgres} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPostgresConfig = (
  options: Config.Config.Wrap<PostgresOptions>
): Layer.Layer<DeadLetter, DeadLetterError | ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layerPostgres))

/**
 * Reads the letters of a state on PostgreSQL; none where there is no state. Creates and changes nothing.
 *
 * @since 0.1.0
 * @category accessors
 */
export const readPostgres = (options: PostgresOptions): Effect.Effect<ReadonlyArray<Entry>, DeadLetterError> =>
  Effect.map(serverFailed(options)(ServerLetters.read(options)), ofLines)

interface Loaded {
  readonly letters: Letters
  /** Lines to leave out at the next rewrite. */
  readonly damaged: number
}

interface Store {
  /** Makes the file readable and writable by its owner only. */
  readonly restrict: Effect.Effect<void>
  readonly load: Effect.Effect<Loaded, DeadLetterError>
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
          // The platform reports an empty write as a failure.
          if (text !== "") yield* handle.writeAll(new TextEncoder().encode(text))
          yield* handle.sync
        })
      )
    const temporary = `${file}.tmp`
    return {
      restrict: Effect.ignore(fs.chmod(file, 0o600)),
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

const parse = (file: string, text: string): Effect.Effect<Loaded> =>
  Effect.gen(function* () {
    const letters = new Letters()
    const lines = text.split("\n")
    let damaged = 0
    for (const [index, line] of lines.entries()) {
      const isLast = index === lines.length - 1
      if (line === "") continue
      const entry = decode(line)
      if (Either.isRight(entry)) {
        const replaced = letters.put(entry.right)
        if (replaced || isLast) damaged += 1
        continue
      }
      damaged += 1
      if (!isLast)
        yield* Effect.logWarning("dropped a line that is not a dead letter").pipe(
          Effect.annotateLogs({ file, line: index + 1 })
        )
    }
    return { letters, damaged }
  })
