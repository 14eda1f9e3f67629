import { assert, describe, it } from "@effect/vitest"
import * as AutoChunker from "docsluice/AutoChunker"
import * as BlockChunker from "docsluice/BlockChunker"
import * as DocumentChunk from "docsluice/DocumentChunk"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as PageChunker from "docsluice/PageChunker"
import type { Block, ParsedDocument } from "docsluice/ParsedDocument"
import { type Specimen, specimen } from "docsluice/testing/Arbitraries"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, FastCheck } from "effect"
import { place } from "../../../src/internal/chunking/place/spans.ts"
import * as Insert from "../../../src/internal/figures/insert.ts"
import { assertLaws } from "../../chunking/laws.ts"
import { markdownDocument } from "../../chunking/markdownDocument.ts"
import { runs } from "../../fixtures/seed.ts"

const figureOf = (id: string): Block => ({
  id,
  type: "figure",
  label: null,
  bbox: [0.1, 0.2, 0.5, 0.6],
  content: "",
  markdownSpan: null,
  readingOrder: 0,
  source: "native_text",
  confidence: { layout: null, ocr: null }
})

/** A specimen with further figures between its blocks, as the embedded engine has them: without content. */
const drawn: FastCheck.Arbitrary<readonly [Specimen, ParsedDocument]> = FastCheck.tuple(
  specimen,
  FastCheck.array(FastCheck.tuple(FastCheck.nat(5), FastCheck.nat(8)), { minLength: 1, maxLength: 6 })
).map(([generated, places]) => {
  const { document } = generated
  const blocks = document.blocks?.map((page, index) => {
    const items = page.items.map((block): Block => (block.type === "figure" ? { ...block, bbox: [0, 0, 1, 1] } : block))
    for (const [at, [on, before]] of places.entries()) {
      if (on % (document.blocks?.length ?? 1) === index) items.splice(before, 0, figureOf(`p${index}.f${at}`))
    }
    return { ...page, items }
  })
  return [generated, { ...document, blocks: blocks ?? null }]
})

const textOf = (at: number): string => `![figure number ${at} shows a rising line](figure:description)`

const described = (document: ParsedDocument) => {
  const figures = Insert.figuresOf(document)
  const insertions = figures.flatMap(({ slot }, at) => (slot === null ? [] : [{ slot, text: textOf(at) }]))
  return { figures, insertions, changed: Insert.inserted(document, insertions) }
}

const compact = (text: string): string => text.replaceAll(/\s+/gu, "")

const blockOf = (id: string, content: string, start: number): Block => ({
  ...figureOf(id),
  type: "text",
  content,
  markdownSpan: [start, start + content.length]
})

const documentOf = (markdown: string, items: ReadonlyArray<ReadonlyArray<Block>>, pages: ReadonlyArray<string>) => ({
  ...markdownDocument(markdown),
  source: "a.pdf",
  pages: pages.map((page, at) => ({ pageNumber: at + 1, markdown: page })),
  blocks: items.map((page, at) => ({ pageNumber: at + 1, width: 1, height: 1, status: "ok", items: page }))
})

describe("the place of a description", () => {
  it("is behind the next block that a blank line ends, where a sentence goes on past the figure", () => {
    const markdown = "The pump was tested\nin the summer of the year.\n\nThen it was sold."
    const items = [
      blockOf("p1.b0", "The pump was tested", 0),
      figureOf("p1.b1"),
      blockOf("p1.b2", "in the summer of the year.", 20),
      blockOf("p1.b3", "Then it was sold.", 48)
    ]
    const { changed } = described(documentOf(markdown, [items], [markdown]))
    const expected = `The pump was tested\nin the summer of the year.\n\n${textOf(0)}\n\nThen it was sold.`
    assert.strictEqual(changed.markdown, expected)
    assert.strictEqual(changed.pages?.[0]?.markdown, expected)
    const order = changed.blocks?.[0]?.items ?? []
    assert.deepStrictEqual(
      order.map(({ id }) => id),
      ["p1.b0", "p1.b2", "p1.b1", "p1.b3"]
    )
    for (const { content, markdownSpan } of order)
      assert.strictEqual(changed.markdown.slice(...(markdownSpan ?? [0, 0])), content)
  })

  it.for([
    ["\n\n---\n\n<!-- page 2 -->\n\n", "\n\n---\n\n<!-- page 3 -->\n\n"],
    ["\n\n", "\n\n"]
  ])("is all of a page without text, pages joined by %j", ([first = "", second = ""]) => {
    const markdown = `One page of words.${first}${second}The last of the pages.`
    const items = [
      [blockOf("p1.b0", "One page of words.", 0)],
      [figureOf("p2.b0"), figureOf("p2.b1")],
      [blockOf("p3.b0", "The last of the pages.", 18 + first.length + second.length)]
    ]
    const { changed } = described(documentOf(markdown, items, ["One page of words.", "", "The last of the pages."]))
    const middle = `${textOf(0)}\n\n${textOf(1)}`
    assert.strictEqual(changed.markdown, `One page of words.${first}${middle}${second}The last of the pages.`)
    assert.strictEqual(changed.pages?.[1]?.markdown, middle)
  })

  it("is all of a page without text, after a table that goes on over two pages", () => {
    const pages = ["| a | b |\n| --- | --- |\n| 1 | 2 |", "| 3 | 4 |", "", "The last of the pages."]
    const markdown = `${pages[0]}\n${pages[1]}\n\n\n\n${pages[3]}`
    const { changed } = described(documentOf(markdown, [[], [], [figureOf("p3.b0")], []], pages))
    assert.strictEqual(changed.markdown, `${pages[0]}\n${pages[1]}\n\n${textOf(0)}\n\n${pages[3]}`)
    assert.strictEqual(changed.pages?.[2]?.markdown, textOf(0))
  })

  it("is nowhere where nothing tells which part of the text is the page's", () => {
    const items = [[blockOf("p1.b0", "Other words.", 0)], [figureOf("p2.b0")]]
    const { figures } = described(documentOf("These are the words.", items, ["Other words.", "Yet others."]))
    assert.deepStrictEqual(
      figures.map(({ slot }) => slot),
      [null]
    )
  })
})

