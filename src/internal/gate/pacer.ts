import { Distances } from "./distances.ts"
import { Openings, type Span } from "./openings.ts"

/** The pacer switches on when the last 32 answers weigh this much: 1 for each refusal of the rate, 1 more for one right after another. */
const firstQuorum = 12
/** That much more is needed after each time that chance switched it on. */
const wariness = 7
/** Requests whose rate it begins with, and the shortest time to take it over, in milliseconds. */
const lately = 64
const shortest = 100
/** Share of a measured rate that is used. */
const margin = 0.97
/** Fewer accepted requests measure no rate; half of them may fill a window. */
const enough = 8
/**
 * The greatest cut by one measurement, and the greatest of a rate that grew by a tenth since it was held. A rate that measures less than
 * the first share of the one that was held tells that the limit changed.
 */
const most = 0.8
const gentle = 0.9
/**
 * Units of time for which a measured rate is held, and its growth after them; in each further unit that is twice as great, up to a half.
 * A rate that could not be measured grows four times in a unit.
 */
const hold = 3
const growth = 0.05
const greatest = 0.5
/** While the service is closed, the next request comes after this share of the time since it closed, and at least this share of a window. */
const patience = 0.25
const windowShare = 0.04
/** A service that was closed for this share of the time that it was open, or longer, counts requests in windows. */
const closedShare = 0.25
/** Refusals in a row that tell of a window, and the spans that a window does not explain before it is given up. */
const inRow = 3
const strikes = 3
/** Requests at once are sent at this many times the rate. */
const quicker = 8
/** Delay of timers that is made up for, in milliseconds. */
const late = 10
/** Requests of a shorter window, in milliseconds, are evenly spaced. */
const brief = 2000
/** Longest burst. */
const longest = 1024
/** The slowest rate, in requests a millisecond: one in 15 seconds. */
const slowest = 1 / 15_000

const never = Number.POSITIVE_INFINITY
const nothing = { accepted: 0, time: 0 } as const

/**
 * Spaces requests out. Off until 429s are frequent: a few sporadic ones say nothing about a rate. Then it learns what the service
 * accepts: from one opening to the next that is just what its limit gives in that time, whatever the kind of limit. The rate is held,
 * and grows from time to time until the next refusal. A service that accepts a number of requests at once and none for long afterwards
 * counts them in windows: that number is sent at once, and again after the time that its window takes. Off again once the refusals turn
 * out not to depend on the rate. Times are milliseconds since the epoch.
 */
