/** Chunks and questions of any number, the same at each run: words as often as in real documentation, vectors around some subjects. */
import { existsSync, readFileSync } from "node:fs"
import { ChunkId, DocumentChunk } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import { uniform } from "../random.ts"

export const dimensions = 384

/** A model's space: vectors count as much as words. */
export const space = { model: "bench", dimensions, normalized: true, metric: "cosine" } as const

export interface Question {
  readonly text: string
  readonly vector: ReadonlyArray<number>
}

/** All words of the packages' documentation in their order, so that one drawn at random is as frequent as there. */
const written = (): ReadonlyArray<string> => {
  const list = readFileSync(new URL("../find/packages.txt", import.meta.url), "utf8")
  return list.split("\n").flatMap((name) => {
    const file = new URL(`../../node_modules/${name}`, import.meta.url)
    return name !== "" && existsSync(file) ? (readFileSync(file, "utf8").match(/\S+/gu) ?? []) : []
  })
}

const words = written()

const subjects = 500

/** Of length 1. */
const unit = (vector: ReadonlyArray<number>): ReadonlyArray<number> => {
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}

const middles = Array.from({ length: subjects }, (_, at) => {
  const random = uniform(at + 1)
  return Array.from({ length: dimensions }, () => random() - 0.5)
})

const near = (random: () => number, middle: ReadonlyArray<number>): ReadonlyArray<number> =>
  unit(middle.map((component) => component + 1.5 * (random() - 0.5)))

const drawn = (random: () => number, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, () => words[Math.floor(random() * words.length)] ?? "")

/** Words that no text is about: short or frequent ones, and code. */
const isTelling = (word: string): boolean => /^[a-z]{5,}$/u.test(word)

const chunkAt = (at: number, wordsEach: number): DocumentChunk => {
  const random = uniform(at + 1_000_003)
  const document = Math.floor(at / 16)
  const text = drawn(random, wordsEach).join(" ")
  return new DocumentChunk(
    {
      id: ChunkId.make(
        `${((at * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0")}${at.toString(16).padStart(24, "0")}`
      ),
      documentId: DocumentId.make(`root/guides/${document}.md`),
      source: `guides/${document}.md`,
      index: at % 16,
      text,
      embedText: text,
      tokens: Math.ceil(text.length / 4),
      start: 0,
      end: text.length,
      pages: [1, 2],
      boxes: [
        { page: 1, bbox: [0, 0.1, 0.2, 0.3] },
        { page: 2, bbox: [0, 0.1, 0.2, 0.3] }
      ],
      headingPath: [
        { depth: 1, text: drawn(random, 3).join(" ") },
        { depth: 2, text: drawn(random, 4).join(" ") }
      ],
      kinds: ["paragraph", "list"],
      blockIds: ["b1", "b2", "b3"],
      notes: [],
      metadata: { title: "A title of some words", pages: 3, contentHash: "0".repeat(64) },
      embedding: near(random, middles[document % subjects] ?? [])
    },
    true
  )
}

/** Chunks in batches, made when they are asked for. */
export function* batches(count: number, wordsEach: number, size = 500): Generator<ReadonlyArray<DocumentChunk>> {
  for (let from = 0; from < count; from += size) {
    yield Array.from({ length: Math.min(size, count - from) }, (_, at) => chunkAt(from + at, wordsEach))
  }
}

/** Questions of three to six telling words. */
export const questions = (count: number): ReadonlyArray<Question> =>
  Array.from({ length: count }, (_, at) => {
    const random = uniform(at + 7_000_003)
    const text = drawn(random, 200)
      .filter(isTelling)
      .slice(0, 3 + (at % 4))
      .join(" ")
    return { text, vector: near(random, middles[at % subjects] ?? []) }
  })
