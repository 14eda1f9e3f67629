import * as Effect from "effect/Effect"
import type { Cost } from "../../Parser.ts"

/** The amount reserved for one answer. */
export interface Reserve {
  /** Replaces the reserved amount by the actual cost; to be called once. */
  readonly settle: (cost: Cost) => void
}

interface Waiting {
  readonly cost: Cost
  readonly resume: (reserve: Effect.Effect<Reserve | null>) => void
}

/**
 * Keeps a run within its budget: tracks the amount paid, the amount reserved, and the documents waiting. First come, first
 * served.
 */
export class Spending {
  private paid: Cost = { pages: 0, credits: 0 }
  private aside: Cost = { pages: 0, credits: 0 }
  private waiting: Array<Waiting> = []
  private readonly limit: Cost

  constructor(limit: Cost) {
    this.limit = limit
  }

  /** Reserves an amount. Waits until it is certain whether it can be spent; null when it cannot. */
  readonly reserve = (cost: Cost): Effect.Effect<Reserve | null> =>
    Effect.suspend(() => {
      if (!this.allows(sum(this.paid, cost))) return Effect.succeed(null)
      return this.waiting.length === 0 && this.fits(cost) ? Effect.succeed(this.take(cost)) : this.turn(cost)
    })

  private turn(cost: Cost): Effect.Effect<Reserve | null> {
    return Effect.async((resume) => {
      const entry: Waiting = { cost, resume }
      this.waiting.push(entry)
      return Effect.sync(() => {
        this.waiting = this.waiting.filter((other) => other !== entry)
      })
    })
  }

  private take(cost: Cost): Reserve {
    this.aside = sum(this.aside, cost)
    return {
      settle: (actual) => {
        this.aside = { pages: this.aside.pages - cost.pages, credits: this.aside.credits - cost.credits }
        this.paid = sum(this.paid, actual)
        this.serve()
      }
    }
  }

  private serve(): void {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const refused = !this.allows(sum(this.paid, next.cost))
      if (!refused && !this.fits(next.cost)) return
      this.waiting.shift()
      next.resume(Effect.succeed(refused ? null : this.take(next.cost)))
    }
  }

  private fits(cost: Cost): boolean {
    return this.allows(sum(sum(this.paid, this.aside), cost))
  }

  private allows(total: Cost): boolean {
    return total.pages <= this.limit.pages && total.credits <= this.limit.credits
  }
}

const sum = (left: Cost, right: Cost): Cost => ({
  pages: left.pages + right.pages,
  credits: left.credits + right.credits
})
