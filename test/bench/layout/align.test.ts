import { assert, describe, it } from "@effect/vitest"
import * as Align from "../../../bench/layout/align.ts"
import * as Pdf from "../../../bench/layout/pdf.ts"
import type { Truth } from "../../../bench/layout/truth.ts"
import * as TextLine from "../../../src/engine/pdf/TextLine.ts"
import { lines, type Mark, ruledTable, text, write } from "../../engine/pdf/writePdf.ts"

const truthOf = (blocks: Truth["blocks"], furniture: Truth["furniture"] = []): Truth => ({
  producer: "none",
  template: "none",
  seed: 1,
  tagged: false,
  script: "latin",
  language: "en",
  split: "learn",
  pages: 1,
  blocks,
  furniture
})

const align = async (truth: Truth, ...pages: ReadonlyArray<ReadonlyArray<Mark>>) => {
  const read = await Pdf.pages(write({ pages: pages.map((marks) => ({ marks })) }))
  return { pages: read, aligned: Align.align(truth, Align.piecesOf(read)) }
}

const left = ["Harbours measure the signal of a", "meadow, and lanterns cover copper."]
const right = ["Glaciers describe the archive of a", "summit before markets follow it."]

describe("align", () => {
  it("labels every line of a page with running lines, a heading, a list and a table", async () => {
    const truth = truthOf(
      [
        { type: "section_header", level: 1, text: "1 Harbours and signals" },
        { type: "text", text: left.join(" ") },
        { type: "text", text: "copper from the valley", marker: "•", depth: 0, role: "list_item" },
        {
          type: "table",
          text: "Name Amount Anchor 12 Canyon 34",
          rows: [
            ["Name", "Amount"],
            ["Anchor", "12"],
            ["Canyon", "34"]
          ]
        }
      ],
      [
        { page: 1, type: "page_header", text: "Report of the district" },
        { page: 1, type: "page_number", text: "1" }
      ]
    )
    const { aligned, pages } = await align(truth, [
      text(72, 40, "Report of the district", { size: 8 }),
      text(72, 90, "1 Harbours and signals", { size: 16 }),
      ...lines(72, 120, left),
      text(72, 160, "• copper from the valley"),
      ...ruledTable(
        72,
        200,
        [100, 100],
        [
          ["Name", "Amount"],
          ["Anchor", "12"],
          ["Canyon", "34"]
        ]
      ),
      text(540, 760, "1", { size: 8 })
    ])
    assert.strictEqual(aligned.found, 1)
    assert.strictEqual(aligned.labelled, 1)
    const labels = pages.flatMap((page) =>
      TextLine.group(page.items).map((line) => aligned.labelOf(page.pageNumber, line.box))
    )
    assert.deepStrictEqual(labels, [
      { in: "furniture", at: 0 },
      ...[0, 1, 1, 2, 3, 3, 3].map((at) => ({ in: "blocks" as const, at })),
      { in: "furniture", at: 1 }
    ])
    assert.isAtMost(aligned.blocks[2]?.[0]?.box.x0 ?? 99, 73, "the bullet is part of its item")
  })

  it("gives a block that goes on in the next column a box in each", async () => {
    const { aligned } = await align(truthOf([{ type: "text", text: [...left, ...right].join(" ") }]), [
      ...lines(72, 600, left),
      ...lines(320, 100, right)
    ])
    const boxes = (aligned.blocks[0] ?? []).map(({ box }) => [Math.round(box.x0), box.y1 < 300])
    assert.deepStrictEqual(boxes, [
      [72, false],
      [320, true]
    ])
  })

  it("tells columns apart whose lines stand at the same height", async () => {
    const { aligned } = await align(
      truthOf([
        { type: "text", text: left.join(" ") },
        { type: "text", text: right.join(" ") }
      ]),
      [...lines(72, 100, left), ...lines(320, 100, right)]
    )
    assert.strictEqual(aligned.found, 1)
    assert.isBelow(aligned.blocks[0]?.[0]?.box.x1 ?? 999, 320)
    assert.isAbove(aligned.blocks[1]?.[0]?.box.x0 ?? 0, 319)
  })

  it("finds a word that is broken at the end of a line", async () => {
    const { aligned } = await align(
      truthOf([{ type: "text", text: "Lanterns cover the temperature of every reservoir." }]),
      lines(72, 100, ["Lanterns cover the tempera-", "ture of every reservoir."])
    )
    assert.strictEqual(aligned.found, 1)
    assert.strictEqual(aligned.labelled, 1)
  })

  it("leaves what the truth does not say without a label", async () => {
    const { aligned } = await align(truthOf([{ type: "text", text: left.join(" ") }]), [
      ...lines(72, 100, left),
      text(72, 300, "Quarries exceed orchards")
    ])
    assert.strictEqual(aligned.found, 1)
    assert.isUndefined(aligned.labelOf(1, { x0: 60, y0: 280, x1: 400, y1: 310 }))
  })

  it("finds a block on each page that it is on", async () => {
    const { aligned } = await align(
      truthOf([{ type: "text", text: [...left, ...right].join(" ") }]),
      lines(72, 700, left),
      lines(72, 72, right)
    )
    assert.deepStrictEqual(
      (aligned.blocks[0] ?? []).map(({ page }) => page),
      [1, 2]
    )
  })
})
