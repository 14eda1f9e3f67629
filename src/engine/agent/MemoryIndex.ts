/** Documents given directly to an agent: their passages in memory, searched by words. */
import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import * as Filter from "../../Filter.ts"
import type { ReadOnlyCorpus } from "../../internal/target/readOnlyCorpus.ts"
import * as StoreSearch from "../../internal/target/storeSearch.ts"
import type { DocumentId } from "../../SourceFile.ts"
import * as Tally from "../Tally.ts"

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

const defaults = { limit: 10 } as const

const noVectors = new StoreSearch.SearchError({
  store: "memory",
  reason: "NoVectors",
  problem: "the documents have no vectors; search them by words"
})

/**
 * The passages of chunks, ranked by BM25 over the words of `embedText` (any script; equal but for case and width). Holds the chunks and
 * a list for each word; a search takes time with the passages that have a word of the query. Options of a search that need vectors, or
 * judge and group hits, do nothing.
 */
export const make = (
  chunks: ReadonlyArray<DocumentChunk>
): ReadOnlyCorpus<StoreSearch.SearchError | Filter.FilterError> => {
  const postings = new Map<string, Array<Posting>>()
  const documents = new Map<DocumentId, Array<DocumentChunk>>()
  let total = 0
  for (const chunk of chunks) {
    const words = wordsOf(chunk.embedText)
    total += words.length
    for (const [word, count] of Tally.of(words)) {
      Tally.gather(postings, word, { chunk, count, length: words.length })
    }
    Tally.gather(documents, chunk.documentId, chunk)
  }
  for (const passages of documents.values()) passages.sort((left, right) => left.index - right.index)
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

  const between = (documentId: DocumentId, from: number, to: number): ReadonlyArray<DocumentChunk> =>
    (documents.get(documentId) ?? []).filter(({ index }) => index >= from && index <= to)

  return {
    search: (query, { filter, limit = defaults.limit, mode, neighbours = 0, offset = 0 } = {}) =>
      Effect.gen(function* () {
        if (mode === "vectors") return yield* noVectors
        const condition = filter === undefined ? undefined : (yield* Filter.parse(filter)).condition
        return [...scored(query)]
          .filter(([chunk]) => condition === undefined || Filter.matches(condition, chunk))
          .toSorted(([, left], [, right]) => right - left)
          .slice(offset, offset + limit)
          .map(([chunk, score]) => {
            const { documentId, index } = chunk
            const before = between(documentId, index - neighbours, index - 1)
            return StoreSearch.cited({
              chunk,
              score,
              before,
              after: between(documentId, index + 1, index + neighbours)
            })
          })
      }),
    documents: () =>
      Effect.sync(() =>
        Array.from(documents, ([documentId, passages]) => ({ documentId, chunks: passages.length })).toSorted(
          (left, right) => (left.documentId < right.documentId ? -1 : 1)
        )
      ),
    read: ({ documentId, from, to }) => Effect.sync(() => between(documentId, from, to))
  }
}
