const second = 1000
/** Shortest time that a rate is measured over, in milliseconds. */
const shortest = 250

/** Rate of successes in the last second, or since the first of them. Times are milliseconds since the epoch. */
export class RecentRate {
  /** Time of the first success after a second without any. */
  private begun = 0
  /** Successes in the second that began at `since`, and in the one before. */
  private since = 0
  private present = 0
  private former = 0

  /** Adds a success. */
  add(now: number): void {
    this.turn(now)
    this.present += 1
  }

  /** Successes a millisecond; at least one is assumed. */
  at(now: number): number {
    this.turn(now)
    const recently = this.present + this.former * (1 - (now - this.since) / second)
    return Math.max(1, recently) / Math.min(second, Math.max(shortest, now - this.begun))
  }

  /** Begins a new second when the present one is over. */
  private turn(now: number): void {
    if (now < this.since + second) return
    const goesOn = now < this.since + 2 * second
    this.former = goesOn ? this.present : 0
    this.present = 0
    this.since = goesOn ? this.since + second : now
    if (!goesOn) this.begun = now
  }
}
