import { assert, describe, it } from "@effect/vitest"
import * as SwallowedSpaces from "../../../src/engine/pdf/SwallowedSpaces.ts"

/** An item in a font of ten points, with its words and the white space before each. */
const item = (text: string, ...words: ReadonlyArray<readonly [gap: number, text: string]>) => {
  let x = 0
  const boxes = words.map(([gap, word]) => {
    const box = { text: word, x: x + gap, y: 0, width: word.length * 5, height: 10 }
    x = box.x + box.width
    return box
  })
  return { text, rotation: 0, fontHeight: 10, words: boxes }
}

const restored = (...given: Parameters<typeof item>): string => SwallowedSpaces.restore(item(...given)).text

describe("a space that the text of an item lacks", () => {
  it("is put where two words stand apart, however little", () => {
    const words = [
      [0, "Proceedings"],
      [2, "of"],
      [0.4, "the"],
      [2, "as"],
      [0.5, "if"]
    ] as const
    assert.strictEqual(restored("Proceedings ofthe asif", ...words), "Proceedings of the as if")
  })

  it("is not put into a word that the engine divides, or next to a figure or a sign", () => {
    assert.strictEqual(
      restored("it changed then", [0, "it"], [2, "chan"], [-0.1, "ged"], [2, "then"]),
      "it changed then"
    )
    assert.strictEqual(restored("of2019 (a)", [0, "of"], [1, "2019"], [2, "("], [1, "a)"]), "of2019 (a)")
  })

  it("leaves turned text and text of other words alone", () => {
    const turned = { ...item("ofthe way", [0, "of"], [1, "the"], [2, "way"]), rotation: 90 }
    assert.strictEqual(SwallowedSpaces.restore(turned), turned)
    assert.strictEqual(restored("ofthe", [0, "off"], [1, "the"], [1, "way"]), "ofthe")
  })
})
