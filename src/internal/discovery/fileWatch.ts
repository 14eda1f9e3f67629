import * as fs from "node:fs"
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import { extensionOf } from "../base/fileType.ts"
import { codeOf } from "./localFile.ts"

/** Log of changes since the last {@link take}, and a signal to wait for the next. */
export interface ChangeLog {
  /** Completes once there is a change to take, or the watcher has failed. */
  readonly changed: Effect.Effect<void, unknown>
  /** Number of changes so far; a repeated change of a path that is already in the log counts too. */
  readonly count: () => number
  /** Removes and returns all changed paths, POSIX, below the root, in order of their first change. */
  readonly take: () => ReadonlyArray<string>
}

export interface Options {
  /** Absolute path. */
  readonly root: string
  /** Absolute paths below the root, of which changes are of interest, with everything below them; the root for all. */
  readonly bases: ReadonlyArray<string>
  /** Absolute paths that are left out, with everything below them. */
  readonly exclude: ReadonlyArray<string>
  /** True for an extension of files that a discovery may take. */
  readonly takes: (extension: string) => boolean
  /** Include dot files and the content of `node_modules`. */
  readonly hidden: boolean
}

const posix = (path: string): string => (sep === "/" ? path : path.replaceAll(sep, "/"))

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}${sep}`)

/** As a file system may compare names: one that tells less apart than it does watches too much, never too little. */
const folded = (path: string): string => path.normalize("NFC").toLowerCase()

/** False for a path on no way to a base and below none; rules that leave files out count from each folder on the way. */
const isOnWay = (bases: ReadonlyArray<string>) => {
  const all = bases.map(folded)
  return (path: string): boolean => {
    const name = folded(path)
    const way = basename(name) === ".gitignore" ? dirname(name) : name
    return all.some((base) => base.endsWith(sep) || isBelow(name, base) || isBelow(base, way))
  }
}

/** `real` is the resolved root; excluded paths may be below either spelling. */
const ignoring = ({ bases, exclude, hidden, root }: Options, real: string) => {
  const matters = isOnWay(bases)
  return (given: string): boolean => {
    const path = isAbsolute(given) ? given : resolve(real, given)
    const below = posix(relative(real, path))
    const named = resolve(root, below)
    if (exclude.some((folder) => isBelow(path, folder) || isBelow(named, folder))) return true
    if (!matters(named)) return true
    if (hidden) return false
    const hides = (part: string): boolean =>
      part === "node_modules" || (part.startsWith(".") && part !== ".gitignore" && part !== "..")
    return below.split("/").some(hides)
  }
}

/** True for folders and for files that a discovery may take; other files are ignored. */
const concerns = ({ takes }: Options, event: string, path: string): boolean =>
  event.endsWith("Dir") || path.endsWith(".gitignore") || takes(extensionOf(posix(path)))

class Log implements ChangeLog {
  private readonly paths = new Set<string>()
  private changes = 0
  private failure: { readonly cause: unknown } | null = null
  private readonly waiting = new Set<() => void>()

  readonly count = (): number => this.changes

  readonly take = (): ReadonlyArray<string> => {
    const all = [...this.paths]
    this.paths.clear()
    return all
  }

  readonly add = (path: string): void => {
    this.paths.add(path)
    this.changes += 1
    this.wake()
  }

  readonly fail = (cause: unknown): void => {
    this.failure ??= { cause }
    this.wake()
  }

  readonly changed: Effect.Effect<void, unknown> = Effect.async<void, unknown>((resume) => {
    const look = (): void => {
      this.waiting.delete(look)
      if (this.failure !== null) resume(Effect.fail(this.failure.cause))
      else if (this.paths.size > 0) resume(Effect.void)
      else this.waiting.add(look)
    }
    look()
    return Effect.sync(() => this.waiting.delete(look))
  })

  /** Fails once the watcher fails; never succeeds. */
  readonly failed: Effect.Effect<never, unknown> = Effect.async<never, unknown>((resume) => {
    const look = (): void => {
      if (this.failure === null) return
      this.waiting.delete(look)
      resume(Effect.fail(this.failure.cause))
    }
    this.waiting.add(look)
    look()
    return Effect.sync(() => this.waiting.delete(look))
  })

  private wake(): void {
    for (const look of this.waiting) look()
  }
}

/** Identity of a folder: an inode may be reused, its birth time may not. */
const keyOf = ({ birthtimeMs, dev, ino }: fs.Stats): string => `${dev}:${ino}:${birthtimeMs}`

/** The folder at a path, links followed, or the reason why there is none. */
interface Place {
  readonly key: string
  /** Undefined when there is no folder to watch. */
  readonly real: string | undefined
}

const placeOf = (root: string): Effect.Effect<Place> =>
  Effect.promise(async (): Promise<Place> => {
    try {
      const real = await fs.promises.realpath(root)
      const stats = await fs.promises.stat(real)
      return stats.isDirectory() ? { key: keyOf(stats), real } : { key: "no folder", real: undefined }
    } catch (cause) {
      return { key: codeOf(cause) ?? "unreadable", real: undefined }
    }
  })

const isThere = (path: string): boolean => fs.existsSync(path)

const keyAt = (path: string): string | undefined => {
  const stats = fs.statSync(path, { throwIfNoEntry: false })
  return stats && keyOf(stats)
}

/**
 * Watches one folder and everything below it until the scope closes; succeeds when everything is watched. The system watches folders, not
 * their names: `replaced` is called when another folder has taken the name of a watched one.
 */
const arm = (
  options: Options,
  real: string,
  log: Log,
  replaced: () => void
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    // Loaded by the first watch: discovery alone does not need it.
    const { watch } = yield* Effect.promise(() => import("chokidar"))
    const watcher = yield* Effect.acquireRelease(
      Effect.sync(() =>
        watch(real, { ignored: ignoring(options, real), ignorePermissionErrors: true, followSymlinks: false })
      ),
      (watcher) => Effect.promise(() => watcher.close())
    )
    const folders = new Map<string, string>()
    let begun = false
    watcher.on("all", (event, path, stats) => {
      if (event === "addDir" && stats !== undefined) folders.set(path, keyOf(stats))
      if (event === "unlinkDir") folders.delete(path)
      if (begun && concerns(options, event, path)) log.add(posix(relative(real, path)) || ".")
    })
    watcher.on("raw", (event, name, details) => {
      if (event !== "rename" || typeof name !== "string") return
      const folder = Predicate.hasProperty(details, "watchedPath") ? String(details.watchedPath) : real
      const path = resolve(folder, name)
      const known = folders.get(path)
      const itself = folder === real && name === basename(real) && !isThere(path)
      if (itself || (known !== undefined && (keyAt(path) ?? known) !== known)) replaced()
    })
    watcher.on("error", log.fail)
    const ready = Effect.async<void>((resume) => {
      watcher.once("ready", () => {
        begun = true
        resume(Effect.void)
      })
    })
    yield* Effect.raceFirst(ready, log.failed)
  })

/** Interval of the checks of the root: the system reports neither the renaming of a folder above it nor an unmount. */
const pulse = "1 second"

/**
 * Watches until the scope closes; succeeds when everything below the root is watched. When the root, or a folder below it, is replaced by
 * another folder, everything is watched again; when the root disappears, it is waited for. Each of these counts as a change of the root.
 */
export const open = (options: Options): Effect.Effect<ChangeLog, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const log = new Log()
    const scope = yield* Effect.scope
    const replaced = yield* Queue.dropping<void>(1)
    const armed = Effect.gen(function* () {
      const own = yield* Scope.fork(scope, ExecutionStrategy.sequential)
      const place = yield* placeOf(options.root)
      if (place.real !== undefined) {
        yield* Scope.extend(
          arm(options, place.real, log, () => void replaced.unsafeOffer(undefined)),
          own
        )
      }
      return { place, own }
    })
    let current = yield* armed
    const again = Effect.gen(function* () {
      yield* Scope.close(current.own, Exit.void)
      current = yield* armed
      log.add(".")
    })
    const looked = Effect.flatMap(placeOf(options.root), ({ key }) => (key === current.place.key ? Effect.void : again))
    yield* Effect.raceFirst(Effect.as(Effect.sleep(pulse), looked), Effect.as(Queue.take(replaced), again)).pipe(
      Effect.flatten,
      Effect.forever,
      Effect.catchAll((cause) => Effect.sync(() => log.fail(cause))),
      Effect.forkScoped
    )
    return log
  })
