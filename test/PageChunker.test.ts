import { assert, describe, it } from "@effect/vitest"
import * as PageChunker from "docsluice/PageChunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"
import { markdownDocument } from "./chunking/markdownDocument.ts"

const parsed = (markdown: string, more: Partial<ParsedDocument> = {}): ParsedDocument => ({
  ...markdownDocument(markdown),
  ...more
})

const marker = (page: number) => `\n\n---\n\n<!-- page ${page} -->\n\n`

const chunks = (document: ParsedDocument, options: PageChunker.Options = {}) =>
  PageChunker.make(options).chunk(document).pipe(Effect.provide(Tokenizer.layerCharacters))

describe("PageChunker", () => {
  it.effect("splits at markers, whose numbers may skip", () =>
    Effect.gen(function* () {
      const { chunks: found } = yield* chunks(parsed(`one${marker(2)}two${marker(5)}five`))
      assert.deepStrictEqual(
        found.map(({ text, pages }) => [text, pages]),
        [
          ["one", [1]],
          ["two", [2]],
          ["five", [5]]
        ]
      )
    })
  )

  it.effect("takes the first page from data.pages", () =>
    Effect.gen(function* () {
      const pages = [
        { pageNumber: 3, markdown: "three" },
        { pageNumber: 4, markdown: "four" }
      ]
      const { chunks: found } = yield* chunks(parsed(`three${marker(4)}four`, { pages }))
      assert.deepStrictEqual(
        found.map(({ pages }) => pages),
        [[3], [4]]
      )
    })
  )

  it.effect("a marker that does not ascend, or is above totalPages, is content and reported", () =>
    Effect.gen(function* () {
      const text = `one${marker(2)}two${marker(2)}again${marker(9)}nine`
      const { chunks: found, ambiguousMarkers } = yield* chunks(parsed(text, { metadata: { totalPages: 3 } }))
      assert.strictEqual(found.length, 2)
      assert.strictEqual(found[1]?.text, `two${marker(2)}again${marker(9)}nine`)
      assert.deepStrictEqual(ambiguousMarkers, [text.indexOf("two") + 5, text.indexOf("again") + 7])
      assert.deepStrictEqual(found[1]?.notes, ["ambiguous-marker"])
    })
  )

  it.effect("a marker in a fence stays in it, verbatim", () =>
    Effect.gen(function* () {
      const text = `\`\`\`${marker(2)}\`\`\`\n\nafter${marker(2)}two`
      const { chunks: found } = yield* chunks(parsed(text))
      assert.deepStrictEqual(
        found.map(({ text }) => text),
        [`\`\`\`${marker(2)}\`\`\`\n\nafter`, "two"]
      )
    })
  )

  it.effect("pages whose join reproduces the Markdown decide against everything else", () =>
    Effect.gen(function* () {
      const pages = [
        { pageNumber: 1, markdown: `a${marker(2)}b` },
        { pageNumber: 2, markdown: "c" }
      ]
      const { chunks: found, ambiguousMarkers } = yield* chunks(parsed(`a${marker(2)}b${marker(2)}c`, { pages }))
      assert.deepStrictEqual(
        found.map(({ text }) => text),
        [`a${marker(2)}b`, "c"]
      )
      assert.deepStrictEqual(ambiguousMarkers, [])
    })
  )

  it.effect("without markers, pages start where their Markdown starts", () =>
    Effect.gen(function* () {
      const pages = ["# One\n\nfirst", "second page", "third page"].map((markdown, index) => ({
        pageNumber: index + 1,
        markdown
      }))
      const text = pages.map(({ markdown }) => markdown).join("\n\n---\n\n")
      const { chunks: found } = yield* chunks(parsed(text, { pages }))
      assert.deepStrictEqual(
        found.map(({ pages }) => pages),
        [[1], [2], [3]]
      )
      assert.deepStrictEqual(
        found.map(({ headingPath }) => headingPath.length),
        [1, 1, 1]
      )
    })
  )

  it.effect("a table or fence that a page starts in is repeated its head on the next page", () =>
    Effect.gen(function* () {
      const table = ["| name | value |", "| --- | --- |", "| a | 1 |", "| b | 2 |", "| c | 3 |"]
      const fence = ["```ts", "one()", "two()", "three()", "```"]
      for (const lines of [table, fence]) {
        const pages = [
          { pageNumber: 1, markdown: lines.slice(0, 3).join("\n") },
          { pageNumber: 2, markdown: lines.slice(3).join("\n") }
        ]
        const { chunks: found } = yield* chunks(parsed(lines.join("\n"), { pages }))
        const closing = lines === fence ? "\n```" : ""
        assert.deepStrictEqual(
          found.map(({ embedText, pages, text }) => [text, embedText, pages]),
          [
            [lines.slice(0, 3).join("\n"), `${lines.slice(0, 3).join("\n")}${closing}`, [1]],
            [lines.slice(3).join("\n"), [...lines.slice(0, closing === "" ? 2 : 1), ...lines.slice(3)].join("\n"), [2]]
          ]
        )
      }
    })
  )

  it.effect("rows after a page marker continue the table before it, with its head; other rows do not", () =>
    Effect.gen(function* () {
      const head = "| name | value |\n| :-- | --: |\n"
      const document = parsed(
        `${head}| a | 1 |${marker(2)}| b | \\| |\n| c | 3 |${marker(3)}| d | 4 |${marker(4)}| e |`
      )
      const { chunks: found } = yield* chunks(document)
      assert.deepStrictEqual(
        found.map(({ embedText }) => embedText),
        [`${head}| a | 1 |`, `${head}| b | \\| |\n| c | 3 |`, `${head}| d | 4 |`, "| e |"]
      )
      assert.deepStrictEqual(
        found.map(({ kinds }) => kinds),
        [["table"], ["table"], ["table"], ["paragraph"]]
      )
      const small = yield* chunks(document, { maxTokens: 62 })
      for (const { embedText, tokens } of small.chunks.slice(0, -1)) {
        assert.isTrue(embedText.startsWith(head))
        assert.isAtMost(tokens, 62)
      }
    })
  )

  it.effect("chunks of a document without pages have none, and those of a truncated document have a note", () =>
    Effect.gen(function* () {
      const { chunks: found } = yield* chunks(
        parsed("text", { truncated: true, metadata: { title: "T", language: null } })
      )
      assert.deepStrictEqual(found[0]?.pages, [])
      assert.deepStrictEqual(found[0]?.notes, ["truncated-document"])
      assert.deepStrictEqual(found[0]?.metadata, { title: "T" })
    })
  )

  it.effect("an empty document has no chunks", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* chunks(parsed(" \n\n"))).chunks, [])
    })
  )
})
