import { Distances } from "./distances.ts"
import { RecentRate } from "./recentRate.ts"

/** The pacer switches on when this many of the last 32 answers are refusals of the rate. */
const firstQuorum = 9
/** That many more are needed after each time that chance switched it on. */
const wariness = 5
/** Share of the recent rate that it begins with. */
const caution = 0.85
/** Growth of the rate in a second without a refusal; during the search it doubles. */
const growth = 0.05
/**
 * Smallest and greatest cut after a refusal, and the greatest one while refusals are few. The smallest is also the margin below the rate
 * that was measured.
 */
const least = 0.96
const most = 0.7
const gentle = 0.9
/** Refusals among the last 32 answers that tell of a rate far too high. */
const frequent = 12
/** The slowest rate that is learned, in requests a millisecond: one in 15 seconds. */
const slowest = 1 / 15_000

/** Requests accepted between two refusals, and how many that is in a millisecond. */
interface Measured {
  readonly accepted: number
  readonly rate: number
}

const nothing: Measured = { accepted: 0, rate: 0 }

/**
 * Spaces requests out. Off until 429s are frequent: a few sporadic ones say nothing about a rate. Then it learns the rate that the
 * service sustains: a refusal cuts it, time without one raises it. Between two refusals a service that refills at a steady rate accepts
 * just what it refills, so their distance measures the rate. Off again once the refusals turn out not to depend on the rate. Times are
 * milliseconds since the epoch.
 */
export class Pacer {
  /** Requests a millisecond; null while it is off. */
  rate: number | null = null
  private known: number | null = null
  /** Earliest time of the next request. */
  private next = 0
  /** The last 32 answers, a bit each: 1 for a refusal of the rate; the lowest bit is the last answer. */
  private recent = 0
  private successes = new RecentRate()
  private distances = new Distances()
  private grown = 0
  private cutAt = 0
  /** True from the start until the first measurement. */
  private searching = true
  /** Refusals among the last 32 answers that switch it on. */
  private quorum = firstQuorum
  /** Number of requests sent, and of those refused. */
  private sentCount = 0
  private refusedCount = 0
  /** The request refused last: when it was sent, and the counts then. */
  private mark: { readonly at: number; readonly sent: number; readonly refused: number } | null = null

  /** Sets the highest rate, from a plan, in requests a millisecond; null: unknown. */
  bound(known: number | null): void {
    this.known = known
    if (known !== null) this.rate = Math.min(this.rate ?? known, known)
  }

  /** The earliest time for the next request; 0 while the pacer is off. */
  get readyAt(): number {
    return this.rate === null ? 0 : this.next
  }

  /** Counts a request that goes out; returns its number. */
  sent(now: number): number {
    if (this.rate !== null) {
      this.grow(now)
      const interval = 1 / this.rate
      this.next = Math.max(this.next, now - interval) + interval
    }
    this.sentCount += 1
    return this.sentCount
  }

  answered(now: number): void {
    this.recent <<= 1
    this.successes.add(now)
  }

  /** A request was refused for its rate; `number` and `at` of its sending. */
  refused(now: number, number: number, at: number): void {
    this.recent = (this.recent << 1) | 1
    const measured = this.measure(number, at)
    this.refusedCount += 1
    if (this.rate === null) {
      if (ones(this.recent) >= this.quorum) this.start(now)
      return
    }
    // Requests sent before the last cut say nothing about the rate since.
    if (at < this.cutAt) return
    if (this.distances.areChance(measured.accepted)) return this.stop()
    if (measured.accepted > 0) this.searching = false
    const lowest = this.rate * (ones(this.recent) >= frequent ? most : gentle)
    this.rate = Math.min(this.rate * least, Math.max(lowest, measured.rate * least))
    this.rate = Math.max(this.rate, slowest)
    this.cutAt = now
    this.grown = now
    this.next = Math.max(this.next, now + 1 / this.rate)
  }

  private start(now: number): void {
    this.rate = this.successes.at(now) * caution
    this.next = now + 1 / this.rate
    this.cutAt = now
    this.grown = now
    this.mark = null
    this.searching = true
    this.distances = new Distances()
  }

  /** Chance switched it on: forgets what was seen while requests were spaced out. */
  private stop(): void {
    this.rate = this.known
    this.quorum += wariness
    this.recent = 0
    this.successes = new RecentRate()
  }

  /** A second, or twenty requests where the rate is slow. */
  private unit(): number {
    return Math.max(1000, 20 / (this.rate ?? 1))
  }

  /** The requests that were accepted since the refusal before. */
  private measure(number: number, at: number): Measured {
    const before = this.mark
    if (before !== null && number <= before.sent) return nothing
    this.mark = { at, sent: number, refused: this.refusedCount + 1 }
    if (before === null || at <= before.at) return nothing
    const accepted = number - 1 - before.sent - (this.refusedCount - before.refused)
    return accepted <= 0 ? nothing : { accepted, rate: (accepted + 0.5) / (at - before.at) }
  }

  private grow(now: number): void {
    if (this.rate === null) return
    const quiet = now - this.cutAt
    const unit = this.unit()
    // Faster after a long time without a refusal.
    const faster = this.searching ? 20 : Math.min(10, 2 ** Math.floor(quiet / (4 * unit)))
    const grown = this.rate * (1 + growth * faster) ** ((now - this.grown) / unit)
    this.rate = Math.min(grown, this.known ?? Number.POSITIVE_INFINITY)
    this.grown = now
  }
}

/** Number of bits that are 1. */
const ones = (bits: number): number => {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}
