import { assert, describe, it } from "@effect/vitest"
import * as PageNumber from "../../../src/engine/pdf/PageNumber.ts"

describe("PageNumber", () => {
  it("reads Arabic and Roman numbers at both ends of a line, and the first one of a total", () => {
    assert.deepStrictEqual(PageNumber.candidates("Chapter 2: Tools 19"), [19])
    assert.deepStrictEqual(PageNumber.candidates("20 Chapter 2: Tools"), [20])
    assert.deepStrictEqual(PageNumber.candidates("CONTENTS xiv"), [14])
    assert.deepStrictEqual(PageNumber.candidates("Annual report – 3 of 9"), [9, 3])
    assert.deepStrictEqual(PageNumber.candidates("Appendix A-12"), [12])
    assert.deepStrictEqual(PageNumber.candidates("No number at all"), [])
  })

  it("tells a number alone from a word of the same letters, and from other text", () => {
    for (const text of ["12", "- 3 -", "iv", "Page 3 of 9", "Seite 7", "| 8 |", "3/9"]) {
      assert.isTrue(PageNumber.isAlone(text), text)
    }
    for (const text of ["civil", "12 apples", "1.2.3", "Pages"]) assert.isFalse(PageNumber.isAlone(text), text)
  })

  it("finds a number that is called a page's next to other text", () => {
    assert.isTrue(PageNumber.isNamed("Quarterly report Page 3 of 9"))
    assert.isTrue(PageNumber.isNamed("Page 3 Quarterly report"))
    assert.isFalse(PageNumber.isNamed("See page 3 of the report for more"))
  })
})
