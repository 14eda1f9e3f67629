/** Requests in flight at most when no number is given. */
export const adaptiveCeiling = 32
/** Limit after the first answer when no number is given. */
const adaptiveStart = 4
/**
 * A limit that was found is tested after this many answers and this many milliseconds, which double with each test that fails, up to the
 * longest.
 */
const restAnswers = 64
const restTime = 1000
const longestTime = 2000
/** Time without an answer after which one more request may go out before the first answer, in milliseconds. */
const growth = 2000
/** First and longest rest after a refusal of the only request in flight, in milliseconds. */
const shortestRest = 20
const longestRest = 5000

/**
 * The number of requests in flight. One until the first answer, and one more for every two seconds that it takes, up to the number that
 * follows it; then the ceiling that was given, or a few and one more for each answer
 * while the limit is used. A refusal for concurrency tells the service's own limit: one less than the number in flight when the request
 * went out. That is kept, and tested from time to time: with one more, then two, four, as long as they are answered.
 */
export class Limiter {
  limit = 1
  /** No request goes out before this time, in milliseconds since the epoch. */
  restUntil = 0
  /** Changes with the limit: answers to requests of an earlier epoch do not confirm the present limit. */
  epoch = 0
  private ceiling = adaptiveCeiling
  private start = adaptiveStart
  private started = false
  /** Time at which the requests began that nothing was heard of, in milliseconds since the epoch. */
  private unheardSince = 0
  /** The limit known to be accepted; null before the first refusal. */
  private accepted: number | null = null
  private step = 1
  /** Milliseconds until the next test. */
  private patience = restTime
  private since = 0
  private answers = 0
  private rest = 0

  /** Sets the ceiling; null: none was given. */
  bound(ceiling: number | null): void {
    const before = this.ceiling
    this.ceiling = ceiling ?? adaptiveCeiling
    this.start = ceiling ?? adaptiveStart
    if (!this.started) return
    if (this.limit > this.ceiling) this.limit = this.ceiling
    else if (this.ceiling > before && this.accepted === null) this.limit = Math.max(this.limit, this.start)
  }

  /** Back to the first request, after an outage. */
  restart(): void {
    this.started = false
    this.limit = 1
    this.accepted = null
    this.epoch += 1
  }

  /** A request goes out; `inFlight` counts it. */
  sent(now: number, inFlight: number): void {
    if (this.started) return
    if (inFlight === 1) this.unheardSince = now
    this.limit = inFlight
  }

  /** A request failed that the service may not have seen. */
  failed(now: number): void {
    if (this.started) return
    this.unheardSince = now
    this.limit = 1
  }

  /** The time for the next request next to those in flight; Infinity while only the end of another one can make room. */
  opensAt(inFlight: number): number {
    if (inFlight < this.limit) return this.restUntil
    return this.started || inFlight >= Math.min(this.start, this.ceiling)
      ? Number.POSITIVE_INFINITY
      : Math.max(this.restUntil, this.unheardSince + growth * inFlight)
  }

  /** An answer to a request of an epoch; `inFlight` at its start, itself included. */
  answered(now: number, epoch: number, inFlight: number): void {
    this.rest = 0
    if (!this.started) {
      this.started = true
      this.limit = Math.min(this.start, this.ceiling)
      return
    }
    if (this.limit >= this.ceiling) return
    if (this.accepted === null) {
      if (2 * inFlight >= this.limit) this.limit += 1
      return
    }
    if (epoch !== this.epoch) return
    this.answers += 1
    if (inFlight > this.accepted) this.raise(now, 2 * this.step)
    else if (inFlight >= this.limit && now - this.since >= this.patience && this.answers >= restAnswers)
      this.raise(now, 1)
  }

  /** The request was refused, or held back in the service's queue, since too many are in flight. */
  limited(now: number, inFlight: number): void {
    this.started = true
    const found = Math.max(1, Math.min(this.limit, inFlight - 1))
    this.patience = found === this.accepted ? Math.min(longestTime, 2 * this.patience) : restTime
    this.limit = found
    this.accepted = this.limit
    this.settle(now, 1)
    if (inFlight > 1) return
    this.rest = Math.min(longestRest, Math.max(shortestRest, 2 * this.rest))
    this.restUntil = now + this.rest
  }

  private raise(now: number, step: number): void {
    this.accepted = this.limit
    this.limit = Math.min(this.ceiling, this.limit + step)
    this.settle(now, step)
  }

  private settle(now: number, step: number): void {
    this.epoch += 1
    this.step = step
    this.since = now
    this.answers = 0
  }
}
