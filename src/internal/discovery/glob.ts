import * as fs from "node:fs"
import * as path from "node:path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import fg from "fast-glob"
import type { Gitignore } from "./gitignore.ts"
import * as GlobName from "./globName.ts"

/** A folder or link that could not be read. */
export interface Unreadable {
  /** Path below the root by which it was reached; POSIX. */
  readonly path: string
  readonly folder: boolean
  readonly cause: NodeJS.ErrnoException
}

type ReadFolder = (
  folder: string,
  done: (error: NodeJS.ErrnoException | null, entries: ReadonlyArray<fs.Dirent>) => void
) => void

/** Disk access of the walk. */
export interface Disk {
  readonly readFolder: ReadFolder
}

/** This machine's disk. */
export const disk: Disk = {
  readFolder: (folder, done) => {
    fs.readdir(folder, { withFileTypes: true }, (error, entries) => done(error, error === null ? entries : []))
  }
}

/** Options of a walk. */
export interface Options {
  /** Absolute path. */
  readonly root: string
  /** Globs below the root, POSIX, case-insensitive, masked as in `GlobName`. */
  readonly patterns: ReadonlyArray<string>
  /** Globs to leave out, relative to the root, masked too. */
  readonly ignore: ReadonlyArray<string>
  /** Enter folders named `node_modules`. */
  readonly nodeModules: boolean
  readonly followSymbolicLinks: boolean
  readonly gitignore: Gitignore | null
  readonly disk: Disk
}

/** Waiting results at which no further folder is opened. */
const highWater = 8192

/**
 * Regular files that match, as POSIX paths below the root, and the entries that could not be read, in the order of the walk.
 *
 * fast-glob does not wait for its consumer, so no folder is handed to it while more than 8192 results wait: memory is bounded by these
 * and the largest folder. When links are followed, a folder is read once per real path; the shallowest path wins, then the first name,
 * which cuts cycles. Fails only with a fault of the walk itself.
 */
export const walk = (options: Options): Stream.Stream<string | Unreadable, Error> =>
  Stream.unwrapScoped(
    Effect.map(
      Effect.acquireRelease(
        // Braces can name more than there is memory for.
        Effect.try({
          try: () => new Walk(options),
          catch: (cause) => new NotListed({ cause })
        }),
        (walk) => Effect.sync(walk.close)
      ),
      (walk) => Stream.repeatEffectChunkOption(walk.take)
    )
  )

/** Patterns that cannot be walked. */
class NotListed extends Schema.TaggedError<NotListed>("docsluice/internal/NotListed")("NotListed", {
  cause: Schema.Defect
}) {
  override get message(): string {
    return this.cause instanceof Error ? this.cause.message : String(this.cause)
  }
}

