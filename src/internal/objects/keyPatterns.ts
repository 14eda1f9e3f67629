/** Patterns over keys below a prefix: which keys are wanted, and which prefixes have to be listed for them. */
import picomatch from "picomatch"
import * as FileType from "../../service/FileType.ts"

/** What is wanted of a root. */
export interface KeyPatterns {
  /** Prefixes below the root, none of which begins with another: their listings hold every wanted key, each once. */
  readonly prefixes: ReadonlyArray<string>
  /** True for a path below the root that is wanted. */
  readonly wants: (path: string) => boolean
  /** True for a path that was named literally: a type that is not read is an error then. */
  readonly named: (path: string) => boolean
}

const special = /[*?[\]{}()!|\\]/

/** True for a pattern that is one file: without special characters, and with the extension of a type that is read. */
export const isFile = (pattern: string, reads: (extension: string) => boolean): boolean => {
  const name = pattern.slice(pattern.lastIndexOf("/") + 1)
  return !special.test(pattern) && name !== "" && reads(FileType.extensionOf(name))
}

/** The part of a glob before its first segment with a special character, with the slash at its end; empty when there is none. */
export const staticPrefix = (glob: string): string => {
  const segments = glob.split("/")
  const fixed = segments.findIndex((segment) => special.test(segment))
  return fixed < 0
    ? glob
    : segments
        .slice(0, fixed)
        .map((segment) => `${segment}/`)
        .join("")
}

const options = { nocase: true, dot: true } as const

const dotted = /(?:^|\/)\./

const hidden = (path: string): boolean => dotted.test(path) || /(?:^|\/)(?:node_modules\/|~\$[^/]*$)/.test(path)

/** What is excluded unless a pattern names it: dot files, `node_modules`, the locks of office programs. */
const shows = (pattern: string, path: string): boolean =>
  !hidden(path) || ((dotted.test(pattern) || pattern.includes("node_modules")) && !/(?:^|\/)~\$[^/]*$/.test(path))

/** A glob without `/` is excluded in every folder; what lies below an excluded one is excluded too. */
const ignoring = (globs: ReadonlyArray<string>): ((path: string) => boolean) => {
  const spelled = globs.flatMap((glob) => {
    const bare = glob.replace(/^\/+/, "").replace(/\/+$/, "")
    const anchored = bare.includes("/") || glob.startsWith("/") ? bare : `**/${bare}`
    return [anchored, `${anchored}/**`]
  })
  return spelled.length === 0 ? () => false : picomatch(spelled, options)
}

/** Prefixes of which none begins with another. */
const apart = (prefixes: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(prefixes)].filter((prefix, _, all) => !all.some((other) => other !== prefix && prefix.startsWith(other)))

/**
 * Reads patterns as discovery of a folder does: a name is a file when its extension is one that is read, otherwise all below it; a glob
 * matches in any case; `!glob` excludes, as `ignore` does. `.` is everything.
 */
export const make = (given: {
  readonly patterns: ReadonlyArray<string>
  readonly ignore: ReadonlyArray<string>
  readonly reads: (extension: string) => boolean
}): KeyPatterns => {
  const plain = (pattern: string): string => pattern.replace(/^(?:\.\/)+/, "").replace(/^\.$/, "")
  const wanted = given.patterns.filter((pattern) => !pattern.startsWith("!")).map(plain)
  const excluded = given.patterns.flatMap((pattern) => (pattern.startsWith("!") ? [pattern.slice(1)] : []))
  const ignored = ignoring([...given.ignore, ...excluded])
  const files = new Set(wanted.filter((pattern) => isFile(pattern, given.reads)))
  const folders = wanted
    .filter((pattern) => !special.test(pattern) && !files.has(pattern))
    .map((pattern) => (pattern === "" || pattern.endsWith("/") ? pattern : `${pattern}/`))
  const globs = wanted
    .filter((pattern) => special.test(pattern))
    .map((pattern) => ({ pattern, matches: picomatch(pattern, options) }))
  const wants = (path: string): boolean =>
    !ignored(path) &&
    (files.has(path) ||
      folders.some((folder) => path.startsWith(folder) && shows("", path.slice(folder.length))) ||
      globs.some(({ matches, pattern }) => matches(path) && shows(pattern, path)))
  return {
    prefixes: apart([...files, ...folders, ...globs.map(({ pattern }) => staticPrefix(pattern))]),
    wants,
    named: (path) => files.has(path)
  }
}
