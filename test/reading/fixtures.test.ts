import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Readers from "docsluice/Readers"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, Schema } from "effect"
import { assertHeadingPaths, assertLaws } from "../chunking/laws.ts"
import { fileOf, headingsOf, parse } from "./reading.ts"

const folder = fileURLToPath(new URL("fixtures", import.meta.url))

const Outlines = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }))

/** Headings of each file that is not Markdown, one line each, indented by their depth; found by a person. */
const outlines = Schema.decodeSync(Outlines)(readFileSync(`${folder}/outlines.json`, "utf8"))

const isMarkdown = (extension: string): boolean => ["md", "markdown", "mdx"].includes(extension)

/** A link by reference in a heading, of which the text of the path keeps the marks. */
const references = /^#.*\]\[/mu

/** The text with blanks in place of these spans. */
const blanked = (text: string, spans: ReadonlyArray<readonly [number, number]>): string =>
  spans.reduce(
    (all, [start, end]) => all.slice(0, start) + all.slice(start, end).replace(/\S/gu, " ") + all.slice(end),
    text
  )

describe("real files", () => {
  for (const extension of Readers.builtIn) {
    const names = readdirSync(`${folder}/${extension}`)

    it.effect(`of type .${extension} keep the laws of chunks, with the headings that a person finds in them`, () =>
      Effect.gen(function* () {
        const tokenizer = yield* Tokenizer.Tokenizer
        assert.lengthOf(names, 10)
        for (const name of names) {
          const path = `${extension}/${name}`
          const bytes = new Uint8Array(readFileSync(`${folder}/${path}`))
          const document = yield* parse(path, bytes)
          assert.strictEqual(document.markdown, new TextDecoder().decode(bytes), path)
          const dropped = (document.structure ?? []).flatMap(({ end, kind, start }) =>
            kind === "omitted" ? [[start, end] as const] : []
          )
          for (const maxTokens of [64, 512]) {
            const chunked = yield* MarkdownChunker.make({ maxTokens }).chunk(document)
            assertLaws(document, chunked, { tokenizer, maxTokens, dropped })
            if (isMarkdown(extension) && !references.test(document.markdown)) {
              assertHeadingPaths({ ...document, markdown: blanked(document.markdown, dropped) }, chunked, [])
            }
          }
          if (!isMarkdown(extension))
            assert.deepEqual(yield* headingsOf(fileOf(path, bytes)), outlines[path] ?? [], path)
        }
      }).pipe(Effect.provide(Tokenizer.layer("o200k_base")))
    )
  }
})
