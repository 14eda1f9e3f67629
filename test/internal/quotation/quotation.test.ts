import { assert, describe, it } from "@effect/vitest"
import { holds, normalised, readings } from "../../../src/internal/quotation/quotation.ts"

describe("a quotation", () => {
  it.each([
    ["line ends and white space", "cleaned every\r\n  two\u00A0weeks", "cleaned every two weeks"],
    ["a hyphen at the end of a line", "the calibra-\ntion of gauges", "the calibration of gauges"],
    ["a hyphen of its own at the end of a line", "a well-\nknown gauge", "a well-known gauge"],
    ["a name broken at its hyphen", "the Coca-\nCola Company", "the Coca-Cola Company"],
    ["ligatures", "the oﬀice’s ﬁrst ﬂoor", "the office's first floor"],
    ["quotation marks", "the “float” gauge, ‹new›", 'the "float" gauge, "new"'],
    ["dashes", "pages 3–7 — and −5 °C", "pages 3-7 - and -5 °C"],
    ["invisible characters", "cali\u00ADbra\u200Btion", "calibration"],
    ["wide forms", "Ｎｏ. １２", "No. 12"],
    ["decomposed letters", "Cafe\u0301", "Café"],
    ["lines of Chinese", "每年五月\n校准", "每年五月校准"],
    ["emphasis and links", "**Every** [gauge](a.md) is _calibrated_", "Every gauge is calibrated"],
    ["cells of a table", "| Net sales | 82,959 |\n| --- | --- |\n| Costs | 47,074 |", "Net sales 82,959 Costs 47,074"],
    ["headings and lists", "## Calibration\n\n- in May\n- in June", "Calibration in May in June"],
    ["escapes and entities", "5 \\* 3 &amp; 2", "5 * 3 & 2"]
  ])("is found in a text in spite of %s", (_, text, quote) => {
    assert.isTrue(holds(readings(text), quote))
  })

  it.each([
    ["another number", "sales of 82,959 million", "sales of 82,995 million"],
    ["another separator", "sales of 82,959 million", "sales of 82.959 million"],
    ["a power", "10² gauges", "102 gauges"],
    ["a fraction", "6½ weeks", "61/2 weeks"],
    ["a negation", "it is not calibrated", "it is calibrated"],
    ["a sign", "a change of −5 %", "a change of +5 %"],
    ["capital letters of a name", "the Orange company", "the orange company"],
    ["digits of a product", "5*3 gauges", "53 gauges"],
    ["a hyphen within a line", "they re-sign it", "they resign it"],
    ["nothing", "any text", " "]
  ])("is not found in a text that differs by %s", (_, text, quote) => {
    assert.isFalse(holds(readings(text), quote))
  })

  it("is normalised once and for all", () => {
    for (const text of ["the “calibra-\ntion”", "oﬀice", "10² ½ ™", " a \n b "]) {
      assert.strictEqual(normalised(normalised(text)), normalised(text))
    }
  })
})
