/** Fewer requests accepted between two refusals tell of a rate far too high. */
const few = 3
/** As many, or more, tell of a rate that is right. */
const steady = 32
/** Surplus of irregular distances that only chance explains. */
const tooMany = 5

/**
 * Distances between refusals while requests are spaced out, each in requests accepted. A service that refills at a steady rate leads from
 * distances of a few to those of `steady` within some cuts of the rate; distances in between come again and again only by chance.
 */
export class Distances {
  /** Distances in between, less the regular ones. */
  private irregular = 0
  private wasFew = false

  /** Adds a distance. Returns true once the refusals do not depend on the rate. */
  areChance(accepted: number): boolean {
    const regular = accepted >= steady || (accepted < few && this.wasFew)
    if (regular) this.irregular = Math.max(0, this.irregular - 1)
    else if (accepted >= few) this.irregular += 1
    this.wasFew = accepted < few
    return this.irregular >= tooMany
  }
}
