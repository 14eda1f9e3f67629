/** The best places to cut a text that is too long. */
import { isWhite } from "../scan/Leaf.ts"
import { lastClauseEnd } from "./clauseEnd.ts"
import { boundaryAtOrBefore } from "./cluster.ts"

/** The best place to cut in `(start, limit]`, of a text that ends at `end`; `start` when every place there would tear a cluster. */
export type Breaker = (text: string, start: number, limit: number, end: number) => number

/** Part of the room in which a better kind of cut wins over a later one. */
const share = 0.5

/** Part of the room that the rest of a text gets at least. */
const leastRest = 0.25

/** Characters read after a cut to see whether a sentence or word ends there. */
const ahead = 32

/** How far back a word's start is looked for. */
const longestWord = 64

const sentences = new Intl.Segmenter("und", { granularity: "sentence" })
const words = new Intl.Segmenter("und", { granularity: "word" })

/** How far back the end of a sentence is looked for first: the segmenter reads all of what it is given. */
const near = 200

const boundaryIn = (segmenter: Intl.Segmenter, text: string, from: number, limit: number): number => {
  const window = text.slice(from, limit + ahead).replace(/[\r\n]/g, " ")
  const segment = segmenter.segment(window).containing(Math.min(limit - from, window.length - 1))
  return segment === undefined || segment.index === 0 ? -1 : from + segment.index
}

/** Last boundary in `(from, limit]` as the segmenter sees it; -1 when there is none. A line break is no boundary to it. */
const lastBoundary = (segmenter: Intl.Segmenter, text: string, from: number, limit: number): number => {
  if (limit - from > near * 2) {
    const found = boundaryIn(segmenter, text, limit - near, limit)
    // so far behind the start of the window it is one whatever stands before
    if (found > limit - near + ahead) {
      return found
    }
  }
  return boundaryIn(segmenter, text, from, limit)
}

const lastWhite = (text: string, from: number, limit: number): number => {
  for (let at = limit; at > from; at--) {
    if (isWhite(text.charCodeAt(at)) || isWhite(text.charCodeAt(at - 1))) {
      return at
    }
  }
  return -1
}

const isBetweenWords = (text: string, at: number): boolean =>
  isWhite(text.charCodeAt(at)) || isWhite(text.charCodeAt(at - 1))

/** The limit, or less where no more than a tiny rest would be left after it. */
const withRest = (start: number, limit: number, end: number): number => {
  const least = Math.floor((limit - start) * leastRest)
  return end > limit && end - limit < least ? end - least : limit
}

/**
 * At the end of a sentence, else of a clause, else at white space, else between words as the script has them, else between
 * characters. Leaves no tiny rest.
 */
export const bySentence: Breaker = (text, start, most, end) => {
  const limit = withRest(start, most, end)
  const floor = start + Math.floor((limit - start) * share)
  const sentence = lastBoundary(sentences, text, floor, limit)
  if (sentence > 0 && boundaryAtOrBefore(text, start, sentence) === sentence) {
    return sentence
  }
  const clause = lastClauseEnd(text, start, floor, limit)
  if (clause > 0 && boundaryAtOrBefore(text, start, clause) === clause) {
    return clause
  }
  const white = lastWhite(text, floor, limit)
  if (white > 0 && boundaryAtOrBefore(text, start, white) === white && !tearsCrLf(text, white)) {
    return white
  }
  const word = lastBoundary(words, text, Math.max(floor, limit - longestWord), limit)
  if (word > 0 && !isBetweenWords(text, word) && boundaryAtOrBefore(text, start, word) === word) {
    return word
  }
  return boundaryAtOrBefore(text, start, limit)
}

const tearsCrLf = (text: string, at: number): boolean => text.charCodeAt(at) === 10 && text.charCodeAt(at - 1) === 13

/** At the end of a line where there is one, else by sentence. */
export const byLine: Breaker = (text, start, limit, end) => {
  // Within the slice: a search of the whole text would read back to its start in a long line.
  const newline = text.slice(start, limit).lastIndexOf("\n")
  return newline >= 0 ? start + newline + 1 : bySentence(text, start, limit, end)
}

/** At one of these places, in order, where one is in reach, else by line. */
export const byPlace = (places: ReadonlyArray<number>): Breaker => {
  let next = 0
  return (text, start, limit, end) => {
    while (next > 0 && (places[next - 1] ?? 0) > start) {
      next--
    }
    while (next < places.length && (places[next] ?? 0) <= start) {
      next++
    }
    let last = -1
    for (let index = next; index < places.length && (places[index] ?? 0) <= limit; index++) {
      last = places[index] ?? -1
    }
    return last > start ? last : byLine(text, start, limit, end)
  }
}
