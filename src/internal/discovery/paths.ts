import * as fs from "node:fs"
import * as path from "node:path"
import * as Either from "effect/Either"
import fg from "fast-glob"
import * as GlobName from "./globName.ts"

/** Arguments, sorted by kind. All paths are POSIX and below the root. */
export interface Scope {
  /** Files that were named literally, each once, in the order given. */
  readonly files: ReadonlyArray<string>
  /** Literal names that do not exist or cannot be read. */
  readonly missing: ReadonlyArray<{ readonly path: string; readonly cause: NodeJS.ErrnoException }>
  /** Globs below the root, masked as in `GlobName`. */
  readonly patterns: ReadonlyArray<string>
  /** Globs to leave out, masked too. */
  readonly ignore: ReadonlyArray<string>
}

/** An argument that cannot be used. */
export interface Refusal {
  readonly reason: "OutsideRoot" | "Url"
  readonly argument: string
  /** A root with which the argument would work; empty for a URL. */
  readonly remedy: string
}

/** A URL, alone or after the kind of a sink, as in `pgvector:postgres://host/db`. */
const address = /^(?:[a-z][a-z0-9+.-]+:)+\/\//i
/** Characters that may begin a glob, within one segment or across several, as braces do. */
const special = /[*?[\]{}()|\\]/

/** The base name of an absolute path; `root` for the top of a file system. */
export const baseName = (absolute: string): string => path.basename(absolute) || "root"

/** An absolute path without `.` and `..`. */
export const absoluteRoot = (root: string): string => path.resolve(root)

/**
 * Sorts arguments into files, globs and missing names. An argument that exists on the disk is taken literally, whatever characters it
 * has; another one is a glob if it looks like one. A folder stands for everything below it.
 */
export const resolve = (options: {
  readonly root: string
  readonly patterns: ReadonlyArray<string>
  /** Names that are never globs. */
  readonly names: ReadonlyArray<string>
  readonly ignore: ReadonlyArray<string>
  /** Paths to leave out, with everything below them. */
  readonly exclude: ReadonlyArray<string>
}): Either.Either<Scope, Refusal> => {
  const { root } = options
  const files = new Set<string>()
  const missing: Array<Scope["missing"][number]> = []
  const patterns: Array<string> = []
  const ignored = [...options.ignore]
  const add = (argument: string, literal: boolean): Refusal | null => {
    if (address.test(argument)) return { reason: "Url", argument, remedy: "" }
    const absolute = path.resolve(root, argument)
    const found = look(absolute)
    const below = relative(root, absolute)
    if (found instanceof Error && !literal && argument.startsWith("!")) {
      ignored.push(argument.slice(1))
      return null
    }
    if (found instanceof Error && !literal && fg.isDynamicPattern(argument)) {
      const pattern = anchored(root, argument)
      if (pattern === null) return { reason: "OutsideRoot", argument, remedy: staticBase(root, argument).absolute }
      patterns.push(pattern)
      return null
    }
    if (below === null) {
      const folder = !(found instanceof Error) && found.isDirectory()
      return { reason: "OutsideRoot", argument, remedy: folder ? absolute : path.dirname(absolute) }
    }
    if (found instanceof Error) missing.push({ path: below, cause: found })
    else if (found.isDirectory()) patterns.push(below === "" ? "**/*" : `${GlobName.literal(below)}/**/*`)
    else files.add(below)
    return null
  }
  for (const pattern of options.patterns) {
    const refusal = add(pattern, false)
    if (refusal !== null) return Either.left(refusal)
  }
  for (const name of options.names) {
    const refusal = add(name, true)
    if (refusal !== null) return Either.left(refusal)
  }
  return Either.right({
    files: [...files],
    missing,
    patterns,
    ignore: [
      ...ignored.flatMap((glob) => ignoreGlobs(root, glob)),
      ...options.exclude.flatMap((excluded) => {
        const below = relative(root, path.resolve(root, excluded))
        return below === null || below === "" ? [] : withBelow(GlobName.literal(below))
      })
    ]
  })
}

/** Overload without file types, which fast-glob also declares and never uses on the Node versions that this package supports. */
const readdir = (
  masked: string,
  _: unknown,
  done?: (error: NodeJS.ErrnoException | null, entries: Array<fs.Dirent>) => void
): void =>
  fs.readdir(GlobName.real(masked), { withFileTypes: true }, (error, entries) =>
    done?.(error, error === null ? entries.map(GlobName.entry) : [])
  )

/**
 * The members of `files` that no glob leaves out. They are matched by fast-glob itself, so that a glob means the same for a named file as
 * for a found one.
 */
