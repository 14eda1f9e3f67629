import { assert, describe, it } from "@effect/vitest"
import * as VerticalLines from "../../../src/engine/pdf/VerticalLines.ts"

interface Word {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const word = (text: string, x: number, y: number, width = 10, height = 10): Word => ({ text, x, y, width, height })

const item = (rotation: number, ...words: ReadonlyArray<Word>) => {
  const [first = word("", 0, 0)] = words
  const x1 = Math.max(...words.map(({ width, x }) => x + width))
  const text = words.map((each) => each.text).join(" ")
  return { ...first, text, width: x1 - first.x, rotation, fontHeight: 10, words }
}

/** Signs of two vertical lines, the second to the left of the first, in rows across both, as the engine gives them. */
const rows = (right: string, left: string, top: number) =>
  Array.from(right, (sign, at) =>
    item(0, word(Array.from(left)[at] ?? "", 182, top + at * 10), word(sign, 200, top + at * 10))
  )

const upper = "山脈が装置を含む方法と"
const lower = "河川も温度も書籍を調整"

const texts = (items: ReadonlyArray<{ readonly text: string; readonly rotation: number }>) =>
  items.map(({ rotation, text }) => [text, rotation])

describe("vertical lines", () => {
  it("are one turned item each, whose box is that of its signs", () => {
    const joined = VerticalLines.join(rows(upper, lower, 100))
    assert.sameDeepMembers(texts(joined), [
      [upper, 90],
      [lower, 90]
    ])
    const first = joined.find(({ text }) => text === upper)
    assert.deepStrictEqual([first?.x, first?.y, first?.width, first?.height], [200, 100, 10, 110])
  })

  it("hold turned words with the spaces between them, numbers that stand upright, and marks in a corner of their place", () => {
    const line = [
      ...rows(upper, lower, 100),
      item(90, word("two", 200, 211, 10, 15)),
      item(90, word("words", 200, 229, 10, 22)),
      item(0, word("12", 199, 252, 12, 10)),
      item(0, word("。", 206, 262, 4, 4))
    ]
    assert.deepInclude(texts(VerticalLines.join(line)), [`${upper}two words12。`, 90])
  })

  it("take the signs of a word apart that the engine made of two of them", () => {
    const made = [...rows(upper, lower, 100), item(0, word("語言", 182, 210, 28, 10))]
    assert.sameDeepMembers(texts(VerticalLines.join(made)), [
      [`${upper}言`, 90],
      [`${lower}語`, 90]
    ])
  })

  it("leave a header that lies, and a page whose lines lie", () => {
    const header = item(0, word("Header", 20, 20, 60), word("3", 300, 20, 6))
    assert.deepInclude(texts(VerticalLines.join([header, ...rows(upper, lower, 100)])), ["Header", 0])
    const lying = Array.from({ length: 4 }, (_, line) =>
      Array.from("山脈が装置を含", (sign, at) => item(0, word(sign, 100 + at * 10, 100 + line * 15)))
    ).flat()
    assert.strictEqual(VerticalLines.join(lying), lying)
  })
})
