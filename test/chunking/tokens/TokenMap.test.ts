import { assert, describe, it } from "@effect/vitest"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"
import { inTurns } from "../../../src/internal/chunking/steps.ts"
import { openMap } from "../../../src/internal/chunking/tokens/openMap.ts"
import * as Strings from "../../bpe/strings.ts"
import { metered } from "../metered.ts"

const inPair = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))

/** Places of a text in ascending order, none within a surrogate pair. */
const places = (text: string, count: number, random: (below: number) => number): ReadonlyArray<number> =>
  Array.from({ length: count }, () => random(text.length + 1))
    .filter((at) => !inPair(text, at))
    .toSorted((left, right) => left - right)

const before = ["", "A > B\n\n", "| a | b |\n|---|---|\n", "```ts\n", "/usr\n\n"]

const after = ["", "\n```", "\n~~~~", "\n</table>"]

for (const name of ["cl100k_base", "o200k_base", "chars", "own"] as const) {
  const layer =
    name === "own"
      ? Effect.map(Tokenizer.Tokenizer, ({ count }) => Tokenizer.make("own", (text) => count(text))).pipe(
          Effect.provide(Tokenizer.layerCl100k)
        )
      : Effect.provide(Tokenizer.Tokenizer, Tokenizer.layer(name))

  describe(`the token map of ${name}`, () => {
    it.effect("tells the tokens of any part as the tokenizer counts it, whatever stands around it", () =>
      Effect.gen(function* () {
        const tokenizer = yield* layer
        const next = Strings.make(29)
        let state = 5
        const random = (below: number): number => {
          state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
          return Math.floor((state / 4_294_967_296) * below)
        }
        for (let texts = 0; texts < 400; texts++) {
          const text = `${next()}${next()}\n${"a中=1/😀é"[texts % 9]?.repeat(random(300)) ?? ""}${next()}`
          const map = yield* inTurns(openMap(text, tokenizer), String)
          const cuts = places(text, 12, random)
          for (const [index, start] of cuts.entries()) {
            for (const end of cuts.slice(index)) {
              const part = text.slice(start, end)
              assert.strictEqual(map.tokens(start, end), tokenizer.count(part), JSON.stringify([text, start, end]))
              const head = /^\s/.test(part) ? "" : (before[random(before.length)] ?? "")
              const tail = end > start && /\S/.test(part) ? (after[random(after.length)] ?? "") : ""
              const rendered = { text: head, tokens: tokenizer.count(head) }
              assert.strictEqual(
                map.joined(rendered, start, end, tail),
                tokenizer.count(head + part + tail),
                JSON.stringify([text, head, start, end, tail])
              )
              const limit = random(40)
              const place = map.reach(start, end, limit)
              assert.isAtLeast(place, start)
              assert.isAtMost(place, end)
              if (text.charCodeAt(place - 1) > 32) {
                assert.isAtMost(tokenizer.count(text, start, place), limit, JSON.stringify([text, start, end, limit]))
              }
            }
          }
        }
      })
    )
  })
}

describe("the token map", () => {
  it.effect("reads few characters again for parts of ordinary text", () =>
    Effect.gen(function* () {
      const text = Array.from(
        { length: 2000 },
        (_, line) => `Line ${line}: the gauge (no. 7) is cleaned; see above.\n`
      ).join("")
      for (const name of ["cl100k_base", "o200k_base"] as const) {
        const { counted, work } = metered(yield* Effect.provide(Tokenizer.Tokenizer, Tokenizer.layer(name)))
        const map = yield* inTurns(openMap(text, counted), String)
        assert.strictEqual(work.characters, text.length)
        for (let start = 0; start < text.length; start += 997) map.tokens(start, Math.min(text.length, start + 2000))
        assert.isAtMost(work.characters, text.length * 1.02)
      }
    })
  )
})
