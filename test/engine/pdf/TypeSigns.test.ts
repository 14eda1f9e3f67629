import { Buffer } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { parse } from "./parse.ts"
import { type DocumentSpec, stream, text } from "./writePdf.ts"

/** The codes of signs in the encoding of Windows. */
const windows: ReadonlyMap<string, string> = new Map([
  ["‚", "\u0082"],
  ["„", "\u0084"],
  ["‘", "\u0091"],
  ["’", "\u0092"],
  ["“", "\u0093"],
  ["”", "\u0094"],
  ["–", "\u0096"],
  ["—", "\u0097"]
])

const coded = (content: string): string => Array.from(content, (sign) => windows.get(sign) ?? sign).join("")

const read = async (content: string, spec: Partial<DocumentSpec> = {}): Promise<string> =>
  (await parse({ pages: [{ marks: [text(72, 200, content)] }], ...spec })).markdown

const table = (...sections: ReadonlyArray<string>): string =>
  stream(Buffer.from(`/CIDInit /ProcSet findresource begin begincmap ${sections.join(" ")} endcmap end`))

const word = FastCheck.stringMatching(/^[a-z]{1,6}$/)
const sign = FastCheck.constantFrom(...windows.keys(), "'", '"', "-")

describe("quotation marks and dashes", () => {
  it.effect.prop(
    "stand in the Markdown as in the document, whatever holds its objects",
    [FastCheck.array(FastCheck.tuple(word, sign, word), { minLength: 1, maxLength: 8 }), FastCheck.boolean()],
    ([words, packed]) =>
      Effect.gen(function* () {
        const content = words.map((parts) => parts.join("")).join(" ")
        assert.strictEqual(yield* Effect.promise(() => read(coded(content), { packed })), content)
      }),
    { fastCheck: { numRuns: 30 } }
  )

  it("are those of ASCII in a font of one width", async () => {
    const marks = [text(72, 200, coded("print(“it’s”) – 1"), { font: "mono" })]
    assert.include((await parse({ pages: [{ marks }] })).markdown, `print("it's") - 1`)
  })

  it("are found by the names of an encoding that differs from one with a name", async () => {
    const font =
      "Helvetica /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 /endash /a 65 /quotedblleft /uni2019 39 /quotesingle] >>"
    assert.strictEqual(await read("x\u0001y Ax By '", { font }), "x–y “x ’y '")
  })

  it("are found in the standard encoding, whose apostrophe is a quotation mark", async () => {
    assert.strictEqual(await read("it's \u00aax\u00ba 1\u00b12", { font: "Helvetica" }), "it’s “x” 1–2")
  })

  it("are found in the encoding of a font program", async () => {
    const program = Buffer.from(
      "%!PS-AdobeFont-1.0: X\n/Encoding 256 array\ndup 123 /endash put\ndup 92 /quotedblleft put\n"
    )
    const objects = [
      "<< /Type /FontDescriptor /FontName /CMR10 /Flags 4 /FontFile 11 0 R >>",
      stream(program, ` /Length1 ${program.length}`)
    ]
    const font = "CMR10 /FontDescriptor 10 0 R"
    assert.include(await read("1{2", { font, objects }), "1–2")
  })

  it("are found in the table of a font, in ranges, in lists and one by one, and the table's other codes stay", async () => {
    const font = "Helvetica /ToUnicode 10 0 R"
    const objects = [
      table(
        "2 beginbfrange <61> <6f> <2010> <70> <72> [<2018> <0078> <00660069>] endbfrange",
        "2 beginbfchar <41> <201c> <42> <0394> endbfchar"
      )
    ]
    // U+2010 and U+2011 are hyphens, U+2016 and U+2017 neither dashes nor quotation marks.
    assert.strictEqual(await read("Bdefi qrB AB", { font, objects }), "Δ–—―‘ xfiΔ “Δ")
  })

  it("do not keep a document with a damaged table from being read", async () => {
    const font = "Helvetica /ToUnicode 10 0 R"
    const objects = [table("1 beginbfrange <zz> <> <2013 endbfrange 1 beginbfchar <41> <2013> endbfchar")]
    assert.include(await read("xAy", { font, objects }), "x")
  })
})

describe("lam and alef of one glyph", () => {
  it("keep their order where a font gives both letters for it", async () => {
    const letters = table(
      "1 begincodespacerange <00> <FF> endcodespacerange 4 beginbfchar <61> <0623> <62> <0639> <63> <06440627> <64> <0647> endbfchar"
    )
    assert.strictEqual(await read("dcba", { font: "Helvetica /ToUnicode 10 0 R", objects: [letters] }), "أعلاه")
  })
})
