import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { ParseData } from "docsluice/ParsedDocument"
import { Engine, type EngineError } from "docsluice/service/Engine"
import * as ParseOptions from "docsluice/service/ParseOptions"
import { Effect, Schema } from "effect"
import { strToU8 } from "fflate"
import * as EngineVersion from "../../src/engine/EngineVersion.ts"
import * as NativeEngine from "../../src/engine/NativeEngine.ts"
import * as RulesVersion from "../../src/engine/redaction/RulesVersion.ts"
import { type Extension, mimeTypes } from "../../src/internal/base/fileType.ts"
import { sharing } from "../fixtures/sharing.ts"
import * as documents from "./documents.ts"
import { lines, text, write } from "./pdf/writePdf.ts"

const parse = (extension: Extension, content: string | Uint8Array, options: ParseOptions.ParseOptions = {}) =>
  Effect.flatMap(Engine, (engine) =>
    engine.parse(
      {
        filename: `file.${extension}`,
        extension,
        bytes: typeof content === "string" ? strToU8(content) : content
      },
      ParseOptions.resolve({ timeout: 60_000, ...options })
    )
  )

const data = (extension: Extension, content: string | Uint8Array, options?: ParseOptions.ParseOptions) =>
  Effect.map(parse(extension, content, options), (response) => response.data)

const failure = (extension: Extension, content: string | Uint8Array, options?: ParseOptions.ParseOptions) =>
  Effect.flip(parse(extension, content, options))

const formats = (...types: ReadonlyArray<"markdown" | "html" | "rawHtml" | "links" | "images" | "summary">) => ({
  formats: types.map((type) => ({ type }))
})

const page = `<!doctype html><html lang="en"><head><title>A page</title></head><body><nav>Menu</nav><main><h1>Main</h1><p>Text with a <a href="https://example.com/x">link</a>.</p></main></body></html>`

