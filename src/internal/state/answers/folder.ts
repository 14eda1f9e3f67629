import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { failure } from "../libsql.ts"

/** Files of large answers, all in one folder; a name is never used twice. */
export interface CacheFolder {
  readonly fresh: () => string
  readonly pathOf: (name: string) => string
  /** Bytes. */
  readonly size: (name: string) => number
  readonly unlink: (names: ReadonlyArray<string>) => void
  /** Deletes the files that are not in the set: those of puts that a kill interrupted. */
  readonly sweep: (known: ReadonlySet<string>) => void
}

const guarded = <A>(body: () => A): A => {
  try {
    return body()
  } catch (thrown) {
    throw failure(thrown)
  }
}

/** `unique`: a number of this session, greater than that of any earlier session whose files remain. */
export const make = (directory: string, unique: number): CacheFolder => {
  let count = 0
  const pathOf = (name: string): string => join(directory, name)
  const unlink = (names: ReadonlyArray<string>): void => {
    guarded(() => names.forEach((name) => rmSync(pathOf(name), { force: true })))
  }
  return {
    fresh: () => {
      guarded(() => mkdirSync(directory, { recursive: true, mode: 0o700 }))
      count += 1
      return `${unique}-${count}.gz`
    },
    pathOf,
    size: (name) => guarded(() => statSync(pathOf(name)).size),
    unlink,
    sweep: (known) => {
      if (existsSync(directory)) unlink(guarded(() => readdirSync(directory)).filter((name) => !known.has(name)))
    }
  }
}
