import { assert, describe, it } from "@effect/vitest"
import * as ExtractiveSummary from "../../../src/engine/model/ExtractiveSummary.ts"

describe("ExtractiveSummary", () => {
  it("keeps the words of names, and leaves out code", () => {
    const text = `# Gauges

The value of height\\_m is read from the mast at noon, **every** day of the [year](https://a.example).

\`\`\`
A line of code that is long and looks like a sentence, but is none.
\`\`\`

The name station_code stands in the first column of each of the tables. It is never empty, and never longer than _four_ letters.`
    const summary = ExtractiveSummary.of(text)
    assert.include(summary, "The value of height_m is read from the mast at noon, every day of the year.")
    assert.include(summary, "The name station_code stands in the first column")
    assert.include(summary, "never longer than four letters.")
    assert.notInclude(summary, "line of code")
  })

  it("takes the notes of slides for sentences, one after the other", () => {
    const slides = "Becoming an observer\n\n- One visit a month, four hours with the walk\n- Two people, always\n"
    assert.strictEqual(
      ExtractiveSummary.of(slides),
      "Becoming an observer; One visit a month, four hours with the walk; Two people, always"
    )
  })

  it("of a table is its first rows, cut after a word", () => {
    const table = "| station | height\\_m |\n| --- | ---: |\n| Mill Ridge | 1,815 |\n"
    assert.strictEqual(ExtractiveSummary.of(table), "station, height_m; Mill Ridge, 1,815")
    const long = ExtractiveSummary.of(table + "| Tarn House | 640 |\n".repeat(100))
    assert.match(long, /Tarn House, 640; .* …$/)
    assert.isAtMost(long.length, 302)
  })

  it("of a text without words is empty", () => {
    for (const text of ["", "\n\n", "| | |\n| --- | --- |\n", "---"]) assert.strictEqual(ExtractiveSummary.of(text), "")
  })

  it("ends for texts that are made to take long", () => {
    const marks = ["[", "![", "[a](", "`", "```\n", "~~~", "| ", "_", "a_", "*", "-", "\\", " ", "a\n", "> "]
    for (const mark of marks) {
      const text = mark.repeat(200_000)
      assert.isAtMost(ExtractiveSummary.of(text).length, 1300)
      assert.isAtMost(ExtractiveSummary.of(`${text}x`).length, 1300)
    }
  })
})
