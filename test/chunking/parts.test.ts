import { assert, describe, it } from "@effect/vitest"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, FastCheck } from "effect"
import { markdownDocument } from "./markdownDocument.ts"

describe("parts", () => {
  it.effect("a part that starts inside a piece is counted on its own, not as part of the whole", () =>
    Effect.gen(function* () {
      const tokenizer = yield* Tokenizer.Tokenizer
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 12 }).chunk(
        markdownDocument("on'te\u0301\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67")
      )
      assert.isAbove(chunks.length, 1)
      assert.deepStrictEqual(
        chunks.map(({ tokens }) => tokens),
        chunks.map(({ embedText }) => tokenizer.count(embedText))
      )
    }).pipe(Effect.provide(Tokenizer.layerCl100k))
  )

  it.effect("white space above the budget makes no chunk", () =>
    Effect.gen(function* () {
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 12 }).chunk(
        markdownDocument(`${" ".repeat(3000)}> quoted ${"\u00a0".repeat(900)} text`)
      )
      assert.deepStrictEqual(
        chunks.map(({ text }) => text),
        ["> quoted", "text"]
      )
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect(
    "a fence that is cut inside a piece is counted with its closing line, when nothing may be counted again",
    () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        const fence = `~~~\n${"=".repeat(300)}\n${"=".repeat(300)}\n~~~\n\n`
        const { chunks } = yield* MarkdownChunker.make({ maxTokens: 12 }).chunk(markdownDocument(fence.repeat(40)))
        assert.isAbove(chunks.length, 40)
        assert.deepStrictEqual(
          chunks.map(({ tokens }) => tokens),
          chunks.map(({ embedText }) => tokenizer.count(embedText))
        )
      }).pipe(Effect.provide(Tokenizer.layerCl100k))
  )

  it.effect("the last part is within the budget without its line break, when nothing may be counted again", () =>
    Effect.gen(function* () {
      const spent = `${"😀".repeat(150)}\n\n`.repeat(30)
      const markdown = `${spent}${"\u0301".repeat(200)}\n~~~\ncode\n~~~\n`
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 40 }).chunk(markdownDocument(markdown))
      assert.isAbove(chunks.length, 30)
      for (const { tokens } of chunks) assert.isAtMost(tokens, 40)
    }).pipe(Effect.provide(Tokenizer.layerCl100k))
  )

  it.effect("a cut line of a fence is counted with its closing line, whatever comes before the cut", () =>
    Effect.gen(function* () {
      const tokenizer = yield* Tokenizer.Tokenizer
      const chunker = MarkdownChunker.make({ maxTokens: 12 })
      const some = FastCheck.constantFrom(
        "中文字",
        "\u0085",
        " ",
        "==",
        "é",
        "**b**",
        "/u",
        "don't",
        "1234",
        "\u00a0",
        "😀"
      )
      const lines = FastCheck.array(some, { minLength: 10, maxLength: 60 })
      for (const line of FastCheck.sample(lines, { numRuns: 2000, seed: 1 })) {
        const { chunks } = yield* chunker.chunk(markdownDocument(`~~~\n${line.join("")}\n~~~`))
        for (const { embedText, tokens } of chunks) assert.strictEqual(tokens, tokenizer.count(embedText), embedText)
      }
    }).pipe(Effect.provide(Tokenizer.layerCl100k))
  )
})
