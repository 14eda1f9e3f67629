/** Files below a folder: patterns, ignore files, hashes, and changes while watching. */
import * as fs from "node:fs"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { extensionOf } from "../base/fileType.ts"
import * as FileTypes from "./fileTypes.ts"
import * as Files from "./foundFiles.ts"
import * as Gitignore from "./gitignore.ts"
import * as Glob from "./glob.ts"
import { reasonOf, unreadable } from "./localFile.ts"
import * as Scope from "./paths.ts"

/** Reason why a discovery cannot begin or continue. */
export interface Refusal {
  readonly reason:
    | "RootMissing"
    | "RootNotAFolder"
    | "RootUnreadable"
    | "OutsideRoot"
    | "Url"
    | "NoMatch"
    | "NotRead"
    | "Io"
  /** The argument at fault; empty when it is the root. */
  readonly argument: string
  /** A root with which the argument would work; empty when there is none. */
  readonly remedy: string
  readonly cause?: unknown
}

/** `Discovery.Options` with its defaults filled in. */
export interface Options {
  readonly root: string
  readonly name: string | undefined
  readonly patterns: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
  readonly ignore: ReadonlyArray<string>
  readonly exclude: ReadonlyArray<string>
  readonly gitignore: boolean
  readonly ordered: boolean
  readonly followSymbolicLinks: boolean
  readonly maxBytes: number
  /** Extensions; undefined: all that can be read. */
  readonly types: ReadonlyArray<string> | undefined
  readonly disk: Glob.Disk
  /** Files that hold files, which are opened; undefined: none. */
  readonly containers: Effect.Effect<Files.Containers> | undefined
}

type FoundStream = Stream.Stream<Files.Found, Refusal>

/** Implementation of `Discovery.discover`. */
export const discover = (options: Options): FoundStream =>
  Stream.unwrap(
    Effect.gen(function* () {
      const root = Scope.absoluteRoot(options.root)
      yield* checkRoot(root)
      const given = yield* Either.match(Scope.resolve({ ...options, root }), {
        onLeft: (refusal) => Effect.fail<Refusal>(refusal),
        onRight: Effect.succeed
      })
      const containers = options.containers && (yield* options.containers)
      const { only, scope } = containers === undefined ? { only: none, scope: given } : opening(root, given, containers)
      const types = yield* Effect.mapError(FileTypes.make(options.types), (argument): Refusal => ({
        reason: "NotRead",
        argument,
        remedy: ""
      }))
      const name = options.name ?? Scope.baseName(root)
      const check = yield* Files.make({
        types: containers === undefined ? types : withContainers(types, containers),
        name,
        root,
        maxBytes: options.maxBytes
      })
      const gitignore = options.gitignore ? Gitignore.make(root) : null
      const search = { root, scope, gitignore, check }
      const found = Stream.concat(named(search), matched(options, search))
      const ended = ending(found, name, options, scope)
      const inside = { name, root, maxBytes: options.maxBytes, types, only }
      const all = containers === undefined ? ended : containers.expand(inside)(ended)
      return options.ordered ? ordered(all) : all
    })
  )

const none: Files.Inside["only"] = new Map()

/** The types, and those of files that hold files. */
const withContainers = (types: Files.FileTypes, { opens, readsInPlace }: Files.Containers): Files.FileTypes => ({
  takes: (extension) => types.takes(extension) || opens(extension),
  readsHere: (extension) => types.readsHere(extension) || opens(extension),
  readsInPlace
})

/** The file that holds what a path names, by the beginning of the path; undefined where there is none. */
const holderOf = (root: string, path: string, { opens }: Files.Containers): string | undefined => {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const holder = path.slice(0, end)
    if (opens(extensionOf(holder)) && fs.statSync(`${root}/${holder}`, { throwIfNoEntry: false })?.isFile() === true)
      return holder
  }
  return undefined
}

/** Names of what lies in a file, which the disk does not know, are that file with what is wanted of it. */
const opening = (root: string, scope: Scope.Scope, containers: Files.Containers) => {
  const only = new Map<string, Set<string>>()
  const missing = scope.missing.filter(({ path }) => {
    const holder = holderOf(root, path, containers)
    if (holder !== undefined) only.set(holder, (only.get(holder) ?? new Set()).add(path))
    return holder === undefined
  })
  const holders = [...only.keys()].filter((holder) => !scope.files.includes(holder))
  for (const file of scope.files) only.delete(file)
  return { only, scope: { ...scope, missing, files: [...scope.files, ...holders] } }
}

const checkRoot = (root: string): Effect.Effect<void, Refusal> =>
  Effect.try({
    try: () => fs.statSync(root),
    catch: (cause): Refusal => {
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined
      const reason = reasonOf(code) === "NotFound" ? "RootMissing" : "RootUnreadable"
      return { reason, argument: root, remedy: "", cause }
    }
  }).pipe(
    Effect.flatMap((stats) =>
      stats.isDirectory() ? Effect.void : Effect.fail<Refusal>({ reason: "RootNotAFolder", argument: root, remedy: "" })
    )
  )

