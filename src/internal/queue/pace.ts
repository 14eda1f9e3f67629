/** Last word of a worker on its pace. */
interface Word {
  /** Requests a second; null while it does not space them out. */
  readonly rate: number | null
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A worker that said nothing for that long does not count, in milliseconds. */
const fresh = 10_000

/** The limit may let that much more through than the workers have learned: they space their requests out themselves. */
const room = 1.1

/** A limit is told to the server only when it differs from the last one by this share. */
const step = 0.1

/**
 * The limit of a queue: none until more than half of the workers have learned a rate, each from frequent refusals. Then it is the sum of what they learned. A 429 now and then changes nothing here.
 */
export class SharedPace {
  private readonly words = new Map<string, Word>()
  private said: number | null = null

  heard(worker: string, rate: number | null, at: number): void {
    this.words.set(worker, { rate, at })
  }

  /** Number of workers that were heard lately. */
  workers(now: number): number {
    for (const [name, { at }] of this.words) if (now - at > fresh) this.words.delete(name)
    return this.words.size
  }

  /** The limit in claims a second; null: none. */
  private limit(now: number): number | null {
    const all = this.workers(now)
    const rates = [...this.words.values()].flatMap(({ rate }) => (rate === null ? [] : [rate]))
    if (rates.length * 2 <= all) return null
    // A worker without a measured rate is assumed to be like the others.
    return (rates.reduce((sum, rate) => sum + rate, 0) / rates.length) * all * room
  }

  /** The limit to tell the server; undefined when the one that it has may stay. */
  change(now: number): number | null | undefined {
    const limit = this.limit(now)
    const { said } = this
    const same = limit === said || (limit !== null && said !== null && Math.abs(limit - said) <= step * said)
    if (same) return undefined
    this.said = limit
    return limit
  }
}
