import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PdfModule from "../src/engine/PdfModule.ts"
import * as MarkdownChunker from "../src/MarkdownChunker.ts"
import * as Parser from "../src/Parser.ts"
import * as Portable from "../src/Portable.ts"
import * as Embedded from "../src/service/Embedded.ts"
import * as SourceFile from "../src/SourceFile.ts"
import * as Tokenizer from "../src/Tokenizer.ts"
import { write } from "./engine/pdf/writePdf.ts"

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

  it.effect("reads a PDF as the embedded service does, given the parser's WebAssembly, several at a time", () =>
    Effect.gen(function* () {
      const pdf = yield* Effect.promise(() => PdfModule.load())
      const files = ["one", "two", "three"].map((name) => {
        const lines = Array.from(
          { length: 30 },
          (_, at) => `${name} ${at}: cleaned every ${at + 2} weeks, after storms too.`
        )
        const pages = [lines.slice(0, 20), lines.slice(20)].map((all) => ({
          marks: all.map((text, at) => ({ type: "text" as const, x: 72, y: 72 + 14 * at, text }))
        }))
        const bytes = write({ pages, info: { Title: name } })
        return SourceFile.fromBytes({ root: "docs", path: `${name}.pdf`, bytes })
      })
      const found = yield* Effect.forEach(files, Portable.parse({ pdf }), { concurrency: 3 })
      const options = { parsers: [{ type: "pdf", pages: true, blocks: true, mode: "fast" }] } as const
      const expected = yield* Effect.forEach(files, Parser.parse).pipe(
        Effect.provide(Layer.provide(Parser.layer(options), Embedded.layer())),
        Effect.scoped
      )
      for (const [at, document] of found.entries()) {
        const { blocks, markdown, pages, warnings } = document
        assert.include(markdown, "29: cleaned every 31 weeks")
        assert.strictEqual(document.metadata.title, files[at]?.path.slice(0, -4))
        assert.deepInclude(expected[at], { blocks, markdown, pages, warnings })
      }
    })
  )

  it.effect("refuses a PDF that is none, one that is a scan, and each without the WebAssembly", () =>
    Effect.gen(function* () {
      const pdf = yield* Effect.promise(() => PdfModule.load())
      const scan = write({ pages: [{ marks: [{ type: "image", x: 0, y: 0, width: 600, height: 800 }] }] })
      for (const [bytes, problem] of [
        [new TextEncoder().encode("%PDF-1.7 nothing"), /damaged/u],
        [scan, /OCR/u]
      ] as const) {
        const file = SourceFile.fromBytes({ root: "docs", path: "report.pdf", bytes })
        const error = yield* Effect.flip(Portable.parse(file, { pdf }))
        assert.strictEqual(error._tag, "TextUnreadable")
        assert.match(error.message, problem)
        assert.strictEqual((yield* Effect.flip(Portable.parse(file)))._tag, "UnsupportedFile")
      }
    })
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
