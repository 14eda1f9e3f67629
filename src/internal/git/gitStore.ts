/** A commit of a git repository as a store: its files from its trees, and the bytes of each by their id. git itself reads them. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as FileLock from "../../FileLock.ts"
import { SourceUnavailable } from "../../Source.ts"
import { paged } from "../archive/paged.ts"
import { sha256 } from "../base/sha256.ts"
import { inHome } from "../objects/environment.ts"
import type { ObjectEntry, ObjectStore } from "../objects/objectStore.ts"
import { addressOf, type Place } from "./place.ts"

/** A file of a commit. */
export interface Blob extends ObjectEntry {
  readonly id: string
}

/** What git said of a command that failed. */
class GitFailed extends Error {}

/** It asks nobody for a password, runs nothing that an address names, waits a minute for a silent server, and answers in English. */
const environment = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_HTTP_LOW_SPEED_LIMIT: "1",
  GIT_HTTP_LOW_SPEED_TIME: "60",
  GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
  LC_ALL: "C"
}

/** Most characters that are kept of what git says. */
const said = 10_000

interface Started {
  readonly child: ChildProcessWithoutNullStreams
  /** Rejects with what git said when it fails. */
  readonly ended: Promise<void>
}

const started = (args: ReadonlyArray<string>, signal?: AbortSignal): Started => {
  const child = spawn("git", [...args], { env: { ...process.env, ...environment }, signal })
  let problem = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    problem = (problem + text).slice(-said)
  })
  // What it did not read any more is told by its end.
  child.stdin.on("error", () => {})
  const ended = once(child, "close").then(([status]) => {
    if (status !== 0) throw new GitFailed(problem)
  })
  // Rejected before anybody waits for it where there is no git.
  ended.catch(() => {})
  return { child, ended }
}

/** The output of a command. Ends the command when nobody reads on. */
async function* output(args: ReadonlyArray<string>, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const { child, ended } = started(args, signal)
  child.stdin.end()
  try {
    yield* child.stdout
    await ended
  } finally {
    child.kill()
  }
}

const newline = 10

/** A git that gives one blob after another: to start one for each takes longer than to read most of them. */
class Reader {
  private readonly git: Started
  private readonly parts: AsyncIterator<Buffer>
  private rest: Buffer = Buffer.alloc(0)

  constructor(folder: string) {
    this.git = started(["-C", folder, "cat-file", "--batch"])
    this.parts = this.git.child.stdout[Symbol.asyncIterator]()
  }

  /** Bytes of a blob. It has to be read to its end before the next. */
  async *read(id: string): AsyncGenerator<Buffer> {
    this.git.child.stdin.write(`${id}\n`)
    // The blob before ends its line.
    const head = (await this.line()) || (await this.line())
    const size = Number(/ blob (\d+)$/u.exec(head)?.[1])
    if (Number.isNaN(size)) throw new GitFailed(head)
    for (let left = size; left > 0;) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- parts come one after another
      if (this.rest.length === 0) this.rest = await this.more()
      const part = this.rest.subarray(0, left)
      this.rest = this.rest.subarray(left)
      left -= part.length
      yield part
    }
  }

  end(): void {
    this.git.child.kill()
  }

  private async line(): Promise<string> {
    // oxlint-disable-next-line eslint/no-await-in-loop -- parts come one after another
    while (!this.rest.includes(newline)) this.rest = Buffer.concat([this.rest, await this.more()])
    const end = this.rest.indexOf(newline)
    const line = this.rest.toString("latin1", 0, end)
    this.rest = this.rest.subarray(end + 1)
    return line
  }

  private async more(): Promise<Buffer> {
    const { done, value } = await this.parts.next()
    if (done !== true) return value
    await this.git.ended
    throw new GitFailed("it ended before the blob did")
  }
}

/** As many readers as blobs are read at a time, until the scope is closed. */
const readers = (folder: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Set<Reader>()),
      (all) =>
        Effect.sync(() => {
          for (const reader of all) reader.end()
        })
    ),
    (all) => {
      const idle: Array<Reader> = []
      return async function* (id: string): AsyncGenerator<Buffer> {
        const reader = idle.pop() ?? new Reader(folder)
        all.add(reader)
        let isRead = false
        try {
          yield* reader.read(id)
          isRead = true
        } finally {
          if (isRead) idle.push(reader)
          else {
            all.delete(reader)
            reader.end()
          }
        }
      }
    }
  )

/** Runs a command, and gives its output. */
type Run = (args: ReadonlyArray<string>) => Promise<string>

/** Commands that end when the signal says so. */
const until =
  (signal: AbortSignal): Run =>
  async (args) => {
    const parts: Array<Buffer> = []
    for await (const part of output(args, signal)) parts.push(part)
    return Buffer.concat(parts).toString().trim()
  }

interface Meaning {
  readonly reason: SourceUnavailable["reason"]
  readonly problem: string
}

const meanings: ReadonlyArray<readonly [RegExp, Meaning]> = [
  [
    /dubious ownership/u,
    { reason: "Denied", problem: "it is another user's; allow it (git config --global --add safe.directory FOLDER)" }
  ],
  [
    /authentication failed|could not read (?:username|password)|permission denied|returned error: 40[13]/iu,
    { reason: "Denied", problem: "git has no right to it; let git find the credentials (git help credentials)" }
  ],
  [
    /not a git repository|does not appear to be a git repository|repository .*not found|cannot change to/iu,
    { reason: "Missing", problem: "there is no repository; check the address" }
  ],
  [
    /couldn't find remote ref|needed a single revision|not our ref/iu,
    { reason: "Missing", problem: "it has no such branch, tag or commit; check the ref" }
  ],
  [
    /could not resolve host|unable to access|operation too slow|connection (?:refused|reset|timed out)|could not read from remote/iu,
    { reason: "Unreachable", problem: "its server does not answer; check the address and the network" }
  ]
]

