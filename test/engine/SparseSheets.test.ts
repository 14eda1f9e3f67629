import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CompoundFile from "../../src/engine/content/CompoundFile.ts"
import type { OfficeExtension } from "../../src/engine/jobs.ts"
import { Refusal } from "../../src/engine/lanes/serve.ts"
import * as OfficeParser from "../../src/engine/office/OfficeParser.ts"
import * as BinarySheet from "../../src/engine/office/sparse/BinarySheet.ts"
import * as SparseSheets from "../../src/engine/office/sparse/SparseSheets.ts"
import * as XmlSheet from "../../src/engine/office/sparse/XmlSheet.ts"
import * as documents from "./documents.ts"

const parse = (extension: OfficeExtension, bytes: Uint8Array) =>
  Effect.map(
    Effect.tryPromise({
      try: () => OfficeParser.parse({ kind: "office", bytes, extension, ...documents.treeOptions }),
      catch: (cause) => (cause instanceof Refusal ? cause : new Refusal("malformed", String(cause)))
    }),
    ({ markdown }) => markdown
  )

const cell = (place: string, value: number): string => `<c r="${place}"><v>${value}</v></c>`

const apart = documents.xlsx(
  `<row r="1">${cell("A1", 1)}</row><row r="1048576">${cell("A1048576", 2)}${cell("XFD1048576", 3)}</row>`
)

describe("a sheet whose cells lie far apart", () => {
  it.effect("has its cells in rows and columns next to each other, in a .xlsx", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* parse("xlsx", apart), "|  |  |\n| --- | --- |\n| 1 |  |\n| 2 | 3 |\n")
    })
  )

  it.effect("has them so in an .ods", () =>
    Effect.gen(function* () {
      const filled = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`
      const gap = (count: number) => `<table:table-cell table:number-columns-repeated="${count}"/>`
      const rows = `<table:table-row>${filled("a")}</table:table-row>
        <table:table-row table:number-rows-repeated="1048574">${gap(16384)}</table:table-row>
        <table:table-row>${gap(16382)}<table:table-cell></table:table-cell>${filled("b")}</table:table-row>`
      const markdown = yield* parse("ods", documents.ods(rows))
      const lines = markdown.split("\n").filter((line) => /[ab]/.test(line))
      assert.deepStrictEqual(lines, ["| a |  |", "|  | b |"])
      assert.isBelow(markdown.length, 100)
    })
  )

  it.effect("has them so in an .xls", () =>
    Effect.gen(function* () {
      const bytes = readFileSync("test/fixtures/encrypted/plain.xls")
      const file = CompoundFile.open(bytes)
      const entry = file?.entries.find(({ name }) => name === "Workbook")
      assert.isDefined(entry)
      if (file === undefined || entry === undefined) return
      const stream = Buffer.from(file.read(entry) ?? [])
      const last = stream.lastIndexOf(Buffer.from([0x03, 0x02, 14, 0]))
      stream.writeUInt16LE(65_535, last + 4)
      stream.writeUInt16LE(255, last + 6)
      const markdown = yield* parse("xls", file.replaced(entry, stream))
      assert.include(markdown, "| row 202 of the sheet |  |  |")
      assert.include(markdown, "|  |  | 199 |")
      assert.isBelow(markdown.length, 20_000)
    })
  )

  it("has them so in the records of an .xlsb", () => {
    const number = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, 0]
    const row = (at: number) => [0, 8, ...number(at), 0, 0, 0, 0]
    const value = (column: number) => [2, 12, ...number(column), 0, 0, 0, 0, 1, 0, 0, 0]
    const sheet = (down: number, right: number) =>
      Uint8Array.from([...row(0), ...value(0), ...row(down), ...value(right), 0x93, 0x01, 1, 7])
    const closer = BinarySheet.closer(sheet(1_048_575, 16_383))
    assert.deepStrictEqual(Uint8Array.from(closer ?? []), sheet(1, 1))
    assert.isUndefined(BinarySheet.closer(sheet(10, 10)))
  })

  it.effect("is refused when it is too large even without its empty rows and columns", () =>
    Effect.gen(function* () {
      const letters = (column: number): string =>
        column < 26 ? String.fromCharCode(65 + column) : letters(Math.floor(column / 26) - 1) + letters(column % 26)
      const rows = Array.from(
        { length: 3000 },
        (_, at) => `<row r="${at + 1}">${cell(letters(at) + (at + 1), at)}</row>`
      )
      const refused = yield* Effect.flip(parse("xlsx", documents.xlsx(rows.join(""))))
      assert.strictEqual(refused.reason, "resourceLimit")
      assert.match(refused.message, /the 3000 cells of a sheet are spread over 9000000 places/)
    })
  )
})

describe("a number with white space around it", () => {
  it.effect("is a number: the parser drops the sheet of one", () =>
    Effect.gen(function* () {
      const cells = '<c r="A1"><v> 41</v></c><c r="B1"><v>1.5e3\n</v></c><c r="C1" t="str"><v> 7 days</v></c>'
      const markdown = yield* parse("xlsx", documents.xlsx(`<row r="1">${cells}</row>`))
      assert.include(markdown, "| 41 | 1500 | 7 days |")
    })
  )
})

describe("a table of text", () => {
  it.effect("with one long row and many short ones is refused, not filled up", () =>
    Effect.gen(function* () {
      const ragged = (rows: number) => Buffer.from(`${"a,".repeat(rows)}a\n${"b\n".repeat(rows)}`)
      const refused = yield* Effect.flip(parse("csv", ragged(20_000)))
      assert.match(refused.message, /20002 rows of which the longest has 20001 cells, with 40002 cells in all/)
      assert.include(yield* parse("csv", ragged(10)), "| a | a |")
      assert.include(yield* parse("csv", Buffer.from("a,b\n".repeat(100_000))), "| a | b |")
    })
  )
})

describe("any other document", () => {
  it("stays as it is, byte for byte", () => {
    for (const bytes of [
      documents.xlsx(),
      documents.docx(),
      documents.xlsx(`<row r="5">${cell("C5", 1)}</row><row r="900">${cell("Z900", 2)}</row>`),
      documents.xlsx(`<row r="1">${cell("A1", 1)}</row><row r="9999"><c r="ZZ9999" s="1"/></row>`),
      documents.xlsx().subarray(0, 300),
      readFileSync("test/fixtures/encrypted/plain.xls"),
      new Uint8Array(10)
    ]) {
      assert.strictEqual(SparseSheets.closer(bytes).bytes, bytes)
    }
  })
})

describe("the cells of a sheet", () => {
  const places = (xml: string) => Array.from(XmlSheet.cells(xml), ({ column, row }) => [row, column])

  it("are read however their positions are written", () => {
    const written = [
      `<c r="AB12"><v>1</v></c>`,
      `<x:c s="1" r = 'AB12'><v>1</v></x:c>`,
      `<c\nr="AB12"\n><v/></c>`,
      `<c t="s" r="AB12">`
    ]
    for (const xml of written) assert.deepStrictEqual(places(xml), [[11, 27]], xml)
  })

  it("follow one another where they have no position, or one that cannot be read", () => {
    const cell = (position: string) => `<c${position}><v>1</v></c>`
    const row = `${cell("")}<c/>${cell(' r="ABCD1"')}${cell(' r="Z99999999"')}`
    assert.deepStrictEqual(places(`<row r="3">${row}</row><row>${cell("")}</row><col><cols/><c`), [
      [2, 0],
      [2, 2],
      [2, 3],
      [3, 0]
    ])
  })
})
