import { boundaryAtOrBefore } from "./cluster.ts"
import { isWhite } from "./Leaf.ts"

/** How good a cut is: 4 at a line, 3 behind a sentence, 2 at white space, 1 behind a mark that ends a clause, 0 elsewhere. */
const isSentenceEnd = (unit: number): boolean =>
  unit === 46 || unit === 33 || unit === 63 || unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0xff0e

const isWide = (unit: number): boolean => unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0xff0e

const isCloser = (unit: number): boolean =>
  unit === 34 ||
  unit === 39 ||
  unit === 41 ||
  unit === 93 ||
  unit === 0x2019 ||
  unit === 0x201d ||
  unit === 0x300d ||
  unit === 0xff09

const rank = (text: string, at: number): number => {
  const before = text.charCodeAt(at - 1)
  if (before === 10 || before === 13) {
    return text.charCodeAt(at) === 10 && before === 13 ? -1 : 4
  }
  const white = isWhite(text.charCodeAt(at))
  let end = at - 1
  while (end > 0 && end > at - 4 && isCloser(text.charCodeAt(end))) {
    end--
  }
  const mark = text.charCodeAt(end)
  if (isSentenceEnd(mark) && (white || isWide(mark))) {
    return 3
  }
  if (white) {
    return 2
  }
  return before === 0x3001 || before === 0xff0c || before === 0xff1b ? 1 : 0
}

/** Part of the room in which a better kind of cut wins over a later one. */
const share = 0.5

/**
 * The best place to cut in `(start, limit]`; `start` when every place there would tear a cluster.
 */
export const breakPoint = (text: string, start: number, limit: number): number => {
  const floor = start + Math.floor((limit - start) * share)
  let best = -1
  let bestRank = 0
  for (let at = limit; at > floor; at--) {
    const here = rank(text, at)
    if (here > bestRank && boundaryAtOrBefore(text, start, at) === at) {
      best = at
      bestRank = here
      if (here >= 3) {
        break
      }
    }
  }
  return best > 0 ? best : boundaryAtOrBefore(text, start, limit)
}
