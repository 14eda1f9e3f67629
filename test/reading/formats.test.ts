import { assert, describe, it } from "@effect/vitest"
import * as BlockChunker from "docsluice/BlockChunker"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as PageChunker from "docsluice/PageChunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import * as Readers from "docsluice/Readers"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect } from "effect"
import * as fc from "fast-check"
import { assertLaws } from "../chunking/laws.ts"
import { runs } from "../fixtures/seed.ts"
import { parse } from "./reading.ts"

/** Lines that mean something in one of the formats, whole or in part. */
const marks = [
  "---", "+++", "title: A", "tags: [a, b]", "date = 2024-01-02", ": a: b:", "# A", "## B ##", "= A", "== B", "=== C", "* A", "** TODO B :t:",
  "====", "----", "~~~~", "....", "|===", "| a | b |", "|---+---|", "+---+---+", "| 1 | 2 |", "=== ===", "a   b", "```js", "```", "#+begin_src sh",
  "#+end_src", "#+TITLE: T", ":PROPERTIES:", ":END:", ":author: Ann", ".. code-block:: js", ".. note:: x", "   indented", "\tindented", "text::",
  "- item", "1. item", "#. item", "term::", "import a from 'a'", "export const a = 1", "<div>", "</div>", "[source,js]", "[NOTE]", "____", "****",
  "////", "// note", "# comment", "include::a.adoc[]", "{", '  "a": 1', "}", '{"a": {"b": [1, {"c": "d"}]}}', "a: 1", "b:", "  - c: d", "<a><b>text</b></a>", "Subject: x", "From: Ann <a@b.c>", "Äöü 漢字 🙂", "", "", ""
] // prettier-ignore

const texts = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...marks) },
      { weight: 2, arbitrary: fc.lorem({ maxCount: 12 }) },
      { weight: 1, arbitrary: fc.string({ maxLength: 30, unit: "grapheme" }) }
    ),
    { maxLength: 30 }
  )
  .chain((lines) => fc.constantFrom("\n", "\n", "\r\n", "\r").map((end) => lines.join(end)))

const maxTokens = 40

const chunkers = [
  MarkdownChunker.make({ maxTokens }),
  BlockChunker.make({ maxTokens }),
  PageChunker.make({ maxTokens })
]

const laws = (document: ParsedDocument) =>
  Effect.gen(function* () {
    const tokenizer = yield* Tokenizer.Tokenizer
    const chunker = chunkers[document.markdown.length % chunkers.length] ?? MarkdownChunker.make({ maxTokens })
    const chunked = yield* chunker.chunk(document)
    const dropped = (document.structure ?? []).flatMap(({ end, kind, start }) =>
      kind === "omitted" ? [[start, end] as const] : []
    )
    assertLaws(document, chunked, { tokenizer, maxTokens, dropped })
  })

/** Blocks in order, inside the text, without a block in two places. */
const assertBlocks = ({ markdown, structure = [] }: ParsedDocument): void => {
  let end = 0
  for (const block of structure) {
    assert.isAtLeast(block.start, end)
    assert.isAbove(block.end, block.start)
    assert.isAtMost(block.end, markdown.length)
    end = block.end
  }
}

/** Types whose files are no text to read. */
const rewritten: ReadonlySet<string> = new Set(["eml", "ipynb", "msg"])

describe("every text format", () => {
  for (const extension of Readers.builtIn) {
    it.effect(`keeps the laws of chunks whatever a .${extension} file holds`, () =>
      Effect.gen(function* () {
        const runtime = yield* Effect.runtime<Tokenizer.Tokenizer>()
        const holds = (text: string) =>
          Effect.gen(function* () {
            const document = yield* parse(`a.${extension}`, text)
            if (!rewritten.has(extension)) assert.strictEqual(document.markdown, text.replace(/^\u{FEFF}/u, ""))
            assertBlocks(document)
            yield* laws(document)
          }).pipe(Effect.provide(runtime))
        yield* Effect.promise(async () =>
          fc.assert(
            // Binary data is another matter, and a text of another encoding cannot be told from its own characters.
            fc.asyncProperty(
              texts.filter((text) => !/\p{Cs}|(?![\t\n\r])\p{Cc}/u.test(text)),
              async (text) => Effect.runPromise(holds(text))
            ),
            { numRuns: runs(300) }
          )
        )
      }).pipe(Effect.provide(Tokenizer.layer("o200k_base")))
    )
  }
})
