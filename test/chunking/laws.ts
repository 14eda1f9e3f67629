import { assert } from "@effect/vitest"
import type { Chunked } from "docsluice/Chunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import type { Tokenizer } from "docsluice/Tokenizer"

const marker = /---\s+<!-- page \d+ -->/g

/** Laws 1, 2, 4 and 9, with overlap 0 and nothing dropped but page markers. */
export const assertLaws = (
  document: ParsedDocument,
  { chunks }: Chunked,
  tokenizer: Tokenizer.Service,
  maxTokens: number
): void => {
  const { markdown } = document
  let at = 0
  const assertGap = (end: number): void => {
    assert.strictEqual(markdown.slice(at, end).replace(marker, "").trim(), "")
  }
  chunks.forEach((chunk, index) => {
    assert.strictEqual(chunk.index, index)
    assert.strictEqual(markdown.slice(chunk.start, chunk.end), chunk.text)
    assert.strictEqual(tokenizer.count(chunk.embedText), chunk.tokens)
    assert.isAtMost(chunk.tokens, maxTokens)
    assert.isAtLeast(chunk.start, at)
    assert.isAbove(chunk.end, chunk.start)
    assert.include(chunk.embedText, chunk.text)
    assertGap(chunk.start)
    at = chunk.end
  })
  assertGap(markdown.length)
}
