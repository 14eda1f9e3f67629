import { assert, describe, it } from "@effect/vitest"
import type { ParsedPage } from "@llamaindex/liteparse-wasm"
import * as LeanPage from "../../../src/engine/pdf/LeanPage.ts"

/** The text of an item in a font of 20 points, of words with the white space before each. */
const textOf = (given: string, ...words: ReadonlyArray<readonly [gap: number, text: string]>): string | undefined => {
  let x = 72
  const boxes = words.map(([gap, text]) => {
    const box = { text, x: x + gap, y: 100, width: text.length * 10, height: 20 }
    x = box.x + box.width
    return box
  })
  const item = { text: given, x: 72, y: 100, width: x - 72, height: 20, rotation: 0, fontHeight: 20, words: boxes }
  const page: ParsedPage = { pageNum: 1, width: 612, height: 792, text: "", markdown: "", textItems: [item] }
  return LeanPage.fromParsed(page, undefined).items[0]?.text
}

describe("words of which the engine makes letters", () => {
  it("are whole by the distances of the letters", () => {
    const letters = Array.from("Contents", (letter) => [0, letter] as const)
    assert.strictEqual(textOf("Con t en t s", ...letters), "Contents")
    const more = [...letters, [6, "o"], [0, "f"], [6, "it"]] as const
    assert.strictEqual(textOf("Con t en t s o f it", ...more), "Contents of it")
  })

  it("stay letters where they stand apart, and words where few are letters", () => {
    assert.strictEqual(textOf("A B C", [0, "A"], [8, "B"], [8, "C"]), "A B C")
    assert.strictEqual(
      textOf("a plan b of it", [0, "a"], [1, "plan"], [1, "b"], [1, "of"], [1, "it"]),
      "a plan b of it"
    )
  })
})
