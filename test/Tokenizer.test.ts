import { assert, describe, it } from "@effect/vitest"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, FastCheck } from "effect"
import { get_encoding } from "tiktoken"
import * as Strings from "./bpe/strings.ts"
import { runs } from "./fixtures/seed.ts"

const units = FastCheck.array(FastCheck.oneof(FastCheck.char16bits(), FastCheck.fullUnicode(), FastCheck.ascii())).map(
  (all) => all.join("")
)

describe("Tokenizer", () => {
  for (const name of ["cl100k_base", "o200k_base"] as const) {
    it.scoped(`${name} counts as tiktoken does, special tokens as text and lone surrogates as U+FFFD`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        const tiktoken = yield* Effect.acquireRelease(
          Effect.sync(() => get_encoding(name)),
          (encoding) => Effect.sync(() => encoding.free())
        )
        const assertSame = (text: string) =>
          assert.strictEqual(tokenizer.count(text), tiktoken.encode_ordinary(text).length, JSON.stringify(text))
        const next = Strings.make(7)
        for (let texts = 0; texts < 3000; texts++) assertSame(next())
        FastCheck.assert(FastCheck.property(units, assertSame), { numRuns: runs(500) })
        // Letters of Unicode 16 and 17; tiktoken knows the former only.
        for (const letter of ["\u1c89", "\u0cdc"]) assertSame(`${letter}'s`)
        assert.strictEqual(tokenizer.count("a\ud800b"), tokenizer.count("a\ufffdb"))
      }).pipe(Effect.provide(Tokenizer.layer(name)))
    )

    it.effect(`${name} counts a part of a text as the part alone`, () =>
      Effect.gen(function* () {
        const { count } = yield* Tokenizer.Tokenizer
        const next = Strings.make(11)
        for (let texts = 0; texts < 1500; texts++) {
          const text = next()
          const start = Math.floor(text.length / 5)
          for (const end of [text.length, text.length - 1, start + ((text.length - start) >> 1)]) {
            if (end <= start) continue
            assert.strictEqual(
              count(text, start, end),
              count(text.slice(start, end)),
              JSON.stringify([text, start, end])
            )
          }
        }
      }).pipe(Effect.provide(Tokenizer.layer(name)))
    )

    it.effect(`${name} counts 200,000 characters without a break at once`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        for (const unit of ["a", "7", "中", "=", " ", "😀"]) {
          assert.isAbove(tokenizer.count(unit.repeat(200_000)), 0)
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

  it("a function of the caller's own gets the slice", () => {
    const words = Tokenizer.make("words", (text) => text.split(" ").length)
    assert.strictEqual(words.count("a b c d", 2, 5), 2)
  })
})
