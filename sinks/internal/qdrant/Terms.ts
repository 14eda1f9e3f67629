import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Terms from "docsluice/Terms"
import * as Words from "../shared/Words.ts"

/** A sparse vector in the words of Qdrant's interface; no index comes twice. */
export interface Sparse {
  readonly indices: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
}

/** Number of terms of a usual chunk in BM25, as Qdrant's own model has it: what a point holds cannot follow the mean of all. */
const usualLength = 256

/** The number of a term, 32 bits: FNV-1a over its UTF-16 code units, mixed at the end. */
export const indexOf = (term: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** The part of BM25 that a chunk gives; the server multiplies it by the rarity of each term (`modifier: idf`). Null without terms. */
export const ofChunk = (chunk: DocumentChunk, version: Terms.Version): Sparse | null => {
  const { headings, source, text } = Terms.fields(chunk, version)
  const counts = new Map<number, number>()
  let length = 0
  for (const terms of [text, headings, source]) {
    length += terms.length
    for (const term of terms) {
      const index = indexOf(term)
      counts.set(index, (counts.get(index) ?? 0) + 1)
    }
  }
  if (length === 0) return null
  const { b, k1 } = Words.bm25
  const damping = k1 * (1 - b + (b * length) / usualLength)
  return {
    indices: [...counts.keys()],
    values: [...counts.values()].map((count) => (count * (k1 + 1)) / (count + damping))
  }
}

const sparse = (words: ReadonlyArray<Words.Word>): Sparse => {
  const { half, whole } = Words.joined(words)
  const weights = new Map([
    ...half.map((term) => [indexOf(term), Words.halfWeight] as const),
    ...whole.map((term) => [indexOf(term), 1] as const)
  ])
  return { indices: [...weights.keys()], values: [...weights.values()] }
}

/** Vectors to look for, each if those before it find nothing: the words that say something, then the function words. */
export const ofQuery = (text: string, version: Terms.Version): ReadonlyArray<Sparse> =>
  Words.steps(text, version).map(sparse)
