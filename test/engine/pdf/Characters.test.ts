import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Characters from "../../../src/engine/pdf/Characters.ts"
import * as FloatingAccents from "../../../src/engine/pdf/FloatingAccents.ts"
import { readable } from "../../../src/engine/pdf/PageItem.ts"

const letters = "aeiouncszTEOUCSZ \u0131x´`¨ˆ˜˙˚¸˛ˇ˝˘¯'ﬁﬂ⼀⺀⺟ﻻ１．"
const text = fc.string({ unit: fc.constantFrom(...letters) })

describe("Characters", () => {
  it("writes ligatures, presentation forms and radicals in letters, and leaves full-width forms", () => {
    assert.strictEqual(Characters.plain("ﬁrst aﬀair ﬂow"), "first affair flow")
    assert.strictEqual(Characters.plain("ﺍﻟﺴﻼﻡ"), "السلام")
    assert.strictEqual(Characters.plain("⽇本⾔語 ⻄⻝"), "日本言語 西食")
    assert.strictEqual(Characters.plain("１２．５％（ＡＢ）"), "１２．５％（ＡＢ）")
  })

  it("puts accents on the letters that they stand before, or below", () => {
    assert.strictEqual(
      Characters.withAccents("M´ın na¨ıve fa¸cade S¸ Erd˝os ˇc `a la ˆetre"),
      "Mín naïve façade Ş Erdős č à la être"
    )
  })

  it("leaves quotation marks, code and accents without a letter", () => {
    for (const kept of ["`quoted' words", "`a`", "the sign ´ alone", "5 ˚C", "ˆx", "a`b"]) {
      assert.strictEqual(Characters.withAccents(kept), kept)
    }
    for (const code of ["`a b", "pu`o", "a~nade"]) assert.strictEqual(readable(code, "CMTT10"), code)
    for (const kept of ["\\cite~name", "host/~nobody", "x~y", "~no", "rock`n`roll"]) {
      assert.strictEqual(Characters.withAccents(kept), kept)
    }
  })

  it("writes the codes of symbol fonts as bullets, whatever the font is called", () => {
    assert.strictEqual(readable("\uf0b7", "Calibri"), "•")
    assert.strictEqual(readable("\uf0fc", "Wingdings-Regular"), "✓")
    assert.strictEqual(readable("o", "ABCDEF+CourierNewPSMT"), "◦")
    assert.strictEqual(readable("o", "Courier"), "o")
  })

  it("takes a grave accent and a tilde of ASCII within a word of prose for accents", () => {
    assert.strictEqual(Characters.withAccents("l’autore non pu`o"), "l’autore non può")
    assert.strictEqual(Characters.withAccents("No se a~nade"), "No se añade")
    assert.strictEqual(readable("produce; vea Secci´on 4.1", "CMTT10"), "produce; vea Sección 4.1")
  })

  it("puts the accent at the end of a text on the letter after it", () => {
    assert.strictEqual(Characters.joined("Extens˜", "oes"), "Extensões")
    assert.strictEqual(Characters.joined("a `", "o"), "a `o")
    assert.strictEqual(Characters.joined("˜", " a"), "˜ a")
  })

  it("puts two accents on one letter", () => {
    assert.strictEqual(Characters.withAccents("˛¯o"), "ǭ")
  })

  it("changes nothing the second time, and never adds or removes white space", () => {
    fc.assert(
      fc.property(text, (before) => {
        const after = Characters.withAccents(Characters.plain(before))
        assert.strictEqual(Characters.withAccents(Characters.plain(after)), after)
        assert.deepStrictEqual(after.match(/ /g)?.length, before.match(/ /g)?.length)
      })
    )
  })
})

describe("FloatingAccents.settle", () => {
  const word = (content: string, x: number, width: number) => ({ text: content, x, y: 10, width, height: 10 })
  const accent = { ...word("ˇ", 1, 4), y: 8, words: [] }

  it("puts an accent on the letter under it, in the item and in its word", () => {
    const item = { ...word("Capek said", 0, 50), words: [word("Capek", 0, 25), word("said", 30, 20)] }
    const [settled, ...others] = FloatingAccents.settle([item, accent])
    assert.deepStrictEqual(others, [])
    assert.strictEqual(settled?.text, "Čapek said")
    assert.deepStrictEqual(
      settled?.words.map((each) => each.text),
      ["Čapek", "said"]
    )
  })

  it("keeps an accent that is over no letter that takes it", () => {
    const items = [{ ...word("xxx", 0, 15), words: [word("xxx", 0, 15)] }, accent]
    assert.deepStrictEqual(FloatingAccents.settle(items), items)
  })

  it("keeps the boxes and the lengths of all words, whatever the accents are over", () => {
    const name = fc.string({ unit: fc.constantFrom(..."acezo"), minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(name, name, fc.integer({ min: 0, max: 80 }), (one, other, x) => {
        const item = {
          ...word(`${one} ${other}`, 0, 80),
          words: [word(one, 0, 35), word(other, 40, 40)]
        }
        const settled = FloatingAccents.settle([item, { ...accent, x }])
        const [first] = settled
        assert.strictEqual(first?.text.length, item.text.length)
        assert.strictEqual(first?.text, first?.words.map((each) => each.text).join(" "))
        assert.deepStrictEqual(
          first?.words.map(({ x: left, width }) => [left, width]),
          item.words.map(({ x: left, width }) => [left, width])
        )
      })
    )
  })
})
