/**
 * The disk of a machine. Files that the program writes through `FileSystem` are in memory: each call takes a while, a full disk takes a part of
 * a write, and a power cut loses what was not synced. Databases and locks, which libSQL writes below JavaScript, are real files under the same
 * paths; a power cut loses a part of their logs.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Chance, chance } from "./Kernel.ts"
import type { Network } from "./Network.ts"
import type { Process } from "./Process.ts"

interface File {
  readonly kind: "file"
  bytes: Uint8Array
  /** What a power cut leaves. */
  synced: Uint8Array
}

interface Folder {
  readonly kind: "folder"
  readonly entries: Map<string, File | Folder>
}

const failed = (reason: PlatformError.SystemErrorReason, code: string, path: string) =>
  new PlatformError.SystemError({
    reason,
    module: "FileSystem",
    method: "simulated",
    pathOrDescriptor: path,
    cause: Object.assign(new Error(code), { code })
  })

/** In memory where the machine has such a place: a simulation syncs often. */
const folder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

/** The same for all simulations of a process, one after another: paths are a part of what is simulated. */
let place: string | undefined
const placeOf = (): string => {
  if (place === undefined) {
    const made = mkdtempSync(join(folder, "docsluice-simulation-"))
    process.once("exit", () => rmSync(made, { recursive: true, force: true }))
    place = made
  }
  return join(place, "disk")
}

export class Disk {
  readonly place = placeOf()
  private readonly network: Network
  private readonly draw: Chance
  private readonly root: Folder = { kind: "folder", entries: new Map() }
  /** Undo changes of names that a power cut loses, the oldest first. */
  private readonly unsynced: Array<() => void> = []

  constructor(network: Network) {
    this.network = network
    this.draw = chance(`${network.kernel.seed} disk`)
    rmSync(this.place, { recursive: true, force: true })
    this.makeFolder(this.place, true)
  }

  /** What a dead process leaves: its connections keep the files that they have open, and the locks on these. */
  left(): void {
    const former = `${this.place}.former`
    renameSync(this.place, former)
    cpSync(former, this.place, { recursive: true, filter: (path) => !/-shm$|lock(?:\.pid)?$/u.test(path) })
    rmSync(former, { recursive: true })
  }

  /** All processes are dead, and what was not synced is gone, or a part of it. */
  cut(): void {
    const lost = Math.floor(this.draw() * (this.unsynced.length + 1))
    for (const undo of this.unsynced.splice(this.unsynced.length - lost).toReversed()) undo()
    this.unsynced.length = 0
    this.tear(this.root)
    for (const name of readdirSync(this.place, { recursive: true, encoding: "utf8" })) {
      const path = join(this.place, name)
      if (name.endsWith("-wal")) truncateSync(path, Math.floor(this.draw() * (statSync(path).size + 1)))
    }
  }

  private tear({ entries }: Folder): void {
    for (const node of entries.values()) {
      if (node.kind === "folder") this.tear(node)
      else if (node.bytes !== node.synced) {
        const { bytes, synced } = node
        // What was added is there in part; of a file that was written anew anything may be there.
        const least = bytes.length >= synced.length && Buffer.compare(bytes.subarray(0, synced.length), synced) === 0
        const from = least ? synced.length : 0
        node.bytes =
          !least && this.draw() < 0.5
            ? synced
            : bytes.slice(0, from + Math.floor(this.draw() * (bytes.length - from + 1)))
        node.synced = node.bytes
      }
    }
  }

  /** For a process; null: at once, and without faults. */
  fileSystem(process: Process | null): FileSystem.FileSystem {
    const step = <A>(what: string, path: string, work: () => A) => this.step(process, `${what} ${path}`, work)
    const none = FileSystem.makeNoop({})
    return FileSystem.make({
      ...none,
      access: (path) => step("looks at", path, () => void this.at(path)),
      chmod: (path) => step("changes", path, () => void this.at(path)),
      chown: (path) => step("changes", path, () => void this.at(path)),
      makeDirectory: (path, options) => step("makes", path, () => this.makeFolder(path, options?.recursive === true)),
      open: (path, options) =>
        Effect.map(
          step("opens", path, () => this.opened(path, options?.flag ?? "r")),
          (node) => this.handle(process, path, node, options?.flag === "a")
        ),
      readDirectory: (path) => step("lists", path, () => [...this.folderAt(path).entries.keys()]),
      readFile: (path) => step("reads", path, () => this.fileAt(path).bytes.slice()),
      realPath: (path) =>
        step("looks at", path, () => {
          this.at(path)
          return path
        }),
      remove: (path, options) =>
        step("removes", path, () => {
          if (this.find(path) === undefined && options?.force === true) return
          const node = this.at(path)
          if (node.kind === "folder" && node.entries.size > 0 && options?.recursive !== true)
            throw failed("Unknown", "ENOTEMPTY", path)
          this.name(path, undefined)
        }),
      rename: (from, to) =>
        step("renames", to, () => {
          const node = this.at(from)
          const [before, after] = [this.find(from), this.find(to)]
          this.put(to, node)
          this.put(from, undefined)
          this.unsynced.push(() => {
            this.put(from, before)
            this.put(to, after)
          })
        }),
      stat: (path) => step("looks at", path, () => infoOf(this.at(path))),
      truncate: (path, size) => step("cuts", path, () => cutTo(this.fileAt(path), Number(size ?? 0)))
    })
  }

