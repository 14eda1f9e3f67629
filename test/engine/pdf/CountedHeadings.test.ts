import { assert, describe, it } from "@effect/vitest"
import { parse } from "./parse.ts"
import { lines, type Mark, text } from "./writePdf.ts"

const sentences = [
  "The lantern of the harbour measures the orbit of each quarry, and it",
  "follows the ledger of the archive until the market closes at night."
]

/** A paper in one column: each part is a centred or a left line, with a paragraph below it. */
const paper = (parts: ReadonlyArray<string>, front: ReadonlyArray<Mark> = []): ReadonlyArray<Mark> => [
  ...front,
  ...parts.flatMap((part, at) => {
    const y = 160 + at * 60
    const x = part === part.toUpperCase() ? 221 - part.length * 3.4 : 72
    return [text(x, y, part), ...lines(72, y + 16, sentences)]
  })
]

const headings = async (marks: ReadonlyArray<Mark>): Promise<ReadonlyArray<string>> =>
  (await parse({ pages: [{ marks }] })).markdown.split("\n").filter((line) => line.startsWith("#"))

describe("headings that count up", () => {
  it("are sections in capitals under Roman numerals, subsections under letters, and those without a number that look the same", async () => {
    const parts = [
      "I. INTRODUCTION",
      "II. METHOD",
      "A. The first way",
      "B. The second way",
      "III. RESULTS",
      "A. Of the first way"
    ]
    assert.deepStrictEqual(await headings(paper([...parts, "REFERENCES"])), [
      "# I. INTRODUCTION",
      "# II. METHOD",
      "## A. The first way",
      "## B. The second way",
      "# III. RESULTS",
      "## A. Of the first way",
      "# REFERENCES"
    ])
  })

  it("leave names in large print above them as they are", async () => {
    const front = [
      text(120, 72, "On lanterns and harbours", { size: 20 }),
      text(200, 110, "Anna Whitfield", { size: 13 })
    ]
    const found = await headings(paper(["I. INTRODUCTION", "II. METHOD", "III. RESULTS"], front))
    assert.deepStrictEqual(found, [
      "# On lanterns and harbours",
      "## I. INTRODUCTION",
      "## II. METHOD",
      "## III. RESULTS"
    ])
  })

  it("need three sections in their order", async () => {
    assert.deepStrictEqual(await headings(paper(["I. INTRODUCTION", "III. RESULTS", "IV. METHOD"])), [])
  })
})
