import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate"
import * as CompoundFile from "../../../src/engine/content/CompoundFile.ts"
import type { OfficeExtension } from "../../../src/engine/jobs.ts"
import * as Mend from "../../../src/engine/office/mend/Mend.ts"
import * as places from "../../fixtures/places.ts"
import * as documents from "../documents.ts"
import { markdownOf, parsed } from "./parsed.ts"

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

const relations = (target: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId8" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="${target}"/></Relationships>`

const commented =
  '<w:p><w:r><w:t>Costs</w:t></w:r><w:r><w:commentReference w:id="4"/></w:r><w:r><w:t xml:space="preserve"> rise.</w:t></w:r></w:p>'

const comments = `<w:comments ${word}><w:comment w:id="4" w:author="Ada &amp; Co"><w:p><w:r><w:t>How much?</w:t></w:r></w:p><w:p><w:r><w:t>And why?</w:t></w:r></w:p></w:comment></w:comments>`

describe("a comment", () => {
  it.effect("is a note at its place in a Word document", () =>
    Effect.gen(function* () {
      const document = documents.docx(commented, {
        "word/comments.xml": comments,
        "word/_rels/document.xml.rels": relations("comments.xml")
      })
      assert.strictEqual(
        yield* markdownOf(document, "docx"),
        "Costs[^1] rise.\n\n[^1]: Comment by Ada & Co: How much? And why?"
      )
    })
  )

  it.effect("is a note at its place in an OpenDocument text", () =>
    Effect.gen(function* () {
      const annotation =
        "<office:annotation><dc:creator>Ada</dc:creator><dc:date>2026-01-01T00:00:00</dc:date><text:p>How much?</text:p></office:annotation>"
      assert.strictEqual(
        yield* markdownOf(documents.odt(`<text:p>Costs${annotation} rise.</text:p>`), "odt"),
        "Costs[^1] rise.\n\n[^1]: Comment by Ada: How much?"
      )
    })
  )

  it.effect("is a note at its place in an RTF document", () =>
    Effect.gen(function* () {
      const rtf = String.raw`{\rtf1\ansi Costs{\*\atnid A}{\*\atnauthor Ada}\chatn{\*\annotation{\*\atndate 1736509440}\pard\plain How much?} rise.\par}`
      assert.strictEqual(
        yield* markdownOf(Buffer.from(rtf), "rtf"),
        "Costs[^1] rise.\n\n[^1]: Comment by Ada: How much?"
      )
    })
  )
})

describe("a text box", () => {
  it.effect("stands after its paragraph in an OpenDocument text, and one within it after that", () =>
    Effect.gen(function* () {
      const inner = "<draw:frame><draw:text-box><text:p>Inner</text:p></draw:text-box></draw:frame>"
      const outer = `<draw:frame><draw:text-box><text:p>First${inner}</text:p><text:p>Second</text:p></draw:text-box></draw:frame>`
      assert.strictEqual(
        yield* markdownOf(documents.odt(`<text:p>Before${outer} after</text:p><text:p>End</text:p>`), "odt"),
        "Before after\n\nFirst\n\nInner\n\nSecond\n\nEnd"
      )
    })
  )

  it.effect("stands after its paragraph in an RTF document", () =>
    Effect.gen(function* () {
      const box = String.raw`{\shp{\*\shpinst\shpleft0{\sp{\sn shapeType}{\sv 202}}{\shptxt \pard\plain In the box\par}}}`
      assert.strictEqual(
        yield* markdownOf(Buffer.from(String.raw`{\rtf1\ansi Before${box} after\par End\par}`), "rtf"),
        "Before after\n\nIn the box\n\nEnd"
      )
    })
  )
})

describe("an RTF document", () => {
  const sheet = String.raw`{\stylesheet{\s0 Normal;}{\s1\sbasedon0 heading 1;}{\s2\sbasedon1 Chapter;}{\s3\sbasedon1\outlinelevel9 Lead;}{\s4\outlinelevel1 Part;}}`

  it.effect(
    "has headings where the style of a paragraph is one by its name, its level or the style that it is based on",
    () =>
      Effect.gen(function* () {
        const rtf = String.raw`{\rtf1\ansi${sheet}\pard\plain\s1 One\par\pard\plain\s2 Two\par\pard\plain\s3 Three\par\pard\plain\s4 Four\par\pard\plain\s0 Five\par}`
        assert.strictEqual(yield* markdownOf(Buffer.from(rtf), "rtf"), "# One\n\n# Two\n\nThree\n\n## Four\n\nFive")
      })
  )

  it.effect("is read without the text that tracked changes deleted or moved away", () =>
    Effect.gen(function* () {
      const rtf = String.raw`{\rtf1\ansi Keep {\deleted\revauthdel1 dr{\b o}p \'e9\u8364?}{\mvf gone }{\revised added}\deleted x\deleted0  end\par}`
      assert.strictEqual(yield* markdownOf(Buffer.from(rtf), "rtf"), "Keep added end")
    })
  )
})

describe("a table", () => {
  const paragraph = (content: string): string => `<w:p><w:r><w:t>${content}</w:t></w:r></w:p>`
  const table = (...rows: ReadonlyArray<ReadonlyArray<string>>): string =>
    `<w:tbl>${rows
      .map(
        (cells) =>
          `<w:tr>${cells.map((cell) => `<w:tc><w:tcPr><w:tcW w:w="9"/></w:tcPr>${cell}</w:tc>`).join("")}</w:tr>`
      )
      .join("")}</w:tbl>`
  const inner = table([paragraph("a"), paragraph("b")], [paragraph("1"), paragraph("2")])

  it.effect("that frames one text, or places others side by side, is left out of a Word document", () =>
    Effect.gen(function* () {
      const frame = table([paragraph("In a frame") + paragraph("More")])
      const page = table([inner, paragraph("Next to it")])
      assert.strictEqual(
        yield* markdownOf(documents.docx(frame + page), "docx"),
        "In a frame\n\nMore\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nNext to it"
      )
    })
  )

  it.effect("of rows and columns keeps one in a cell", () =>
    Effect.gen(function* () {
      const rows = ["x", "y", "z"].map((name, at) => [paragraph(name), at === 1 ? inner : paragraph("-")])
      assert.match(
        yield* markdownOf(documents.docx(table(...rows)), "docx"),
        /^\|  \|  \|\n\| --- \| --- \|\n\| x \| - \|\n\| y \| a \/ b/
      )
    })
  )

  it.effect("that frames one text is left out of an OpenDocument text", () =>
    Effect.gen(function* () {
      const frame =
        "<table:table><table:table-row><table:table-cell><text:p>In a frame</text:p></table:table-cell></table:table-row></table:table>"
      assert.strictEqual(yield* markdownOf(documents.odt(`${frame}<text:p>End</text:p>`), "odt"), "In a frame\n\nEnd")
    })
  )
})

/** A presentation of one slide with these shapes. */
const presentation = (shapes: string): Uint8Array => {
  const members = unzipSync(places.presentation([{ title: "Sums", text: "first" }]))
  const slide = members["ppt/slides/slide1.xml"]
  return zipSync({
    ...members,
    "ppt/slides/slide1.xml": strToU8(
      strFromU8(slide ?? new Uint8Array()).replace("</p:spTree>", `${shapes}</p:spTree>`)
    )
  })
}

const shape = (content: string): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="7" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p>${content}</a:p></p:txBody></p:sp>`

const text = (value: string): string => `<a:r><a:t>${value}</a:t></a:r>`

describe("a slide", () => {
  const compatibility = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
  const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
  const equation = `<a14:m><m:oMath ${math}><m:r><m:t>x</m:t></m:r></m:oMath></a14:m>`
  const versions = `<mc:AlternateContent ${compatibility}><mc:Choice xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" Requires="a14">${shape(text("Let ") + equation)}</mc:Choice><mc:Fallback>${shape(text("old"))}</mc:Fallback></mc:AlternateContent>`

  it.effect("shows a shape in several versions once, and its equations", () =>
    Effect.gen(function* () {
      const { markdown, pages } = yield* parsed(presentation(versions), "pptx", { pages: true })
      assert.include(markdown, "Let $x$")
      assert.notInclude(markdown, "old")
      assert.deepStrictEqual(
        pages?.map(({ pageNumber }) => pageNumber),
        [1]
      )
      assert.include(pages?.[0]?.markdown, "Let $x$")
    })
  )
})

