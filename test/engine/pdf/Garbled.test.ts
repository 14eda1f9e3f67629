import { assert, describe, it } from "@effect/vitest"
import * as Garbled from "../../../src/engine/pdf/Garbled.ts"

describe("Garbled.isReadable", () => {
  it("takes text of one or two scripts for readable, numbers and labels too", () => {
    for (const text of ["A B 4 B2 x 17.5 %", "12 34 56", "Διάλυμα of water", "漢字 and kana かな", "Δx → 0", ""]) {
      assert.isTrue(Garbled.isReadable(text), text)
    }
  })

  it("takes a mixture of many scripts, or codes that no text has, for garbled", () => {
    for (const text of ["ߙ ΨǊ੒ඥഀ ဍ೅ һӍΉʽী ϣķϙ", "\ue001\ue002\ue003 \ue004", "\u0001\u0002\u0003\u0004"]) {
      assert.isFalse(Garbled.isReadable(text), text)
    }
  })
})