// Lanes run in real time, so the clock has to be the real one too.
describe("NativeEngine", () => {
  const test = sharing(NativeEngine.layer({ lanes: 1, ocr: "none" }))

  test("lets callers of this process wait for a free parser, in their order", () =>
    Effect.gen(function* () {
      const { whenFree = (_, call) => call } = yield* Engine
      const order: Array<string> = []
      const noted = (name: string) => Effect.sync(() => order.push(name))
      yield* Effect.all(
        [
          whenFree("html", Effect.zipRight(Effect.sleep("100 millis"), noted("page"))),
          whenFree("pdf", noted("pdf")),
          whenFree("docx", noted("office"))
        ],
        { concurrency: 3 }
      )
      assert.deepStrictEqual(order, ["page", "pdf", "office"])
    }))

  describe("office documents", () => {
    test("reads a .docx with the properties that it states", () =>
      Effect.gen(function* () {
        const { markdown, metadata } = yield* data("docx", documents.docx())
        assert.strictEqual(markdown?.trim(), "Hello from Word")
        assert.deepInclude(metadata, {
          title: "Deep & wide",
          author: "Ada",
          keywords: "one, two",
          description: "About it",
          language: "en-GB",
          sourceURL: "file.docx",
          statusCode: 200,
          creditsUsed: 1,
          contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        })
      }))

    test("reads a .xlsx as a table", () =>
      Effect.gen(function* () {
        const { markdown } = yield* data("xlsx", documents.xlsx())
        assert.include(markdown, "| name | value |")
        assert.include(markdown, "| depth | 42 |")
      }))

    test("reads a .odt, with repeated keywords as an array", () =>
      Effect.gen(function* () {
        const { markdown, metadata } = yield* data("odt", documents.odt())
        assert.strictEqual(markdown?.trim(), "# Open heading\n\nHello from Writer")
        assert.deepInclude(metadata, { title: "Open title", keywords: ["red", "blue"] })
      }))

    test("reads a .epub with its title and author", () =>
      Effect.gen(function* () {
        const { markdown, metadata } = yield* data("epub", documents.epub())
        assert.include(markdown, "# Chapter one")
        assert.include(markdown, "It began.")
        assert.deepInclude(metadata, { title: "A small book", author: "Grace", language: "en" })
      }))

    test("writes the places of a .epub that links lead to without paragraphs around them", () =>
      Effect.gen(function* () {
        const { html } = yield* data("epub", readFileSync("examples/documents/minutes.epub"), formats("html"))
        assert.match(
          html ?? "",
          /^<html><body>\n<h1>Minutes of the spring meeting<\/h1>\n<a id="[^"]+"><\/a>\n<p><strong>/
        )
        assert.notInclude(html, "<p></p>")
      }))

    test("reads a .rtf with other bytes before its header", () =>
      Effect.gen(function* () {
        const { markdown } = yield* data("rtf", "junk\r\n{\\rtf1\\ansi Rich {\\b text}\\par}")
        assert.strictEqual(markdown?.trim(), "Rich **text**")
      }))

    test("reads a .csv of any separator and of windows-1252", () =>
      Effect.gen(function* () {
        const semicolons = yield* data("csv", "a;b\r\n1,5;2\r\n")
        assert.include(semicolons.markdown, "| 1,5 | 2 |")
        const western = yield* data("csv", Uint8Array.from([0x6e, 0x61, 0xef, 0x76, 0x65, 0x2c, 0x80, 0x0a]))
        assert.include(western.markdown, "| naïve | € |")
        const declared = yield* data("csv", "sep=;\r\na;b\r\n1;2\r\n")
        assert.strictEqual(declared.markdown, "| a | b |\n| --- | --- |\n| 1 | 2 |\n")
      }))

    test("reads a document by its content when its name says another type, and warns", () =>
      Effect.gen(function* () {
        const word = yield* data("doc", documents.docx())
        assert.strictEqual(word.markdown?.trim(), "Hello from Word")
        assert.strictEqual(
          word.warning,
          `The name ends in .doc, but the content is a Word document (.docx): it was parsed as ${mimeTypes.docx}.`
        )
        assert.deepInclude(word.metadata, { contentType: mimeTypes.docx, sourceURL: "file.doc" })

        const table = "<html><body><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
        const workbook = yield* data("xls", table)
        assert.include(workbook.markdown, "| a | b |")
        assert.strictEqual(workbook.metadata.contentType, "text/html")

        const rows = yield* data("xls", Buffer.from("\ufeffname\tvalue\r\ndepth\t42\r\n", "utf16le"))
        assert.strictEqual(rows.markdown, "| name | value |\n| --- | --- |\n| depth | 42 |\n")
        assert.strictEqual(rows.metadata.contentType, "text/csv")

        assert.strictEqual((yield* data("doc", "{\\rtf1\\ansi Rich text\\par}")).markdown?.trim(), "Rich text")

        const pdf = yield* data("html", write({ pages: [{ marks: [text(72, 300, "Hello from a page")] }] }))
        assert.strictEqual(pdf.markdown, "Hello from a page")
        assert.match(pdf.warning ?? "", /^The name ends in \.html, but the content is a PDF: /)
        assert.deepInclude(pdf.metadata, { contentType: "application/pdf", numPages: 1, creditsUsed: 1 })
      }))

    test("does not warn about a correct name", () =>
      Effect.gen(function* () {
        assert.isUndefined((yield* data("docx", documents.docx())).warning)
        assert.isUndefined((yield* data("html", "just text, no tags")).warning)
        assert.isUndefined((yield* data("csv", "just text")).warning)
      }))

    test("opens a workbook with Excel's default password", () =>
      Effect.gen(function* () {
        const { markdown } = yield* data("xlsx", readFileSync("test/fixtures/encrypted/agile.xlsx"))
        assert.include(markdown, "| depth | 42 |")
      }))

    test("answers without Markdown when it was not asked for", () =>
      Effect.gen(function* () {
        const answer = yield* data("docx", documents.docx(), formats("links"))
        assert.doesNotHaveAnyKeys(answer, ["markdown", "html"])
        assert.deepStrictEqual(answer.links, [])
      }))

    test("writes HTML, links and images from the structure of a .docx", () =>
      Effect.gen(function* () {
        const { html, images, links, rawHtml } = yield* data(
          "docx",
          documents.richDocx(),
          formats("html", "rawHtml", "links", "images")
        )
        assert.include(html, "<h1>Title</h1>")
        assert.include(html, '<a href="https://example.com/a?b=1&amp;c=2">the <strong>link</strong></a>')
        assert.include(html, '<td colspan="2">wide</td>')
        assert.include(html, "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n")
        assert.include(html, 'alt="A red dot"')
        assert.notInclude(html, "data:image")
        assert.match(rawHtml ?? "", /^<html><body>/)
        assert.deepStrictEqual(links, ["https://example.com/a?b=1&c=2"])
        assert.deepStrictEqual(images, ["A red dot"])
      }))

    test("gives embedded images as data addresses when Base64 images stay", () =>
      Effect.gen(function* () {
        const { html, images } = yield* data("docx", documents.richDocx(), {
          ...formats("html", "images"),
          removeBase64Images: false
        })
        assert.deepStrictEqual(images, [`data:image/png;base64,${documents.redDot}`])
        assert.include(html, `src="data:image/png;base64,${documents.redDot}"`)
      }))

    test("leaves out of the HTML of a document what excludeTags name, and nothing of its Markdown", () =>
      Effect.gen(function* () {
        const { html, markdown } = yield* data("docx", documents.richDocx(), {
          ...formats("html", "markdown"),
          excludeTags: ["table"]
        })
        assert.notInclude(html, "wide")
        assert.include(markdown, "wide")
      }))

    test("reads the properties of documents before 2007 and of RTF", () =>
      Effect.gen(function* () {
        const rtf =
          "{\\rtf1\\ansi\\ansicpg1251{\\info{\\title \\'cf\\'eb\\'e0\\'ed \\u8364?}{\\author Ada \\{B\\}}{\\creatim\\yr2024\\mo3\\dy5\\hr7\\min9}{\\nofpages4}}Text\\par}"
        const { metadata } = yield* data("rtf", rtf)
        assert.deepInclude(metadata, {
          title: "План €",
          author: "Ada {B}",
          created: "2024-03-05T07:09:00",
          pageCount: "4"
        })
      }))
  })

  describe("documents that cannot be parsed", () => {
    const cases: ReadonlyArray<readonly [string, Extension, () => Uint8Array | string, RegExp]> = [
      ["an empty file", "docx", () => "", /^the file is empty$/],
      ["a truncated archive", "docx", () => documents.docx().slice(0, 400), /^the file is not a readable \.docx: /],
      ["an encrypted package", "xlsx", documents.encryptedPackage, /^the file is encrypted; remove the password$/],
      ["a zip bomb", "docx", documents.zipBomb, /^the file crosses a safety limit: /]
    ]
    for (const [name, extension, make, words] of cases) {
      test(`says what is wrong with ${name}`, () =>
        Effect.gen(function* () {
          const error = yield* failure(extension, make())
          assert.strictEqual(error._tag, "DocumentUnparsable")
          assert.deepInclude(error, { status: 500, code: "SCRAPE_ALL_ENGINES_FAILED" })
          assert.match(error.error, words)
          assert.include((yield* data("csv", "a,b\n1,2\n")).markdown, "| 1 | 2 |")
        }))
    }
  })

  test("names the type of a file that no parser reads", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [Extension, string, string]> = [
        ["html", "\u0089PNG\r\n\u001a\n\0\0", "a PNG image"],
        ["csv", "\u001f\u008b\u0008\0", "a gzip archive"],
        ["pptx", "just text", "plain text"]
      ]
      for (const [extension, content, what] of cases) {
        const error = yield* failure(extension, Buffer.from(content, "latin1"))
        assert.deepInclude(error, {
          _tag: "DocumentUnparsable",
          status: 500,
          code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
          error: `The name ends in .${extension}, but the content is ${what}, which is not supported.`
        })
      }
    }))

  describe("web pages", () => {
    test("answers with exactly the requested members", () =>
      Effect.gen(function* () {
        const answer = yield* data("html", page, formats("markdown", "html", "rawHtml", "links", "images"))
        assert.strictEqual(answer.markdown, "# Main\n\nText with a [link](https://example.com/x).\n")
        assert.strictEqual(answer.rawHtml, page)
        assert.notInclude(answer.html, "Menu")
        assert.deepStrictEqual(answer.images, [])
        assert.deepInclude(answer.metadata, { title: "A page", language: "en", contentType: "text/html" })
      }))

    test("names an invalid selector", () =>
      Effect.gen(function* () {
        const error = yield* failure("html", page, { includeTags: ["p["] })
        assert.strictEqual(error._tag, "BadRequest")
        assert.include(error.error, '"p["')
      }))

    test("survives 50,000 nested elements with their text", () =>
      Effect.gen(function* () {
        const { markdown } = yield* data("html", `${"<div>".repeat(50_000)}deep text`)
        assert.strictEqual(markdown?.trim(), "deep text")
      }))

    test("does not let a page set metadata that belongs to the service", () =>
      Effect.gen(function* () {
        const { metadata } = yield* data("html", `<meta name="statusCode" content="x"><meta name="error" content="y">`)
        assert.strictEqual(metadata.statusCode, 200)
        assert.isUndefined(metadata.error)
      }))
  })

  describe("options", () => {
    test("refuses what it cannot serve, with the option's name and the remedy", () =>
      Effect.gen(function* () {
        const refused = yield* Effect.all([failure("pdf", "%PDF-", { parsers: [{ type: "pdf", mode: "ocr" }] })])
        for (const error of refused) {
          assert.deepInclude(error, { _tag: "BadRequest", status: 400, code: "PARSE_UNSUPPORTED_OPTIONS" })
        }
        assert.match(refused[0].error, /use "auto" or "fast"$/)
      }))

    test("answers with the pages that it had read when the time ran out, and says how much time was not enough", () =>
      Effect.gen(function* () {
        const marks = lines(
          72,
          90,
          Array.from({ length: 50 }, () => "word ".repeat(15))
        )
        const many = write({ pages: Array.from({ length: 160 }, () => ({ marks })) })
        const pages = { parsers: [{ type: "pdf", blocks: true }] } as const
        // Loads the parser, which is no part of a document's time.
        const whole = yield* data("pdf", many, { ...pages, timeout: 300_000 })
        assert.strictEqual(whole.metadata.numPages, 160)
        assert.notProperty(whole.metadata, "lacked")
        const within = (timeout: number): Effect.Effect<readonly [number, ParseData], EngineError, Engine> =>
          data("pdf", many, { ...pages, timeout }).pipe(
            Effect.map((partial) => [timeout, partial] as const),
            // A slow machine has not read the first pages by then.
            Effect.catchTag("RequestTimeout", () => within(Math.floor(timeout * 1.6)))
          )
        const [timeout, partial] = yield* within(800)
        assert.isBelow(partial.metadata.numPages ?? 160, 160)
        assert.deepInclude(partial.metadata, { totalPages: 160, lacked: [`time ${timeout}`] })
        assert.include(partial.markdown, "word word")
        assert.deepInclude(partial.blocks?.[159], { status: "failed" })
      }))

    test("answers 408 when the time is up", () =>
      Effect.gen(function* () {
        const error = yield* failure("html", `<p>${"<b>x</b> ".repeat(200_000)}`, { timeout: 1 })
        assert.deepInclude(error, { _tag: "RequestTimeout", status: 408, code: "SCRAPE_TIMEOUT" })
      }))
  })
})

const Versions = Schema.Record({ key: Schema.String, value: Schema.String })

describe("EngineVersion", () => {
  it("names the versions that the package pins, or that its ranges begin with", () => {
    const Manifest = Schema.parseJson(Schema.Struct({ dependencies: Versions }))
    const { dependencies } = Schema.decodeUnknownSync(Manifest)(readFileSync("package.json", "utf8"))
    for (const [name, version] of Object.entries(EngineVersion.parsers)) {
      assert.strictEqual(dependencies[name]?.replace(/^\^/u, ""), version, name)
      assert.include(EngineVersion.version, `${name}@${version}`)
    }
    assert.include(EngineVersion.version, `redaction@${RulesVersion.version}`)
  })
})
