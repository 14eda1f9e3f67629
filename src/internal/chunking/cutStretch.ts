import type { Breaker } from "./breakPoint.ts"
import { countedParts } from "./countedParts.ts"
import { loggedParts } from "./loggedParts.ts"
import type { Meter } from "./meter.ts"
import type { Limits, Parts, TooSmall } from "./Parts.ts"
import type { Stretch } from "./Stretch.ts"

/** Cuts a stretch that is above the budget into parts that are not, at the best places there are. */
export const cutStretch = (meter: Meter, stretch: Stretch, limits: Limits, breaker: Breaker): Parts | TooSmall =>
  meter.pieces === undefined && !meter.perUnit
    ? countedParts(meter, stretch, limits, breaker)
    : loggedParts(meter, stretch, limits, breaker)
