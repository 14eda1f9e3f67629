/** What a process has open, and what an interrupted pipeline left of it. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect } from "effect"

const target = (descriptor: string): ReadonlyArray<string> => {
  try {
    return [readlinkSync(`/proc/self/fd/${descriptor}`)]
  } catch {
    // The descriptor of the listing itself.
    return []
  }
}

/** Targets of all descriptors, sockets by their number. */
const descriptors = (): ReadonlyArray<string> => readdirSync("/proc/self/fd").flatMap(target)

const children = (): ReadonlyArray<string> =>
  readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8")
      .split(" ")
      .filter((id) => id !== "")
      .map((id) => `process ${id}`)
  )

/** Everything open now: descriptors and child processes. */
export const open = (): ReadonlySet<string> => new Set([...descriptors(), ...children()])

const since = (before: ReadonlySet<string>): ReadonlyArray<string> => [...open()].filter((name) => !before.has(name))

setFlagsFromString("--expose-gc")
const gc: unknown = runInNewContext("gc")

/** A full collection. A reference that was just read keeps its object until the next turn, so that one has to begin before. */
const collected = async (): Promise<void> => {
  await sleep(0)
  if (typeof gc === "function") gc()
}

/** The driver of libSQL closes a file once the statements over it are collected, whenever the database was closed. */
const isDatabase = (name: string): boolean => /\.db(?:-wal|-shm)?$/.test(name)

/**
 * What is open and was not before. A child process has ended at once. What is open otherwise has a second: a read or a listing that the
 * system has begun closes its file once it has ended, and the server at the other end of a socket has to notice.
 */
export const leftovers = (before: ReadonlySet<string>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const processes = since(before).filter((name) => name.startsWith("process "))
    if (since(before).some(isDatabase)) {
      await collected()
      await sleep(0)
    }
    for (let waited = 0; waited < 100 && since(before).length > 0; waited += 1) await sleep(10)
    return [...new Set([...processes, ...since(before)])]
  })

/** Objects that were noted and are still reachable. */
export class Alive {
  private noted: Array<WeakRef<object>> = []

  readonly note = (one: object): void => {
    this.noted.push(new WeakRef(one))
  }

  /** The number after a full collection. */
  readonly count: Effect.Effect<number> = Effect.promise(async () => {
    await collected()
    this.noted = this.noted.filter((one) => one.deref() !== undefined)
    return this.noted.length
  })
}
