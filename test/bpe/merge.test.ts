import { assert, describe, it } from "@effect/vitest"
import { mergedEnds, mergedLength } from "../../src/internal/bpe/merge.ts"
import type { Ranks } from "../../src/internal/bpe/packed.ts"
import { latin1 } from "../../src/internal/bpe/vocabulary.ts"

const read: Readonly<Record<string, () => Promise<{ readonly default: Ranks }>>> = {
  cl100k_base: () => import("gpt-tokenizer/bpeRanks/cl100k_base"),
  o200k_base: () => import("gpt-tokenizer/bpeRanks/o200k_base")
}

describe("merge", () => {
  for (const [name, load] of Object.entries(read)) {
    it(`${name}: every token is what its own bytes are merged to, and a text's tokens are where their bytes end`, async () => {
      const tokens = (await load()).default.map((token) =>
        typeof token === "string" ? latin1(token) : String.fromCharCode(...token)
      )
      const ranks = new Map(tokens.map((bytes, rank) => [bytes, rank]))
      const rankOf = (bytes: string) => ranks.get(bytes)
      const longest = tokens.reduce((most, { length }) => Math.max(most, length), 0)
      const several = tokens.filter((bytes) => mergedLength(bytes, rankOf, longest) !== 1)
      assert.deepStrictEqual(several, [])
      const text = latin1("Streaming-documents→中文字😀".repeat(20))
      const ends = [...mergedEnds(text, rankOf, longest)]
      assert.strictEqual(ends.length, mergedLength(text, rankOf, longest))
      const parts = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
      assert.strictEqual(parts.join(""), text)
      assert.isTrue(parts.every((part) => ranks.has(part)))
    })
  }
})
