import { assert, describe, it } from "@effect/vitest"
import * as DocumentChunk from "docsluice/DocumentChunk"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Tokenizer from "docsluice/Tokenizer"
import { Effect, FastCheck } from "effect"
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate"
import * as SheetCharts from "../../../src/engine/office/SheetCharts.ts"
import { markdownDocument } from "../../chunking/markdownDocument.ts"
import * as places from "../../fixtures/places.ts"
import { chart, drawing, graphic, numbers, rain, relations, series, space, table, texts, titled } from "./chartParts.ts"
import { markdownOf, parsed } from "./parsed.ts"

type Cell = readonly [column: number, row: number, offset?: number]

const end = (name: string, [column, row, offset = 0]: Cell): string =>
  `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>${offset}</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>${offset}</xdr:rowOff></xdr:${name}>`

const frame = (id: string): string => `<xdr:graphicFrame>${graphic(id)}</xdr:graphicFrame>`

/** A drawing's anchor around a chart. */
interface Anchored {
  readonly xml: string
  readonly anchor: (frame: string) => string
}

const between = (from: Cell, to: Cell, xml = rain): Anchored => ({
  xml,
  anchor: (inner) => `<xdr:twoCellAnchor>${end("from", from)}${end("to", to)}${inner}</xdr:twoCellAnchor>`
})

const anchored = (name: string, xml = rain): Anchored => ({
  xml,
  anchor: (inner) => `<xdr:${name}>${name === "oneCellAnchor" ? end("from", [1, 4]) : ""}${inner}</xdr:${name}>`
})

/** The workbook with charts, by the index of their sheet. */
const charted = (
  sheets: ReadonlyArray<places.SheetData>,
  charts: ReadonlyArray<ReadonlyArray<Anchored>>
): Uint8Array => {
  const added = charts.flatMap((own, sheet): ReadonlyArray<readonly [string, string]> => {
    if (own.length === 0) return []
    const anchors = own.map(({ anchor }, at) => anchor(frame(`rId${at}`))).join("")
    const targets = own.map((_, at) => [`rId${at}`, `../charts/s${sheet}n${at}chart.xml`])
    return [
      [
        `xl/worksheets/_rels/sheet${sheets.length - sheet}.xml.rels`,
        relations({ rId9: `../drawings/s${sheet}drawing.xml` })
      ],
      [`xl/drawings/s${sheet}drawing.xml`, `<xdr:wsDr xmlns:xdr="d" ${drawing}>${anchors}</xdr:wsDr>`],
      [`xl/drawings/_rels/s${sheet}drawing.xml.rels`, relations(Object.fromEntries(targets))],
      ...own.map(({ xml }, at) => [`xl/charts/s${sheet}n${at}chart.xml`, xml] as const)
    ]
  })
  return zipSync({
    ...unzipSync(places.workbook(sheets)),
    ...Object.fromEntries(added.map(([name, text]) => [name, strToU8(text)]))
  })
}

const costs: places.SheetData = {
  name: "Costs",
  at: [2, 3],
  rows: [
    ["Item", "Sum"],
    ["Rent", "3"],
    ["", ""],
    ["Name", "Age"],
    ["Ada", "36"]
  ]
}

const stock: places.SheetData = {
  name: "In stock",
  at: [1, 1],
  rows: [
    ["Part", "Count"],
    ["Bolt", "7"]
  ]
}

const empty = (name: string): places.SheetData => ({ name, at: [1, 1], rows: [] })

const costsTables = "| Item | Sum |\n| --- | --- |\n| Rent | 3 |\n\n| Name | Age |\n| --- | --- |\n| Ada | 36 |"

const stockTable = "| Part | Count |\n| --- | --- |\n| Bolt | 7 |"

/** The table of one chart, on a sheet of its own. */
const tableOf = (xml: string) => markdownOf(charted([empty("One")], [[between([0, 0], [1, 1], xml)]]), "xlsx")