/** The error of a repository as a whole. */
const unusable =
  (source: string) =>
  (cause: unknown): SourceUnavailable => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      return new SourceUnavailable({ source, reason: "Invalid", problem: "git is not installed; install it" })
    }
    const words = cause instanceof Error ? cause.message.trim() : String(cause)
    const known = meanings.find(([pattern]) => pattern.test(words))?.[1]
    const [line = ""] = words.split("\n").slice(-1)
    return new SourceUnavailable({
      source,
      ...(known ?? { reason: "Failed", problem: `git failed: ${line.replace(/^(?:fatal|error): /u, "")}` })
    })
  }

/** Folder of the copies of repositories elsewhere. */
const copies = (): string => inHome("XDG_CACHE_HOME", ".cache", "git")

/** True when the ref is elsewhere what it is in the copy: then a fetch would ask for a pack all the same. */
const isCurrent = async (run: Run, { ref, repository }: Place, folder: string, own: string): Promise<boolean> => {
  const known = await run(["-C", folder, "for-each-ref", "--format=%(objectname)", own])
  if (known === "" || known === ref) return known !== ""
  const rows = await run(["ls-remote", "--quiet", "--", repository, ref])
  return rows.startsWith(`${known}\t`)
}

/** Removes locks that a git left which was killed, and a copy that lacks something. To be called by the only process that may fetch. */
const mended = async (run: Run, folder: string): Promise<void> => {
  for (const place of [folder, join(folder, "refs/docsluice")]) {
    const names = existsSync(place) ? readdirSync(place) : []
    for (const name of names) if (name.endsWith(".lock")) rmSync(join(place, name), { force: true })
  }
  if (!existsSync(folder)) return
  const isWhole = await run(["-C", folder, "rev-list", "--objects", "--quiet", "--all"]).then(
    () => true,
    () => false
  )
  if (!isWhole) rmSync(folder, { recursive: true, force: true })
}

/** Fetches what is new of the ref, without its history; returns the name that it has in the copy. */
const fetched = async (run: Run, place: Place, folder: string): Promise<string> => {
  const { ref, repository } = place
  const own = `refs/docsluice/${sha256(ref).slice(0, 24)}`
  await mended(run, folder)
  await run(["init", "--quiet", "--bare", folder])
  if (await isCurrent(run, place, folder, own)) return own
  await run(["-C", folder, "fetch", "--quiet", "--no-tags", "--depth=1", "--", repository, `+${ref}:${own}`])
  return own
}

/** Time between two looks whether another process has fetched. */
const pause = "200 millis"

/** The folder that git reads, and the name of the ref in it. Processes fetch into one copy one after another. */
const located = (place: Place, cache: string, failed: (cause: unknown) => SourceUnavailable) => {
  const { isRemote, ref, repository } = place
  if (!isRemote) return Effect.succeed({ folder: repository, ref })
  const folder = join(cache, `${sha256(repository).slice(0, 24)}.git`)
  const locked = Effect.zipRight(
    Effect.try(() => mkdirSync(cache, { recursive: true, mode: 0o700 })),
    Effect.retry(FileLock.acquire(`${folder}.lock`), {
      schedule: Schedule.spaced(pause),
      while: (error) => error.reason === "Locked"
    })
  )
  return Effect.scoped(
    Effect.zipRight(
      Effect.mapError(locked, failed),
      Effect.tryPromise({
        try: async (signal) => ({ folder, ref: await fetched(until(signal), place, folder) }),
        catch: failed
      })
    )
  )
}

/** A file of a tree: mode, type, id, size, path. */
const record = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/su

const regular = /^100/u

/** Links and modules are left out. */
async function* files(folder: string, commit: string): AsyncGenerator<Blob> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of output(["-C", folder, "ls-tree", "-r", "-z", "-l", "--full-tree", commit])) {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part])
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const [, mode = "", , id = "", size = "", key = ""] = record.exec(rest.subarray(0, end).toString()) ?? []
      rest = rest.subarray(end + 1)
      if (regular.test(mode)) yield { key, id, size: Number(size), etag: `git:${id}` }
    }
  }
}

/**
 * The repository at its ref, which is looked up now: what is listed and read is of one commit. `cache`: folder for copies of repositories
 * elsewhere.
 */
export const open = (
  place: Place,
  cache: string = copies()
): Effect.Effect<ObjectStore<Blob>, SourceUnavailable, Scope.Scope> => {
  const address = addressOf(place)
  const failed = unusable(address)
  return Effect.gen(function* () {
    const { folder, ref } = yield* located(place, cache, failed)
    const commit = yield* Effect.tryPromise({
      try: (signal) => until(signal)(["-C", folder, "rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`]),
      catch: failed
    })
    const blob = yield* readers(folder)
    return {
      address,
      list: () => paged(() => files(folder, commit), failed),
      bytes: {
        _tag: "Parts",
        parts: ({ id }) => blob(id),
        failure: failed
      }
    }
  })
}
