/** Documents given directly to an agent: their passages in memory, searched by words. */
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import * as Tally from "../Tally.ts"
import type { Documents } from "./passages.ts"

/** Constants of BM25: how fast further occurrences of a word stop counting, and how much long passages are discounted. */
const [saturation, discount] = [1.2, 0.75] as const

const segments = new Intl.Segmenter(undefined, { granularity: "word" })

const wordsOf = (text: string): ReadonlyArray<string> =>
  Array.from(segments.segment(text.normalize("NFKC").toLowerCase())).flatMap(({ isWordLike, segment }) =>
    isWordLike === true ? [segment] : []
  )

interface Posting {
  readonly chunk: DocumentChunk
  readonly count: number
  /** Words of the passage. */
  readonly length: number
}

/**
 * The passages of chunks, ranked by BM25 over the words of `embedText` (any script; equal but for case and width). Holds the chunks and
 * a list for each word; a search takes time with the passages that have a word of the query.
 */
export const make = (chunks: ReadonlyArray<DocumentChunk>): Documents => {
  const postings = new Map<string, Array<Posting>>()
  const sources = new Map<string, Array<DocumentChunk>>()
  let total = 0
  for (const chunk of chunks) {
    const words = wordsOf(chunk.embedText)
    total += words.length
    for (const [word, count] of Tally.of(words)) {
      Tally.gather(postings, word, { chunk, count, length: words.length })
    }
    Tally.gather(sources, chunk.source, chunk)
  }
  for (const passages of sources.values()) passages.sort((left, right) => left.index - right.index)
  const average = total / Math.max(1, chunks.length)

  const scored = (query: string): ReadonlyMap<DocumentChunk, number> => {
    const scores = new Map<DocumentChunk, number>()
    for (const word of new Set(wordsOf(query))) {
      const found = postings.get(word) ?? []
      const rarity = Math.log(1 + (chunks.length - found.length + 0.5) / (found.length + 0.5))
      for (const { chunk, count, length } of found) {
        const weight = count + saturation * (1 - discount + (discount * length) / average)
        Tally.add(scores, chunk, (rarity * count * (saturation + 1)) / weight)
      }
    }
    return scores
  }

  return {
    search: (query, limit) =>
      Effect.sync(() =>
        [...scored(query)]
          .toSorted(([, left], [, right]) => right - left)
          .slice(0, limit)
          .map(([chunk]) => chunk)
      ),
    read: (source, from, limit) =>
      Effect.sync(() => (sources.get(source) ?? []).filter(({ index }) => index >= from).slice(0, limit))
  }
}
