/** Describes the difference between two lists of chunks or of their names. */
import type { Listed } from "../../ChunkSink.ts"
import { DocumentChunk } from "../../DocumentChunk.ts"

/** Null when both hold the same names, with the same multiplicity. */
export const ofNames = (expected: ReadonlyArray<Listed>, actual: ReadonlyArray<Listed>): string | null =>
  inWords(expected.map(nameOf), actual.map(nameOf))

/** Null when both hold the same chunks, with the same multiplicity; vectors may differ by the rounding of a 32-bit float. */
export const ofChunks = (
  expected: ReadonlyArray<DocumentChunk>,
  actual: ReadonlyArray<DocumentChunk>
): string | null => {
  const problem = inWords(expected.map(canonical), actual.map(canonical))
  if (problem !== null) return problem
  const vectors = new Map(actual.map((chunk) => [nameOf(chunk), chunk.embedding]))
  for (const chunk of expected) {
    const [wanted, given] = [chunk.embedding, vectors.get(nameOf(chunk))]
    if (!isNear(wanted, given)) return `the vector of ${chunk.id} is ${show(given)} instead of ${show(wanted)}`
  }
  return null
}

/** Null when the chunks are equal except for their vectors. */
export const ofContent = (expected: DocumentChunk, actual: DocumentChunk): string | null =>
  inWords([canonical(expected)], [canonical(actual)])

const nameOf = ({ documentId, id }: Listed): string => `${JSON.stringify(documentId)} ${JSON.stringify(id)}`

const inWords = (expected: ReadonlyArray<string>, actual: ReadonlyArray<string>): string | null => {
  const missing = without(expected, actual)
  const extra = without(actual, expected)
  if (missing.length === 0 && extra.length === 0) return null
  const some = (items: ReadonlyArray<string>) =>
    items
      .slice(0, 3)
      .map((item) => item.slice(0, 300))
      .join("; ")
  return `${missing.length} missing (${some(missing)}), ${extra.length} extra (${some(extra)})`
}

/** Items of one list that are not in the other, counting repetitions. */
const without = (all: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const item of others) counts.set(item, (counts.get(item) ?? 0) + 1)
  return all.filter((item) => {
    const left = counts.get(item) ?? 0
    counts.set(item, left - 1)
    return left <= 0
  })
}

const { embedding: _, ...members } = DocumentChunk.fields
const names = Object.keys(members).toSorted()

/** Text that is equal for two chunks exactly when they are equal except for vectors and the order of metadata. */
const canonical = (chunk: DocumentChunk): string =>
  JSON.stringify(
    {
      ...chunk,
      metadata: Object.entries(chunk.metadata).toSorted(([left], [right]) => (left < right ? -1 : 1)),
      boxes: chunk.boxes.map(({ page, bbox }) => [page, bbox]),
      headingPath: chunk.headingPath.map(({ depth, text }) => [depth, text])
    },
    names
  )

/** A store may keep 32-bit floats, and may bring a vector to length 1 again. */
const tolerance = 2 ** -22

const isNear = (wanted: DocumentChunk["embedding"], given: DocumentChunk["embedding"]): boolean => {
  if (wanted === undefined || given === undefined) return wanted === given
  if (wanted.length !== given.length) return false
  for (let at = 0; at < wanted.length; at++) {
    const [left = 0, right = 0] = [wanted[at], given[at]]
    if (!(Math.abs(left - right) <= tolerance * Math.abs(left))) return false
  }
  return true
}

const show = (vector: DocumentChunk["embedding"]): string =>
  vector === undefined ? "absent" : `[${Array.from(vector).slice(0, 8).join(", ")}]`