describe("a PowerPoint 97 presentation", () => {
  const slides = gunzipSync(readFileSync("test/fixtures/office/table.ppt.gz"))

  it.effect("has its tables, and no asterisks for the numbers of slides", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* markdownOf(slides, "ppt"),
        "## Figures\n\n| Region | Sales | Staff |\n| --- | --- | --- |\n| North | 12 | 3 |\n| South | 34 | 5 |\n\n> Spoken words."
      )
    })
  )
})

describe("a Word 97 document", () => {
  const document = gunzipSync(readFileSync("test/fixtures/office/changes.doc.gz"))

  it.effect("has its text boxes and comments where they belong, and no deleted text", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* markdownOf(document, "doc"),
        "First\n\nKeep added words[^comment1]\n\nBeforeafter\n\nIn the box\n\nSecond line\n\nLast\n\n[^comment1]: Comment by Ada: Really?"
      )
    })
  )
})

describe("an Excel 97 workbook with charts", () => {
  type Record = readonly [type: number, data: Buffer]

  const shorts = (...numbers: ReadonlyArray<number>): Buffer => Buffer.from(Uint16Array.from(numbers).buffer)

  const start = (kind: "globals" | "sheet" | "chart"): Record => [
    0x809,
    shorts(0x600, { globals: 5, sheet: 0x10, chart: 0x20 }[kind], 0, 1997, 0, 0, 6, 0)
  ]

  const end: Record = [0x0a, Buffer.alloc(0)]

  const label = (row: number, text: string): Record => [
    0x204,
    Buffer.concat([shorts(row, 0, 15, text.length), Buffer.from([0]), Buffer.from(text, "latin1")])
  ]

  const number = (row: number, value: number): Record => {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(value)
    return [0x203, Buffer.concat([shorts(row, 0, 15), bytes])]
  }

  const figures = [0, 1, 2].map((row) => number(row, 101 * (row + 1)))

  const chart: ReadonlyArray<Record> = [start("chart"), ...figures, end]

  const written = (records: ReadonlyArray<Record>): Buffer =>
    Buffer.concat(records.flatMap(([type, data]) => [shorts(type, data.length), data]))

  interface Sheet {
    readonly name: string
    readonly records: ReadonlyArray<Record>
    readonly kind?: number
  }

  /** The records in the place of those of a workbook, whose stream ends with records that nobody knows. */
  const workbook = (sheets: ReadonlyArray<Sheet>): Uint8Array => {
    const streams = sheets.map(({ records }) => written(records))
    const globals = (places: ReadonlyArray<number>): Buffer =>
      written([
        start("globals"),
        ...sheets.map(({ kind = 0, name }, at): Record => {
          const place = Buffer.alloc(8)
          place.writeUInt32LE(places[at] ?? 0)
          place[5] = kind
          place[6] = name.length
          return [0x85, Buffer.concat([place, Buffer.from(name, "latin1")])]
        }),
        end
      ])
    let next = globals([]).length
    const places = streams.map(({ length }) => {
      next += length
      return next - length
    })
    const file = CompoundFile.open(readFileSync("test/fixtures/encrypted/plain.xls"))
    const entry = file?.entries.find(({ name }) => name === "Workbook")
    assert(file !== undefined && entry !== undefined)
    const stream = Buffer.alloc(entry.size)
    stream.set(Buffer.concat([globals(places), ...streams]))
    return file.replaced(entry, stream)
  }

  const sheet = (texts: ReadonlyArray<string>, within: ReadonlyArray<Record> = []): ReadonlyArray<Record> => {
    const cells = texts.map((text, row) => label(row, text))
    return [start("sheet"), ...cells.slice(0, -1), ...within, ...cells.slice(-1), end]
  }

  it.effect("keeps the cells of a sheet around a chart, and has no figures of charts", () =>
    Effect.gen(function* () {
      const bytes = workbook([
        { name: "Text", records: sheet(["Head", "foo", "bar", "after"], [...chart, ...chart]) },
        { name: "Chart", records: [start("chart"), ...figures, ...chart, ...figures, end], kind: 2 },
        { name: "Empty", records: [start("sheet"), ...chart, end] },
        { name: "Last", records: sheet(["end", "of all"]) }
      ])
      const { markdown, properties } = yield* parsed(bytes, "xls")
      const texts = Array.from(markdown.matchAll(/^\| (?!---)(.+) \|$/gmu), ([, text = ""]) => text.trim())
      assert.deepStrictEqual(
        texts.filter((text) => text !== ""),
        ["Head", "foo", "bar", "after", "end", "of all"]
      )
      assert.deepStrictEqual(properties["sheets"], ["Text!A1:A4", "Last!A1:A2"])
    })
  )

  it.effect("keeps what stands after a chart whose end is missing", () =>
    Effect.gen(function* () {
      const bytes = workbook([
        { name: "Text", records: [start("sheet"), label(0, "Head"), ...chart.slice(0, -1)] },
        { name: "Last", records: sheet(["end", "of all"]) }
      ])
      assert.include(yield* markdownOf(bytes, "xls"), "of all")
    })
  )
})

