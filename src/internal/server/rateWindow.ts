/** Requests begun in the last `per` milliseconds. Mutable. */
export interface RateWindow {
  /** Milliseconds until one more may begin; 0 when it may now. */
  readonly wait: (now: number) => number
  /** Counts one that begins now. */
  readonly count: (now: number) => void
}

const unlimited: RateWindow = { wait: () => 0, count: () => {} }

/** At most `requests` within any period of `per` milliseconds. Holds a number for each. */
export const make = (rate: { readonly requests: number; readonly per: number } | undefined): RateWindow => {
  if (rate === undefined) return unlimited
  if (rate.requests < 1) return { wait: () => rate.per, count: () => {} }
  /** When the last requests began, as a ring: the place of the next one holds the oldest. */
  const begun = Array.from({ length: rate.requests }, () => Number.NEGATIVE_INFINITY)
  let next = 0
  return {
    wait: (now) => Math.max(0, (begun[next] ?? 0) + rate.per - now),
    count: (now) => {
      begun[next] = now
      next = (next + 1) % rate.requests
    }
  }
}
