import * as Effect from "effect/Effect"
import type { Announcement } from "./message.ts"

/** Time for which a worker is put aside, after which it may try again, in milliseconds. */
const away = 15_000

/** A worker that was put aside. */
interface Entry {
  readonly worker: string
  readonly problem: string
  /** Milliseconds since the epoch. */
  readonly until: number
}

/**
 * Workers that do not get at files that are there: the folder is not mounted, or a store is not open to them. Such a worker takes nothing
 * for a while. One that has just got at another file may miss one, since machines do not see a new file at the same moment.
 */
export class Aside {
  private readonly entries = new Map<string, Entry>()
  /** Workers that got at the last file that they were given. */
  private readonly sighted = new Set<string>()
  private readonly said: Array<string> = []
  private readonly latch = Effect.unsafeMakeLatch()
  /** Milliseconds since the epoch when a worker missed a file, and none has got at one since; null otherwise. */
  private blind: number | null = null

  /** The worker got at a file. */
  saw(worker: string): void {
    this.sighted.add(worker)
    this.blind = null
  }

  /** The worker missed a file that is there. Gives the words to be told where it is put aside for the first time; else null. */
  missed(worker: string, problem: string, now: number): string | null {
    this.blind ??= now
    if (this.sighted.delete(worker)) return null
    const known = this.entries.has(worker)
    this.entries.set(worker, { worker, problem, until: now + away })
    this.latch.unsafeOpen()
    if (known) return null
    const line = `worker ${worker} is put aside: ${problem}`
    this.said.push(line)
    return line
  }

  /** Completes when a worker was put aside since the last call of `news`. */
  readonly changed: Effect.Effect<void> = this.latch.await

  /** Lines since the last call. */
  readonly news = (): ReadonlyArray<string> => {
    this.latch.unsafeClose()
    return this.said.splice(0)
  }

  /** The workers that were put aside in this run, those that are back included. */
  get all(): ReadonlyArray<Entry> {
    return [...this.entries.values()]
  }

  /** The workers that are to take nothing now. */
  readonly at = (now: number): Announcement["aside"] =>
    this.all.flatMap(({ problem, until, worker }) => (until > now ? [{ worker, problem }] : []))

  /** Milliseconds for which workers have missed files and none got at one. */
  readonly blindFor = (now: number): number => (this.blind === null ? 0 : now - this.blind)
}
