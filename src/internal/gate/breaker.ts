/** Failures of the service's health in a row that open the breaker. */
const enough = 10
/** First and longest pause before the service is asked again, in milliseconds. */
const shortest = 1000
const longest = 60_000
/** Requests in flight while it is half-open. */
const probes = 2

/** `closed`: requests pass. `open`: none passes. `halfOpen`: a few pass, to find out about the service. */
export type BreakerState = "closed" | "open" | "halfOpen"

/**
 * Circuit breaker: opens after ten failures in a row, whatever their documents, and asks again after 1 second, doubled up to 60.
 * Any answer that shows the service at work closes it, a refusal included. Times are milliseconds since the epoch.
 */
export class Breaker {
  state: BreakerState = "closed"
  /** While it is open: the time of the next probe. */
  until = 0
  private failures = 0
  /** Time at which it ceased to be closed, and milliseconds in which it was not closed before. */
  private openedAt = 0
  private past = 0
  private pause = shortest
  private probing = 0

  /** True if one more request may go out now. */
  admits(now: number): boolean {
    if (this.state === "open" && now >= this.until) {
      this.state = "halfOpen"
      this.probing = 0
    }
    return this.state === "closed" || (this.state === "halfOpen" && this.probing < probes)
  }

  /** Counts a request that goes out. Returns true for a probe. */
  sent(): boolean {
    if (this.state !== "halfOpen") return false
    this.probing += 1
    return true
  }

  /** True while a probe is in flight: the next one may come from another lane. */
  get probed(): boolean {
    return this.probing > 0
  }

  /** A probe that says nothing: it was not sent, or it was interrupted. */
  undecided(): void {
    this.probing = Math.max(0, this.probing - 1)
  }

  /** Returns true if the breaker was not closed before. */
  healthy(now: number): boolean {
    const opened = this.state !== "closed"
    this.past = this.openTime(now)
    this.state = "closed"
    this.failures = 0
    this.pause = shortest
    return opened
  }

  /** Milliseconds up to now in which it was not closed. */
  openTime(now: number): number {
    return this.past + (this.state === "closed" ? 0 : now - this.openedAt)
  }

  failed(now: number): void {
    if (this.state === "closed") {
      this.failures += 1
      if (this.failures < enough) return
      this.openedAt = now
      this.open(now)
    } else if (this.state === "halfOpen") {
      this.pause = Math.min(longest, this.pause * 2)
      this.open(now)
    }
  }

  /** Lets the next request through as a probe. */
  relent(now: number): void {
    if (this.state !== "closed") this.until = now
  }

  private open(now: number): void {
    this.state = "open"
    this.until = now + this.pause
  }
}
