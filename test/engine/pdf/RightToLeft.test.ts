import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Item } from "../../../src/engine/pdf/PageItem.ts"
import * as RightToLeft from "../../../src/engine/pdf/RightToLeft.ts"
import * as TextLine from "../../../src/engine/pdf/TextLine.ts"

/** A line of words as they are seen from the left, 10 points a character; a space between two words unless the first ends in `~`. */
const seen = (...words: ReadonlyArray<string>): Item => {
  let x = 0
  const boxes = words.map((word) => {
    const text = word.replace("~", "")
    const box = { x0: x, x1: x + text.length * 10, y0: 0, y1: 10 }
    x = box.x1 + (word.endsWith("~") ? 0 : 5)
    return { text, box, link: undefined }
  })
  return {
    text: boxes.map((word) => word.text).join(" "),
    box: { x0: 0, x1: x, y0: 0, y1: 10 },
    size: 10,
    bold: false,
    math: false,
    mono: false,
    italic: false,
    font: "",
    color: "",
    mcid: undefined,
    words: boxes
  }
}

const lineOf = (...words: ReadonlyArray<string>): string => TextLine.fromItems([seen(...words)]).text

describe("right-to-left lines", () => {
  it("have their signs after the words that they follow", () => {
    assert.strictEqual(lineOf(".סוף", "שלום"), "שלום סוף.")
    assert.strictEqual(lineOf("عادي؛", "نص"), "نص عادي؛")
  })

  it("keep numbers and Latin words as they are, with their signs around them", () => {
    assert.strictEqual(lineOf(",12:30", "בשעה", "שלום"), "שלום בשעה 12:30,")
    assert.strictEqual(lineOf("،20~", "19", "عام", "عربي"), "عربي عام 2019،")
    assert.strictEqual(lineOf("%45.6", "من", "عربي"), "عربي من 45.6%")
    assert.strictEqual(lineOf("ומהיר", "טוב", "open", "source", "תמיד"), "תמיד open source טוב ומהיר")
  })

  it("have their brackets in the direction of the text", () => {
    assert.strictEqual(lineOf(")בדיקה", ")עולם", "שלום"), "שלום עולם (בדיקה)")
    assert.strictEqual(lineOf("סוף", "(", "123", ")", "לפני"), "לפני (123) סוף")
  })

  it("have lam before alef where the other order is no word", () => {
    assert.strictEqual(lineOf("اإلدارة", "واآلن"), "والآن الإدارة")
    assert.strictEqual(lineOf("االجتماعية", "ال"), "لا الاجتماعية")
    assert.strictEqual(lineOf("ألف", "الكتاب"), "الكتاب ألف")
  })

  it("lose no character but spaces, and do not change the second time", () => {
    const word = fc.string({ unit: fc.constantFrom(..."אבגدرس123.,()%ab"), minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const line = RightToLeft.line(words.map(RightToLeft.word).join(" "))
        const letters = (text: string) => Array.from(text.replace(/[\s()]/g, "")).toSorted()
        assert.deepStrictEqual(letters(line), letters(words.join("")))
        assert.strictEqual(RightToLeft.line(line), line)
      })
    )
  })
})
