/**
 * The time in which nobody is served: from the first failure or refusal after a success until the next success, and while the service
 * has asked for a long wait. All times are milliseconds since the epoch.
 */
export class Outage {
  /** Start of the present outage; null while the service answers. */
  since: number | null = null
  /** The time before which the service wants no request; 0 when it named none. */
  closedUntil = 0
  /** The last failure in words. */
  problem: string | null = null
  private past = 0

  /** Milliseconds of all outages up to now, the present one included. */
  total(now: number): number {
    return this.past + (this.since === null ? 0 : Math.max(0, now - this.since))
  }

  /** Nobody was served: begins an outage unless there is one. */
  begin(now: number, problem: string | null): void {
    this.since ??= now
    this.problem = problem ?? this.problem
  }

  /** Closes the gate for as long as the service wants. */
  close(now: number, millis: number): void {
    this.closedUntil = Math.max(this.closedUntil, now + millis)
  }

  closed(now: number): boolean {
    return now < this.closedUntil
  }

  /** Somebody was served. A wait that was asked for stands, and the outage with it. */
  end(now: number): void {
    if (this.since === null || this.closed(now)) return
    this.past = this.total(now)
    this.since = null
    this.problem = null
  }

  /** Starts to measure again, so that the next request is tried. */
  forget(now: number): void {
    this.past = this.total(now)
    this.since = null
  }

  /** The time at which an outage of this many milliseconds is reached; Infinity without one. */
  reaches(limit: number): number {
    return this.since === null ? Number.POSITIVE_INFINITY : this.since + limit
  }
}