describe("a superscript or subscript", () => {
  const markdown = "10⁶ m² H₂O a<sub>half</sub> 4th"

  const html = "10<sup>6</sup> m<sup>2</sup> H<sub>2</sub>O a<sub>half</sub> 4th"

  const both = (bytes: Uint8Array, extension: OfficeExtension) =>
    Effect.gen(function* () {
      const result = yield* parsed(bytes, extension, { members: ["html"] })
      assert.include(result.markdown, markdown)
      assert.include(result.html, html)
    })

  it.effect("is kept in a Word document, by its run or by its style, and not by a former one", () =>
    Effect.gen(function* () {
      const run = (text: string, properties = "") =>
        `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
      const aligned = (value: string) => `<w:vertAlign w:val="${value}"/>`
      const raised = aligned("superscript")
      const [lowered, style] = [aligned("subscript"), '<w:rStyle w:val="Up"/>']
      const former = `<w:rPrChange w:id="1" w:author="A"><w:rPr>${raised}</w:rPr></w:rPrChange>`
      yield* both(
        documents.docx(
          `<w:p>${run("10")}${run("6", raised)}${run(" m")}${run("2", style)}${run(" H")}${run("2", lowered)}${run("O a", former)}${run("half", lowered)}${run(" 4")}${run("th", raised)}</w:p>`,
          {
            "word/styles.xml": `<w:styles ${word}><w:style w:type="character" w:styleId="Up"><w:name w:val="Up"/><w:rPr>${raised}</w:rPr></w:style></w:styles>`
          }
        ),
        "docx"
      )
    })
  )

  it.effect("is kept in an OpenDocument text", () =>
    Effect.gen(function* () {
      const style = (name: string, position: string) =>
        `<style:style style:name="${name}" style:family="text"><style:text-properties style:text-position="${position}"/></style:style>`
      const span = (text: string, name: string) => `<text:span text:style-name="${name}">${text}</text:span>`
      yield* both(
        documents.odt(
          `<text:p>10${span("6", "Up")} m${span("2", "Up")} H${span("2", "Down")}O a${span("half", "Down")} 4${span("th", "Up")}</text:p>`,
          {
            "styles.xml": `<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"><office:styles>${style("Up", "super 58%")}${style("Down", "-33% 58%")}</office:styles></office:document-styles>`
          }
        ),
        "odt"
      )
    })
  )

  it.effect("is kept in a publication and in an RTF document", () =>
    Effect.gen(function* () {
      yield* both(documents.epub(`<p>${html.replace("4th", "4<sup>th</sup>")}</p>`), "epub")
      yield* both(
        Buffer.from(
          String.raw`{\rtf1\ansi 10{\super 6} m\up6 2\up0  H{\sub 2}O a\sub half\nosupersub  4{\super th}\par}`
        ),
        "rtf"
      )
    })
  )

  it.effect("is no second mark of a note", () =>
    Effect.gen(function* () {
      const notes = '<w:footnote w:id="2"><w:p><w:r><w:t>Indeed.</w:t></w:r></w:p></w:footnote>'
      const document = documents.docx(
        '<w:p><w:r><w:t>True</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r></w:p>',
        {
          "word/footnotes.xml": `<w:footnotes ${word}>${notes}</w:footnotes>`,
          "word/_rels/document.xml.rels": relations("footnotes.xml").replace("/comments", "/footnotes")
        }
      )
      assert.strictEqual(yield* markdownOf(document, "docx"), "True[^1]\n\n[^1]: Indeed.")
    })
  )
})

