/** Ids of hits, by which a browser asks for their pages: they cannot be guessed, and are forgotten after a time. */
import { randomBytes } from "node:crypto"

export interface Bounds {
  /** Most ids; the one used longest ago is forgotten first. */
  readonly most: number
  /** Time in milliseconds after which an id that was not used is forgotten. */
  readonly keptFor: number
}

const defaults: Bounds = { most: 1000, keptFor: 30 * 60_000 }

interface Kept<A> {
  readonly value: A
  readonly caller: string
  readonly until: number
}

/** An id belongs to the caller that it was made for: others do not find it. Times are milliseconds of any one clock. */
export class HitIds<A> {
  /** In order of last use. */
  private readonly kept = new Map<string, Kept<A>>()
  private readonly bounds: Bounds

  constructor(bounds: Partial<Bounds> = {}) {
    this.bounds = { ...defaults, ...bounds }
  }

  get size(): number {
    return this.kept.size
  }

  /** A new id, 32 hexadecimal digits. */
  add(value: A, caller: string, now: number): string {
    this.expire(now)
    const [oldest] = this.kept.keys()
    if (this.kept.size >= this.bounds.most && oldest !== undefined) this.kept.delete(oldest)
    const id = randomBytes(16).toString("hex")
    this.kept.set(id, { value, caller, until: now + this.bounds.keptFor })
    return id
  }

  /** Undefined for an id of another caller too. A use moves the end of the id's time on. */
  get(id: string, caller: string, now: number): A | undefined {
    this.expire(now)
    const found = this.kept.get(id)
    if (found === undefined || found.caller !== caller) return undefined
    this.kept.delete(id)
    this.kept.set(id, { ...found, until: now + this.bounds.keptFor })
    return found.value
  }

  private expire(now: number): void {
    for (const [id, { until }] of this.kept) {
      if (until > now) return
      this.kept.delete(id)
    }
  }
}
