import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { hashOf, TextTable } from "../../src/internal/bpe/TextTable.ts"
import { unitsOf } from "../../src/internal/bpe/units.ts"

const texts = FastCheck.uniqueArray(FastCheck.fullUnicodeString({ minLength: 1 }), { maxLength: 60 })

const add = (table: TextTable, text: string, hash: number, value: number) =>
  table.add(unitsOf(text), 0, text.length, hash, value)

describe("TextTable", () => {
  it("gives the number of each text, wherever in a longer one it stands, and 0 for any other", () =>
    FastCheck.assert(
      FastCheck.property(texts, (all) => {
        const table = new TextTable(
          all.length,
          all.reduce((sum, text) => sum + text.length, 0)
        )
        const hash = (text: string) => hashOf(unitsOf(text), 0, text.length)
        all.forEach((text, index) => assert.isTrue(add(table, text, hash(text), index + 1)))
        assert.isFalse(table.fits(1))
        all.forEach((text, index) =>
          assert.strictEqual(table.get(unitsOf(`<${text}>`), 1, text.length + 1, hash(text)), index + 1)
        )
        assert.strictEqual(table.get(unitsOf("none of them, too long"), 0, 22, 7), 0)
        table.clear()
        for (const text of all) assert.strictEqual(table.get(unitsOf(text), 0, text.length, hash(text)), 0)
      })
    ))

  it("keeps apart texts of one hash, and refuses the one that would be too far from its place", () => {
    const table = new TextTable(1000, 10_000)
    const all = Array.from({ length: 70 }, (_, index) => `text ${index}`)
    const added = all.filter((text, index) => add(table, text, 7, index + 1))
    assert.deepStrictEqual(added, all.slice(0, 64))
    all.forEach((text, index) =>
      assert.strictEqual(table.get(unitsOf(text), 0, text.length, 7), index < added.length ? index + 1 : 0)
    )
  })
})