describe("an address", () => {
  it.effect("has no escapes, but in code and in labels of links", () =>
    Effect.gen(function* () {
      const page = "https://example.com/~ada/_b_"
      const markdown = yield* markdownOf(
        documents.epub(
          `<p>${page}, _j_@x.org a~b~c <a href="https://x.org/">${page}</a></p><pre>http://x.org/\\_b</pre>`
        ),
        "epub"
      )
      assert.include(markdown, String.raw`${page}, _j_@x.org a\~b\~c [https://example.com/~ada/\_b_](https://x.org/)`)
      assert.include(markdown, String.raw`http://x.org/\_b`)
    })
  )
})

describe("a damaged document", () => {
  it("is given to the parser, mended or not", () => {
    const documents: ReadonlyArray<readonly [OfficeExtension, Uint8Array]> = [
      ["doc", gunzipSync(readFileSync("test/fixtures/office/changes.doc.gz"))],
      ["ppt", gunzipSync(readFileSync("test/fixtures/office/table.ppt.gz")).subarray(0, 40_000)],
      ["docx", readFileSync("examples/documents/visit-report.docx")],
      ["rtf", Buffer.from(String.raw`{\rtf1{\stylesheet{\s1 heading 1;}}{\shp{\shptxt x}\par{\*\annotation y`)]
    ]
    for (const [extension, bytes] of documents) {
      for (let seed = 1; seed <= 40; seed++) {
        const damaged = Uint8Array.from(bytes)
        for (let at = (seed * 7919) % 97; at < damaged.length; at += 211 + seed) damaged[at] = (seed * at) % 256
        for (const own of [damaged, bytes.subarray(0, Math.floor((bytes.length * seed) / 40))]) {
          const { completed } = Mend.of(own, extension)
          assert.isString(completed("| a |\n\ntext\n"))
        }
      }
    }
  })
})

describe("a publication", () => {
  it.effect("has its formulas, and its title once", () =>
    Effect.gen(function* () {
      const math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math>'
      const markdown = yield* markdownOf(documents.epub(`<h1>A small book</h1><p>Let ${math} be.</p>`), "epub")
      assert.match(markdown, /^(?:<a id="[^"]*"><\/a>\s*)?# A small book\n\nLet \$x\^2\$ be\.$/)
      assert.match(yield* markdownOf(documents.epub("<h1>One</h1>"), "epub"), /^# A small book\n[^]*# One$/)
    })
  )
})