  private step<A>(process: Process | null, what: string, work: () => A): Effect.Effect<A, PlatformError.PlatformError> {
    const done = Effect.suspend(() => {
      try {
        return Effect.succeed(work())
      } catch (error) {
        return error instanceof PlatformError.SystemError ? Effect.fail(error) : Effect.die(error)
      }
    })
    if (process === null) return done
    const short = what.replace(this.place, "")
    const lost = failed("Unknown", "EIO", short)
    return this.network.ask(process, { server: "disk", what: short, lost }, (answer) => {
      if (process.alive)
        answer(Effect.runSync(Effect.map(Effect.either(done), (result) => Effect.suspend(() => result))))
    })
  }

  private handle(process: Process | null, path: string, node: File | Folder, appends: boolean): FileSystem.File {
    const step = <A>(what: string, work: (file: File) => A) =>
      this.step(process, `${what} ${path}`, () => {
        if (node.kind === "folder") throw failed("BadResource", "EISDIR", path)
        return work(node)
      })
    let position = 0
    const write = (bytes: Uint8Array) =>
      step("writes", (file) => {
        const isFull = process !== null && this.network.strikes("full")
        const part = isFull ? bytes.subarray(0, Math.floor(this.draw() * bytes.length)) : bytes
        const start = appends ? file.bytes.length : position
        const whole = new Uint8Array(Math.max(file.bytes.length, start + part.length))
        whole.set(file.bytes)
        whole.set(part, start)
        file.bytes = whole
        position = start + part.length
        if (isFull) throw failed("Unknown", "ENOSPC", path)
        return FileSystem.Size(part.length)
      })
    return {
      [FileSystem.FileTypeId]: FileSystem.FileTypeId,
      fd: FileSystem.FileDescriptor(3),
      stat: this.step(process, `looks at ${path}`, () => infoOf(node)),
      seek: (offset, from) =>
        Effect.sync(() => {
          position = from === "start" ? Number(offset) : position + Number(offset)
        }),
      // As file systems with a journal do it: with the names before.
      sync: this.step(process, `syncs ${path}`, () => {
        if (node.kind === "file") node.synced = node.bytes
        this.unsynced.length = 0
      }),
      read: (buffer) =>
        step("reads", ({ bytes }) => {
          const part = bytes.subarray(position, position + buffer.length)
          buffer.set(part)
          position += part.length
          return FileSystem.Size(part.length)
        }),
      readAlloc: (size) =>
        step("reads", ({ bytes }) => {
          const part = bytes.slice(position, position + Number(size))
          position += part.length
          return part.length === 0 ? Option.none() : Option.some(part)
        }),
      truncate: (length) => step("cuts", (file) => cutTo(file, Number(length ?? 0))),
      write,
      writeAll: (bytes) => Effect.asVoid(write(bytes))
    }
  }

  private opened(path: string, flag: FileSystem.OpenFlag): File | Folder {
    const before = this.find(path)
    if (flag.startsWith("r")) return this.at(path)
    if (before !== undefined && flag.includes("x")) throw failed("AlreadyExists", "EEXIST", path)
    const node: File | Folder = before ?? { kind: "file", bytes: nothing, synced: nothing }
    if (before === undefined) this.name(path, node)
    else if (node.kind === "folder") throw failed("BadResource", "EISDIR", path)
    else if (flag.startsWith("w")) node.bytes = new Uint8Array(0)
    return node
  }

  private makeFolder(path: string, recursive: boolean): void {
    // For locks and databases.
    mkdirSync(path, { recursive: true })
    const before = this.find(path)
    if (before !== undefined) {
      if (recursive && before.kind === "folder") return
      throw failed("AlreadyExists", "EEXIST", path)
    }
    const above = path.slice(0, path.lastIndexOf("/"))
    if (recursive && above !== "") this.makeFolder(above, true)
    this.name(path, { kind: "folder", entries: new Map() })
  }

  private find(path: string): File | Folder | undefined {
    let node: File | Folder | undefined = this.root
    for (const name of path.split("/").slice(1)) node = node?.kind === "folder" ? node.entries.get(name) : undefined
    return node
  }

  private at(path: string): File | Folder {
    const node = this.find(path)
    if (node === undefined) throw failed("NotFound", "ENOENT", path)
    return node
  }

  private fileAt(path: string): File {
    const node = this.at(path)
    if (node.kind === "folder") throw failed("BadResource", "EISDIR", path)
    return node
  }

  private folderAt(path: string): Folder {
    const node = this.at(path)
    if (node.kind === "file") throw failed("BadResource", "ENOTDIR", path)
    return node
  }

  /** Gives the path to a node or to none, which a power cut may undo. */
  private name(path: string, node: File | Folder | undefined): void {
    const before = this.find(path)
    this.put(path, node)
    this.unsynced.push(() => this.put(path, before))
  }

  private put(path: string, node: File | Folder | undefined): void {
    const at = path.lastIndexOf("/")
    const above = at === 0 ? this.root : this.folderAt(path.slice(0, at))
    if (node === undefined) above.entries.delete(path.slice(at + 1))
    else above.entries.set(path.slice(at + 1), node)
  }
}

const nothing = new Uint8Array(0)

const cutTo = (file: File, size: number): void => {
  const bytes = new Uint8Array(size)
  bytes.set(file.bytes.subarray(0, size))
  file.bytes = bytes
}

const infoOf = (node: File | Folder): FileSystem.File.Info => ({
  type: node.kind === "file" ? "File" : "Directory",
  mtime: Option.none(),
  atime: Option.none(),
  birthtime: Option.none(),
  dev: 1,
  ino: Option.none(),
  mode: node.kind === "file" ? 0o600 : 0o700,
  nlink: Option.none(),
  uid: Option.some(1),
  gid: Option.some(1),
  rdev: Option.none(),
  size: FileSystem.Size(node.kind === "file" ? node.bytes.length : 0),
  blksize: Option.none(),
  blocks: Option.none()
})