const withEnd = (folder: string): string => (folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`)

class Walk {
  private found: Array<string | Unreadable> = []
  private ended = false
  private fault: Error | null = null
  private waiting: (() => void) | null = null
  private held: Array<() => void> = []
  private readonly seen = new Set<string>()
  private readonly bases: ReadonlySet<string>
  private readonly options: Options
  private readonly stream: NodeJS.ReadableStream

  constructor(options: Options) {
    this.options = options
    const settings = this.settings()
    const tasks = fg.generateTasks([...options.patterns], settings)
    this.bases = new Set(tasks.map((task) => path.resolve(options.root, GlobName.real(task.base))))
    const out = [...this.bases].find((base) => !`${base}${path.sep}`.startsWith(withEnd(options.root)))
    if (out !== undefined) throw new Error(`a pattern leads out of the root, to ${out}`)
    this.stream = fg.stream([...options.patterns], { ...settings, unique: tasks.length > 1 })
    this.stream.on("data", (entry: string) => this.add(GlobName.real(entry)))
    this.stream.once("end", () => this.finish(null))
    this.stream.once("error", (error: Error) => this.finish(error))
  }

  readonly take: Effect.Effect<Chunk.Chunk<string | Unreadable>, Option.Option<Error>> = Effect.suspend(() =>
    this.taken()
  )

  readonly close = (): void => {
    this.ended = true
    this.held = []
    if ("destroy" in this.stream && typeof this.stream.destroy === "function") this.stream.destroy()
  }

  private taken(): Effect.Effect<Chunk.Chunk<string | Unreadable>, Option.Option<Error>> {
    if (this.found.length > 0) {
      const found = this.found
      this.found = []
      for (const open of this.held.splice(0)) open()
      return Effect.succeed(Chunk.unsafeFromArray(found))
    }
    if (this.fault !== null) return Effect.fail(Option.some(this.fault))
    if (this.ended) return Effect.fail(Option.none())
    return Effect.flatMap(this.untilMore, () => this.taken())
  }

  private readonly untilMore = Effect.async<void>((resume) => {
    this.waiting = () => resume(Effect.void)
    return Effect.sync(() => {
      this.waiting = null
    })
  })

  private add(entry: string | Unreadable): void {
    this.found.push(entry)
    this.wake()
  }

  private finish(fault: Error | null): void {
    this.fault ??= fault
    this.ended = true
    this.wake()
  }

  private wake(): void {
    const waiting = this.waiting
    this.waiting = null
    waiting?.()
  }

  private settings(): fg.Options {
    const { followSymbolicLinks } = this.options
    return {
      cwd: GlobName.name(this.options.root),
      ignore: [...this.options.ignore],
      caseSensitiveMatch: false,
      followSymbolicLinks,
      onlyFiles: true,
      suppressErrors: true,
      // One folder at a time: the name that wins among several links to a folder must not depend on timing.
      ...(followSymbolicLinks ? { concurrency: 1 } : {}),
      fs: { readdir: this.readdir, ...(followSymbolicLinks ? { stat: this.stat } : {}) }
    }
  }

  private readonly stat = (
    masked: string,
    done: (error: NodeJS.ErrnoException | null, stats: fs.Stats) => void
  ): void => {
    const target = GlobName.real(masked)
    fs.stat(target, (error, stats) => {
      if (error !== null) this.report(target, false, error)
      done(error, stats)
    })
  }

  /** Overload without file types, which fast-glob also declares and never uses on the Node versions that this package supports. */
  private readonly readdir = (
    masked: string,
    _: unknown,
    done?: (error: NodeJS.ErrnoException | null, entries: Array<fs.Dirent>) => void
  ): void => {
    if (done === undefined) return
    const folder = GlobName.real(masked)
    const read = (): void => this.read(folder, (entries) => done(null, entries))
    if (this.found.length >= highWater) this.held.push(read)
    else read()
  }

  private read(folder: string, done: (entries: Array<fs.Dirent>) => void): void {
    const { gitignore } = this.options
    if (gitignore !== null && this.bases.has(folder) && gitignore.ignoresPath(folder, true)) return done([])
    const list = (): void =>
      this.options.disk.readFolder(folder, (error, entries) => {
        if (error !== null) {
          this.report(folder, true, error)
          return done([])
        }
        done(this.wanted(folder, entries))
      })
    if (!this.options.followSymbolicLinks) return list()
    fs.realpath(folder, (error, real) => {
      if (error !== null) {
        this.report(folder, true, error)
        return done([])
      }
      if (this.seen.has(real)) return done([])
      this.seen.add(real)
      list()
    })
  }

  private wanted(folder: string, entries: ReadonlyArray<fs.Dirent>): Array<fs.Dirent> {
    const { gitignore, nodeModules, followSymbolicLinks } = this.options
    const kept = entries.filter((entry) => {
      if (entry.name.startsWith("~$")) return false
      if (!nodeModules && entry.name === "node_modules" && !entry.isFile()) return false
      return gitignore === null || !gitignore.ignores(path.resolve(folder), entry.name, entry.isDirectory())
    })
    const sorted = followSymbolicLinks ? kept.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : kept
    return sorted.map(GlobName.entry)
  }

  private report(target: string, folder: boolean, cause: NodeJS.ErrnoException): void {
    const absolute = path.resolve(target)
    // A base of a pattern that does not exist: the pattern matches nothing, which is not an error of the folder.
    if ((cause.code === "ENOENT" || cause.code === "ENOTDIR") && this.bases.has(absolute)) return
    const below = path.relative(this.options.root, absolute)
    this.add({ path: below === "" ? "." : below.replaceAll(path.sep, "/"), folder, cause })
  }
}
