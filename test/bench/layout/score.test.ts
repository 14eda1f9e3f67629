import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Blocks from "../../../bench/layout/score/blocks.ts"
import * as Furniture from "../../../bench/layout/score/furniture.ts"
import * as Metrics from "../../../bench/layout/score/metrics.ts"
import * as Reading from "../../../bench/layout/score/reading.ts"
import * as Sequence from "../../../bench/layout/sequence.ts"

describe("commonLength", () => {
  const words = FastCheck.array(FastCheck.constantFrom("a", "b", "c", "d", "e"), { maxLength: 90 })

  it("is the length of the longest common subsequence", () => {
    FastCheck.assert(
      FastCheck.property(words, words, (one, other) => {
        assert.strictEqual(Metrics.commonLength(one, other), Sequence.common(one, other).length)
      })
    )
  })
})

describe("reading", () => {
  it("has words, headings, tables and list items of Markdown and of HTML in it", () => {
    const reading = Reading.read(
      "# A *title*\n\nText<br>more <!-- hidden -->\n\n- one\n  - two\n\n| a | b |\n| - | - |\n| c | 1\\|2 |\n\n<table><tr><td rowspan=2>x</td><td>y</td></tr><tr><td>z</td></tr></table>\n"
    )
    assert.deepStrictEqual(reading.headings, [{ level: 1, words: ["a", "title"] }])
    assert.deepStrictEqual(reading.items, ["one", "two"])
    assert.deepStrictEqual(reading.tables, [
      [
        ["a", "b"],
        ["c", "12"]
      ],
      [
        ["x", "y"],
        ["", "z"]
      ]
    ])
    assert.deepStrictEqual(reading.words.join(" "), "a title text more one two a b c 1 2 x y z")
  })
})

describe("headings", () => {
  const heading = (level: number, text: string) => ({ level, words: text.split(" ") })

  it("counts what is found, what is not, and steps of level that agree", () => {
    const truth = [heading(1, "harbour ledger"), heading(2, "signal"), heading(2, "meadow"), heading(1, "orbit")]
    const found = [heading(2, "harbour ledger"), heading(3, "signal"), heading(4, "meadow"), heading(1, "quarry")]
    const score = Metrics.headings(truth, found)
    assert.strictEqual(score?.f1, 0.75)
    assert.strictEqual(score?.levels, 0.5)
  })
})

describe("tables", () => {
  it("are whole when cells and neighbours are those of the truth", () => {
    const grid = [
      ["a", "b"],
      ["c", "d"]
    ]
    assert.deepStrictEqual(Metrics.tables([grid], [grid]), { cells: 1, adjacency: 1 })
    const flat = Metrics.tables([grid], [[["a", "b", "c", "d"]]])
    assert.strictEqual(flat?.cells, 1)
    assert.closeTo(flat?.adjacency ?? 0, 4 / 7, 1e-9)
  })
})

describe("blocks", () => {
  const block = (type: string, y: number) => ({ page: 1, type, box: [0, y, 1, y + 0.1] as const })

  it("match one to one by their boxes, and types count on what matched", () => {
    const score = Blocks.compare(
      [block("text", 0), block("footnote", 0.2), block("title", 0.4)],
      [block("text", 0.01), block("text", 0.01), block("text", 0.2), block("section_header", 0.4)]
    )
    assert.closeTo(score?.f1 ?? 0, 6 / 7, 1e-9)
    assert.closeTo(score?.types ?? 0, 2 / 3, 1e-9)
  })
})

describe("furniture", () => {
  const truth = {
    producer: "none",
    template: "none",
    seed: 1,
    tagged: false,
    script: "latin",
    language: "en",
    split: "learn",
    pages: 2,
    blocks: [{ type: "text", text: "signal meadow" }],
    furniture: [
      { page: 1, type: "page_header", text: "harbour ledger" },
      { page: 2, type: "page_header", text: "harbour ledger" }
    ]
  } as const
  const line = (page: number) => ({ page, type: "page_header", box: [0, 0, 0.5, 0.02] as const })

  it("is kept where the text says it, and lost where no block covers it", () => {
    const words = { truth: ["signal", "meadow"], found: ["harbour", "ledger", "signal", "meadow"] }
    assert.deepStrictEqual(Furniture.compare(truth, words, [line(1), line(2)], []), { kept: 0.5, lost: 0.5 })
    assert.deepStrictEqual(Furniture.compare(truth, words, [line(1), line(2)], [line(2)]), { kept: 0.5, lost: 0 })
  })
})