export class Pacer {
  /** Requests a millisecond; null while it is off. */
  rate: number | null = null
  /** Requests sent at once; as many again follow after the time that the rate gives them. 1: they are evenly spaced. */
  private burst = 1
  private known: number | null = null
  /** Earliest time of the next request. */
  private next = 0
  /** Sendings of the last requests that were not refused. */
  private readonly log: Array<number> = []
  /** The last 32 answers, a bit each: 1 for a refusal of the rate, and for one right after another; the lowest bit is the last answer. */
  private refusals = 0
  private repeated = 0
  /** Weight that switches it on. */
  private quorum = firstQuorum
  private readonly openings = new Openings()
  private distances = new Distances()
  /** Spans too short to measure a rate, together. */
  private sample: Pick<Span, "accepted" | "time"> = nothing
  /** The rate that was held last; the time of the next growth, and the share of it; null while the rate is not measured. */
  private held = 0
  private growsAt = 0
  private grows: number | null = null
  /** True until a rate has been held. */
  private fresh = true
  private unexplained = 0
  /** The rate before the present one was tried, since refusals looked like chance; null otherwise. */
  private doubted: number | null = null

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
    this.log.push(now)
    if (this.log.length > 2 * longest) this.log.splice(0, longest)
    this.learn(now, this.openings.sent(now))
    this.grow(now)
    if (this.rate !== null) this.space(now, this.rate)
    return this.openings.count
  }

  /** A request was answered; `number` and `at` of its sending. */
  answered(now: number, number: number, at: number): void {
    this.refusals <<= 1
    this.repeated <<= 1
    this.learn(now, this.openings.answered(number, at))
  }

  /** A request was refused for its rate: `number` and `at` of its sending, and the wait that it was told, in milliseconds. */
  refused(now: number, number: number, at: number, told = 0): void {
    const place = this.log.lastIndexOf(at)
    if (place >= 0) this.log.splice(place, 1)
    const continued = this.openings.refused(now, number, at, told)
    this.refusals = (this.refusals << 1) | 1
    this.repeated = (this.repeated << 1) | (continued ? 1 : 0)
    if (this.rate === null && ones(this.refusals) + ones(this.repeated) >= this.quorum) this.start(now)
    const { closing } = this.openings
    if (this.rate === null || closing === null) return
    const gap = Math.max(Math.max(1, windowShare * this.burst) / this.rate, patience * (now - closing.since))
    this.next = Math.max(closing.earliest, Math.min(closing.latest, now + Math.min(gap, 1 / slowest)))
  }

  private start(now: number): void {
    const last = this.log.slice(-lately)
    this.begin(now, Math.max(1, last.length) / Math.max(shortest, (last.at(-1) ?? now) - (last[0] ?? now)))
  }

  /** Begins to learn at a rate. */
  private begin(now: number, rate: number): void {
    this.rate = Math.min(rate, this.known ?? never)
    this.burst = 1
    this.held = this.rate
    this.grows = null
    this.growsAt = now
    this.fresh = true
    this.sample = nothing
    this.distances = new Distances()
    this.doubted = null
  }

  /** The refusals look like chance: tries a much higher rate first. If they still do, it forgets what it saw, and is off. */
  private doubt(now: number, rate: number): void {
    if (this.doubted === null) {
      this.begin(now, quicker * rate)
      this.doubted = rate
      return
    }
    this.rate = this.known
    this.burst = 1
    this.quorum += wariness
    this.refusals = 0
    this.repeated = 0
  }

  /** The service is open again. */
  private learn(now: number, span: Span | null): void {
    if (this.rate === null || span === null) return
    const { accepted, closed, open, refusals, time } = span
    if (this.doubted !== null && refusals >= inRow) return this.begin(now, this.doubted)
    if (refusals === 1 && this.distances.areChance(accepted)) return this.doubt(now, this.rate)
    const again = this.burst > 1 && accepted >= gentle * this.burst
    const isWindow = accepted >= enough / 2 && (again || (refusals >= inRow && closed >= closedShare * open))
    if (this.burst > 1 && !isWindow && this.unexplained < strikes) {
      this.unexplained += 1
      return this.openings.join(span)
    }
    this.unexplained = 0
    if (isWindow) this.fill(now, this.rate, accepted, time)
    else this.pace(now, this.rate, { accepted: accepted + this.sample.accepted, time: time + this.sample.time })
  }

  /** Learns from a window that was filled. */
  private fill(now: number, before: number, accepted: number, time: number): void {
    const least = this.fresh ? 0 : most
    if (time < brief) this.burst = 1
    else if (this.burst === 1) this.burst = Math.min(longest, accepted)
    // Several windows without a refusal say nothing about one of them.
    else if (accepted < 1.5 * this.burst)
      this.burst = Math.min(longest, Math.max(accepted, Math.round(least * this.burst)))
    this.sample = nothing
    this.set(now, before, accepted / time, Math.max((accepted / time) * margin, before * least), true)
  }

  /** Learns from requests that were evenly spaced. */
  private pace(now: number, before: number, { accepted, time }: typeof this.sample): void {
    const measured = accepted / time
    const trusted = accepted >= enough
    const grown = trusted && before > 1.1 * this.held
    const rate = Math.min(before, grown ? Math.max(measured, gentle * before) : measured)
    this.burst = 1
    this.sample = trusted ? nothing : { accepted, time }
    this.set(now, before, measured, Math.max(rate * margin, before * most), trusted)
    this.next = Math.max(this.next, now + 1 / (this.rate ?? before))
  }

  /** Holds a rate that was learned. */
  private set(now: number, before: number, measured: number, rate: number, trusted: boolean): void {
    const holds = trusted && before > this.held && measured > most * this.held
    this.rate = Math.max(slowest, Math.min(holds ? Math.max(this.held, rate) : rate, this.known ?? never))
    this.held = this.rate
    this.grows = trusted ? growth : null
    this.growsAt = now + (trusted ? hold : 0) * this.unit(this.rate)
  }

  /** Sets the time of the request after one that was sent now. */
  private space(now: number, rate: number): void {
    const interval = 1 / rate
    const quick = this.burst > 1 ? interval / quicker : interval
    if (this.openings.closing !== null) this.next = now + Math.max(quick * (1 + patience), this.openings.wait)
    else if (this.burst === 1) this.next = Math.max(this.next, now - late) + interval
    else this.next = Math.max(now + quick, (this.log.at(-this.burst) ?? -never) + this.burst * interval)
  }

  private grow(now: number): void {
    if (this.rate === null || this.openings.closing !== null || now < this.growsAt) return
    if (this.grows !== null) {
      this.fresh = false
      this.doubted = null
    }
    // It was right for a unit of time at least.
    this.held = this.rate
    this.rate = Math.min(this.rate * (1 + (this.grows ?? growth)), this.known ?? never)
    this.growsAt = now + this.unit(this.rate) / (this.grows === null ? 4 : 1)
    if (this.grows !== null) this.grows = Math.min(greatest, 2 * this.grows)
  }

  /** A unit of time: a second, twenty requests where the rate is slow, or a window. */
  private unit(rate: number): number {
    return Math.max(1000, (this.burst > 1 ? this.burst : 20) / rate)
  }
}

/** Number of bits that are 1. */
const ones = (bits: number): number => {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}
