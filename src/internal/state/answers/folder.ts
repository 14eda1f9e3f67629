import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { failure } from "../libsql.ts"

/** The files of large answers, all in one folder; a name is given once and never again. */
export interface CacheFolder {
  readonly fresh: () => string
  readonly pathOf: (name: string) => string
  /** Bytes. */
  readonly size: (name: string) => number
  readonly unlink: (names: ReadonlyArray<string>) => void
  /** Deletes what is not in the set: files of puts that a kill cut short. */
  readonly sweep: (known: ReadonlySet<string>) => void
}

const guarded = <A>(body: () => A): A => {
  try {
    return body()
  } catch (thrown) {
    throw failure(thrown)
  }
}

/** `unique`: a number of this session, greater than those of sessions that left a file. */
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
