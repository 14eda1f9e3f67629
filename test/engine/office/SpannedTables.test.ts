import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as documents from "../documents.ts"
import { markdownOf } from "./parsed.ts"

const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

const cell = (content: string, properties = ""): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`

const row = (...cells: ReadonlyArray<string>): string => `<w:tr>${cells.join("")}</w:tr>`

const begins = '<w:vMerge w:val="restart"/>'

/** Parts of a document with a comment, which becomes a note. */
const commented = {
  "word/comments.xml":
    '<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="4"><w:p><w:r><w:t>Why?</w:t></w:r></w:p></w:comment></w:comments>',
  "word/_rels/document.xml.rels":
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId8" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="comments.xml"/></Relationships>'
}

const merged = (inner: string): string =>
  `<w:tbl>${row(cell(paragraph("North"), begins), cell(inner))}${row(cell("<w:p/>", "<w:vMerge/>"), cell(paragraph("20 t &amp; more")))}</w:tbl>`

describe("a table of a document", () => {
  it.effect("is HTML where a cell stands beside several rows", () =>
    Effect.gen(function* () {
      const before = `<w:tbl>${row(cell(paragraph("a")), cell(paragraph("")))}${row(cell(paragraph("c")), cell(paragraph("d")))}</w:tbl>`
      const document = documents.docx(`${before}${paragraph("Text")}${merged(paragraph("10 t"))}`)
      assert.deepStrictEqual((yield* markdownOf(document, "docx")).split("\n"), [
        "|  |  |",
        "| --- | --- |",
        "| a |  |",
        "| c | d |",
        "",
        "Text",
        "",
        "<table>",
        "<tbody>",
        '<tr><td rowspan="2">North</td><td>10 t</td></tr>',
        "<tr><td>20 t &amp; more</td></tr>",
        "</tbody>",
        "</table>"
      ])
    })
  )

  it.effect("stays Markdown with a mark of a note, which HTML cannot hold", () =>
    Effect.gen(function* () {
      const noted = '<w:p><w:r><w:t>10 t</w:t></w:r><w:r><w:commentReference w:id="4"/></w:r></w:p>'
      const markdown = yield* markdownOf(documents.docx(merged(noted), commented), "docx")
      assert.include(markdown, "| North | 10 t[^1] |")
    })
  )

  it.effect("in a cell of an RTF document stands where it is", () =>
    Effect.gen(function* () {
      const nested = (...cells: ReadonlyArray<string>) =>
        String.raw`${cells.map((text) => String.raw`\pard\intbl\itap2 ${text}\nestcell`).join("")}{\*\nesttableprops\trowd\cellx500\cellx900\nestrow}{\nonesttables\par}`
      const rtf = String.raw`{\rtf1\ansi \trowd\cellx1000\cellx3000\pard\intbl Key\cell\pard\intbl before\par ${nested("n1", "n2")}${nested("n3", "n4")}\pard\intbl after\cell\row\trowd\cellx1000\cellx3000\pard\intbl x\cell\pard\intbl y\cell\row\pard end\par}`
      assert.include(yield* markdownOf(Buffer.from(rtf), "rtf"), "| Key | before<br>n1 n2 <br>n3 n4 <br>after |")
    })
  )
})
