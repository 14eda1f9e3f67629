/** Detects conflicting sinks: two names of one target, or one target inside another. */
import * as fs from "node:fs"
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path"
import * as Effect from "effect/Effect"
import { type ChunkSink, SinkError } from "../../ChunkSink.ts"

/** The target of a sink. */
export interface Target {
  /** For messages, without credentials. */
  readonly shown: string
  /** Equal for the same target. */
  readonly id: string
  /** The file or folder that only this sink writes to; null when it is not on this machine. */
  readonly place: string | null
}

/** The file system calls used here; for a missing name all of them throw or return undefined. */
export interface Disk {
  readonly realPath: (path: string) => string
  readonly readLink: (path: string) => string
  /** Device and inode. */
  readonly identity: (path: string) => string | undefined
}

const thisMachine: Disk = {
  realPath: fs.realpathSync.native,
  readLink: fs.readlinkSync,
  identity: (path) => {
    const stats = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats && `${stats.dev}:${stats.ino}`
  }
}

/** Links to follow before they count as a circle. */
const longestChain = 40

const attempt = (call: () => string): string | undefined => {
  try {
    return call()
  } catch {
    return undefined
  }
}

/** The path that a name leads to, which need not exist yet: links are followed, dangling ones too. */
const canonical = (disk: Disk, path: string, left: number): string => {
  const real = attempt(() => disk.realPath(path))
  if (real !== undefined || dirname(path) === path || left === 0) return real ?? path
  const link = attempt(() => disk.readLink(path))
  return link === undefined
    ? join(canonical(disk, dirname(path), left), basename(path))
    : canonical(disk, resolve(dirname(path), link), left - 1)
}

const swapped = (text: string): string => {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}

/** True when the disk treats two spellings of the nearest existing folder as the same. */
const ignoresCase = (disk: Disk, path: string): boolean => {
  const own = attempt(() => disk.identity(path) ?? "") || undefined
  if (own === undefined || swapped(path) === path) return dirname(path) !== path && ignoresCase(disk, dirname(path))
  return own === attempt(() => disk.identity(swapped(path)) ?? "")
}

interface Located extends Target {
  readonly path: string | null
  readonly inode: string | undefined
}

const located =
  (disk: Disk) =>
  (target: Target): Located => {
    if (target.place === null) return { ...target, path: null, inode: undefined }
    const path = canonical(disk, resolve(target.place), longestChain)
    return {
      ...target,
      path: ignoresCase(disk, path) ? path.normalize("NFC").toLowerCase() : path,
      inode: attempt(() => disk.identity(path) ?? "") || undefined
    }
  }

const contains = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)

/** A target that conflicts with another one. */
export interface Clash {
  readonly target: Target
  /** In one line, without the target. */
  readonly problem: string
}

const between = (left: Located, right: Located): Clash | null => {
  const same = left.id === right.id || (left.inode !== undefined && left.inode === right.inode)
  if (same || (left.path !== null && left.path === right.path)) {
    return { target: right, problem: `is the same target as ${left.shown}; name it once` }
  }
  if (left.path === null || right.path === null) return null
  if (contains(left.path, right.path)) return inside(right, left)
  return contains(right.path, left.path) ? inside(left, right) : null
}

const inside = (target: Target, outer: Target): Clash => ({
  target,
  problem: `lies in the folder of ${outer.shown}, which holds nothing else; choose another place for one of them`
})

/** The first conflict found; null when there is none. Reads the disk and writes nothing. */
export const clash = (targets: ReadonlyArray<Target>, disk: Disk = thisMachine): Clash | null => {
  const all = targets.map(located(disk))
  for (const [at, right] of all.entries()) {
    for (const left of all.slice(0, at)) {
      const found = between(left, right)
      if (found !== null) return found
    }
  }
  return null
}

/** A sink's id is its kind and its target: a path, an address, or nothing (`memory:`), which never conflicts. */
const targetOf = (sink: ChunkSink.Service, _: number, all: ReadonlyArray<ChunkSink.Service>): Target => {
  const { id } = sink
  const target = id.slice(id.indexOf(":") + 1)
  return {
    shown: id,
    id: target === "" ? `${id}${all.indexOf(sink)}` : id,
    place: isAbsolute(target) ? target : null
  }
}

/** Fails when two of the sinks conflict. */
export const check = (sinks: ReadonlyArray<ChunkSink.Service>): Effect.Effect<void, SinkError> =>
  Effect.suspend(() => {
    const found = clash(sinks.map(targetOf))
    return found === null
      ? Effect.void
      : new SinkError({ sink: found.target.shown, reason: "Unsupported", problem: found.problem })
  })
