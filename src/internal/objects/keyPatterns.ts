/** Patterns over keys below a prefix: which keys are wanted, and which prefixes have to be listed for them. */
import picomatch from "picomatch"

/** Arguments of a discovery below a root. */
export interface Given {
  /** Names and globs; `.` is everything, `!glob` excludes. */
  readonly patterns: ReadonlyArray<string>
  /** Names that are never globs, each of one object. */
  readonly names: ReadonlyArray<string>
  readonly ignore: ReadonlyArray<string>
}

/** What is wanted of a root. */
export interface KeyPatterns {
  /** Prefixes below the root, none of which begins with another: their listings hold every wanted key, each once. */
  readonly prefixes: ReadonlyArray<string>
  /** True for a path below the root that is wanted. */
  readonly wants: (path: string) => boolean
  /** False for a folder below one of the prefixes in which nothing is wanted, as far as its path tells. */
  readonly enters: (folder: string) => boolean
  /** Names without special characters: of one object, or of all below them. */
  readonly named: ReadonlyArray<string>
}

const special = /[*?[\]{}()!|\\]/

/** The part of a glob before its first segment with a special character, with the slash at its end; all of a name. */
export const staticPrefix = (glob: string): string => {
  const segments = glob.split("/")
  const fixed = segments.findIndex((segment) => special.test(segment))
  const whole = fixed < 0 ? segments : segments.slice(0, fixed)
  return fixed < 0 ? glob : whole.map((segment) => `${segment}/`).join("")
}

const options = { nocase: true, dot: true } as const

const isLock = (path: string): boolean => /(?:^|\/)~\$[^/]*$/.test(path)

/** Dot files and the content of `node_modules`. */
const hidden = /(?:^|\/)(?:\.|node_modules\/)/

/** A glob without `/` is excluded at every depth; what lies below an excluded one is excluded too. */
const ignoring = (globs: ReadonlyArray<string>): ((path: string) => boolean) => {
  const spelled = globs.flatMap((glob) => {
    const bare = glob.replace(/^\/+/, "").replace(/\/+$/, "")
    const anchored = bare.includes("/") || glob.startsWith("/") ? bare : `**/${bare}`
    return [anchored, `${anchored}/**`]
  })
  return spelled.length === 0 ? () => false : picomatch(spelled, options)
}

/** Prefixes of which none begins with another. */
const apart = (prefixes: ReadonlyArray<string>): ReadonlyArray<string> => {
  const kept: Array<string> = []
  // In this order a prefix comes right after those that it begins with.
  for (const prefix of [...new Set(prefixes)].toSorted()) {
    const before = kept.at(-1)
    if (before === undefined || !prefix.startsWith(before)) kept.push(prefix)
  }
  return kept
}

const plain = (pattern: string): string =>
  pattern
    .replace(/^(?:\.\/)+/, "")
    .replace(/^\.$/, "")
    .replace(/\/+$/, "")

/**
 * Reads patterns as discovery of a folder does. A name is the object of that key, or all below it; a glob matches in any case. Dot files
 * and the content of `node_modules` are left out unless a pattern names them, locks of office programs in any case.
 */
export const make = (given: Given): KeyPatterns => {
  const ignored = ignoring([
    ...given.ignore,
    ...given.patterns.flatMap((pattern) => (pattern.startsWith("!") ? [pattern.slice(1)] : []))
  ])
  const wanted = given.patterns.filter((pattern) => !pattern.startsWith("!")).map(plain)
  const names = new Set(given.names)
  const literals = wanted.filter((pattern) => !special.test(pattern))
  const globs = wanted
    .filter((pattern) => special.test(pattern))
    .map((pattern) => ({
      matches: picomatch(pattern, options),
      all: hidden.test(pattern),
      before: staticPrefix(pattern)
    }))
  /** True for what lies below a name, without what is hidden there. */
  const isBelow = (name: string, path: string): boolean =>
    name === "" ? !hidden.test(path) : path.startsWith(`${name}/`) && !hidden.test(path.slice(name.length + 1))
  return {
    prefixes: apart([...names, ...literals, ...wanted.filter((pattern) => special.test(pattern)).map(staticPrefix)]),
    wants: (path) =>
      !ignored(path) &&
      !isLock(path) &&
      (names.has(path) ||
        literals.some((name) => path === name || isBelow(name, path)) ||
        globs.some(({ all, matches }) => matches(path) && (all || !hidden.test(path)))),
    enters: (folder) => {
      const path = `${folder}/`
      return (
        !ignored(folder) &&
        (literals.some((name) => isBelow(name, path)) ||
          globs.some(({ all, before }) => path.startsWith(before) && (all || !hidden.test(path))))
      )
    },
    named: [...names, ...literals]
  }
}
