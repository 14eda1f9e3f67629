import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import * as Outcomes from "../../../src/internal/run/outcome.ts"
import { Collected } from "../../../src/internal/run/runReport.ts"
import { Top } from "../../../src/internal/run/top.ts"
import * as Total from "../../../src/internal/run/total.ts"
import { maxBytes, RunReport } from "../../../src/internal/state/ledger/runReport.ts"
import { type Failed, Foreign, Stored, Summary, Unchanged } from "../../../src/Outcome.ts"
import { documentId } from "../../../src/SourceFile.ts"
import { runs } from "../../fixtures/seed.ts"

const subject = { startedAt: 1, finishedAt: 2, root: "docs", folder: "/docs", sinks: ["jsonl:/chunks"] }

const named = (source: string) => ({ source, documentId: documentId("docs", source), root: "docs" })

const stored = (source: string, members: Partial<Pick<Stored, "bytes" | "chunks" | "truncated">> = {}): Stored =>
  Stored.make({
    ...named(source),
    chunks: { added: 1, deleted: 0, unchanged: 0 },
    pages: 1,
    credits: 1,
    tokens: 10,
    bytes: 100,
    fromCache: false,
    truncated: false,
    warnings: [],
    ...members
  })

const failed = (source: string, tag: string, message: string): Failed =>
  Outcomes.failed(named(source), new Foreign({ tag, message }))

const summary = Summary.make(Total.nothing)

describe("top", () => {
  it.prop("keeps the largest in order, of equal ones the earlier", [FastCheck.array(FastCheck.nat(9))], ([sizes]) => {
    const top = new Top<{ readonly size: number; readonly at: number }>(5, ({ size }) => size)
    const items = sizes.map((size, at) => ({ size, at }))
    for (const item of items) top.add(item)
    assert.deepStrictEqual(top.all(), items.toSorted((left, right) => right.size - left.size).slice(0, 5))
  })
})

describe("run report", () => {
  it("times each document from its turn to its outcome, and lists the slowest, failed ones too", () => {
    let now = 0
    const collected = new Collected(() => now)
    for (let at = 0; at < 30; at++) {
      collected.began(`${at}.pdf`)
      now += at
      collected.add(
        at === 29 ? failed("29.pdf", "GatewayTimeout", "29.pdf: late") : stored(`${at}.pdf`, { bytes: 1000 - at })
      )
    }
    collected.add(Unchanged.make(named("same.pdf")))
    const report = collected.report(summary, subject)
    assert.deepInclude(report.slowest[0], { source: "29.pdf", millis: 29, failed: "GatewayTimeout" })
    assert.deepStrictEqual(
      report.slowest.map(({ millis }) => millis),
      Array.from({ length: 20 }, (_, at) => 29 - at)
    )
    assert.deepStrictEqual(
      report.largest.map(({ source }) => source),
      Array.from({ length: 20 }, (_, at) => `${at}.pdf`)
    )
  })

  it("groups failures by tag, the most frequent first, and those of too many tags in one", () => {
    const collected = new Collected(() => 0)
    for (let tag = 0; tag < 30; tag++) {
      for (let at = 0; at <= 30 - tag; at++) collected.add(failed(`${at}.pdf`, `Tag${tag}`, "why"))
    }
    const { failures } = collected.report(summary, subject)
    assert.strictEqual(failures.length, 21)
    assert.deepInclude(failures[0], { tag: "Tag0", count: 31 })
    assert.strictEqual(failures[0]?.documents.length, 20)
    assert.deepInclude(failures[20], { tag: "", count: 65 })
  })

  it("counts chunk sizes in bars with inclusive upper bounds", () => {
    const collected = new Collected(() => 0)
    collected.chunks([0, 16, 17, 512, 513, 8192, 8193, 1_000_000].map((tokens) => ({ tokens })))
    const { chunkSizes } = collected.report(summary, subject)
    const filled = chunkSizes.filter(({ chunks }) => chunks > 0).map(({ chunks, upTo }) => [upTo, chunks])
    assert.deepStrictEqual(filled, [
      [16, 2],
      [32, 1],
      [512, 1],
      [640, 1],
      [8192, 1],
      [null, 2]
    ])
  })

  const hostile = FastCheck.oneof(
    FastCheck.string({ unit: "binary", maxLength: 4096, size: "max" }),
    FastCheck.nat(4096).map((length) => "\u0001".repeat(length)),
    FastCheck.nat(4096).map((length) => "\ud800".repeat(length)),
    FastCheck.nat(4096).map((length) => "漢".repeat(length))
  )

  it.prop(
    "stays below its bound whatever names and messages are, and is read back as it was written",
    [FastCheck.array(hostile, { minLength: 1, maxLength: 8 })],
    ([names]) => {
      const collected = new Collected(() => 0)
      const name = (at: number): string => names[at % names.length] ?? ""
      for (let at = 0; at < 500; at++) {
        collected.removed(name(at))
        collected.add(failed(name(at), `${at % 40}${name(at)}`, name(at + 1)))
        const chunks = { added: at % 3, deleted: 0, unchanged: 0 }
        collected.add(stored(name(at), { chunks, bytes: at, truncated: at % 2 === 0 }))
      }
      const warnings = names.map((source) => ({ source, message: source }))
      const unsupportedTypes = Object.fromEntries(names.map((extension) => [extension, 1]))
      const stopped = { tag: name(0), message: name(1) }
      const whole = Summary.make({ ...Total.nothing, warnings, unsupportedTypes, stopped })
      const report = collected.report(whole, { ...subject, root: name(0), folder: name(1), sinks: names })
      const json = Schema.encodeSync(Schema.parseJson(RunReport))(report)
      assert.isAtMost(Buffer.byteLength(json), maxBytes)
      assert.deepStrictEqual(Schema.decodeSync(Schema.parseJson(RunReport))(json), report)
      assert.isAtLeast(report.largest.length, 5)
    },
    { fastCheck: { numRuns: runs(30) } }
  )
})
