import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { afterAll, assert, describe, it } from "@effect/vitest"
import type * as ChunkSink from "docsluice/ChunkSink"
import * as LibSql from "docsluice/sinks/LibSql"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect } from "effect"
import * as fc from "effect/FastCheck"
import { runs } from "../fixtures/seed.ts"
import { chunk } from "../fixtures/sinkChunks.ts"

const folder = mkdtempSync(join(tmpdir(), "docsluice-paging-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const space = { model: "test", dimensions: 2, normalized: true, metric: "cosine" } as const

const words = ["gauge", "boat", "anchor", "marsh", "reeds", "fog"]

/** 130 chunks of 13 documents, so that a ranking has several levels; many of equal words and equal vectors. */
const stored = Array.from({ length: 130 }, (_, at) => {
  const text = Array.from({ length: 1 + (at % 4) }, (_, word) => words[(at * (word + 1)) % words.length]).join(" ")
  const angle = (at % 17) / 17
  return chunk(`${at % 13}.md`, at, { text, embedding: [Math.cos(angle), Math.sin(angle)] })
})

const filled = <E, R>(open: Effect.Effect<ChunkSink.ChunkSink.Service, E, R>) =>
  Effect.tap(open, (sink) =>
    Effect.flatMap(sink.prepare(space), (prepared) => Effect.zipRight(prepared.write(stored), prepared.finish))
  )

const query = fc.record(
  {
    text: fc.subarray(words, { minLength: 1 }).map((some) => some.join(" ")),
    vector: fc.double({ min: 0, max: 1, noNaN: true }).map((angle) => [Math.cos(angle), Math.sin(angle)]),
    minScore: fc.constantFrom(0, 0.3, 0.5),
    perDocument: fc.integer({ min: 1, max: 3 }),
    diversity: fc.constantFrom(0, 0.3, 1),
    window: fc.integer({ min: 1, max: 100 }),
    rerank: fc.constant<ChunkSink.Rerank>((_, hits) => hits.map((hit) => (hit.chunk.index * 7919) % 101)),
    alternatives: fc.array(fc.record({ text: fc.constantFrom(...words) }), { minLength: 1, maxLength: 2 })
  },
  { requiredKeys: ["text"] }
)

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 })

/** The hits of pages of these sizes, one after another. */
const paged = (
  search: NonNullable<ChunkSink.ChunkSink.Service["search"]>,
  asked: Omit<ChunkSink.Query, "limit">,
  all: ReadonlyArray<number>
) => {
  let offset = 0
  return Effect.map(
    Effect.forEach(all, (limit) => {
      const page = search({ ...asked, limit, offset })
      offset += limit
      return page
    }),
    (pages) => pages.flat()
  )
}

const shown = (hits: ReadonlyArray<ChunkSink.Hit>) => hits.map(({ chunk: { id }, score }) => [id, score])

describe("pages of hits", () => {
  for (const [name, open] of [
    ["memory", MemorySink.make()],
    ["libsql", LibSql.make({ file: join(folder, "chunks.db") })]
  ] as const) {
    it.scopedLive(`are the parts of one list, however it is ordered: ${name}`, () =>
      Effect.gen(function* () {
        const { search } = yield* filled(open)
        if (search === undefined) return assert.fail("it cannot search")
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(query, sizes, (asked, all) =>
              Effect.runPromise(
                Effect.gen(function* () {
                  const whole = yield* search({ ...asked, limit: all.reduce((sum, size) => sum + size, 0) })
                  assert.deepStrictEqual(shown(yield* paged(search, asked, all)), shown(whole))
                  assert.strictEqual(new Set(whole.map((hit) => hit.chunk.id)).size, whole.length)
                })
              )
            ),
            { numRuns: runs(25) }
          )
        )
        return undefined
      }).pipe(Effect.provide(NodeContext.layer))
    )
  }
})

describe("the order of hits", () => {
  const some = (texts: ReadonlyArray<string>, more: object = {}) =>
    Effect.gen(function* () {
      const sink = yield* MemorySink.make()
      const prepared = yield* sink.prepare(null)
      yield* prepared.write(texts.map((text, at) => chunk(`${at >> 1}.md`, at, { text, ...more })))
      return (asked: Partial<ChunkSink.Query>) =>
        Effect.map(sink.search?.({ text: "gauge float", limit: 10, ...asked }) ?? Effect.succeed([]), (hits) =>
          hits.map((hit) => hit.chunk.index)
        )
    })

  it.effect("puts back what repeats a hit before it, by the words where there are no vectors", () =>
    Effect.gen(function* () {
      const search = yield* some(["gauge float marsh", "gauge float marsh", "gauge float", "gauge boat"])
      assert.deepStrictEqual(yield* search({}), [0, 1, 2, 3])
      assert.deepStrictEqual(yield* search({ diversity: 0.7 }), [0, 2, 3, 1])
      assert.deepStrictEqual(yield* search({ diversity: 0.7, window: 2 }), [0, 1, 2, 3])
    })
  )

  it.effect("puts back what is near a hit before it, by the vectors where all have them", () =>
    Effect.gen(function* () {
      const sink = yield* MemorySink.make()
      const prepared = yield* sink.prepare(space)
      const angles = [0.1, 0.11, 0.5]
      yield* prepared.write(
        angles.map((angle, at) =>
          chunk("a.md", at, { text: words[at] ?? "", embedding: [Math.cos(angle), Math.sin(angle)] })
        )
      )
      const found = (diversity: number) =>
        Effect.map(sink.search?.({ text: "", vector: [1, 0], limit: 3, diversity }) ?? Effect.succeed([]), (hits) =>
          hits.map((hit) => hit.chunk.index)
        )
      assert.deepStrictEqual(yield* found(0), [0, 1, 2])
      assert.deepStrictEqual(yield* found(1), [0, 2, 1])
    })
  )

  it.effect("gives one hit of a document, and those of further documents in its place", () =>
    Effect.gen(function* () {
      const search = yield* some(["gauge float", "gauge float", "gauge", "gauge", "float"])
      assert.deepStrictEqual(yield* search({ perDocument: 1, limit: 3 }), [0, 2, 4])
      assert.deepStrictEqual(
        yield* search({ perDocument: 1, limit: 2, rerank: (_, hits) => hits.map((_hit, at) => at) }),
        [4, 3]
      )
    })
  )

  it.effect("leaves to the reranker what is relevant enough alone, and what it sees none of in place", () =>
    Effect.gen(function* () {
      const seen: Array<number> = []
      const rerank: ChunkSink.Rerank = (_, hits) => {
        seen.push(hits.length)
        return hits.map((_hit, at) => at)
      }
      const search = yield* some(["gauge float", "gauge", "gauge float", "boat gauge"])
      assert.deepStrictEqual(yield* search({ rerank, minScore: 0.9 }), [2, 0])
      assert.deepStrictEqual(yield* search({ rerank, window: 2 }), [2, 0, 1, 3])
      assert.deepStrictEqual(seen, [2, 2])
    })
  )

  it.effect("fuses the rankings of alternatives, and judges a hit by the query that it fits best", () =>
    Effect.gen(function* () {
      const search = yield* some(["gauge float", "boat", "anchor"])
      assert.deepStrictEqual(yield* search({ minScore: 0.9, alternatives: [{ text: "anchor" }] }), [0, 2])
    })
  )
})
