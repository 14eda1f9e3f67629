import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as Chunker from "docsluice/Chunker"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import { fromData } from "docsluice/ParsedDocument"
import { documentId } from "docsluice/SourceFile"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"

const markdown = `# Gauges

The gauge at North Quay is calibrated in May.

## Saddle Point

${"It drifts by a centimetre a year. ".repeat(40)}

| station | note |
| --- | --- |
| quay | dry |
`

describe("Chunker.text", () => {
  it.effect("gives the chunks of MarkdownChunker for a document of that name, with spans, headings and tokens", () =>
    Effect.gen(function* () {
      const chunks = yield* Chunker.text(markdown, { maxTokens: 64, source: "a/gauges.md", root: "notes" })
      const path = "a/gauges.md"
      const file = { documentId: documentId("notes", path), path }
      const document = fromData(file, "hash", { markdown, metadata: {} })
      const expected = yield* MarkdownChunker.make({ maxTokens: 64 })
        .chunk(document)
        .pipe(Effect.provide(Tokenizer.layerO200k))
      assert.deepStrictEqual(chunks, expected.chunks)
      assert.isAbove(chunks.length, 3)
      for (const { end, start, text, tokens } of chunks) {
        assert.strictEqual(markdown.slice(start, end), text)
        assert.isTrue(tokens > 0 && tokens <= 64)
      }
      assert.deepStrictEqual(
        chunks.at(-1)?.headingPath.map(({ text }) => text),
        ["Gauges", "Saddle Point"]
      )
    })
  )

  it.effect("takes a tokenizer of one's own, and any text", () =>
    Effect.gen(function* () {
      const words = Tokenizer.make("words", (text) => text.split(/\s+/u).filter((word) => word !== "").length)
      const chunks = yield* Chunker.text("one two three four five six", { maxTokens: 2, tokenizer: words })
      assert.isAtLeast(chunks.length, 3)
      assert.deepStrictEqual(yield* Chunker.text(""), [])
      assert.lengthOf(yield* Chunker.text("plain"), 1)
    })
  )

  it.effect("fails with a typed error for a budget below one character", () =>
    Effect.gen(function* () {
      const tokenizer = Tokenizer.make("heavy", (text) => text.length * 10)
      const error = yield* Effect.flip(Chunker.text("word", { maxTokens: 1, tokenizer }))
      assert.deepInclude(error, { _tag: "ChunkingError", reason: "BudgetTooSmall", source: "text.md" })
    })
  )

  it("is there without Effect", async () => {
    const chunks = await Async.split(markdown, { maxTokens: 64 })
    assert.deepStrictEqual(chunks, await Effect.runPromise(Chunker.text(markdown, { maxTokens: 64 })))
    assert.strictEqual(chunks[0]?.documentId, "text/text.md")
  })
})
