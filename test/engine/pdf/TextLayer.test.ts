import { assert, describe, it } from "@effect/vitest"
import * as TextLayer from "../../../src/engine/pdf/TextLayer.ts"

const prose = "The quick brown fox jumps over the lazy dog and runs away from all of the hounds."
/** The same with every letter moved by three, as a font without a proper encoding has it. */
const shifted = prose.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + 3))

describe("TextLayer", () => {
  it("does not doubt a page of prose, in Latin or another script", () => {
    assert.isFalse(TextLayer.isDoubtful([{ text: prose }]))
    assert.isFalse(TextLayer.isDoubtful([{ text: "Жили-были старик со старухой у самого синего моря. ".repeat(2) }]))
    assert.isFalse(TextLayer.isDoubtful([{ text: "人工智能是计算机科学的一个分支，它企图了解智能的实质。".repeat(3) }]))
  })

  it("does not doubt a page of numbers", () => {
    assert.isFalse(TextLayer.isDoubtful(Array.from({ length: 20 }, (_, at) => ({ text: `${at * 1234}.50` }))))
  })

  it("doubts a page without text or with little of it", () => {
    assert.isTrue(TextLayer.isDoubtful([]))
    assert.isTrue(TextLayer.isDoubtful([{ text: "Page 12" }]))
  })

  it("doubts a page whose letters have few vowels, also in items too short to be judged alone", () => {
    assert.isTrue(TextLayer.isDoubtful([{ text: shifted }]))
    assert.isTrue(TextLayer.isDoubtful(shifted.split(" ").map((word) => ({ text: word }))))
  })

  it("doubts a page whose text is in unusable fonts", () => {
    assert.isTrue(TextLayer.isDoubtful([{ text: prose, fontIsBuggy: true }]))
    assert.isFalse(TextLayer.isDoubtful([{ text: prose, fontIsBuggy: true }, { text: prose }]))
  })
})
