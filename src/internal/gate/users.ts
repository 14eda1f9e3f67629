import * as Duration from "effect/Duration"
import type { Options } from "./contract.ts"

/** The limits that hold for all users of a gate: of each option the lowest. Durations in milliseconds. */
export interface Bounds {
  /** Null when every user leaves it to the gate. */
  readonly concurrency: number | null
  /** Requests a millisecond; null when nobody knows it. */
  readonly rate: number | null
  readonly bytes: number
  readonly outageLimit: number
}

const defaults = { maxBytesInFlight: 67_108_864, outageLimit: "10 minutes" } as const

const lowest = (numbers: ReadonlyArray<number | null>): number | null =>
  numbers.reduce((low, number) => (low === null || (number !== null && number < low) ? number : low), null)

const boundsOf = (options: Options): Bounds => ({
  concurrency: typeof options.concurrency === "number" ? Math.max(1, Math.floor(options.concurrency)) : null,
  rate: options.rate === undefined ? null : options.rate.requests / Duration.toMillis(options.rate.per),
  bytes: options.maxBytesInFlight ?? defaults.maxBytesInFlight,
  outageLimit: Duration.toMillis(options.outageLimit ?? defaults.outageLimit)
})

/** The users of a gate, each with options of its own. */
export class Users {
  bounds: Bounds = boundsOf({})
  private readonly all = new Map<symbol, Bounds>()

  /** Number of users. */
  get count(): number {
    return this.all.size
  }

  /** Adds a user; returns its name. */
  add(options: Options): symbol {
    const name = Symbol("user")
    this.all.set(name, boundsOf(options))
    this.combine()
    return name
  }

  remove(name: symbol): void {
    this.all.delete(name)
    if (this.all.size > 0) this.combine()
  }

  private combine(): void {
    const all = [...this.all.values()]
    this.bounds = {
      concurrency: lowest(all.map(({ concurrency }) => concurrency)),
      rate: lowest(all.map(({ rate }) => rate)),
      bytes: Math.min(...all.map(({ bytes }) => bytes)),
      outageLimit: Math.min(...all.map(({ outageLimit }) => outageLimit))
    }
  }
}
