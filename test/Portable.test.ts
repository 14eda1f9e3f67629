import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as MarkdownChunker from "../src/MarkdownChunker.ts"
import * as Parser from "../src/Parser.ts"
import * as Portable from "../src/Portable.ts"
import * as SourceFile from "../src/SourceFile.ts"
import * as Tokenizer from "../src/Tokenizer.ts"

const file = (path: string, text: string) =>
  SourceFile.fromBytes({ root: "docs", path, bytes: new TextEncoder().encode(text) })

const page = `<html lang="en"><head><title>Gauges</title></head><body><nav><a href="/">Home</a></nav>
<main><h1>Gauges</h1><p>The gauge is cleaned every two weeks.</p></main></body></html>`

describe("Portable", () => {
  it.effect("reads texts as the parser of texts does", () =>
    Effect.gen(function* () {
      for (const [path, text] of [
        ["notes.md", "---\ntitle: Notes\n---\n# Notes\n\nCleaned every two weeks.\n"],
        ["plain.txt", "Cleaned.\n\nEvery two weeks.\n"],
        ["data.json", '{ "gauge": { "cleaned": true } }']
      ] as const) {
        const expected = yield* Effect.provideService(Parser.parse(file(path, text)), Parser.Parser, Parser.texts())
        assert.deepEqual(yield* Portable.parse(file(path, text)), expected)
      }
    })
  )

  it.effect("gives a page's Markdown with its title, ready for a chunker", () =>
    Effect.gen(function* () {
      const document = yield* Portable.parse(file("page.html", page))
      assert.strictEqual(document.markdown.trim(), "# Gauges\n\nThe gauge is cleaned every two weeks.")
      assert.deepInclude(document.metadata, { title: "Gauges", sourceURL: "page.html", contentType: "text/html" })
      const { chunks } = yield* MarkdownChunker.make().chunk(document)
      assert.deepEqual(
        chunks.map(({ headingPath }) => headingPath.map(({ text }) => text)),
        [["Gauges"]]
      )
    }).pipe(Effect.provide(Tokenizer.layerCharacters))
  )

  it.effect("refuses mail, and what only the service takes", () =>
    Effect.gen(function* () {
      for (const path of ["letter.eml", "letter.msg", "report.pdf", "letter.docx", "noname"]) {
        const error = yield* Effect.flip(Portable.parse(file(path, "x")))
        assert.strictEqual(error._tag, "UnsupportedFile", path)
      }
    })
  )
})
