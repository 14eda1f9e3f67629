/** Blocks, stretches of the Markdown and chunks that light up together. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { Chunk, Chunked, Parsed } from "../../src/internal/look/messages.ts"
import { inOrder } from "../../src/view/chunks/Chunks.tsx"
import { Light } from "../../src/view/desk/light.ts"
import { Links, overlaps } from "../../src/view/desk/links.ts"

const chunk = (index: number, start: number, end: number, blockIds: ReadonlyArray<string> = []) => ({
  id: `id${index}`,
  index,
  start,
  end,
  text: "",
  embedText: "",
  tokens: 1,
  headingPath: [],
  kinds: [],
  notes: [],
  boxes: [],
  blockIds,
  pages: []
})

const parsedOf = (spans: Parsed["spans"]): Parsed => ({
  answer: { success: true, data: { metadata: {} } },
  verbatim: false,
  pages: [],
  spans,
  warnings: [],
  took: 0
})

const chunkedOf = (chunks: ReadonlyArray<ReturnType<typeof chunk>>): Chunked => {
  const all: ReadonlyArray<Omit<Chunk, "id"> & { readonly id: string }> = chunks
  const parsed: Chunked = JSON.parse(JSON.stringify({ chunks: all, gaps: [], warnings: [], took: 0 }))
  return parsed
}

const links = new Links(
  parsedOf([
    { block: "p1.b0", start: 0, end: 10 },
    { block: "p1.b1", start: 12, end: 40 },
    { block: "p2.b0", start: 42, end: 60 }
  ]),
  chunkedOf([chunk(0, 0, 30, ["p1.b0", "p1.b1"]), chunk(1, 20, 60, ["p1.b1", "p2.b0"])])
)

describe("parts that belong together", () => {
  it("are the chunks and the place of a block", () => {
    const { blocks, chunks, ranges } = links.lit({ kind: "block", id: "p1.b1" })
    assert.deepStrictEqual([[...blocks], [...chunks], ranges], [["p1.b1"], [0, 1], [[12, 40]]])
    assert.deepStrictEqual(Array.from(links.lit({ kind: "block", id: "p1.b0" }).chunks), [0])
  })

  it("are the blocks and the place of a chunk", () => {
    const { blocks, chunks, ranges } = links.lit({ kind: "chunk", index: 1 })
    assert.deepStrictEqual([[...blocks], [...chunks], ranges], [["p1.b1", "p2.b0"], [1], [[20, 60]]])
  })

  it("are the blocks and the chunks of a stretch of the Markdown", () => {
    const { blocks, chunks } = links.lit({ kind: "text", start: 45, end: 50 })
    assert.deepStrictEqual([[...blocks], [...chunks]], [["p2.b0"], [1]])
    assert.deepStrictEqual(Array.from(links.lit({ kind: "text", start: 10, end: 12 }).blocks), [])
  })

  it("are found by overlap in every set of spans, nested ones too", () => {
    const spans = FastCheck.array(FastCheck.tuple(FastCheck.nat(60), FastCheck.integer({ min: 1, max: 40 })), {
      maxLength: 20
    })
    FastCheck.assert(
      FastCheck.property(spans, FastCheck.nat(70), FastCheck.integer({ min: 1, max: 30 }), (all, from, length) => {
        const placed = all.map(([start, size], at) => ({ block: `b${at}`, start, end: start + size }))
        const found = new Links(parsedOf(placed), null).lit({ kind: "text", start: from, end: from + length }).blocks
        const known = placed.filter(({ end, start }) => overlaps([[from, from + length]], start, end))
        assert.sameMembers(
          Array.from(found),
          known.map(({ block }) => block)
        )
      })
    )
  })

  it("stay lit after a click until Escape, and go dark with the pointer otherwise", () => {
    const light = new Light()
    light.relink(links)
    light.point({ kind: "chunk", index: 0 })
    assert.isTrue(light.state.lit.blocks.has("p1.b0"))
    light.point(null)
    assert.strictEqual(light.state.lit.blocks.size, 0)
    light.pin({ kind: "chunk", index: 1 }, "details")
    light.point(null)
    assert.isTrue(light.state.lit.blocks.has("p2.b0"))
    light.clear()
    assert.strictEqual(light.state.lit.blocks.size, 0)
  })
})

describe("the list of chunks", () => {
  it("has the chunks and what lies between them in order", () => {
    const { chunks } = chunkedOf([chunk(0, 5, 10), chunk(1, 20, 30)])
    const gaps = [2, 12, 15, 33].map((start) => ({ start, end: start + 1, what: "text" }))
    const order = inOrder({ chunks, gaps }).map((item) =>
      item.kind === "chunk" ? `c${item.chunk.index}` : item.gap.start
    )
    assert.deepStrictEqual(order, [2, "c0", 12, 15, "c1", 33])
  })
})
