// Vectors without Effect: an embedding function and a store of your own, and a search in it.
import * as Async from "docsluice/Async"
import type { DocumentChunk } from "docsluice/DocumentChunk"

/** Stands in for a model's client: the frequency of each pair of letters, as a vector of length 1. */
const embed = async (texts: ReadonlyArray<string>): Promise<ReadonlyArray<ReadonlyArray<number>>> =>
  texts.map((text) => {
    const counts = Array.from({ length: 26 * 26 }, () => 0)
    for (const [, pair = ""] of text.toLowerCase().matchAll(/(?=([a-z]{2}))/g)) {
      const place = (pair.charCodeAt(0) - 97) * 26 + pair.charCodeAt(1) - 97
      counts[place] = (counts[place] ?? 0) + 1
    }
    const length = Math.hypot(...counts) || 1
    return counts.map((count) => count / length)
  })

const store = new Map<string, { readonly chunk: DocumentChunk; readonly vector: ReadonlyArray<number> }>()

const summary = await Async.ingest({
  root: "examples/documents",
  sinks: [
    {
      id: "vectors:",
      write: async (chunks) => {
        const vectors = await embed(chunks.map(({ embedText }) => embedText))
        for (const [at, chunk] of chunks.entries()) store.set(chunk.id, { chunk, vector: vectors[at] ?? [] })
      }
    }
  ]
})

const [question = []] = await embed(["What do observers do when they visit a station?"])
const near = (vector: ReadonlyArray<number>) => vector.reduce((sum, one, at) => sum + one * (question[at] ?? 0), 0)
const [best] = [...store.values()].toSorted((left, right) => near(right.vector) - near(left.vector))

console.log(`${summary.stored} stored; best: ${best?.chunk.source}: ${best?.chunk.text.slice(0, 200)}`)
process.exitCode = summary.exit
