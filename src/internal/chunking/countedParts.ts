import type { Breaker } from "./breakPoint.ts"
import { codePointEnd, inPair } from "./cluster.ts"
import { trimEnd, trimStart } from "./Leaf.ts"
import type { Meter } from "./meter.ts"
import { type Limits, type Parts, TooSmall } from "./Parts.ts"
import { closedStretch, type Stretch, stretchOf } from "./Stretch.ts"

/** Greatest end in `(start, end]` for which `fits`; `start` when there is none. Guesses from what a token was long before. */
const farthest = (start: number, end: number, guess: number, fits: (end: number) => boolean): number => {
  let low = start
  let high = end + 1
  let step = Math.max(1, Math.min(end - start, guess))
  let at = start + step
  while (high - low > 1) {
    if (fits(at)) {
      low = at
      step *= 2
      at = high > end ? Math.min(end, low + step) : (low + high) >> 1
      if (low === end) {
        return end
      }
    } else {
      high = at
      at = (low + high) >> 1
    }
    at = Math.max(low + 1, Math.min(at, high - 1))
  }
  return low
}

/** Parts by counting anew, for tokenizers that do not say how they cut. */
export const countedParts = (meter: Meter, stretch: Stretch, limits: Limits, breaker: Breaker): Parts | TooSmall => {
  const { text } = meter
  const parts: Array<Stretch> = []
  let guess = limits.other * 4
  let limit = limits.first
  for (let at = trimStart(text, stretch.start, stretch.end); at < stretch.end;) {
    const tokens = (end: number): number => meter.tokenizer.count(text, at, trimEnd(text, at, end))
    let room = farthest(at, stretch.end, guess, (end) => !inPair(text, end) && tokens(end) <= limit)
    if (room === at && limit < limits.most) {
      room = farthest(at, stretch.end, 8, (end) => !inPair(text, end) && tokens(end) <= limits.most)
    }
    if (room <= at || inPair(text, room)) {
      const end = codePointEnd(text, at)
      if (tokens(end) > limits.most) {
        return new TooSmall(at)
      }
      room = end
    }
    guess = room - at
    let cut = room === stretch.end ? room : breaker(text, at, room, stretch.end)
    if (cut <= at || tokens(cut) > limits.most) {
      cut = room
    }
    const end = trimEnd(text, at, cut)
    parts.push(
      cut === stretch.end
        ? stretchOf(at, end, stretch.next, meter.tokens(at, stretch.next), -1, 0)
        : closedStretch(at, end, tokens(cut))
    )
    at = trimStart(text, cut, stretch.end)
    limit = limits.other
  }
  return { stretches: parts, open: true, added: new Set() }
}
