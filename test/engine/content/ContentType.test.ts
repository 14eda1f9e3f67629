import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { strToU8, zipSync } from "fflate"
import * as CompoundFile from "../../../src/engine/content/CompoundFile.ts"
import * as ContentType from "../../../src/engine/content/ContentType.ts"
import { type Extension, all } from "../../../src/internal/base/fileType.ts"
import * as documents from "../documents.ts"

const detect = (content: string | Uint8Array, named: Extension): string => {
  const found = ContentType.detect(
    ContentType.inMemory(typeof content === "string" ? Buffer.from(content, "latin1") : content),
    named
  )
  return found._tag === "Supported" ? found.extension : found.what
}

const workbook = () => readFileSync("test/fixtures/encrypted/plain.xls")

describe("ContentType", () => {
  it("names a document by its content under every name", () => {
    const page = "<!DOCTYPE html>\n<html><body><table><tr><td>a</td></tr></table>"
    for (const named of all) {
      assert.strictEqual(detect("%PDF-1.7\n", named), "pdf")
      assert.strictEqual(detect(documents.docx(), named), "docx")
      assert.strictEqual(detect(documents.xlsx(), named), "xlsx")
      assert.strictEqual(detect(documents.odt(), named), "odt")
      assert.strictEqual(detect(documents.epub(), named), "epub")
      assert.strictEqual(detect(workbook(), named), "xls")
      assert.strictEqual(detect("\n{\\rtf1\\ansi x}", named), "rtf")
      const isPage = named === "html" || named === "htm" || named === "xhtml"
      assert.strictEqual(detect(page, named), isPage ? named : "html")
    }
  })

  it("says what a file is that no parser reads", () => {
    const cases: ReadonlyArray<readonly [string | Uint8Array, string]> = [
      ["\x89PNG\r\n\x1a\n\0\0", "a PNG image"],
      ["\xff\xd8\xff\xe0", "a JPEG image"],
      ["MZ\x90\0\x03", "a Windows program"],
      ["\x1f\x8b\x08\0", "a gzip archive"],
      ["SQLite format 3\0", "an SQLite database"],
      [zipSync({ "a.txt": strToU8("a") }), "a zip archive"],
      [new Uint8Array(300).map((_, at) => (at * 7) % 24), "binary data"]
    ]
    for (const named of ["html", "csv"] as const) {
      for (const [content, what] of cases) assert.strictEqual(detect(content, named), what)
    }
    assert.strictEqual(
      ContentType.refusal("html", "a PNG image"),
      "The name ends in .html, but the content is a PNG image, which is not supported."
    )
  })

  it("takes tables of text and pages under the names of sheets and of documents", () => {
    assert.strictEqual(detect("a\tb\n1\t2\n", "xls"), "csv")
    assert.strictEqual(detect("a;b\r\n1;2\r\n", "xlsx"), "csv")
    assert.strictEqual(detect(Buffer.from("\ufeffa\tb\n1\t2\n", "utf16le"), "xls"), "csv")
    assert.strictEqual(detect('<html xmlns:o="urn:x"><table>', "xls"), "html")
    assert.strictEqual(detect("\xef\xbb\xbf<html>", "doc"), "html")
    assert.strictEqual(detect("just text, and more", "doc"), "plain text")
    assert.strictEqual(detect("one line\nanother, with a comma\n", "xls"), "plain text")
    assert.strictEqual(
      detect('<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">', "xls"),
      "an XML spreadsheet of Excel 2003"
    )
    assert.strictEqual(
      detect("MIME-Version: 1.0\nContent-Type: multipart/related", "doc"),
      "a web page archive (MHTML)"
    )
  })

  it("leaves text under the names of text, and unknown bytes under other names, to the parser of that name", () => {
    for (const text of ["just text", "a,b\n", "BM,GIF and MZ", "%!PS, no", "\xe4\xf6\xfc", "ID3;x"]) {
      assert.strictEqual(detect(text, "csv"), "csv")
      assert.strictEqual(detect(text, "html"), "html")
    }
    assert.strictEqual(detect("<?xml version='1.0'?><html/>", "xhtml"), "xhtml")
    assert.strictEqual(detect("junk\r\n{\\rtf1 x}", "rtf"), "rtf")
    assert.strictEqual(detect("From: a\n\n%PDF-1.4", "pdf"), "pdf")
    assert.strictEqual(detect("\x09\x04\x06\0\0\x02\x10\0\0\0\0\0", "xls"), "xls")
    assert.strictEqual(detect("PK\x03\x04 cut off", "docx"), "docx")
  })

  it("warns where the content has another type than the name, and only there", () => {
    assert.isUndefined(ContentType.warning("htm", "html"))
    assert.isUndefined(ContentType.warning("pdf", "pdf"))
    assert.strictEqual(
      ContentType.warning("html", "pdf"),
      "The name ends in .html, but the content is a PDF: it was parsed as application/pdf."
    )
  })
})

describe("CompoundFile", () => {
  it("gives the streams of a file, and puts another content in the place of one", () => {
    const file = CompoundFile.open(workbook())
    const entry = file?.entries.find(({ name }) => name === "Workbook")
    assert.isDefined(file)
    assert.isDefined(entry)
    if (file === undefined || entry === undefined) return
    const content = file.read(entry)
    assert.strictEqual(content?.length, entry.size)
    const other = Uint8Array.from({ length: entry.size }, (_, at) => at % 251)
    const reopened = CompoundFile.open(file.replaced(entry, other))
    assert.deepStrictEqual(Uint8Array.from(reopened?.read(entry) ?? []), other)
  })

  it("ends on chains that go in circles", () => {
    const bytes = Buffer.from(workbook())
    for (let at = 512; at + 4 <= bytes.length; at += 128) {
      const looped = Buffer.from(bytes)
      for (let word = at; word < Math.min(at + 512, bytes.length - 4); word += 4) looped.writeUInt32LE(1, word)
      const file = CompoundFile.open(looped)
      for (const entry of file?.entries ?? []) {
        assert.isAtMost(file?.read(entry)?.length ?? 0, bytes.length)
      }
    }
  })
})
