import { assert, describe, it } from "@effect/vitest"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import { DocumentId } from "docsluice/SourceFile"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, FastCheck } from "effect"
import { assertLaws } from "./chunking/laws.ts"

const parsed = (markdown: string): ParsedDocument => ({
  documentId: DocumentId.make("root/a.md"),
  source: "a.md",
  contentHash: "",
  markdown,
  pages: null,
  blocks: null,
  metadata: {},
  warnings: [],
  truncated: false,
  origin: "service"
})

const lines = FastCheck.constantFrom(
  "# One",
  "## Two",
  "Three\n=====",
  "Some text that goes on. And then another sentence! 中文。日本語です。",
  "- item\n  - nested",
  "> quote",
  "```ts\nconst a = 1\n// comment\n\n}\n```",
  `~~~\n${"line of code;\n".repeat(40)}~~~`,
  `| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(40)}`,
  "---\n\n<!-- page 2 -->",
  "x".repeat(3000),
  "👨‍👩‍👧".repeat(200),
  "/usr/bin",
  "}",
  "\r\n"
)

const markdown = FastCheck.tuple(
  FastCheck.array(FastCheck.oneof(lines, lines, FastCheck.string()), { maxLength: 12 }),
  FastCheck.constantFrom("\n\n", "\n")
).map(([all, join]) => all.join(join))

describe("MarkdownChunker", () => {
  for (const name of ["o200k_base", "cl100k_base", "chars"] as const) {
    it.effect(`chunks of generated documents keep the laws under ${name}`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        FastCheck.assert(
          FastCheck.property(markdown, FastCheck.constantFrom(16, 64, 512), (text, maxTokens) => {
            const document = parsed(text)
            const chunked = Effect.runSync(
              MarkdownChunker.make({ maxTokens })
                .chunk(document)
                .pipe(Effect.provideService(Tokenizer.Tokenizer, tokenizer))
            )
            assertLaws(document, chunked, tokenizer, maxTokens)
          }),
          { numRuns: 500 }
        )
      }).pipe(Effect.provide(Tokenizer.layer(name)))
    )
  }

  it.effect("a code point above the budget is a typed error that says where", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(MarkdownChunker.make({ maxTokens: 1 }).chunk(parsed("a😀")))
      assert.strictEqual(error.reason, "BudgetTooSmall")
      assert.strictEqual(error.offset, 1)
    }).pipe(Effect.provide(Tokenizer.layerCharacters))
  )

  it.effect("a table above the budget is cut between rows and repeats its head", () =>
    Effect.gen(function* () {
      const table = `| name | value |\n| --- | --- |\n${"| some | thing |\n".repeat(60)}`
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 100 }).chunk(parsed(`# Title\n\n${table}`))
      assert.isAbove(chunks.length, 1)
      for (const chunk of chunks.slice(1)) {
        assert.isTrue(chunk.embedText.startsWith("Title\n\n| name | value |\n| --- | --- |\n| some"))
        assert.isTrue(chunk.text.startsWith("| some | thing |"))
      }
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("a heading is never the end of a chunk while its section has text", () =>
    Effect.gen(function* () {
      const text = "word ".repeat(90)
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 100 }).chunk(
        parsed(`# A\n\n${text}\n\n## B\n\n${text}\n\n## C\n\n${text}`)
      )
      assert.deepStrictEqual(
        chunks.map(({ headingPath }) => headingPath.map(({ text }) => text)),
        [["A"], ["A", "B"], ["A", "C"]]
      )
    }).pipe(Effect.provide(Tokenizer.layerO200k))
  )

  it.effect("the same document gives the same ids, another budget gives others", () =>
    Effect.gen(function* () {
      const document = parsed("# A\n\ntext")
      const ids = (maxTokens: number) =>
        Effect.map(MarkdownChunker.make({ maxTokens }).chunk(document), ({ chunks }) => chunks.map(({ id }) => id))
      assert.deepStrictEqual(yield* ids(100), yield* ids(100))
      assert.notDeepEqual(yield* ids(100), yield* ids(101))
    }).pipe(Effect.provide(Tokenizer.layerCharacters))
  )
})
