/** A request that was not refused within this many times the longest time of a refusal counts as accepted. */
const slack = 2
/** Waits are told in whole seconds, those that are dates between two of them: at most so much longer than the time left, in milliseconds. */
const rounding = 2000
/** Refusals one after another that make the wait that they tell everybody's. */
const believed = 3

/** Milliseconds after which one request is sent nevertheless: some services always tell a minute, though they count by the second. */
const trial = 1100

/** A request: its number, the time of its sending, and the number of those refused before it. */
interface Request {
  readonly number: number
  readonly at: number
  refused: number
}

/** Refusals one after another in the order of sending. */
export interface Closing {
  /** Number and sending of the last refusal; sending of the first. */
  number: number
  at: number
  since: number
  count: number
  /** Longest time of an answer, in milliseconds. */
  latency: number
  /** Earliest and latest time at which the service opens again, by what it told. */
  earliest: number
  latest: number
  /** The first request since; null before it. */
  probe: Request | null
}

/** The time from one opening of the service to the next, in milliseconds. */
export interface Span {
  readonly from: Request
  readonly accepted: number
  readonly time: number
  /** The time until everything was refused, the time from then to the last refusal, and the number of refusals in it. */
  readonly open: number
  readonly closed: number
  readonly refusals: number
}

/**
 * Finds out when a service is closed, by refusals for the rate, and when it is open again: from the first request on that is accepted
 * after them. Times are milliseconds since the epoch.
 */
export class Openings {
  /** Null while the service is open. */
  closing: Closing | null = null
  /** Requests sent. */
  count = 0
  private refusals = 0
  private opening: Request | null = null
  /** What to go back to when the request that opened it is refused after all. */
  private before: { readonly opening: Request | null; readonly closing: Closing } | null = null

  /** Counts a request that goes out. Returns the span that has ended when the one before it must have been accepted. */
  sent(now: number): Span | null {
    this.count += 1
    const request: Request = { number: this.count, at: now, refused: this.refusals }
    this.opening ??= request
    if (this.closing === null) return null
    const { latency, probe } = this.closing
    if (probe === null) this.closing.probe = request
    return probe === null || now - probe.at < slack * latency ? null : this.open(this.closing, probe)
  }

  /** A request was accepted; `number` and `at` of its sending. Returns the span that has ended with it. */
  answered(number: number, at: number): Span | null {
    const { closing } = this
    return closing === null || number <= closing.number ? null : this.open(closing, { number, at, refused: 0 })
  }

  /** A request was refused; `told` is the wait that the service asked for. Returns true when it was closed after the request before. */
  refused(now: number, number: number, at: number, told: number): boolean {
    this.refusals += 1
    if (this.before !== null && number === this.opening?.number) {
      this.opening = this.before.opening
      this.closing = this.before.closing
      this.before = null
    }
    if (this.opening !== null && number < this.opening.number) {
      this.opening.refused += 1
      return false
    }
    const continued = this.closing !== null && number === this.closing.number + 1
    this.closing ??= { number, at, since: at, count: 0, latency: 0, earliest: 0, latest: never, probe: null }
    const { closing } = this
    // A request between the two was accepted, as it seems.
    if (number > closing.number + 1) {
      closing.since = at
      closing.count = 0
    }
    closing.count += 1
    closing.latency = Math.max(closing.latency, now - at)
    if (told > 0) {
      const tried = at >= closing.since + trial
      if (closing.count >= believed)
        closing.earliest = Math.min(at + told - rounding, tried ? never : closing.since + trial)
      closing.latest = at + told
    }
    if (number >= closing.number) {
      closing.number = number
      closing.at = at
      closing.probe = null
    }
    return continued
  }

  /** Milliseconds after a probe in which its refusal would come. */
  get wait(): number {
    return slack * (this.closing?.latency ?? 0)
  }

  /** Takes a span for a part of a longer one. */
  join(span: Span): void {
    this.opening = span.from
  }

  private open(closing: Closing, request: Request): Span | null {
    const from = this.opening
    this.before = { opening: from, closing }
    this.closing = null
    this.opening = { ...request, refused: this.refusals }
    if (from === null) return null
    const accepted = request.number - from.number - (this.refusals - from.refused)
    // It opened at some time after the last refusal.
    const opened = (Math.max(closing.at, Math.min(closing.earliest, request.at)) + request.at) / 2
    const time = opened - from.at
    if (accepted <= 0 || time <= 0) return null
    const { at, count, since } = closing
    return { from, accepted, time, open: since - from.at, closed: at - since, refusals: count }
  }
}

const never = Number.POSITIVE_INFINITY