describe("descriptions in a document", () => {
  it("leave all else of it as it was, each in the span of its figure", () => {
    FastCheck.assert(
      FastCheck.property(drawn, ([, document]) => {
        const { changed, insertions } = described(document)
        if (insertions.length === 0) return assert.strictEqual(changed, document)
        let rest = changed.markdown
        for (const { text } of insertions) {
          assert.strictEqual(rest.split(text).length, 2, text)
          rest = rest.replace(text, "")
        }
        assert.strictEqual(compact(rest), compact(document.markdown))
        const before = document.blocks === null ? [] : place(document.markdown, document.blocks)
        const after = changed.blocks === null ? [] : place(changed.markdown, changed.blocks)
        assert.strictEqual(after.length, before.length)
        const isPlaced = new Map(before.map(({ block, span }) => [block.id, span !== undefined]))
        const own = new Map(insertions.map(({ slot, text }) => [slot.figure.id, text]))
        for (const { block, span } of after) {
          const text = own.get(block.id)
          if (text !== undefined || isPlaced.get(block.id) === true) {
            assert.deepStrictEqual(span, block.markdownSpan, block.id)
            assert.strictEqual(changed.markdown.slice(...(span ?? [0, 0])), block.content)
          }
          if (text !== undefined) assert.isTrue(block.content.endsWith(text))
        }
      }),
      { numRuns: runs(200) }
    )
  })

  it("have a place on every page that has text other than rows of a table, or none at all", () => {
    FastCheck.assert(
      FastCheck.property(drawn, ([, document]) => {
        const placed = place(document.markdown, document.blocks ?? [])
        const missing = described(document).figures.filter(({ page, slot }) => {
          const own = document.pages?.find(({ pageNumber }) => pageNumber === page)
          const hasBlocks = placed.some((one) => one.page === page && one.span !== undefined)
          const hasRows = own?.markdown.split("\n").every((line) => line.startsWith("| ")) === true
          return slot === null && own !== undefined && ((hasBlocks && !hasRows) || own.markdown === "")
        })
        assert.deepStrictEqual(missing, [])
      }),
      { numRuns: runs(100) }
    )
  })

  it("come into exactly one chunk each, with the box, the page and the id of the figure, and break no law", async () => {
    const tokenizer = await Effect.runPromise(Effect.provide(Tokenizer.Tokenizer, Tokenizer.layerCharacters))
    const furniture = new Set(["page_header", "page_footer", "page_number"])
    FastCheck.assert(
      FastCheck.property(drawn, FastCheck.integer({ min: 400, max: 900 }), ([, document], maxTokens) => {
        const { changed, insertions } = described(document)
        const split = (chunker: ReturnType<typeof BlockChunker.make>) =>
          Effect.runSync(Effect.provideService(chunker.chunk(changed), Tokenizer.Tokenizer, tokenizer))
        const dropped = place(changed.markdown, changed.blocks ?? []).flatMap(({ block, span }) =>
          furniture.has(block.type) && span !== undefined ? [span] : []
        )
        const expectation = { tokenizer, maxTokens }
        assertLaws(changed, split(MarkdownChunker.make({ maxTokens })), expectation)
        assertLaws(changed, split(PageChunker.make({ maxTokens })), expectation)
        const blocks = split(BlockChunker.make({ maxTokens }))
        assertLaws(changed, blocks, { ...expectation, dropped })
        for (const { slot, text } of insertions) {
          const holding = blocks.chunks.filter((chunk) => chunk.text.includes(text))
          assert.lengthOf(holding, 1, text)
          const [chunk] = holding
          assert.isTrue(chunk?.blockIds.includes(slot.figure.id))
          assert.isTrue(chunk?.kinds.includes("figure"))
          const isOwn = ({ bbox, page }: typeof DocumentChunk.Box.Type) =>
            page === slot.page && bbox === slot.figure.bbox
          assert.isTrue(chunk?.boxes.some(isOwn))
          // Where a block has no box, nothing tells which of the boxes is whose.
          const isWhole = chunk !== undefined && chunk.boxes.length === chunk.blockIds.length
          if (isWhole) assert.isTrue(DocumentChunk.figures(chunk).some(isOwn))
        }
        assert.isAbove(split(AutoChunker.make({ maxTokens })).chunks.length, 0)
      }),
      { numRuns: runs(100) }
    )
  })
})
