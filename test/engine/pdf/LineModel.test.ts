import { assert, describe, it } from "@effect/vitest"
import * as DraftFeatures from "../../../src/engine/pdf/lines/DraftFeatures.ts"
import * as JoinFeatures from "../../../src/engine/pdf/lines/JoinFeatures.ts"
import * as LineModel from "../../../src/engine/pdf/lines/LineModel.ts"
import { parse } from "./parse.ts"
import { lines, type Mark, type PageSpec, text } from "./writePdf.ts"

const prose = [
  "Every spring the river carries the melted snow of the mountains down to the wide plain,",
  "where it slows, turns brown and begins to wander. People who live along its banks have",
  "learned to read its colour: a pale green means that the water will fall within days, and",
  "a dark red that the dikes must be watched at night. None of this is written anywhere."
]

const paragraph = (y: number): ReadonlyArray<Mark> => lines(72, y, prose, { size: 11 }, 14)

/** A report with a title, two sections and a subsection. */
const report = (title: string, first: string, below: string, second: string): PageSpec => ({
  marks: [
    text(72, 100, title, { size: 22, font: "bold" }),
    text(72, 150, first, { size: 15, font: "bold" }),
    ...paragraph(175),
    ...paragraph(243),
    text(72, 325, below, { size: 12.5, font: "bold" }),
    ...paragraph(347),
    text(72, 430, second, { size: 15, font: "bold" }),
    ...paragraph(455),
    ...paragraph(523)
  ]
})

const types = async (pages: ReadonlyArray<PageSpec>) => {
  const { blocks, markdown } = await parse({ pages })
  const items = (blocks ?? []).flatMap((page) => page.items).filter(({ type }) => !type.startsWith("page_"))
  return { types: items.map(({ type }) => type), headings: markdown.match(/^#+ .*$/gmu) ?? [] }
}

const scaled = ({ height = 792, marks, width = 612 }: PageSpec, factor: number): PageSpec => ({
  width: width * factor,
  height: height * factor,
  marks: marks.map((mark) =>
    mark.type === "text" ? { ...mark, x: mark.x * factor, y: mark.y * factor, size: (mark.size ?? 10) * factor } : mark
  )
})

const river = report("Rivers of the plain", "1 The water", "1.1 Its colours", "2 The people")
const yearly = report("Yearly report of the library", "Visitors", "Children and schools", "Loans")

describe("LineModel", () => {
  it("was trained on the features that the engine computes", () => {
    const { joins, roles } = LineModel.load()
    assert.deepStrictEqual(joins.features, JoinFeatures.names)
    assert.deepStrictEqual(roles.features, DraftFeatures.names)
  })

  it("finds title, headings and their levels, with and without numbers", async () => {
    assert.deepStrictEqual((await types([river])).headings, [
      "# Rivers of the plain",
      "## 1 The water",
      "### 1.1 Its colours",
      "## 2 The people"
    ])
    assert.deepStrictEqual((await types([yearly])).headings, [
      "# Yearly report of the library",
      "## Visitors",
      "### Children and schools",
      "## Loans"
    ])
  })

  it("finds the same in a page of twice and of half the size", async () => {
    const found = await types([river])
    assert.deepStrictEqual(await types([scaled(river, 2)]), found)
    assert.deepStrictEqual(await types([scaled(river, 0.5)]), found)
  })

  it("finds the same on a page that is moved by a few points", async () => {
    const moved = {
      marks: river.marks.map((mark) => (mark.type === "text" ? { ...mark, x: mark.x + 9, y: mark.y + 6 } : mark))
    }
    assert.deepStrictEqual(await types([moved]), await types([river]))
  })

  it("finds the same under running lines and above page numbers", async () => {
    const running = (page: PageSpec, number: number): PageSpec => ({
      marks: [text(72, 40, "Water and people", { size: 8 }), ...page.marks, text(300, 760, String(number), { size: 8 })]
    })
    const further: PageSpec = { marks: [...paragraph(100), ...paragraph(170), ...paragraph(240), ...paragraph(310)] }
    const plain = await types([river, further])
    assert.deepStrictEqual(await types([running(river, 1), running(further, 2)]), plain)
  })
})
