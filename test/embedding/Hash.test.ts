import { assert, describe, it } from "@effect/vitest"
import * as Embedder from "docsluice/Embedder"
import { Effect, Option } from "effect"
import { chunks, vectors } from "./chunks.ts"

describe("Embedder.hash", () => {
  const similarity = (left: ReadonlyArray<number> | undefined, right: ReadonlyArray<number> | undefined): number =>
    (left ?? []).reduce((sum, component, at) => sum + component * (right?.[at] ?? 0), 0)

  it.effect("gives 1,024 dimensions of length 1, always the same", () =>
    Effect.gen(function* () {
      const texts = ["plain words", "数据处理很重要", "", "!!!", "é 👩‍👩‍👧 שלום", "x".repeat(100_000)]
      const once = vectors(yield* Embedder.hash.embed(chunks(...texts)))
      const again = vectors(yield* Embedder.hash.embed(chunks(...texts)))
      assert.deepStrictEqual(once, again)
      for (const vector of once) {
        assert.lengthOf(vector, 1024)
        assert.closeTo(Math.hypot(...vector), 1, 1e-6)
      }
      assert.deepStrictEqual(Option.getOrNull(yield* Embedder.hash.embedQuery("plain words")), once[0])
    })
  )

  it.effect("finds the text that shares words, parts of words, or characters of a script without spaces", () =>
    Effect.gen(function* () {
      const texts = [
        "The invoice lists payments in euros.",
        "Birds migrate south in autumn.",
        "我们明天去北京开会",
        "Der Zahlungseingang wurde verbucht."
      ]
      const stored = vectors(yield* Embedder.hash.embed(chunks(...texts)))
      const queries: ReadonlyArray<readonly [string, number]> = [
        ["payment invoices", 0],
        ["bird migration", 1],
        ["北京会议", 2],
        ["Zahlungseingänge", 3]
      ]
      for (const [query, expected] of queries) {
        const asked = Option.getOrElse(yield* Embedder.hash.embedQuery(query), () => [])
        const scores = stored.map((vector) => similarity(vector, asked))
        assert.strictEqual(scores.indexOf(Math.max(...scores)), expected, query)
      }
    })
  )

  it("says that it is lexical", () => {
    assert.include(Embedder.hash.description, "lexical")
  })
})
