import { Buffer } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as DocumentInfo from "../../../src/engine/pdf/DocumentInfo.ts"
import { objectsOf } from "../../../src/engine/pdf/PdfObjects.ts"
import { runs } from "../../fixtures/seed.ts"
import { parse } from "./parse.ts"
import { lines, write } from "./writePdf.ts"

const pages = [{ marks: lines(72, 100, ["Some text on a page."]) }]

const info = {
  Title: "A (nested) title \\ with a slash",
  Author: "Zoë Müller, 漢字",
  Subject: "What it is about",
  Keywords: "one, two",
  CreationDate: "D:20240131120005+01'00'"
}

const expected = {
  title: "A (nested) title \\ with a slash",
  author: "Zoë Müller, 漢字",
  description: "What it is about",
  keywords: "one, two",
  language: "de-AT",
  creationDate: "2024-01-31T12:00:05+01:00"
}

describe("DocumentInfo.read", () => {
  it("reads the information dictionary and the language", () => {
    assert.deepStrictEqual(DocumentInfo.read(objectsOf(write({ pages, info, language: "de-AT" }), false)), expected)
  })

  it("reads them from a compressed object stream", () => {
    assert.deepStrictEqual(
      DocumentInfo.read(objectsOf(write({ pages, info, language: "de-AT", packed: true }), false)),
      expected
    )
  })

  it("reads them from a file with many object streams after theirs", () => {
    const other = "900 0 obj\n<< /Type /ObjStm /N 0 /First 0 >>\nstream\n\nendstream\nendobj\n".repeat(500)
    const file = Buffer.concat([write({ pages, info, language: "de-AT", packed: true }), Buffer.from(other)])
    assert.deepStrictEqual(DocumentInfo.read(objectsOf(file, false)), expected)
  })

  it("is part of the metadata of a parsed document, next to counts and type", async () => {
    const { metadata } = await parse({ pages, info, language: "de-AT" })
    assert.deepStrictEqual(metadata, { ...expected, numPages: 1, totalPages: 1, contentType: "application/pdf" })
  })

  it("falls back to the title of the XMP packet", () => {
    const xmp = "<dc:title><rdf:Alt><rdf:li xml:lang='x-default'>Wörter &amp; Zahlen</rdf:li></rdf:Alt></dc:title>"
    assert.strictEqual(DocumentInfo.read(objectsOf(Buffer.from(`%PDF-1.4\n${xmp}`), false)).title, "Wörter & Zahlen")
  })

  it("returns nothing for an encrypted file", () => {
    assert.deepStrictEqual(DocumentInfo.read(objectsOf(write({ pages, info }), true)), {})
  })

  it("gives texts that are not empty, and never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(
              "/Info 1 0 R",
              "1 0 obj",
              "<<",
              ">>",
              "/Title (",
              "/Title <",
              "/ObjStm",
              "stream\n",
              "endstream",
              "/N 3 /First 9",
              "/Root 1 0 R",
              "D:2024",
              "\\"
            ),
            fc.string()
          )
        ),
        (parts) => {
          const found = DocumentInfo.read(objectsOf(Buffer.from(parts.join(" "), "latin1"), false))
          assert.isTrue(Object.values(found).every((value) => typeof value === "string" && value !== ""))
        }
      ),
      { numRuns: runs(1000) }
    )
  })
})
