import { assert, describe, it } from "@effect/vitest"
import * as AutoChunker from "docsluice/AutoChunker"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as ParsedDocument from "docsluice/ParsedDocument"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"
import { fileOf, parse } from "../reading/reading.ts"

const word = "vane "

const words = (length: number): string => word.repeat(Math.ceil(length / word.length))

const notebook = (length: number): string =>
  JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { title: words(length) },
    cells: [{ cell_type: "markdown", metadata: {}, source: `# ${words(length)}\n\n${words(length)}` }]
  })

/** An answer of the service. */
const answered = (path: string, markdown: string, metadata: Readonly<Record<string, unknown>>) =>
  Effect.succeed(ParsedDocument.fromData(fileOf(path, "x"), "hash", { markdown, metadata }))

/** Documents that are half long titles, by their length. */
const documents = {
  "mail with a long subject": (length) => parse("a.eml", `Subject: ${words(length)}\r\n\r\n${words(length)}`),
  "mail with a folded subject": (length) =>
    parse("a.eml", `Subject: x\r\n${" y\r\n".repeat(length / 4)}\r\n${words(length)}`),
  "Markdown with a long heading": (length) => parse("a.md", `# ${words(length)}\n\n${words(length)}`),
  "Markdown under six long headings": (length) =>
    parse(
      "a.md",
      [1, 2, 3, 4, 5, 6].map((depth) => `${"#".repeat(depth)} ${words(length / 6)}\n\n`).join("") + words(length)
    ),
  "Markdown with a long front matter": (length) =>
    parse("a.md", `---\ntitle: ${words(length / 2)}\ntags: [${"a, ".repeat(length / 6)}a]\n---\n${words(length)}`),
  "a front matter of many members": (length) =>
    parse(
      "a.md",
      `---\n${Array.from({ length: length / 10 }, (_, at) => `k${at}: v\n`).join("")}---\n${words(length)}`
    ),
  "Org with many levels": (length) =>
    parse(
      "a.org",
      Array.from({ length: 300 }, (_, at) => `${"*".repeat(at + 1)} ${words(length / 300)}\n`).join("") + words(length)
    ),
  "a notebook with a long title": (length) => parse("a.ipynb", notebook(length)),
  "a page with a long title": (length) =>
    answered("a.html", `# ${words(length)}\n\n${words(length)}`, { title: words(length), description: words(length) }),
  "a text document with a long title and many keywords": (length) =>
    answered("a.docx", words(length), {
      title: [words(length)],
      keywords: Array.from({ length: length / 5 }, () => "vane")
    })
} satisfies Readonly<Record<string, (length: number) => Effect.Effect<ParsedDocument.ParsedDocument, unknown>>>

const chunkers = {
  markdown: MarkdownChunker.make(),
  auto: AutoChunker.make(),
  families: MarkdownChunker.make({ children: { maxTokens: 128 } })
}

const bytesOf = (value: unknown): number => JSON.stringify(value).length

describe("a title that is as long as the document", () => {
  for (const [name, document] of Object.entries(documents)) {
    it.effect(`makes chunks no larger than the document allows: ${name}`, () =>
      Effect.gen(function* () {
        const [small, large] = [yield* document(20_000), yield* document(80_000)]
        for (const [kind, chunker] of Object.entries(chunkers)) {
          const [few, many] = [yield* chunker.chunk(small), yield* chunker.chunk(large)]
          assert.isAtMost(bytesOf(many.chunks), 4.4 * bytesOf(few.chunks) + 20_000, kind)
          for (const { headingPath, metadata } of many.chunks) {
            assert.isAtMost(headingPath.length, 16)
            assert.isAtMost(
              headingPath.reduce((sum, { text }) => sum + text.length, 0),
              2000
            )
            for (const { text } of headingPath) assert.isAtMost(text.length, 500)
            assert.isAtMost(bytesOf({ ...metadata, headings: null }), 20_000)
          }
        }
      }).pipe(Effect.provide(Tokenizer.layer("o200k_base")))
    )
  }

  it.effect("is cut at the end of a character, with a mark and a note, where it has more than 500", () =>
    Effect.gen(function* () {
      const chunked = (title: string, heading: string) =>
        Effect.map(
          Effect.flatMap(answered("a.docx", `# ${heading}\n\ntext`, { title }), MarkdownChunker.make().chunk),
          ({ chunks }) => chunks[0]
        )
      const family = "👨‍👩‍👧"
      const cut = yield* chunked(`${"a".repeat(497)}${family}b`, family.repeat(100))
      assert.strictEqual(cut?.metadata["title"], `${"a".repeat(497)}…`)
      assert.deepEqual(cut?.headingPath, [{ depth: 1, text: `${family.repeat(62)}…` }])
      assert.deepEqual(cut?.notes, ["headings-shortened", "metadata-shortened"])
      const whole = yield* chunked("a".repeat(500), "b".repeat(500))
      assert.deepEqual([whole?.metadata["title"], whole?.headingPath[0]?.text], ["a".repeat(500), "b".repeat(500)])
      assert.deepEqual(whole?.notes, [])
    }).pipe(Effect.provide(Tokenizer.layer("o200k_base")))
  )
})
