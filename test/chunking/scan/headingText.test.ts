import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { headingText } from "../../../src/internal/chunking/scan/headingText.ts"
import { inlineText } from "../../../src/internal/chunking/scan/inlineText.ts"
import { runs } from "../../fixtures/seed.ts"

const parts = FastCheck.constantFrom(
  ..."ab é中 \t\u00a0\u2003\u3000\ufeff\u0085*_`~[]()!<>&\\;",
  "**",
  "``",
  "&amp;",
  "&#65;",
  "[a](b)",
  "<http://a.b>",
  "  "
)

describe("headingText", () => {
  it.effect("is the inline text with single spaces, also on the fast path that reads no marks", () =>
    Effect.sync(() =>
      FastCheck.assert(
        FastCheck.property(FastCheck.array(parts, { maxLength: 12 }), (all) => {
          const text = all.join("")
          assert.strictEqual(headingText(text), inlineText(text).replace(/\s+/g, " ").trim())
        }),
        { numRuns: runs(5000) }
      )
    )
  )

  it.effect("has no marks and no addresses, and entities are decoded", () =>
    Effect.sync(() => {
      const texts = {
        "Plain  text\there": "Plain text here",
        "**Bold**, _both_ and `a*b*`": "Bold, both and a*b*",
        "[a [b]](x.md) ![c](d.png)": "a [b] c",
        "&amp; &#65;&#x42; &unknown;": "& AB &unknown;",
        "<https://a.b> \\*not\\*": "https://a.b *not*",
        "``a` b": "``a` b",
        "a_b_c ~~gone~~": "a_b_c gone"
      }
      for (const [source, text] of Object.entries(texts)) assert.strictEqual(headingText(source), text)
    })
  )
})