/** Names per request to fast-glob, which compares each of its results with each of its patterns. */
const batch = 64

/** A discovery that has begun. */
interface Search {
  /** Absolute path. */
  readonly root: string
  readonly scope: Scope.Scope
  readonly gitignore: Gitignore.Gitignore | null
  readonly check: Files.Check
}

const named = ({ check, gitignore, root, scope }: Search): FoundStream =>
  Stream.fromIterable(scope.files).pipe(
    Stream.rechunk(batch),
    Stream.mapChunksEffect((paths) =>
      Effect.gen(function* () {
        const files = Chunk.toReadonlyArray(paths).filter((path) => !isLockFile(path))
        const left = yield* Effect.tryPromise({
          try: () => Scope.kept(root, files, scope.ignore),
          catch: (cause): Refusal => ({ reason: "Io", argument: "", remedy: "", cause })
        })
        const wanted =
          gitignore === null ? left : left.filter((path) => !gitignore.ignoresPath(`${root}/${path}`, false))
        return Chunk.unsafeFromArray(yield* check(wanted, true))
      })
    )
  )

/** Tests for the lock file that an office program keeps next to an open document. */
const isLockFile = (path: string): boolean => path.startsWith("~$", path.lastIndexOf("/") + 1)

const matched = (options: Options, { check, gitignore, root, scope }: Search): FoundStream => {
  const walk = (
    patterns: ReadonlyArray<string>,
    nodeModules: boolean
  ): Stream.Stream<string | Glob.Unreadable, Refusal> =>
    patterns.length === 0
      ? Stream.empty
      : Glob.walk({
          root,
          patterns,
          ignore: scope.ignore,
          nodeModules,
          followSymbolicLinks: options.followSymbolicLinks,
          gitignore,
          disk: options.disk
        }).pipe(Stream.mapError((cause): Refusal => ({ reason: "Io", argument: root, remedy: "", cause })))
  // Patterns that name `node_modules` are walked separately: only they enter folders of that name.
  const explicit = scope.patterns.filter((pattern) => pattern.includes("node_modules"))
  const inModules = /(^|\/)node_modules\//
  const taken = new Set(scope.files)
  const step = (items: ReadonlyArray<string | Glob.Unreadable>): Effect.Effect<Chunk.Chunk<Files.Found>> => {
    const paths = items.filter((item) => typeof item === "string").filter((path) => !taken.has(path))
    const problems = items.filter((item) => typeof item !== "string").map(Files.unreadable)
    return Effect.map(check(paths, false), (found) => Chunk.unsafeFromArray([...found, ...problems]))
  }
  return Stream.concat(
    walk(scope.patterns, false),
    walk(explicit, true).pipe(Stream.filter((item) => typeof item !== "string" || inModules.test(item)))
  ).pipe(Stream.mapChunksEffect((items) => step(Chunk.toReadonlyArray(items))))
}

/** All results, sorted by path in UTF-16 code units; holds all of them, about 0.3 KB a file. */
const ordered = (found: FoundStream): FoundStream =>
  Stream.unwrap(
    Effect.suspend(() => {
      const all: Array<Files.Found> = []
      return Effect.as(
        Stream.runForEachChunk(found, (items) =>
          Effect.sync(() => {
            for (const item of items) all.push(item)
          })
        ),
        Stream.suspend(() => Stream.fromIterable(all.toSorted((a, b) => (a.path < b.path ? -1 : 1))))
      )
    })
  )

/** With the cause where all arguments are names of nothing. */
const unmatched = (given: ReadonlyArray<string>, missing: Scope.Scope["missing"]): Refusal => {
  const [first] = missing
  const refusal = { reason: "NoMatch", argument: given.join(" "), remedy: "" } as const
  const none = missing.filter(({ cause }) => reasonOf(cause.code) === "NotFound").length === given.length
  return first !== undefined && none ? { ...refusal, cause: first.cause } : refusal
}

/** Reports missing names as results if anything else was found; fails when there is nothing else. */
const ending = (found: FoundStream, name: string, options: Options, scope: Scope.Scope): FoundStream =>
  Stream.suspend(() => {
    let some = false
    const counted = Stream.mapChunks(found, (items) => {
      some ||= Chunk.isNonEmpty(items)
      return items
    })
    const missing = scope.missing.map(({ path, cause }) => Files.unusableFile(name, path, unreadable(path, cause)))
    return Stream.concat(
      counted,
      Stream.suspend((): FoundStream =>
        some
          ? Stream.fromIterable(missing)
          : Stream.fail(unmatched([...options.patterns, ...options.names], scope.missing))
      )
    )
  })