const bare = (...all: ReadonlyArray<string>): string =>
  `<c:chartSpace ${space}><c:chart><c:plotArea>${all.join("")}</c:plotArea></c:chart></c:chartSpace>`

describe("a chart of a workbook", () => {
  it.effect("is a table after those of its sheet, with its cells apart from theirs", () =>
    Effect.gen(function* () {
      const document = charted([costs, stock], [[between([7, 3], [14, 17, 5]), between([7, 19], [9, 21])]])
      const { markdown, properties } = yield* parsed(document, "xlsx")
      assert.strictEqual(
        markdown,
        `## Costs\n\n${costsTables}\n\n${table}\n\n${table}\n\n## In stock\n\n${stockTable}\n`
      )
      assert.deepStrictEqual(properties["sheets"], ["Costs!B3:C4", "Costs!B6:C7", "'In stock'!A1:B2"])
      assert.deepStrictEqual(properties["charts"], ["Costs!H4:O18", "Costs!H20:I21"])
    })
  )

  it.effect("is cited by its sheet and the cells below it, and the rows of the sheets by theirs", () =>
    Effect.gen(function* () {
      const document = charted([costs, stock], [[between([7, 3], [14, 17, 5])], [anchored("absoluteAnchor")]])
      const { markdown, properties } = yield* parsed(document, "xlsx")
      const { chunks } = yield* MarkdownChunker.make({ maxTokens: 32, minTokens: 1 })
        .chunk({ ...markdownDocument(markdown), source: "report.xlsx", metadata: properties })
        .pipe(Effect.provide(Tokenizer.layer("o200k_base")))
      const cited = (word: string) =>
        chunks.filter(({ text }) => text.includes(word)).map((chunk) => DocumentChunk.citation(chunk))
      assert.deepStrictEqual(cited("| Rent"), ["report.xlsx, sheet Costs, B3:C4"])
      assert.deepStrictEqual(cited("| Ada"), ["report.xlsx, sheet Costs, B6:C7"])
      assert.deepStrictEqual(cited("| June"), ["report.xlsx, sheet Costs, H4:O18", "report.xlsx, sheet In stock"])
      assert.deepStrictEqual(cited("| Bolt"), ["report.xlsx, sheet In stock, A1:B2"])
    })
  )

  it.effect("leaves tables and ranges of the sheets as they are without it", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.array(FastCheck.constantFrom(costs, stock, empty("Plan")), { minLength: 1, maxLength: 4 }),
          FastCheck.array(FastCheck.integer({ min: 0, max: 2 }), { maxLength: 4 }),
          async (kinds, counts) => {
            const sheets = kinds.map((sheet, at) => ({ ...sheet, name: `${sheet.name} ${at}` }))
            const read = (all: typeof counts) => {
              const charts = sheets.map((_, at) =>
                Array.from({ length: all[at] ?? 0 }, () => between([3, 3], [5, 5, 1]))
              )
              return Effect.runPromise(parsed(charted(sheets, charts), "xlsx"))
            }
            const [without, given] = [await read([]), await read(counts)]
            const added = sheets.flatMap(({ name }, at) => Array<string>(counts[at] ?? 0).fill(`'${name}'!D4:F6`))
            assert.deepStrictEqual(given.properties["sheets"], without.properties["sheets"])
            assert.deepStrictEqual(given.properties["charts"], added.length === 0 ? undefined : added)
            const rest = given.markdown.replaceAll(`${table}\n`, "").replaceAll(/## Plan \d\n/gu, "")
            assert.strictEqual(rest.replaceAll(/\n{2,}/gu, "\n\n").trim(), without.markdown.trim())
            if (added.length === 0) assert.strictEqual(given.markdown, without.markdown)
          }
        ),
        { numRuns: 30 }
      )
    )
  )

  it.effect("on a sheet without cells stands under its name, unless it is the only sheet", () =>
    Effect.gen(function* () {
      const own = [between([0, 0], [1, 1])]
      assert.strictEqual(yield* markdownOf(charted([empty("One")], [own]), "xlsx"), table)
      assert.strictEqual(
        yield* markdownOf(charted([empty("All *x*"), stock, empty("Last")], [own, [], own]), "xlsx"),
        `## All \\*x\\*\n\n${table}\n\n## In stock\n\n${stockTable}\n\n## Last\n\n${table}`
      )
    })
  )

  it.effect("on a chart sheet, which has no cells, stands under the sheet's name", () =>
    Effect.gen(function* () {
      const members = unzipSync(charted([stock, empty("Rain")], [[], [anchored("absoluteAnchor")]]))
      const moved = Object.entries(members).map(([name, bytes]) => [
        name.replace(/worksheets\/(sheet1|_rels\/sheet1)/u, "chartsheets/$1"),
        name === "xl/_rels/workbook.xml.rels" || name === "[Content_Types].xml"
          ? strToU8(
              strFromU8(bytes)
                .replace("worksheets/sheet1", "chartsheets/sheet1")
                .replace(/(chartsheets\/sheet1\.xml" ContentType="[^"]*)worksheet/u, "$1chartsheet")
            )
          : name === "xl/worksheets/sheet1.xml"
            ? strToU8("<chartsheet/>")
            : bytes
      ])
      const { markdown, properties } = yield* parsed(zipSync(Object.fromEntries(moved)), "xlsx")
      assert.strictEqual(markdown, `## In stock\n\n${stockTable}\n\n## Rain\n\n${table}\n`)
      assert.deepStrictEqual(properties["charts"], ["Rain"])
    })
  )

  it.effect("is found in groups and once in versions, with the first cell where the last is not told", () =>
    Effect.gen(function* () {
      const grouped: Anchored = {
        xml: rain,
        anchor: (inner) => {
          const group = `<xdr:oneCellAnchor>${end("from", [1, 4])}<xdr:grpSp>${inner}</xdr:grpSp></xdr:oneCellAnchor>`
          return `<mc:AlternateContent xmlns:mc="m"><mc:Choice>${group}</mc:Choice><mc:Fallback>${group}</mc:Fallback></mc:AlternateContent>`
        }
      }
      const { markdown, properties } = yield* parsed(charted([empty("One")], [[grouped]]), "xlsx")
      assert.strictEqual(markdown.trim(), table)
      assert.deepStrictEqual(properties["charts"], ["One!B5:B5"])
    })
  )

  it.effect("has the formulas of values that it does not keep, or of too many", () =>
    Effect.gen(function* () {
      const source = (kind: string, formula: string): string => `<c:${kind}Ref><c:f>${formula}</c:f></c:${kind}Ref>`
      const unread = `<c:ser><c:tx>${source("str", "S!$B$1")}</c:tx><c:cat>${source("str", "S!$A$2:$A$9")}</c:cat><c:val>${source("num", "S!$B$2:$B$9")}</c:val></c:ser>`
      assert.strictEqual(
        yield* tableOf(bare(`<c:barChart>${unread}</c:barChart>`)),
        "|  | S!$B$1 |\n| --- | --- |\n| S!$A$2:$A$9 | S!$B$2:$B$9 |"
      )
      const many = Array.from({ length: 10_001 }, (_, at) => String(at))
      assert.strictEqual(
        yield* tableOf(chart("T", series("S", texts(many), many))),
        "**T**\n\n|  | S |\n| --- | --- |\n| A | A |"
      )
    })
  )

  it.effect("has numbers for categories that it lacks, and those of each series that differ", () =>
    Effect.gen(function* () {
      const plain = `<c:ser><c:val>${numbers(["5", "6"])}</c:val></c:ser>`
      assert.strictEqual(
        yield* tableOf(bare(`<c:lineChart>${plain}${plain}</c:lineChart>`)),
        "|  |  |  |\n| --- | --- | --- |\n| 1 | 5 | 5 |\n| 2 | 6 | 6 |"
      )
      const spread = (x: string, y: string) =>
        `<c:ser><c:tx><c:v>to ${y}</c:v></c:tx><c:xVal>${numbers([x])}</c:xVal><c:yVal>${numbers([y])}</c:yVal></c:ser>`
      assert.strictEqual(
        yield* tableOf(bare(`<c:scatterChart>${spread("1", "2")}${spread("3", "4")}</c:scatterChart>`)),
        "|  | to 2 |  | to 4 |\n| --- | --- | --- | --- |\n| 1 | 2 | 3 | 4 |"
      )
    })
  )

  it.effect("has dates of days, from 1904 where it counts so", () =>
    Effect.gen(function* () {
      const xml = chart("T", series("S", numbers(["43951"], "d.m.yyyy"), ["1"]))
      const shown = (day: string) => `**T**\n\n|  | S |\n| --- | --- |\n| ${day} | 1 |`
      assert.strictEqual(yield* tableOf(xml), shown("2020-04-30"))
      assert.strictEqual(
        yield* tableOf(xml.replace("<c:chart>", '<c:date1904 val="1"/><c:chart>')),
        shown("2024-05-01")
      )
    })
  )

  it.effect("has its own title, not that of an axis, as text that no sign changes", () =>
    Effect.gen(function* () {
      const bars = `<c:barChart>${series("a|*b*", texts(["_x_"]), ["1"])}</c:barChart>`
      const axis = `<c:valAx>${titled("<c:rich><a:p><a:r><a:t>Axis</a:t></a:r></a:p></c:rich>")}</c:valAx>`
      const shown = "|  | a\\|\\*b\\* |\n| --- | --- |\n| \\_x\\_ | 1 |"
      assert.strictEqual(yield* tableOf(bare(bars, axis).replace("<c:chartSpace", `<c:chartSpace ${drawing}`)), shown)
      const given = bare(bars).replace("<c:chart>", `<c:chart>${titled(texts(["Costs * 2 * 3"]))}`)
      assert.strictEqual(yield* tableOf(given), `**Costs \\* 2 \\* 3**\n\n${shown}`)
    })
  )

  it.effect("that is damaged, missing or empty is left out with no word", () =>
    Effect.gen(function* () {
      const own = ["<c:chartSpace>", chart("T"), "", "<cx:chartSpace/>", bare("<c:barChart><c:ser/></c:barChart>")].map(
        (xml) => between([0, 0], [1, 1], xml)
      )
      const { markdown, properties } = yield* parsed(charted([stock], [own]), "xlsx")
      assert.strictEqual(markdown.trim(), stockTable)
      assert.notProperty(properties, "charts")
    })
  )

  it.effect("of a binary workbook is found by the records of its sheets", () =>
    Effect.gen(function* () {
      const text = (value: string): Buffer => {
        const count = Buffer.alloc(4)
        count.writeUInt32LE(value.length)
        return Buffer.concat([count, Buffer.from(value, "utf16le")])
      }
      const record = Buffer.concat([Buffer.alloc(8), text("rId1"), text("In stock")])
      const { "xl/workbook.xml": _, ...members } = unzipSync(charted([stock], [[between([0, 0], [1, 1])]]))
      const relation = members["xl/_rels/workbook.xml.rels"] ?? new Uint8Array()
      const document = zipSync({
        ...members,
        "xl/workbook.bin": Buffer.concat([Buffer.from([0x9c, 0x01, record.length]), record]),
        "xl/_rels/workbook.bin.rels": relation
      })
      assert.deepStrictEqual(SheetCharts.into("", document), { markdown: `${table}\n`, charts: ["'In stock'!A1:A1"] })
    })
  )
})
