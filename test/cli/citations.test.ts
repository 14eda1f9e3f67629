import { copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { MetadataValue } from "docsluice/DocumentChunk"
import { Effect, Schema } from "effect"
import * as places from "../fixtures/places.ts"
import { runHere } from "./run.ts"

const filler = "and some more words that take up room in a chunk, as texts do. ".repeat(6)

const costs: places.SheetData = {
  name: "Costs",
  at: [2, 3],
  rows: [
    ["item", "note", "sum"],
    ...Array.from({ length: 60 }, (_, at) => [`cost${at}item`, "a note on what was bought and from whom", at])
  ]
}

const income: places.SheetData = {
  name: "Income 2024",
  at: [1, 1],
  rows: [
    ["from", "sum"],
    ["incomefromrent", 10]
  ]
}

const slides: ReadonlyArray<places.SlideData> = [
  { title: "Opening", text: `openingwords ${filler}` },
  { title: "", text: "" },
  { title: "Plan", text: `planwords ${filler}` },
  { title: "Plan", text: `secondplan ${filler}` }
]

const csv = ["name,note", ...Array.from({ length: 150 }, (_, at) => `entry${at}name,"a note, on ""entry"" ${at}"`), ""]

const files: Readonly<Record<string, Uint8Array | string>> = {
  "report.xlsx": places.workbook([costs, income]),
  "report.ods": places.openSpreadsheet([{ ...costs, rows: costs.rows.map((row) => row.map((value) => `o${value}`)) }]),
  "deck.pptx": places.presentation(slides),
  "deck.odp": places.openPresentation(
    slides.map(({ text, title }) => ({ title, text: text === "" ? "" : `o${text}` }))
  ),
  "book.epub": places.book("The Book", [
    { title: "Setting out", text: `chapterone ${filler.repeat(3)}` },
    { title: "Coming home", text: `chaptertwo ${filler.repeat(3)}` }
  ]),
  "handbook.docx": places.wordFile([
    { depth: 1, title: "Leave", text: filler.repeat(2) },
    { depth: 2, title: "Parental leave", text: `parentalword ${filler.repeat(3)}` }
  ]),
  "data.csv": csv.join("\n")
}

const Hits = Schema.parseJson(
  Schema.Array(
    Schema.Struct({
      source: Schema.String,
      pages: Schema.Array(Schema.Number),
      text: Schema.String,
      headingPath: Schema.Array(Schema.Struct({ text: Schema.String })),
      metadata: Schema.Record({ key: Schema.String, value: MetadataValue })
    })
  )
)

/** A store of all files, parsed by the embedded engine. */
const store = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "docsluice-cite-")))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  copyFileSync("test/fixtures/encrypted/plain.xls", join(folder, "old.xls"))
  const to = `--to=libsql:${join(folder, "chunks.db")}`
  const ingested = yield* Effect.promise(() =>
    runHere(["ingest", "--root", folder, `--state=${join(folder, ".state")}`, to, "--max-tokens=160", "--json", "*.*"])
  )
  assert.strictEqual(ingested.status, 0, ingested.stderr + ingested.stdout)
  const search = (word: string, ...more: ReadonlyArray<string>) =>
    Effect.promise(() => runHere(["search", word, to, "--limit=1", ...more]))
  return {
    /** First line for a reader, without rank and score. */
    cited: (word: string) =>
      Effect.map(search(word), ({ stdout }) => stdout.split("\n")[0]?.replace(/^1\. (.*) {2}\(.*$/u, "$1")),
    hit: (word: string, ...more: ReadonlyArray<string>) =>
      Effect.map(
        Effect.flatMap(search(word, "--json", ...more), ({ stdout }) => Schema.decode(Hits)(stdout)),
        ([first]) => first
      )
  }
})

/** Row of a cell range, from and to. */
const rowsOf = (range: MetadataValue | undefined): readonly [number, number] => {
  const [, from, to] = /^[AB](\d+):D(\d+)$/u.exec(String(range)) ?? []
  return [Number(from), Number(to)]
}

describe("a search hit", () => {
  it.scopedLive("is cited by the sheet and the cells, slide, chapter, heading or rows in which its text stands", () =>
    Effect.gen(function* () {
      const { cited, hit } = yield* store

      for (const [word, source] of [
        ["cost41item", "report.xlsx"],
        ["ocost41item", "report.ods"]
      ] as const) {
        const found = yield* hit(word)
        const [from, to] = rowsOf(found?.metadata["cellRange"])
        assert.deepInclude(found?.metadata, { sheet: "Costs", sheets: ["Costs"] })
        // The heads are in row 3, so that entry 41 is in row 45.
        assert.isTrue(from <= 45 && 45 <= to && from > 4 && to < 63, JSON.stringify(found?.metadata))
        const rows = found?.text.split("\n").filter((line) => line.startsWith("|")) ?? []
        assert.lengthOf(rows, to - from + 1)
        assert.include(rows[45 - from], word)
        assert.strictEqual(
          yield* cited(word),
          `${source}, sheet Costs, ${source.endsWith("ods") ? "A" : "B"}${from}:D${to}`
        )
      }
      // The end of one sheet and the whole of the next.
      assert.match(
        (yield* cited("incomefromrent")) ?? "",
        /^report\.xlsx, sheets Costs!B\d+:D63, 'Income 2024'!A1:B2$/u
      )
      assert.isUndefined((yield* hit("incomefromrent"))?.metadata["sheet"])
      const old = yield* hit("row 202 of the sheet")
      assert.isTrue(String(old?.metadata["cellRange"]).startsWith("A"), JSON.stringify(old?.metadata))

      for (const [word, source, slide] of [
        ["openingwords", "deck.pptx", 1],
        ["planwords", "deck.pptx", 3],
        ["secondplan", "deck.pptx", 4],
        ["oplanwords", "deck.odp", 3],
        ["osecondplan", "deck.odp", 4]
      ] as const) {
        assert.strictEqual(yield* cited(word), `${source}, slide ${slide}`)
        assert.deepInclude(yield* hit(word), { source, pages: [slide] })
      }

      assert.strictEqual(yield* cited("chapterone"), "book.epub, chapter “Setting out”")
      assert.strictEqual(yield* cited("chaptertwo"), "book.epub, chapter “Coming home”")
      assert.strictEqual((yield* hit("chaptertwo", "--filter", "chapter=Coming home"))?.source, "book.epub")
      assert.isUndefined(yield* hit("chaptertwo", "--filter", "chapter=Setting out"))

      const word = yield* hit("parentalword")
      assert.deepStrictEqual(
        word?.headingPath.map(({ text }) => text),
        ["Leave", "Parental leave"]
      )

      const entry = yield* hit("entry120name")
      const [first, last] = [Number(entry?.metadata["firstRow"]), Number(entry?.metadata["lastRow"])]
      // The head is row 1, so that entry 120 is row 122.
      assert.isTrue(first <= 122 && 122 <= last && last - first < 40 && last < 152, JSON.stringify(entry?.metadata))
      assert.strictEqual(entry?.text.split("\n")[122 - first]?.includes("entry120name"), true)
      assert.strictEqual(yield* cited("entry120name"), `data.csv, rows ${first}–${last}`)
    })
  )
})
