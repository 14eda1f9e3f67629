import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Columns from "../../src/cli/Columns.ts"
import * as Terminal from "./terminal.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const store = ["--to", "libsql:store.db", "--embedder", "hash"]

const commands = [
  ["--help"],
  ["--help-all"],
  ["ingest", "--help"],
  ["ingest", "--help-all"],
  ["plan", "docs", ...store],
  ["ingest", "docs", ...store],
  ["ingest", "docs", ...store, "--no-color"],
  ["failures"],
  ["status"],
  ["doctor"],
  ["search", "gauges in the station network", ...store],
  ["cache"],
  ["ingset"],
  ["ingest", "docs", "--to", "libsq:store.db"],
  ["retry", "--state", "a/state/directory/that/is/not/there"]
] as const

/** A page with a drawing and no text. */
const scan = (): string => {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << >> >>",
    "<< /Length 24 >>\nstream\n0 0 1 rg 9 9 99 99 re f\n\nendstream"
  ]
  let text = "%PDF-1.4\n"
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, "0")} 00000 n \n`
  })
  return `${text}xref\n0 5\n0000000000 65535 f \n${offsets.join("")}trailer << /Size 5 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
}

const long = "docs/reports/of/the/station/network/from/north/to/south/annual-report-of-the-year-2023.docx"

describe.skipIf(!Terminal.available)("the command line in a terminal", () => {
  const captures = new Map<number, ReadonlyArray<Terminal.Capture>>()
  let folder = ""

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "docsluice-terminal-"))
    mkdirSync(join(root, "dist/captures"), { recursive: true })
    await Promise.all(
      [80, 40].map(async (columns) => {
        const place = join(folder, String(columns))
        mkdirSync(join(place, long, ".."), { recursive: true })
        for (const name of ["handbook.pdf", "network.html", "stations.csv"]) {
          cpSync(join(root, "examples/documents", name), join(place, "docs", name))
        }
        for (const name of [long, "docs/日本語の資料と年次報告書と観測所の一覧と説明.docx"]) {
          writeFileSync(join(place, name), "PK\u0003\u0004 this is no archive")
        }
        writeFileSync(join(place, "docs/empty.pdf"), "")
        writeFileSync(join(place, "docs/scan.pdf"), scan())
        writeFileSync(join(place, "docs/tool.exe"), "MZ")
        const seen = await Terminal.capture(place, columns, commands)
        captures.set(columns, seen)
        // To be looked at: cat dist/captures/80.txt
        const shown = seen.map(({ text, words }) => `$ docsluice ${words.join(" ")}\n${text}`)
        writeFileSync(join(root, `dist/captures/${columns}.txt`), shown.join("\n"))
      })
    )
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** What a command printed, as lines without control codes. */
  const linesOf = (columns: number, ...words: ReadonlyArray<string>): ReadonlyArray<string> => {
    const found = captures.get(columns)?.find((capture) => capture.words.join(" ") === words.join(" "))
    return found === undefined ? [] : Terminal.lines(found)
  }

  it.each([80, 40])("has no line that is wider than %d columns", (columns) => {
    for (const capture of captures.get(columns) ?? []) {
      const wider = Terminal.lines(capture).filter((line) => Columns.width(line) > columns)
      assert.isEmpty(wider, capture.words.join(" "))
      assert.isNotNaN(capture.status, capture.words.join(" "))
    }
  })

  it.each([80, 40])("breaks no word and no flag in %d columns", (columns) => {
    const words = [
      "DocumentUnparsable",
      "FileUnreadable",
      "docsluice",
      "unsupported",
      "documents",
      "--embedder",
      "hash"
    ]
    for (const given of [["ingest", "docs", ...store], ["failures"], ["doctor"], ["plan", "docs", ...store]]) {
      const text = linesOf(columns, ...given).join("\n")
      assert.isAbove(text.length, 100)
      for (const word of words) {
        const cuts = Array.from(
          { length: word.length - 1 },
          (_, at) => `${word.slice(0, at + 1)}\\n *${word.slice(at + 1)}`
        )
        assert.notMatch(text, new RegExp(`\\b(${cuts.join("|")})\\b`, "u"))
      }
    }
  })

  it("says what was stored, what failed by cause, what is empty, and what to type next", () => {
    for (const columns of [80, 40]) {
      const text = linesOf(columns, "ingest", "docs", ...store)
        .join("\n")
        .replaceAll(/\s+/gu, " ")
      assert.match(text, /stored 3 documents, \d+ chunks in libsql:store\.db/)
      assert.match(text, /of 8 files: 1 empty, 3 failed, 1 of unsupported types/)
      assert.match(text, /2 cannot be parsed \(DocumentUnparsable\)/)
      assert.match(text, /1 cannot be read \(FileUnreadable\)/)
      assert.match(text, /1 empty no text was found/)
      const typed = text.replaceAll(" \\ ", " ")
      assert.include(typed, `next: docsluice ingest docs ${store.join(" ")} (once they are mended)`)
      const failures = linesOf(columns, "failures").join("\n")
      assert.include(failures, "2 cannot be parsed (DocumentUnparsable)")
      assert.match(failures, /….*nual-report-of-the-year-2023\.docx/)
    }
  })

  it("shows doctor and plan as tables in 80 columns, and takes more lines a row where they do not fit", () => {
    assert.isTrue(linesOf(80, "doctor").some((line) => /^STORE +DOCUMENTS +MISSING +EXTRA +STALE$/u.test(line)))
    assert.isTrue(linesOf(80, "plan", "docs", ...store).some((line) => /^FILE +ACTION +PAGES +WHY$/u.test(line)))
    assert.isTrue(linesOf(80, "plan", "docs", ...store).some((line) => /^docs\/handbook\.pdf +new +4/u.test(line)))
    assert.isTrue(linesOf(40, "doctor").some((line) => /^ {2}\d+ documents, 0 missing/u.test(line)))
  })

  it("uses bold and red only, and neither with --no-color or NO_COLOR", async () => {
    const used = new Set<string>()
    for (const capture of [...captures.values()].flat()) {
      const colours = Terminal.colours(capture)
      if (capture.words.some((word) => word === "--no-color")) assert.isEmpty([...colours])
      for (const code of colours) used.add(code)
    }
    assert.sameMembers([...used], ["1", "22", "31", "39"])
    const plain = await Terminal.capture(join(folder, "80"), 80, [["--help"], ["failures"], ["nosuch"]], {
      NO_COLOR: "1"
    })
    for (const capture of plain) assert.isEmpty([...Terminal.colours(capture)])
  })
})

describe("the colour of failures", () => {
  /** Red of xterm, GNOME, Windows Terminal, VS Code and Terminal of macOS. */
  const reds = [0xcd0000, 0xcc0000, 0xc50f1f, 0xcd3131, 0xc23621]

  const luminance = (colour: number): number => {
    const part = (shift: number) => {
      const share = ((colour >> shift) & 255) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    }
    return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
  }

  it("can be read on black and on white: a contrast of at least 3 to 1", () => {
    for (const red of reds) {
      assert.isAtLeast((luminance(red) + 0.05) / 0.05, 3)
      assert.isAtLeast(1.05 / (luminance(red) + 0.05), 3)
    }
  })
})
