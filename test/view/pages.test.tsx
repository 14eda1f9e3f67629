// @jsxRuntime automatic @jsxImportSource preact
/** Pages, their boxes, the pictures that are asked for, and the colours of blocks. */
import { assert, describe, it } from "@effect/vitest"
import * as ParsedDocument from "docsluice/ParsedDocument"
import { FastCheck } from "effect"
import { renderToString } from "preact-render-to-string"
import { chunkColours, hue } from "../../src/view/chunks/chunkColour.ts"
import { defaults, problem } from "../../src/view/desk/choices.ts"
import { isFurniture, typeClass, typeColours } from "../../src/view/pages/blockTypes.ts"
import { countTypes } from "../../src/view/pages/Legend.tsx"
import { Box, PageSheet, placed, ratioOf } from "../../src/view/pages/PageSheet.tsx"
import { wanted, widthFor } from "../../src/view/pages/pictures.ts"
import { plain } from "../../src/view/parts/Shown.tsx"

describe("a page with boxes", () => {
  it("places a box by percentages of the page", () => {
    const html = renderToString(
      <PageSheet number={3} ratio={1.5} label="Page 3: 1 block" picture="blob:a">
        <Box bbox={[0.1, 0.25, 0.9, 0.5]} kind="area" />
      </PageSheet>
    )
    assert.include(html, '<rect class="area" x="10%" y="25%" width="80%" height="25%">')
    assert.include(html, 'alt="Page 3"')
  })

  it("keeps every box on its page, whatever its numbers are", () => {
    const number = FastCheck.oneof(FastCheck.double(), FastCheck.double({ min: -1, max: 2, noNaN: true }))
    FastCheck.assert(
      FastCheck.property(FastCheck.tuple(number, number, number, number), (bbox) => {
        const [x, y, width, height] = placed(bbox)
        for (const share of [x, y, width, height, x + width, y + height]) {
          assert.isAtLeast(share, 0)
          assert.isAtMost(share, 1 + Number.EPSILON)
        }
      })
    )
  })

  it("ends a box without an end at the edge of the page", () => {
    assert.deepStrictEqual(placed([0, 0.5, 0.25, Number.POSITIVE_INFINITY]), [0, 0.5, 0.25, 0.5])
  })

  it("has the proportions of A4 where the size is not known or not possible", () => {
    assert.strictEqual(ratioOf(600, 300), 0.5)
    for (const [width, height] of [
      [null, null],
      [0, 5],
      [5, 0],
      [Number.NaN, 1],
      [1, 1e9]
    ] as const) {
      assert.strictEqual(ratioOf(width, height), Math.SQRT2)
    }
  })
})

describe("the pictures that are asked for", () => {
  it("are those in sight and the next one, but none after the last", () => {
    assert.deepStrictEqual(wanted([4, 5], 600), [4, 5, 6])
    assert.deepStrictEqual(wanted([599, 600], 600), [599, 600])
    assert.deepStrictEqual(wanted([], 600), [])
  })

  it("have one of few widths, at least that of the screen up to the most", () => {
    assert.deepStrictEqual([1, 401, 600, 601, 5000].map(widthFor), [400, 600, 600, 800, 2000])
  })
})

describe("colours", () => {
  it("exist for every type that the interface names and for any other", () => {
    for (const type of ParsedDocument.blockTypes) assert.include(typeColours, `.${typeClass(type)}{`)
    FastCheck.assert(
      FastCheck.property(FastCheck.string(), (type) => {
        assert.match(typeClass(type), /^t-[a-z0-9-]+$/u)
        assert.include(typeColours, `.${typeClass(type)}{`)
      })
    )
    for (let index = 0; index < 20; index++) assert.include(chunkColours, `.${hue(index)}{`)
  })

  it("tell furniture apart, which the legend has last", () => {
    assert.deepStrictEqual(ParsedDocument.blockTypes.filter(isFurniture), ["page_number", "page_header", "page_footer"])
    const item = (type: string) => ({
      id: "p1.b0",
      type,
      label: null,
      bbox: [0, 0, 1, 1] as const,
      content: "",
      markdownSpan: null,
      readingOrder: 0,
      source: null,
      confidence: { layout: null, ocr: null }
    })
    const items = ["page_footer", "page_footer", "text", "table", "text"].map(item)
    const page = { pageNumber: 1, width: 1, height: 1, status: "ok", items }
    assert.deepStrictEqual(countTypes([page]), [
      ["text", 2],
      ["table", 1],
      ["page_footer", 2]
    ])
  })
})

describe("options of chunks", () => {
  it("are refused with a reason where no chunk could be made", () => {
    const { chunks } = defaults
    assert.isNull(problem(chunks))
    assert.isNotNull(problem({ ...chunks, maxTokens: Number.NaN }))
    assert.isNotNull(problem({ ...chunks, maxTokens: 0 }))
    assert.isNotNull(problem({ ...chunks, overlap: 512 }))
    assert.isNotNull(problem({ ...chunks, minTokens: 513 }))
    assert.isNull(problem({ ...chunks, overlap: 511, minTokens: 512 }))
  })
})

describe("text in an attribute", () => {
  it("names what a reader would not see", () => assert.strictEqual(plain("a\u202eb\0"), "a[RLO]b[␀]"))
})
