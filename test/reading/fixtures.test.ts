import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import type * as ParsedDocument from "docsluice/ParsedDocument"
import * as Readers from "docsluice/Readers"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Schema } from "effect"
import { assertHeadingPaths, assertLaws } from "../chunking/laws.ts"
import { fileOf, headingsOf, parse } from "./reading.ts"

const folder = fileURLToPath(new URL("fixtures", import.meta.url))

const Outlines = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }))

/** Headings of each file that is not Markdown, one line each, indented by their depth; found by a person. */
const outlines = Schema.decodeSync(Outlines)(readFileSync(`${folder}/outlines.json`, "utf8"))

/** The extension whose files are read under an alias as well. */
const aliases: Readonly<Record<string, string>> = { asciidoc: "adoc", ndjson: "jsonl", yml: "yaml" }

/** Formats whose text is not the file's: some of their files have the text that a person expects next to them, in `NAME.md`. */
const isRewritten = (extension: string): boolean => extension === "eml" || extension === "ipynb"

const isMarkdown = (extension: string): boolean => ["md", "markdown", "mdx"].includes(extension)

/** Encodings of the files that are not UTF-8. */
const encodings: Readonly<Record<string, string>> = {
  "xml/article.xml": "iso-8859-1",
  "xml/python-test.xml": "iso-8859-1"
}

/** Blocks are in order, and disjoint, with nothing but white space outside of them where they have key paths. */
const assertCovered = (text: string, blocks: ReadonlyArray<ParsedDocument.TextBlock> = [], path: string): void => {
  const keyed = blocks.some((block) => block.path !== undefined)
  let at = 0
  for (const { end, start } of blocks) {
    assert.isAtLeast(start, at, path)
    if (keyed) assert.strictEqual(text.slice(at, start).trim(), "", path)
    at = end
  }
  if (keyed) assert.strictEqual(text.slice(at).trim(), "", path)
}

/** A link by reference in a heading, of which the text of the path keeps the marks. */
const references = /^#.*\]\[/mu

/** The text with blanks in place of these spans. */
const blanked = (text: string, spans: ReadonlyArray<readonly [number, number]>): string =>
  spans.reduce(
    (all, [start, end]) => all.slice(0, start) + all.slice(start, end).replace(/\S/gu, " ") + all.slice(end),
    text
  )

/** Types of which no real files are free to keep here: `outlook.test.ts` writes some. */
const written: ReadonlySet<string> = new Set(["msg"])

describe("real files", () => {
  for (const extension of Readers.builtIn.filter((extension) => !written.has(extension))) {
    const stored = aliases[extension] ?? extension
    const expected = isRewritten(extension)
      ? readdirSync(`${folder}/${stored}`).filter((name) => name.endsWith(".md"))
      : []
    const names = readdirSync(`${folder}/${stored}`).filter((name) => !expected.includes(name))

    it.effect(`of type .${extension} keep the laws of chunks, with the headings that a person finds in them`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        assert.lengthOf(names, 10)
        if (isRewritten(extension)) assert.isAtLeast(expected.length, 3)
        for (const name of names) {
          const path = `${stored}/${name}`
          const bytes = new Uint8Array(readFileSync(`${folder}/${path}`))
          const document = yield* parse(`a.${extension}`, bytes)
          if (expected.includes(`${name}.md`))
            assert.strictEqual(`${document.markdown}\n`, readFileSync(`${folder}/${path}.md`, "utf8"), path)
          if (!isRewritten(extension))
            assert.strictEqual(document.markdown, new TextDecoder(encodings[path]).decode(bytes), path)
          const dropped = (document.structure ?? []).flatMap(({ end, kind, start }) =>
            kind === "omitted" ? [[start, end] as const] : []
          )
          assertCovered(document.markdown, document.structure, path)
          for (const maxTokens of [64, 512]) {
            const chunked = yield* MarkdownChunker.make({ maxTokens }).chunk(document)
            assertLaws(document, chunked, { tokenizer, maxTokens, dropped })
            if ((isMarkdown(extension) || extension === "ipynb") && !references.test(document.markdown)) {
              assertHeadingPaths({ ...document, markdown: blanked(document.markdown, dropped) }, chunked, [])
            }
          }
          if (!isMarkdown(extension))
            assert.deepEqual(yield* headingsOf(fileOf(`a.${extension}`, bytes)), outlines[path] ?? [], path)
        }
      }).pipe(Effect.provide(Tokenizer.layer("o200k_base")))
    )
  }
})
