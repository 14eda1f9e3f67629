import { assert, describe, it } from "@effect/vitest"
import type { Item } from "../../../src/engine/pdf/PageItem.ts"
import * as RaisedItems from "../../../src/engine/pdf/RaisedItems.ts"
import { parse } from "./parse.ts"
import { lines, text } from "./writePdf.ts"

const item = (content: string, x: number, y: number, size = 10, width = content.length * size * 0.5): Item => ({
  text: content,
  box: { x0: x, y0: y - size * 0.7, x1: x + width, y1: y },
  size,
  font: "CMR",
  color: "",
  bold: false,
  italic: false,
  math: false,
  mono: false,
  mcid: undefined,
  words: undefined
})

const texts = (...items: ReadonlyArray<Item>): ReadonlyArray<string> => RaisedItems.join(items).map((each) => each.text)

describe("a small item beside a larger one", () => {
  it("over or under its base line is a superscript or subscript of it", () => {
    assert.deepStrictEqual(texts(item("m", 0, 100), item("2", 5, 96.4, 7)), ["m²"])
    assert.deepStrictEqual(texts(item("H", 0, 100), item("2", 5, 101.5, 7), item("O", 8.6, 100)), ["H₂", "O"])
    assert.deepStrictEqual(texts(item("10", 0, 100), item("-", 10, 96.4, 7), item("5", 13.5, 96.4, 7)), ["10⁻⁵"])
    assert.deepStrictEqual(texts(item("x", 0, 100), item("2", 5, 96, 7), item("1", 5, 102.4, 7)), ["x²₁"])
  })

  it("has no tags, and is no longer part of another number where Unicode lacks a character", () => {
    assert.deepStrictEqual(texts(item("10", 0, 100), item("1.5", 10, 96.4, 7)), ["10¹.⁵"])
    assert.deepStrictEqual(texts(item("the 37", 0, 100), item("th", 30, 96.4, 7)), ["the 37th"])
  })

  it("stays an item on the same base line, far from it, in code, or when it is long", () => {
    for (const [first, second] of [
      [item("I", 0, 100), item("NTRO", 5, 100, 8)],
      [item("m", 0, 100), item("2", 15, 96.4, 7)],
      [item("m", 0, 100), item("2", 5, 80, 7)],
      [{ ...item("m", 0, 100), mono: true }, item("2", 5, 96.4, 7)],
      [item("D", 0, 100, 30), item("rop", 15, 90, 10)],
      [item("m", 0, 100), item("smaller print", 5, 96.4, 7)]
    ] as const)
      assert.deepStrictEqual(texts(first, second), [first.text, second.text])
  })
})

describe("a word with a raised or lowered part", () => {
  const word = (content: string, x: number, y: number, height: number) => ({ text: content, x, y, width: 20, height })
  const line = (...words: ReadonlyArray<ReturnType<typeof word>>) => ({
    ...word(words.map(({ text: own }) => own).join(" "), 0, 100, 12),
    rotation: 0,
    fontHeight: 10,
    fontAscent: 9.5,
    fontDescent: -2.5,
    words
  })
  const plain = word("in", 0, 100, 12)

  it("is known by its box", () => {
    for (const [given, expected] of [
      [word("km2,", 22, 99, 13), "in km²,"],
      [word("10-5", 22, 99, 13), "in 10⁻⁵"],
      [word("note.12", 22, 99, 13), "in note.¹²"],
      [word("H2O", 22, 100, 13.5), "in H₂O"],
      [word("2", 20, 99, 8), "in²"],
      [word("km2", 22, 100, 12), "in km2"],
      [word("1995", 22, 99, 13), "in 1995"],
      [word("\\\\write18.", 22, 99, 13), "in \\\\write18."],
      [word("$10,000", 22, 99, 13), "in $10,000"]
    ] as const)
      assert.strictEqual(RaisedItems.inWords(line(plain, given)).text, expected)
  })

  it("is not looked for without a word beside it, or in turned text", () => {
    const alone = line(word("km2", 0, 99, 13))
    assert.strictEqual(RaisedItems.inWords(alone), alone)
    const sideways = { ...line(plain, word("km2", 22, 99, 13)), rotation: 90 }
    assert.strictEqual(RaisedItems.inWords(sideways), sideways)
  })
})

describe("a sentence with powers", () => {
  it("stays whole, with its spans", async () => {
    const small = { size: 7, font: "bold" } as const
    const { blocks, markdown } = await parse({
      pages: [
        {
          marks: [
            ...lines(72, 100, [
              "The first line of this paragraph is long enough to fill the column of text here",
              "and the second one goes on with the words of the same sentence until its end,"
            ]),
            text(72, 124, "where there are 10"),
            text(156, 119, "-5", small),
            text(163, 124, " or 10"),
            text(190, 120, "-6", small),
            text(197, 124, "; at lower rates of some of the many kilometres"),
            ...lines(72, 136, ["and the fourth one goes on with the words of the same sentence until its end of it."])
          ]
        }
      ]
    })
    assert.include(
      markdown,
      "where there are 10⁻⁵ or 10⁻⁶; at lower rates of some of the many kilometres and the fourth one"
    )
    assert.notInclude(markdown.trim(), "\n")
    for (const { content, markdownSpan } of blocks?.flatMap(({ items }) => items) ?? [])
      assert.strictEqual(markdownSpan === null ? undefined : markdown.slice(...markdownSpan), content)
  })
})
