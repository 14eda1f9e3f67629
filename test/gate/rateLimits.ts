/** The limits of a rate that services have, as one that counts its requests would keep them. Times in milliseconds. */

/** Requests in each window, in one that begins with the first request after the last one, or in those of a clock. */
export interface FixedWindow {
  readonly kind: "fixed"
  readonly requests: number
  readonly window: number
  /** Time at which a window of the clock begins; null: the first request begins it. */
  readonly phase: number | null
}

/** Requests in any time as long as the window. */
export interface SlidingLog {
  readonly kind: "log"
  readonly requests: number
  readonly window: number
}

/** Requests in the present window of a clock, with those of the window before as far as it still reaches back. */
export interface SlidingCounter {
  readonly kind: "counter"
  readonly requests: number
  readonly window: number
  readonly phase: number
}

/** Tokens that it holds at most and at first, and those that it gets back in a second. A leaky one has a capacity of a few. */
export interface Bucket {
  readonly kind: "bucket"
  readonly capacity: number
  readonly perSecond: number
}

export type RateLimit = FixedWindow | SlidingLog | SlidingCounter | Bucket

/** Asked for each request, at times that never go back: null when it is accepted, else the time until the next one would be. */
type Check = (at: number) => number | null

const fixedWindow = ({ phase, requests, window }: FixedWindow): Check => {
  let begun = Number.NEGATIVE_INFINITY
  let count = 0
  return (at) => {
    if (at >= begun + window) {
      begun = phase === null ? at : at - ((((at - phase) % window) + window) % window)
      count = 0
    }
    if (count >= requests) return begun + window - at
    count += 1
    return null
  }
}

const slidingLog = ({ requests, window }: SlidingLog): Check => {
  const log: Array<number> = []
  return (at) => {
    while ((log[0] ?? at) <= at - window) log.shift()
    if (log.length >= requests) return (log[0] ?? at) + window - at
    log.push(at)
    return null
  }
}

const slidingCounter = ({ phase, requests, window }: SlidingCounter): Check => {
  let number = Number.NEGATIVE_INFINITY
  let [present, former] = [0, 0]
  return (at) => {
    const current = Math.floor((at - phase) / window)
    if (current !== number) {
      former = current === number + 1 ? present : 0
      present = 0
      number = current
    }
    const left = phase + (current + 1) * window - at
    if (present + former * (left / window) > requests - 1) {
      const room = requests - 1 - present
      return room < 0 || former === 0 ? left : Math.max(1, left - (room * window) / former)
    }
    present += 1
    return null
  }
}

const bucket = ({ capacity, perSecond }: Bucket): Check => {
  let tokens = capacity
  let filled = 0
  return (at) => {
    tokens = Math.min(capacity, tokens + ((at - filled) * perSecond) / 1000)
    filled = at
    if (tokens < 1) return ((1 - tokens) * 1000) / perSecond
    tokens -= 1
    return null
  }
}

export const check = (limit: RateLimit): Check =>
  limit.kind === "fixed"
    ? fixedWindow(limit)
    : limit.kind === "log"
      ? slidingLog(limit)
      : limit.kind === "counter"
        ? slidingCounter(limit)
        : bucket(limit)

/** How a refusal says when to come back: in whole seconds, as a date in whole seconds, not at all, or always after so many seconds. */
export type Telling = "seconds" | "date" | "untold" | number

/** Whole seconds that a refusal asks to wait, by the dates of the answer; null when it says nothing. `at` is since the epoch. */
export const retryAfter = (telling: Telling, at: number, remaining: number): number | null => {
  if (typeof telling === "number") return telling
  if (telling === "untold") return null
  return telling === "seconds"
    ? Math.ceil(remaining / 1000)
    : Math.ceil((at + remaining) / 1000) - Math.floor(at / 1000)
}

/** The least time to get so many requests through, from the first one at time 0 on. */
export const leastTime = (limit: RateLimit, requests: number): number => {
  if (limit.kind === "bucket") return (1000 * Math.max(0, requests - limit.capacity)) / limit.perSecond
  const windows = requests / limit.requests
  if (limit.kind === "log") return (Math.ceil(windows) - 1) * limit.window
  const first = limit.phase ?? limit.window
  if (windows <= 1) return 0
  return limit.kind === "counter"
    ? first + (windows - 1) * limit.window
    : first + (Math.ceil(windows) - 2) * limit.window
}
