import { assert, describe, it } from "@effect/vitest"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, FastCheck } from "effect"
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base"
import * as o200k from "gpt-tokenizer/encoding/o200k_base"

const plain = { disallowedSpecial: new Set<string>() }

const references = { cl100k_base: cl100k.countTokens, o200k_base: o200k.countTokens } as const

const parts = [
  ..."aBé Ж中。 \n\r\t1'ſ.!-/😀́ǅʰاกีⅧ²𝒳_*`",
  "  ",
  "\r\n",
  "4567",
  "'s",
  "'LL",
  "---",
  "//",
  "👨‍👩‍👧",
  "<|endoftext|>",
  " the",
  "Hello",
  "\u00a0",
  "\u3000"
]

const soup = FastCheck.array(FastCheck.oneof(FastCheck.constantFrom(...parts), FastCheck.string()), {
  maxLength: 20
}).map((all) => all.join("").replace(/[\ufeff\u0085]/g, ""))

describe("Tokenizer", () => {
  for (const name of ["cl100k_base", "o200k_base"] as const) {
    it.effect(`${name} counts as the reference does`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        FastCheck.assert(
          FastCheck.property(soup, (text) => {
            assert.strictEqual(tokenizer.count(text), references[name](text, plain))
          }),
          { numRuns: 1500 }
        )
      }).pipe(Effect.provide(Tokenizer.layer(name)))
    )

    it.effect(`${name} counts 200,000 characters without a break at once`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        for (const unit of ["a", "7", "中", "=", " ", "😀"]) {
          const text = unit.repeat(200_000)
          const cut = tokenizer.pieces?.next(text, 0, text.length) ?? 0
          assert.isAbove(tokenizer.count(text), 0)
          assert.isAbove(cut, 0)
        }
      }).pipe(Effect.provide(Tokenizer.layer(name)))
    )
  }

  it.effect("chars counts UTF-16 code units", () =>
    Effect.gen(function* () {
      const tokenizer = yield* Tokenizer.Tokenizer
      assert.strictEqual(tokenizer.count("a😀b"), 4)
      assert.strictEqual(tokenizer.count("a😀b", 1, 3), 2)
    }).pipe(Effect.provide(Tokenizer.layerCharacters))
  )

  it("a function of one's own is given the slice", () => {
    const words = Tokenizer.make("words", (text) => text.split(" ").length)
    assert.strictEqual(words.count("a b c d", 2, 5), 2)
  })
})
