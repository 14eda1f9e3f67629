import { isAbsolute, relative, resolve, sep } from "node:path"
import { watch } from "chokidar"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as FileType from "../../service/FileType.ts"

/** What has changed since it was last asked, and a way to wait for it. */
export interface ChangeLog {
  /** Done once something has changed or the watcher failed. */
  readonly changed: Effect.Effect<void, unknown>
  /** Changes so far; grows with each one, also with one of a path that is there already. */
  readonly count: () => number
  /** Takes all, POSIX paths below the root, in order of their first change. */
  readonly take: () => ReadonlyArray<string>
}

export interface Options {
  /** Absolute. */
  readonly root: string
  /** Absolute paths that are left out with all below them. */
  readonly exclude: ReadonlyArray<string>
  /** Dot files and what is in `node_modules` too. */
  readonly hidden: boolean
}

const posix = (path: string): string => (sep === "/" ? path : path.replaceAll(sep, "/"))

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}${sep}`)

const ignoring =
  ({ exclude, hidden, root }: Options) =>
  (given: string): boolean => {
    const path = isAbsolute(given) ? given : resolve(root, given)
    if (exclude.some((folder) => isBelow(path, folder))) return true
    if (hidden) return false
    const below = posix(relative(root, path))
    const hides = (part: string): boolean =>
      part === "node_modules" || (part.startsWith(".") && part !== ".gitignore" && part !== "..")
    return below.split("/").some(hides)
  }

/** Folders, and files that a discovery may take; what others leave beside them is noise. */
const concerns = (event: string, path: string): boolean =>
  event.endsWith("Dir") || path.endsWith(".gitignore") || Option.isSome(FileType.fromName(path))

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

  private wake(): void {
    for (const look of this.waiting) look()
  }
}

/** Watches until the scope closes; succeeds when everything below the root is watched. */
export const open = (options: Options): Effect.Effect<ChangeLog, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const log = new Log()
    const watcher = yield* Effect.acquireRelease(
      Effect.sync(() =>
        watch(options.root, {
          ignored: ignoring(options),
          ignoreInitial: true,
          ignorePermissionErrors: true,
          followSymlinks: false
        })
      ),
      (watcher) => Effect.promise(() => watcher.close())
    )
    watcher.on("all", (event, path) => {
      if (concerns(event, path)) log.add(posix(relative(options.root, path)) || ".")
    })
    watcher.on("error", log.fail)
    const ready = Effect.async<void>((resume) => {
      watcher.once("ready", () => resume(Effect.void))
    })
    yield* Effect.raceFirst(ready, Effect.zipRight(log.changed, Effect.never))
    return log
  })
