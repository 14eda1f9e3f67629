import { assert, describe, it } from "@effect/vitest"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, FastCheck } from "effect"
import { PieceTokens } from "../../src/internal/chunking/PieceTokens.ts"

const letters = FastCheck.constantFrom("a", "e", "the", "tion", "X", "ß", "中", "文字", "あ", "ท", "न", "𝒳", "é")
const marks = FastCheck.constantFrom("=", "==", "_", "\\", "😀", "👨‍👩‍👧‍👦", "…", "–", "⊂", "\u0301")

const repeated = (unit: FastCheck.Arbitrary<string>) =>
  FastCheck.tuple(unit, FastCheck.oneof(FastCheck.constant(1), FastCheck.integer({ min: 2, max: 90 }))).map(
    ([text, times]) => text.repeat(times)
  )

/** One piece of the encoding, or what starts with one. */
const run = FastCheck.constantFrom(letters, marks).chain((unit) =>
  FastCheck.array(repeated(unit), { minLength: 1, maxLength: 60 }).map((all) => all.join(""))
)

const isInPair = (text: string, at: number): boolean => /^[\udc00-\udfff]/.test(text.slice(at))

describe("PieceTokens", () => {
  for (const name of ["cl100k_base", "o200k_base"] as const) {
    it.effect(`${name}: the tokens of any part of a piece are those that the part has on its own`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        FastCheck.assert(
          FastCheck.property(run, FastCheck.nat(), FastCheck.nat(), FastCheck.nat(), (text, a, b, c) => {
            const pieces = tokenizer.pieces?.(text)
            assert.isDefined(pieces)
            const end = pieces.next(0, text.length)
            const whole = PieceTokens.of(pieces, 0, pieces.tokens(0, end))
            assert.strictEqual(whole.length, tokenizer.count(text, 0, end))
            const start = a % end
            if (isInPair(text, start) || pieces.next(start, end) !== end) return
            const part = whole.from(text, start)
            assert.strictEqual(part.end, end)
            assert.strictEqual(part.length, tokenizer.count(text, start, end))
            const done = b % part.length
            const from = part.place(done)
            if (from < 0) return
            const token = part.length - (c % (part.length - done))
            const place = part.place(token)
            if (place >= 0 && pieces.next(from, place) === place) {
              assert.strictEqual(token - done, tokenizer.count(text, from, place))
            }
            const near = place < 0 ? end : place
            const cut = near - (c % (near - from))
            if (isInPair(text, cut) || pieces.next(from, cut) !== cut) return
            assert.strictEqual(part.upTo(text, cut, done, part.length, Infinity), tokenizer.count(text, from, cut))
          }),
          { numRuns: 1500 }
        )
      }).pipe(Effect.provide(Tokenizer.layer(name)))
    )

    it.effect(`${name}: most parts of a long piece are known by a few characters at their ends`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        const text = Array.from({ length: 3000 }, (_, at) =>
          String.fromCharCode(0x4e00 + ((at * at * 17) % 8000))
        ).join("")
        const pieces = tokenizer.pieces?.(text)
        assert.isDefined(pieces)
        let work = 0
        const metered: Tokenizer.Tokenizer.Pieces = {
          ...pieces,
          tokens: (start, end) => {
            work += end - start
            return pieces.tokens(start, end)
          }
        }
        const whole = PieceTokens.of(metered, 0, pieces.tokens(0, text.length))
        for (let at = 0; at < 1000; at++) {
          const part = whole.from(text, at)
          assert.strictEqual(
            part.upTo(text, text.length - at, 0, part.length, Infinity),
            tokenizer.count(text, at, text.length - at)
          )
        }
        assert.isBelow(work / 1000, 40)
      }).pipe(Effect.provide(Tokenizer.layer(name)))
    )
  }
})
