import { Buffer } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import * as Pdf from "../../../bench/layout/pdf.ts"

/** Glyphs by code: text in the table of the font, width in thousandths of the size. */
interface Glyph {
  readonly code: string
  readonly text: string
  readonly width: number
}

const hex = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase()

/** A page with operators at (72, 700), in a font of glyphs by name `F1` and size 10. */
const page = (glyphs: ReadonlyArray<Glyph>, operators: string): Uint8Array => {
  const table = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ${glyphs.length} beginbfchar ${glyphs.map(({ code, text }) => `<${code}> <${hex(text)}>`).join(" ")} endbfchar endcmap end`
  const widths = glyphs.map(({ code, width }) => `${Number.parseInt(code, 16)} [${width}]`).join(" ")
  const content = `BT /F1 10 Tf 1 0 0 1 72 700 Tm ${operators} ET`
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type0 /BaseFont /Shaped /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>",
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Shaped /CIDToGIDMap /Identity /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 8 0 R /DW 500 /W [${widths}] >>`,
    `<< /Length ${table.length} >>\nstream\n${table}\nendstream`,
    "<< /Type /FontDescriptor /FontName /Shaped /Flags 4 /Ascent 900 /Descent -200 /CapHeight 700 /ItalicAngle 0 /StemV 80 /FontBBox [0 -200 1000 900] >>"
  ]
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join("")
  return Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Size 9 /Root 1 0 R >>\n%%EOF\n`, "latin1")
}

const span = (text: string, ...operators: ReadonlyArray<string>): string =>
  `/Span<</ActualText <FEFF${hex(text)}> >> BDC ${operators.join(" ")} EMC`

const read = async (bytes: Uint8Array): Promise<string> => {
  const result = await Pdf.parse(bytes)
  if (result.kind === "failure") throw new Error(result.error)
  return result.markdown
}

describe("texts of spans", () => {
  it("fill the place of all their glyphs, so that a syllable is not cut off its word", async () => {
    const glyphs = [
      { code: "0011", text: "ि", width: 400 },
      { code: "0012", text: "न", width: 700 },
      { code: "0013", text: "म", width: 700 },
      { code: "0014", text: "ा", width: 400 },
      { code: "0015", text: "क", width: 700 }
    ]
    const operators = [
      span("मा", "<0013> Tj", "7 0 Td <0014> Tj"),
      span("नि", "4 0 Td <0011> Tj", "4 0 Td <0012> Tj"),
      span("क", "7 0 Td <0015> Tj")
    ].join(" ")
    assert.strictEqual(await read(page(glyphs, operators)), "मानिक")
  })

  it("have marks without a width at their letter", async () => {
    const glyphs = [
      { code: "0011", text: "ร", width: 600 },
      { code: "0012", text: "ั", width: 0 },
      { code: "0013", text: "ก", width: 600 }
    ]
    const operators = [
      span("ก", "<0013> Tj"),
      span("รั", "6 0 Td <0011> Tj", "6.8 0 Td <0012> Tj"),
      span("ก", "-0.8 0 Td <0013> Tj")
    ]
    assert.strictEqual(await read(page(glyphs, operators.join(" "))), "กรัก")
  })

  it("are in the order of the letters in a line from right to left, lam and alef of one glyph too", async () => {
    const glyphs = [
      { code: "0011", text: "ﺮ", width: 500 },
      { code: "0012", text: "ﻬ", width: 500 },
      { code: "0013", text: "ﻨ", width: 400 },
      { code: "0014", text: "ﻟ", width: 300 },
      { code: "0015", text: "ا", width: 300 },
      { code: "0016", text: "ﻼ", width: 500 },
      { code: "0017", text: "ﻗ", width: 500 },
      { code: "0018", text: "ﻪ", width: 500 },
      { code: "0003", text: " ", width: 300 }
    ]
    const operators = [
      span("ه", "<0018> Tj"),
      span("لا", "5 0 Td <0016> Tj"),
      span("ق", "5 0 Td <0017> Tj"),
      "5 0 Td <0003> Tj",
      span("ر", "3 0 Td <0011> Tj"),
      span("ه", "5 0 Td <0012> Tj"),
      span("ن", "5 0 Td <0013> Tj"),
      span("ل", "4 0 Td <0014> Tj"),
      span("ا", "3 0 Td <0015> Tj")
    ].join(" ")
    assert.strictEqual(await read(page(glyphs, operators)), "النهر قلاه")
  })

  it("stay where they are in a font whose codes are no glyphs", async () => {
    const glyphs = [
      { code: "0011", text: "a", width: 500 },
      { code: "0012", text: "b", width: 500 }
    ]
    assert.include(await read(page(glyphs, `${span("xy", "<0011> Tj")} 5 0 Td <0012> Tj`)), "xy")
  })
})
