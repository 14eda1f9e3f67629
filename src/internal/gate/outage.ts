/**
 * The time since anybody was served, and the waits that the service asks of everybody. All times are milliseconds since the epoch.
 */
export class Outage {
  /** Time of the first failure or refusal after the last success; null after a success. */
  since: number | null = null
  /** The time before which the service wants no request; 0 when it named none. */
  closedUntil = 0
  /** The last failure in words. */
  problem: string | null = null
  private closedAt = 0
  private past = 0

  /** Milliseconds up to now in which the gate was closed. */
  closedTime(now: number): number {
    return this.past + Math.min(now, this.closedUntil) - this.closedAt
  }

  closed(now: number): boolean {
    return now < this.closedUntil
  }

  /** Closes the gate for as long as the service wants; a longer wait that it wanted before stands. */
  close(now: number, millis: number): void {
    if (!this.closed(now)) {
      this.past = this.closedTime(now)
      this.closedAt = now
    }
    this.closedUntil = Math.max(this.closedUntil, now + millis)
  }

  /** Nobody was served: begins an outage unless there is one. */
  begin(now: number, problem: string | null): void {
    this.since ??= now
    this.problem = problem ?? this.problem
  }

  /** Those who waited were given up: the next failure begins a new outage. */
  giveUp(): void {
    this.since = null
  }

  /** Somebody was served. */
  end(): void {
    this.since = null
    this.problem = null
  }

  /** The time at which the outage has lasted for this number of milliseconds; Infinity without an outage. */
  reaches(limit: number): number {
    return this.since === null ? Number.POSITIVE_INFINITY : this.since + limit
  }
}