export const kept = async (
  root: string,
  files: ReadonlyArray<string>,
  ignore: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  if (ignore.length === 0) return files
  const found = await fg.glob(files.map(GlobName.literal), {
    cwd: GlobName.name(root),
    ignore: [...ignore],
    dot: true,
    caseSensitiveMatch: false,
    suppressErrors: true,
    fs: { readdir }
  })
  const left = new Set(found.map(GlobName.real))
  return files.filter((file) => left.has(file))
}

/**
 * Canonical spelling of the arguments, independent of the folder of the root: the parts of the root that they name, and if a list was
 * given. Exclusions are not a part of it, so that a file which comes to be ignored counts as gone.
 */
export const spelling = (options: {
  readonly root: string
  readonly patterns: ReadonlyArray<string>
  readonly listed: boolean
}): { readonly patterns: ReadonlyArray<string>; readonly listed: boolean } => {
  const plain = (argument: string): string => {
    const below = path.isAbsolute(argument) ? (relative(options.root, argument) ?? argument) : argument
    return below.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "") || "."
  }
  const named = options.patterns.filter((argument) => !argument.startsWith("!"))
  return { patterns: [...new Set(named.map(plain))].toSorted(), listed: options.listed }
}

/**
 * Parts of the root that the arguments can match: a name without special characters as a whole, a glob as the folder before its first
 * special character. A list may name anything.
 */
export const parts = (options: {
  readonly root: string
  readonly patterns: ReadonlyArray<string>
  readonly listed: boolean
}): ReadonlyArray<{ readonly path: string; readonly whole: boolean }> => [
  ...spelling(options).patterns.map((pattern) => {
    const segments = pattern === "." ? [] : pattern.split("/")
    const fixed = segments.findIndex((segment) => special.test(segment) || segment === "." || segment === "..")
    return { path: (fixed < 0 ? segments : segments.slice(0, fixed)).join("/"), whole: fixed < 0 }
  }),
  ...(options.listed ? [{ path: "", whole: false }] : [])
]

const look = (absolute: string): fs.Stats | NodeJS.ErrnoException => {
  try {
    return fs.statSync(absolute)
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause))
  }
}

/** POSIX path below the root; empty for the root itself, null outside of it. */
const relative = (root: string, absolute: string): string | null => {
  const below = path.relative(root, absolute)
  if (below === ".." || below.startsWith(`..${path.sep}`) || path.isAbsolute(below)) return null
  return path.sep === "/" ? below : below.replaceAll(path.sep, "/")
}

const withBelow = (glob: string): ReadonlyArray<string> => [glob, `${glob}/**`]

const ignoreGlobs = (root: string, glob: string): ReadonlyArray<string> => {
  const trimmed = glob.replace(/\/+$/, "").replace(/^\.\//, "")
  const absolute = path.resolve(root, trimmed)
  const below = relative(root, absolute)
  if (below !== null && below !== "" && special.test(trimmed) && fs.existsSync(absolute)) {
    return withBelow(GlobName.literal(below))
  }
  if (path.isAbsolute(trimmed)) return withBelow(GlobName.glob(below ?? trimmed.replace(/^\/+/, "")))
  return withBelow(GlobName.glob(trimmed.includes("/") ? trimmed : `**/${trimmed}`))
}

/** Splits a glob after its longest part that names an existing folder or has no special character. */
const staticBase = (
  root: string,
  glob: string
): { readonly absolute: string; readonly rest: ReadonlyArray<string> } => {
  const segments = glob.split("/")
  let absolute = path.isAbsolute(glob) ? path.parse(glob).root : root
  let at = 0
  for (const segment of segments) {
    const next = path.resolve(absolute, segment)
    if (at === segments.length - 1 || (special.test(segment) && !fs.existsSync(next))) break
    absolute = segment === "" ? absolute : next
    at += 1
  }
  return { absolute, rest: segments.slice(at) }
}

/**
 * Absolute folders and files, of which every path that these arguments may name is one or lies below one. What leads out of the root, and
 * arguments that only leave out, give the root.
 */
export const basesOf = (root: string, patterns: ReadonlyArray<string>): ReadonlyArray<string> => {
  const bases = patterns.flatMap((argument) => {
    const absolute = path.resolve(root, argument)
    if (fs.existsSync(absolute)) return [absolute]
    if (argument.startsWith("!")) return []
    return [fg.isDynamicPattern(argument) ? staticBase(root, argument).absolute : absolute]
  })
  return bases.length > 0 && bases.every((base) => relative(root, base) !== null) ? bases : [root]
}

/** The glob relative to the root; null when it leads out of it. */
const anchored = (root: string, glob: string): string | null => {
  const { absolute, rest } = staticBase(root, glob)
  const below = relative(root, absolute)
  if (below === null || rest.includes("..")) return null
  return [...(below === "" ? [] : [GlobName.literal(below)]), ...rest.map(GlobName.glob)].join("/")
}
