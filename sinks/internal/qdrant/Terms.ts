import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Terms from "docsluice/Terms"

/** Name of the sparse vector of the terms; names their version. */
export const vectorName = `terms${Terms.version}`

/** A sparse vector in the words of Qdrant's interface; no index comes twice. */
export interface Sparse {
  readonly indices: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
}

/** Settings of BM25 as Qdrant's own model has them: saturation, strength of the length, and the usual number of terms. */
const bm25 = { k: 1.2, b: 0.75, length: 256 } as const

/** The number of a term, 32 bits: FNV-1a over its UTF-16 code units, mixed at the end. */
export const indexOf = (term: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** The part of BM25 that a chunk gives; the server multiplies it by the rarity of each term (`modifier: idf`). Null without terms. */
export const ofChunk = (chunk: DocumentChunk): Sparse | null => {
  const { headings, source, text } = Terms.fields(chunk)
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
  const damping = bm25.k * (1 - bm25.b + (bm25.b * length) / bm25.length)
  return {
    indices: [...counts.keys()],
    values: [...counts.values()].map((count) => (count * (bm25.k + 1)) / (count + damping))
  }
}

const sparse = (sought: ReadonlyArray<Terms.Sought>): Sparse => {
  const indices = [...new Set(sought.flatMap(({ terms }) => terms).map(indexOf))]
  return { indices, values: indices.map(() => 1) }
}

/** Vectors to look for, each if those before it find nothing: the words that say something, then the function words. */
export const ofQuery = (text: string): ReadonlyArray<Sparse> => {
  const sought = Terms.sought(text)
  return [sought.filter(({ idle }) => !idle), sought.filter(({ idle }) => idle)]
    .map(sparse)
    .filter(({ indices }) => indices.length > 0)
}
