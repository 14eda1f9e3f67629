import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { PieceMemo } from "../../src/internal/bpe/PieceMemo.ts"
import { textOf, unitsOf } from "../../src/internal/bpe/units.ts"
import { runs } from "../fixtures/seed.ts"

describe("PieceMemo", () => {
  it("gives what was computed, for pieces that differ in length, in one character or in white space only", () => {
    const compute = (text: string) => [...text].reduce((sum, one) => sum * 31 + one.charCodeAt(0), text.length) | 1
    const memo = new PieceMemo((text, start, end) => compute(textOf(text, start, end)))
    const plain = FastCheck.stringOf(FastCheck.constantFrom("\0", " ", "a", "b", "ÿ", "Ā", "中"), {
      minLength: 1,
      maxLength: 13
    })
    FastCheck.assert(
      FastCheck.property(plain, (text) => {
        for (let times = 0; times < 2; times++)
          assert.strictEqual(memo.tokens(unitsOf(`x${text}`), 1, text.length + 1), compute(text))
      }),
      { numRuns: runs(3000) }
    )
  })
})
