import * as Duration from "effect/Duration"
import { atLeastOne } from "../base/atLeastOne.ts"
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

const defaults = { bytes: 67_108_864, outageLimit: 600_000 } as const

/** Limits that one user asks for; null for those that it leaves open. */
type Wish = { readonly [Bound in keyof Bounds]: number | null }

const lowest = (numbers: ReadonlyArray<number | null>): number | null =>
  numbers.reduce((low, number) => (low === null || (number !== null && number < low) ? number : low), null)

const wishOf = (options: Options): Wish => ({
  concurrency: typeof options.concurrency === "number" ? atLeastOne(Math.floor(options.concurrency)) : null,
  rate: options.rate === undefined ? null : options.rate.requests / Duration.toMillis(options.rate.per),
  bytes: options.maxBytesInFlight ?? null,
  outageLimit: options.outageLimit === undefined ? null : Duration.toMillis(options.outageLimit)
})

const combined = (wishes: ReadonlyArray<Wish>): Bounds => ({
  concurrency: lowest(wishes.map(({ concurrency }) => concurrency)),
  rate: lowest(wishes.map(({ rate }) => rate)),
  bytes: lowest(wishes.map(({ bytes }) => bytes)) ?? defaults.bytes,
  outageLimit: lowest(wishes.map(({ outageLimit }) => outageLimit)) ?? defaults.outageLimit
})

/** The users of a gate and their options. */
export class Users {
  bounds: Bounds = combined([])
  private readonly all = new Map<symbol, Wish>()

  /** Adds a user; returns its name. */
  add(options: Options): symbol {
    const name = Symbol("user")
    this.all.set(name, wishOf(options))
    this.combine()
    return name
  }

  remove(name: symbol): void {
    this.all.delete(name)
    this.combine()
  }

  private combine(): void {
    this.bounds = combined([...this.all.values()])
  }
}
