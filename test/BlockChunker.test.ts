import { assert, describe, it } from "@effect/vitest"
import * as AutoChunker from "docsluice/AutoChunker"
import * as BlockChunker from "docsluice/BlockChunker"
import type { Chunker } from "docsluice/Chunker"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as PageChunker from "docsluice/PageChunker"
import type { Block, ParsedDocument } from "docsluice/ParsedDocument"
import { type Specimen, specimen } from "docsluice/testing/Arbitraries"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, FastCheck } from "effect"
import { assertHeadingPaths, assertLaws } from "./chunking/laws.ts"
import { markdownDocument } from "./chunking/markdownDocument.ts"
import { assertCutsBetweenLines } from "./chunking/structureLaws.ts"
import { runs } from "./fixtures/seed.ts"

const furniture = new Set(["page_header", "page_footer", "page_number"])

const budgets = FastCheck.constantFrom(32, 128, 512)

const run = (tokenizer: Tokenizer.Tokenizer.Service, chunker: Chunker, document: ParsedDocument) =>
  Effect.runSync(chunker.chunk(document).pipe(Effect.provideService(Tokenizer.Tokenizer, tokenizer)))

const property = (
  title: string,
  count: number,
  check: (tokenizer: Tokenizer.Tokenizer.Service, specimen: Specimen, maxTokens: number) => void
) =>
  it.effect(title, () =>
    Effect.gen(function* () {
      const tokenizer = yield* Tokenizer.Tokenizer
      FastCheck.assert(
        FastCheck.property(specimen, budgets, (generated, maxTokens) => check(tokenizer, generated, maxTokens)),
        { numRuns: runs(count) }
      )
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

const blocksOf = ({ document }: Specimen): ReadonlyArray<Block> => (document.blocks ?? []).flatMap(({ items }) => items)

const strangeBlock = (block: Block, index: number): Block => ({
  id: block.id,
  type: index % 2 === 0 ? "unknown" : block.type,
  label: null,
  bbox: null,
  content: index % 5 === 0 ? "" : block.content,
  markdownSpan: index % 3 === 0 ? [7, 3] : null,
  readingOrder: index,
  source: null,
  confidence: { layout: null, ocr: null }
})

const documentOf = (markdown: string, items: ReadonlyArray<Block>): ParsedDocument => ({
  ...markdownDocument(markdown),
  source: "a.pdf",
  blocks: [{ pageNumber: 1, width: null, height: null, status: "ok", items }]
})

describe("BlockChunker, PageChunker and MarkdownChunker on documents with pages, blocks, spans and markers", () => {
  for (const overlap of [0, 0.25]) {
    property(
      `laws 1 to 4, 9 and 12 hold for each of them with overlap ${overlap}`,
      60,
      (tokenizer, generated, maxTokens) => {
        const { document, spans } = generated
        const overlapTokens = Math.floor(maxTokens * overlap)
        const dropped = blocksOf(generated).flatMap(({ id, type }) => {
          const span = spans.get(id)
          return furniture.has(type) && span !== undefined ? [span] : []
        })
        const options = { maxTokens, overlapTokens }
        const expectation = { tokenizer, maxTokens, overlapTokens }
        assertLaws(document, run(tokenizer, MarkdownChunker.make(options), document), expectation)
        assertLaws(document, run(tokenizer, PageChunker.make(options), document), expectation)
        assertLaws(document, run(tokenizer, BlockChunker.make(options), document), { ...expectation, dropped })
      }
    )
  }

  property(
    "law 12: a block other than page furniture is whole in the chunks that name it",
    60,
    (tokenizer, generated, maxTokens) => {
      const { chunks, unplaced } = run(tokenizer, BlockChunker.make({ maxTokens }), generated.document)
      for (const { id, type, content } of blocksOf(generated)) {
        const span = generated.spans.get(id)
        if (furniture.has(type) || unplaced.includes(id) || span === undefined) {
          continue
        }
        const named = chunks.filter(({ blockIds }) => blockIds.includes(id))
        const text = named.map(({ text, start }) => text.slice(Math.max(0, span[0] - start), span[1] - start)).join("")
        assert.strictEqual(text.replace(/\s+/g, ""), content.replace(/\s+/g, ""))
      }
    }
  )

  property(
    "law 8: pages are those that the span touches, and no chunk crosses a marker",
    80,
    (tokenizer, generated, maxTokens) => {
      const { document, spans, join, markers } = generated
      for (const chunker of [
        BlockChunker.make({ maxTokens }),
        MarkdownChunker.make({ maxTokens }),
        PageChunker.make({ maxTokens })
      ]) {
        const { chunks, ambiguousMarkers } = run(tokenizer, chunker, document)
        const sure = join !== "marker" || (document.pages !== null && document.pages.length > 0)
        if (!sure || ambiguousMarkers.length > 0) {
          continue
        }
        for (const { start, end, pages } of chunks) {
          assert.isFalse(markers.some((marker) => marker >= start && marker < end))
          const touched = (document.blocks ?? [])
            .filter(({ items }) =>
              items.some(({ id }) => (spans.get(id)?.[0] ?? end) < end && (spans.get(id)?.[1] ?? 0) > start)
            )
            .map(({ pageNumber }) => pageNumber)
          if (document.pages !== null) {
            assert.deepStrictEqual(
              pages.filter((page) => touched.includes(page)),
              touched
            )
          }
        }
      }
    }
  )

  property(
    "law 7: heading paths are CommonMark's, page by page",
    60,
    (tokenizer, { document, markers, join }, maxTokens) => {
      if (join !== "marker" || document.pages !== null) {
        const chunked = run(tokenizer, MarkdownChunker.make({ maxTokens }), document)
        assertHeadingPaths(document, chunked, markers)
      }
    }
  )

  property(
    "laws 5 and 6: a table over several pages is cut between rows, each part with its head",
    120,
    (tokenizer, generated, maxTokens) => {
      const { document, join, spans } = generated
      if (join !== "blank") return
      const starts = blocksOf(generated).flatMap(({ id, type }) =>
        furniture.has(type) ? [spans.get(id)?.[1] ?? 0] : []
      )
      const frame = { tokenizer, maxTokens, starts: [], titles: new Set<number>() }
      assertCutsBetweenLines(document, run(tokenizer, MarkdownChunker.make({ maxTokens }), document), frame)
      assertCutsBetweenLines(document, run(tokenizer, PageChunker.make({ maxTokens }), document), frame)
      const blocks = run(tokenizer, BlockChunker.make({ maxTokens }), document)
      assertCutsBetweenLines(document, blocks, { ...frame, starts })
    }
  )

  property("a placed block is where it was put, in every unit of span", 200, (tokenizer, generated) => {
    const { chunks, unplaced } = run(tokenizer, BlockChunker.make({ furniture: true }), generated.document)
    for (const { blockIds, start, end } of chunks) {
      for (const id of blockIds) {
        const span = generated.spans.get(id)
        assert.isTrue(span !== undefined && span[0] < end && span[1] > start)
      }
    }
    assert.isAtMost(unplaced.length, Math.ceil(blocksOf(generated).length / 2))
  })

  property("hard pages: a page chunk is of one page", 60, (tokenizer, { document }, maxTokens) => {
    const { chunks } = run(tokenizer, PageChunker.make({ maxTokens }), document)
    assert.isTrue(chunks.every(({ pages }) => pages.length <= 1))
  })

  property(
    "law 11: nulls, unknown types and strange statuses are accepted",
    60,
    (tokenizer, { document }, maxTokens) => {
      const strange: ParsedDocument = {
        ...document,
        pages: null,
        blocks: (document.blocks ?? []).map(({ pageNumber, items }) => ({
          pageNumber,
          width: null,
          height: null,
          status: "unheard-of",
          items: items.map(strangeBlock)
        }))
      }
      assert.isAtLeast(run(tokenizer, AutoChunker.make({ maxTokens }), strange).chunks.length, 1)
      assert.isAtLeast(run(tokenizer, AutoChunker.make({ maxTokens }), { ...strange, blocks: null }).chunks.length, 1)
    }
  )

  it.effect("a short block whose span points into a line of other text is not placed there", () =>
    Effect.gen(function* () {
      const markdown = `First page.\n\n7\n\n${"word ".repeat(10)}then 7 more of it.`
      const at = markdown.lastIndexOf("7")
      const block = (id: string, content: string, span: readonly [number, number], order: number): Block => ({
        id,
        type: "text",
        label: null,
        bbox: null,
        content,
        markdownSpan: [...span],
        readingOrder: order,
        source: null,
        confidence: { layout: null, ocr: null }
      })
      const items = [block("p1.b0", "First page.", [0, 11], 0), block("p1.b1", "7", [at, at + 1], 1)]
      const { chunks, unplaced } = yield* BlockChunker.make({ maxTokens: 8 }).chunk(documentOf(markdown, items))
      assert.deepStrictEqual(unplaced, [])
      for (const { text } of chunks.filter(({ blockIds }) => blockIds.includes("p1.b1"))) {
        assert.include(text, "First page.\n\n7")
      }
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  const blockOf = (type: string, content: string, span: readonly [number, number] | null, order: number): Block => ({
    id: `p1.b${order}`,
    type,
    label: null,
    bbox: null,
    content,
    markdownSpan: span === null ? null : [...span],
    readingOrder: order,
    source: null,
    confidence: { layout: null, ocr: null }
  })

  it.effect("a running header without a span does not take the place of the heading that it repeats", () =>
    Effect.gen(function* () {
      const markdown = "The end of a section.\n\n# Harbour masters\n\nThe text below it."
      const { chunks, unplaced } = yield* BlockChunker.make().chunk(
        documentOf(markdown, [
          blockOf("page_header", "Harbour masters", null, 0),
          blockOf("text", "The end of a section.", [0, 21], 1),
          blockOf("section_header", "# Harbour masters", [23, 40], 2),
          blockOf("text", "The text below it.", [42, 60], 3)
        ])
      )
      assert.deepStrictEqual(unplaced, [])
      assert.include(chunks.map(({ text }) => text).join("\n"), "# Harbour masters")
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("two blocks of one paragraph, with a line feed in between, are both in its chunk", () =>
    Effect.gen(function* () {
      const [first, second] = ["The sentence of one column goes", "on in the next column."]
      const markdown = `${first}\n${second}`
      const { chunks } = yield* BlockChunker.make().chunk(
        documentOf(markdown, [
          blockOf("text", first, [0, first.length], 0),
          blockOf("text", second, [first.length + 1, markdown.length], 1)
        ])
      )
      assert.deepStrictEqual(
        chunks.map(({ blockIds, text }) => [text, blockIds]),
        [[markdown, ["p1.b0", "p1.b1"]]]
      )
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("a caption stays with its figure, a formula with its sentence", () =>
    Effect.gen(function* () {
      const contents: ReadonlyArray<readonly [string, string]> = [
        ["text", `${"word ".repeat(60)}end.`],
        ["figure", "![x](image.png)"],
        ["caption", `Figure 1: ${"what it shows ".repeat(10)}`],
        ["text", `${"word ".repeat(40)}so that we have`],
        ["formula", "$$\ne = m c^2\n$$"],
        ["text", "where all is said."]
      ]
      const markdown = contents.map(([, content]) => content).join("\n\n")
      const items = contents.map(([type, content], order): Block => ({
        id: `p1.b${order}`,
        type,
        label: null,
        bbox: [0, 0, 1, 1],
        content,
        markdownSpan: [markdown.indexOf(content), markdown.indexOf(content) + content.length],
        readingOrder: order,
        source: "layout_ocr",
        confidence: { layout: order === 2 ? 0.3 : 0.9, ocr: null }
      }))
      const { chunks } = yield* BlockChunker.make({ maxTokens: 80 }).chunk(documentOf(markdown, items))
      assert.deepStrictEqual(
        chunks.map(({ blockIds }) => blockIds),
        [["p1.b0"], ["p1.b1", "p1.b2"], ["p1.b3", "p1.b4", "p1.b5"]]
      )
      assert.deepStrictEqual(chunks[1]?.notes, ["low-confidence"])
      assert.deepStrictEqual(chunks[1]?.metadata, {
        layoutConfidence: 0.3,
        blockSources: ["layout_ocr"],
        figureBlocks: ["p1.b1"]
      })
      assert.deepStrictEqual(chunks[1]?.boxes, [
        { page: 1, bbox: [0, 0, 1, 1] },
        { page: 1, bbox: [0, 0, 1, 1] }
      ])
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )
})
