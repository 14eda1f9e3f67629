import { assert, describe, it } from "@effect/vitest"
import * as Suggestion from "../../src/internal/base/suggestion.ts"

const words = ["ingest", "plan", "watch", "status", "search", "serve", "fs", "jsonl", "max-tokens", "max-size"]

describe("a suggestion", () => {
  it.each([
    ["ingset", "ingest"],
    ["Plan", "plan"],
    ["serch", "search"],
    ["sf", "fs"],
    ["max-tok", "max-tokens"],
    ["statsu", "status"]
  ])("is for %s: %s", (word, meant) => {
    assert.strictEqual(Suggestion.nearest(word, words), meant)
  })

  it.each(["", "xyz", "constructor", "max-", "pgvector", "s".repeat(5000)])("is none for %s", (word) => {
    assert.isUndefined(Suggestion.nearest(word, words))
  })
})
