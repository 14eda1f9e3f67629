import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate"
import * as Charts from "../../../src/engine/office/mend/Charts.ts"
import * as places from "../../fixtures/places.ts"
import * as documents from "../documents.ts"
import { chart, graphic, numbers, points, rain, relations, series, table, texts } from "./chartParts.ts"
import { markdownOf } from "./parsed.ts"

const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

describe("a chart", () => {
  it.effect(
    "of a Word document is a table after its paragraph, with an empty cell for a point that it leaves out",
    () =>
      Effect.gen(function* () {
        const inline = `<w:p><w:r><w:t>See here.</w:t></w:r><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">${graphic()}</wp:inline></w:drawing></w:r></w:p>`
        const document = documents.docx(`${paragraph("Before.")}${inline}${paragraph("After.")}`, {
          "word/charts/chart1.xml": rain,
          "word/_rels/document.xml.rels": relations({ rId4: "charts/chart1.xml" })
        })
        assert.strictEqual(yield* markdownOf(document, "docx"), `Before.\n\nSee here.\n\n${table}\n\nAfter.`)
      })
  )

  it.effect("of a slide is a table in its place", () =>
    Effect.gen(function* () {
      const members = unzipSync(places.presentation([{ title: "Sums", text: "first" }]))
      const frame = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="c"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm>${graphic()}</p:graphicFrame>`
      const slide = strFromU8(members["ppt/slides/slide1.xml"] ?? new Uint8Array())
      const document = zipSync({
        ...members,
        "ppt/charts/chart1.xml": strToU8(rain),
        "ppt/slides/_rels/slide1.xml.rels": strToU8(relations({ rId4: "../charts/chart1.xml" })),
        "ppt/slides/slide1.xml": strToU8(slide.replace("</p:spTree>", `${frame}</p:spTree>`))
      })
      const markdown = yield* markdownOf(document, "pptx")
      assert.include(markdown, table)
      assert.include(markdown, "first")
    })
  )

  it.effect(
    "has dates of days, numbers as they are shown, the innermost of several levels, and points by two values",
    () =>
      Effect.gen(function* () {
        const shown = (xml: string) =>
          Effect.map(
            markdownOf(
              documents.docx(`<w:p><w:r><w:drawing>${graphic()}</w:drawing></w:r></w:p>`, {
                "word/charts/chart1.xml": xml,
                "word/_rels/document.xml.rels": relations({ rId4: "charts/chart1.xml" })
              }),
              "docx"
            ),
            (markdown) => markdown.split("\n").slice(-2)
          )
        const dates = numbers(["45413", "45414.5"], "d.m.yyyy")
        assert.deepEqual(yield* shown(chart("T", series("S", dates, ["1", "2"]))), [
          "| 2024-05-01 | 1 |",
          "| 2024-05-02T12:00 | 2 |"
        ])
        const mac = chart("T", series("S", numbers(["43951"], "d.m.yyyy"), ["1"]))
        assert.deepEqual((yield* shown(mac.replace("<c:chart>", '<c:date1904 val="1"/><c:chart>'))).slice(-1), [
          "| 2024-05-01 | 1 |"
        ])
        const levels = `<c:multiLvlStrRef><c:multiLvlStrCache><c:lvl>${points(["a", "b"])}</c:lvl><c:lvl>${points(["X"])}</c:lvl></c:multiLvlStrCache></c:multiLvlStrRef>`
        assert.deepEqual(yield* shown(chart("T", series("S", levels, ["1", "2"]))), ["| a | 1 |", "| b | 2 |"])
        const scattered = `<c:ser><c:xVal>${numbers(["3", "4"])}</c:xVal><c:yVal>${numbers(["5", ""])}</c:yVal></c:ser>`
        assert.deepEqual(yield* shown(chart("T", scattered).replaceAll("barChart", "scatterChart")), [
          "| 3 | 5 |",
          "| 4 |  |"
        ])
        const fractions = series("S", numbers(["35190.176099999997", "12.5"]), ["5.3E-3", "12345678901234567"])
        assert.deepEqual(yield* shown(chart("T", fractions)), [
          "| 35190.1761 | 0.0053 |",
          "| 12.5 | 12345678901234567 |"
        ])
      })
  )

  it.effect("has the title that a cell gives, without the cell's name", () =>
    Effect.gen(function* () {
      const document = documents.docx(`<w:p><w:r><w:drawing>${graphic()}</w:drawing></w:r></w:p>`, {
        "word/charts/chart1.xml": rain.replace(/<c:rich>.*<\/c:rich>/u, texts(["Rain &amp; snow"])),
        "word/_rels/document.xml.rels": relations({ rId4: "charts/chart1.xml" })
      })
      assert.strictEqual(yield* markdownOf(document, "docx"), table)
    })
  )

  it("without values, damaged or of very many points stays as it is", () => {
    const many = Array.from({ length: 20_000 }, (_, at) => String(at))
    for (const xml of [
      chart("T"),
      "<cx:chartSpace/>",
      "<c:chartSpace><c:val><c:numCache>",
      chart("T", series("S", texts(many), many))
    ])
      assert.strictEqual(Charts.completed(xml), xml)
  })
})

describe("a Word document", () => {
  it.effect("has an initial of its own as the beginning of its paragraph", () =>
    Effect.gen(function* () {
      const initial = (style: string) =>
        `<w:p><w:pPr><w:keepNext/><w:framePr w:dropCap="${style}" w:lines="3"/></w:pPr><w:r><w:t>T</w:t></w:r></w:p>`
      const indented = '<w:p><w:pPr><w:ind w:left="9"/></w:pPr><w:r><w:t>he gauges.</w:t></w:r></w:p>'
      const document = documents.docx(
        `${initial("drop")}${paragraph("he rain.")}${initial("margin")}${indented}${initial("none")}${initial("drop")}`
      )
      assert.strictEqual(yield* markdownOf(document, "docx"), "The rain.\n\nThe gauges.\n\nT\n\nT")
    })
  )

  it.effect("has the names of embedded objects apart from the text around them", () =>
    Effect.gen(function* () {
      const word = (value: string): string => `<w:r><w:t>${value}</w:t></w:r>`
      const embedded = `<w:r><w:object xmlns:o="urn:schemas-microsoft-com:office:office"><o:OLEObject Type="Embed" ProgID="Acrobat Document"/></w:object></w:r>`
      const document = documents.docx(
        `<w:p>${word("See")}${embedded}${word("and")}${embedded}${word("more.")}</w:p><w:p>${embedded}</w:p>`
      )
      assert.strictEqual(
        yield* markdownOf(document, "docx"),
        "See Embedded object: Acrobat Document and Embedded object: Acrobat Document more.\n\nEmbedded object: Acrobat Document"
      )
    })
  )

  it.effect("goes on counting a list after a table, and begins one after a table as a list", () =>
    Effect.gen(function* () {
      const item = (text: string) =>
        `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
      const cells = `<w:tbl><w:tr><w:tc>${paragraph("a")}</w:tc></w:tr><w:tr><w:tc>${paragraph("1")}</w:tc></w:tr></w:tbl>`
      const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
      const numbering = `<w:numbering ${word}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`
      const document = documents.docx(`${cells}${item("one")}${cells}${item("two")}`, {
        "word/numbering.xml": numbering,
        "word/_rels/document.xml.rels": relations({ rId4: "numbering.xml" })
      })
      const shown = "| a |\n| --- |\n| 1 |"
      assert.strictEqual(yield* markdownOf(document, "docx"), `${shown}\n\n1. one\n\n${shown}\n\n2. two`)
    })
  )
})

describe("a book", () => {
  it.effect("has no links that lead nowhere, and descriptions of pictures apart from their captions", () =>
    Effect.gen(function* () {
      const book = documents.epub(
        '<h1 id="top">One</h1><p>See <a class="x" href="c.xhtml#top">the top</a>, <a href="gone.xhtml#q">what is gone</a>, <a href="mailto:a@example.org">mail</a> and <a href="https://example.org/">more</a>.</p><figure><img src="i.png" alt="A map"/><figcaption>The river</figcaption></figure><figure><figcaption>The lake</figcaption> <img src="i.png" alt="A plan"/></figure>'
      )
      const markdown = yield* markdownOf(book, "epub")
      assert.include(
        markdown,
        "See [the top](#one), what is gone, [mail](mailto:a@example.org) and [more](https://example.org/)."
      )
      assert.include(markdown, "A map\n\nThe river\n\nThe lake\n\nA plan")
    })
  )
})
