import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type * as Fiber from "effect/Fiber"
import type { PackedVector } from "../../DocumentChunk.ts"
import type { Halt } from "../../RequestGate.ts"
import { Landing } from "../base/landing.ts"
import { type Failure, type Stopped, stopped } from "./failure.ts"

/** A text to embed. */
export interface TextRequest {
  /** Equal keys stand for equal vectors. */
  readonly key: string
  readonly text: string
  readonly tokens: number
}

/** A vector, and a flag for a text that was cut to its beginning. */
export interface Embedded {
  readonly vector: PackedVector
  readonly cut: boolean
}

export type Result = Either.Either<Embedded, Failure>

/** Texts of one request. */
export interface Batch {
  readonly flights: ReadonlyArray<Flight>
  fiber: Fiber.RuntimeFiber<unknown> | null
  /** Number of flights that a caller still waits for. */
  live: number
}

/** Ends the waits of a caller. */
export type CallerHalt = Halt<unknown>

/** Options of a call. */
export interface CallOptions {
  /** Null: only interruption ends the waits. */
  readonly halt: CallerHalt | null
  /** True while other calls of the same source are likely to bring texts soon; null: never. */
  readonly expecting: (() => boolean) | null
}

/** A caller that waits for several texts. */
export interface Call extends CallOptions {
  /** Texts without a result yet, each counted as often as it was requested. */
  remaining: number
  readonly landing: Landing<void>
}

export const callOf = (texts: number, { expecting, halt }: CallOptions): Call => ({
  halt,
  expecting,
  remaining: texts,
  landing: new Landing<void>()
})

/** Ends the waits of a batch once each of its callers is stopped. A caller that joins later counts, but ends no wait by itself. */
export const haltOf = ({ flights }: Batch): Halt<Stopped> => {
  const halts = () => new Set(flights.flatMap(({ calls }) => calls.map(({ halt }) => halt)))
  return {
    stopped: () => ([...halts()].every((halt) => halt !== null && halt.stopped() !== null) ? stopped : null),
    onStop: (listener) => {
      const unlisten = [...halts()].flatMap((halt) => (halt === null ? [] : [halt.onStop(listener)]))
      return () => unlisten.forEach((end) => end())
    }
  }
}

/** One text on its way; further callers with the same text wait for the same result. */
export interface Flight extends TextRequest {
  readonly calls: Array<Call>
  /** Number of calls that have not been interrupted. */
  waiting: number
  /** Result; null before it has landed. */
  result: Result | null
  /** `gone`: dropped before it was sent, since nobody waited any more. */
  place: "new" | "queued" | "gone" | "landed" | Batch
}

export const flightOf = ({ key, text, tokens }: TextRequest): Flight => ({
  key,
  text,
  tokens,
  calls: [],
  waiting: 0,
  result: null,
  place: "new"
})

/** Texts that wait to be sent, in order of arrival. */
export interface Queue {
  readonly count: () => number
  readonly tokens: () => number
  /** True when every text comes from calls that expect others. */
  readonly expecting: () => boolean
  readonly push: (flight: Flight) => void
  /** Drops a flight that nobody waits for. */
  readonly drop: (flight: Flight) => void
  /** Takes the next flights within both bounds, but at least one if there is one. */
  readonly take: (maxCount: number, maxTokens: number) => ReadonlyArray<Flight>
}

export const queue = (): Queue => {
  let items: Array<Flight> = []
  let head = 0
  let count = 0
  let tokens = 0
  const removed = (flight: Flight): void => {
    count -= 1
    tokens -= flight.tokens
  }
  const skip = (): Flight | undefined => {
    while (items[head]?.place === "gone") head += 1
    return items[head]
  }
  const take = (maxCount: number, maxTokens: number): ReadonlyArray<Flight> => {
    const taken: Array<Flight> = []
    let sum = 0
    for (let next = skip(); next !== undefined; next = skip()) {
      if (taken.length > 0 && (taken.length >= maxCount || sum + next.tokens > maxTokens)) break
      taken.push(next)
      sum += next.tokens
      head += 1
      removed(next)
    }
    if (head > 1024 || head === items.length) {
      items = items.slice(head)
      head = 0
    }
    return taken
  }
  return {
    count: () => count,
    tokens: () => tokens,
    expecting: () =>
      items.every(
        ({ calls, place }, at) =>
          at < head || place === "gone" || calls.every(({ expecting }) => expecting?.() === true)
      ),
    push: (flight) => {
      flight.place = "queued"
      items.push(flight)
      count += 1
      tokens += flight.tokens
    },
    drop: (flight) => {
      flight.place = "gone"
      removed(flight)
    },
    take
  }
}

/** Interrupts every caller that waits for a flight. */
export const abandon = (flight: Flight): void => {
  flight.place = "landed"
  for (const call of flight.calls) call.landing.land(Effect.interrupt)
}

export const land = (flight: Flight, result: Result): void => {
  flight.place = "landed"
  flight.result = result
  for (const call of flight.calls) {
    call.remaining -= 1
    if (call.remaining === 0) call.landing.land(Effect.void)
  }
}
