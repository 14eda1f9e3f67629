/** The report of a run agrees with itself, whatever the outcomes of its documents are. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import * as RunState from "../../src/internal/client/runState.ts"
import * as Outcomes from "../../src/internal/run/outcome.ts"
import * as Session from "../../src/internal/run/session.ts"
import { SummaryCounts } from "../../src/internal/run/summaryCounts.ts"
import { Foreign, NotAttempted, Stored, Unchanged, Unsupported } from "../../src/Outcome.ts"
import { documentId } from "../../src/SourceFile.ts"
import { render } from "../../src/view/report/ReportPage.tsx"

const tags = ["Stored", "Unchanged", "Failed", "Unsupported", "NotAttempted"] as const

interface Fate {
  readonly tag: (typeof tags)[number]
  /** Tokens of its chunks. */
  readonly chunks: ReadonlyArray<number>
  readonly kept: number
  readonly warnings: number
  readonly error: number
}

const fate: FastCheck.Arbitrary<Fate> = FastCheck.record({
  tag: FastCheck.constantFrom(...tags),
  chunks: FastCheck.array(FastCheck.integer({ min: 1, max: 10_000 }), { maxLength: 6 }),
  kept: FastCheck.nat(6),
  warnings: FastCheck.nat(2),
  error: FastCheck.nat(24)
})

const outcomeOf = ({ chunks, error, kept, tag, warnings }: Fate, at: number) => {
  const source = `folder/${at}.pdf`
  const named = { source, documentId: documentId("docs", source), root: "docs" }
  if (tag === "Failed") return Outcomes.failed(named, new Foreign({ tag: `Tag${error}`, message: "why" }))
  if (tag === "Unchanged") return Unchanged.make(named)
  if (tag === "Unsupported") return Unsupported.make({ ...named, extension: `x${error}` })
  if (tag === "NotAttempted") return NotAttempted.make(named)
  const unchanged = Math.min(kept, chunks.length)
  return Stored.make({
    ...named,
    chunks: { added: chunks.length - unchanged, deleted: kept, unchanged },
    pages: kept,
    credits: 1,
    tokens: chunks.reduce((sum, tokens) => sum + tokens, 0),
    bytes: 100 + at,
    fromCache: false,
    truncated: warnings === 2,
    warnings: Array.from({ length: warnings }, (_, number) => `warning ${number}`)
  })
}

const reportOf = (fates: ReadonlyArray<Fate>) =>
  Effect.gen(function* () {
    const session = yield* Session.make(yield* RunState.make)
    const counts = new SummaryCounts()
    for (const [at, fate] of fates.entries()) {
      const outcome = outcomeOf(fate, at)
      session.discovered += 1
      session.collected.add(outcome)
      counts.add(outcome)
      if (outcome._tag === "Stored") session.collected.chunks(fate.chunks.map((tokens) => ({ tokens })))
    }
    const subject = { startedAt: 0, finishedAt: 1, root: "docs", folder: "/docs", sinks: ["jsonl:/chunks"] }
    return session.collected.report(counts.summary(session, 1), subject)
  })

const linksOf = () => ({ file: null, folder: null, command: null })

/** The page with the run in its history and in detail. */
const pageOf = (report: Effect.Effect.Success<ReturnType<typeof reportOf>>): string =>
  render({
    state: ".docsluice",
    styleHash: "sha256-x",
    history: [{ run: 1, startedAt: 0, finishedAt: 1, request: "", report }],
    details: [{ run: 1, report, linksOf, retry: null }]
  })

const numberIn = (text: string): number => Number(/\d[\d,]*/u.exec(text)?.[0].replaceAll(",", "") ?? 0)

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/gu, " ")

const factsOf = (html: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Array.from(html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gu), ([, name = "", value = ""]) => [
      name,
      numberIn(value)
    ])
  )

/** Cells of the rows of a table, without its head. */
const rowsOf = (html: string, label: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [, body = ""] = new RegExp(`<table aria-label="${label}">.*?<tbody>(.*?)</tbody>`, "u").exec(html) ?? []
  return Array.from(body.matchAll(/<tr>(.*?)<\/tr>/gu), ([, row = ""]) =>
    Array.from(row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gu), ([, cell = ""]) => textOf(cell).trim())
  )
}

/** Numbers of the headings, such as `3 failed documents`. */
const headed = (html: string, words: RegExp): number =>
  Array.from(html.matchAll(/<h([34])>(.*?)<\/h\1>/gu), ([, , text = ""]) => textOf(text))
    .filter((text) => words.test(text))
    .reduce((sum, text) => sum + numberIn(text), 0)

const least = (count: number): number => Math.min(20, count)

describe("the report of a run", () => {
  it.prop(
    "has the same counts in its head, its history, its headings, its tables and its lists",
    [FastCheck.array(fate, { maxLength: 60 })],
    ([fates]) => {
      const html = pageOf(Effect.runSync(reportOf(fates)))
      const { Chunks, Empty, Failed, Found, Removed, Stored, Tokens, Unchanged, ...others } = factsOf(html)
      const outcomes = [Stored, Unchanged, Empty, Failed, others["Types not read"], others["Not attempted"]]
      const sum = outcomes.reduce<number>((all, count = 0) => all + count, 0)
      assert.deepStrictEqual([Found, sum], [fates.length, fates.length])
      const [row = []] = rowsOf(html, "The last runs")
      assert.deepStrictEqual(row.slice(6, 11).map(numberIn), [Stored, Unchanged, Empty, Failed, Removed])
      assert.strictEqual(numberIn(row[4] ?? ""), Found)
      assert.strictEqual(headed(html, /failed documents?$/u), Failed)
      assert.strictEqual(headed(html, /Tag\d|other errors/u), Failed)
      const sizes = rowsOf(html, "Chunk sizes").reduce((all, [, count = ""]) => all + numberIn(count), 0)
      assert.strictEqual(sizes, Chunks)
      assert.strictEqual(headed(html, /warnings?$/u) === 0, rowsOf(html, "Warnings").length === 0)
      assert.lengthOf(rowsOf(html, "Warnings"), least(headed(html, /warnings?$/u)))
      assert.lengthOf(rowsOf(html, "Empty"), least(Empty ?? 0))
      const largest = rowsOf(html, "Largest")
      assert.lengthOf(largest, least((Stored ?? 0) + (Empty ?? 0)))
      if (largest.length < 20) {
        const tokens = largest.reduce((all, cells) => all + numberIn(cells[5] ?? ""), 0)
        const chunks = largest.reduce((all, cells) => all + numberIn(cells[4] ?? ""), 0)
        assert.deepStrictEqual([tokens, chunks], [Tokens, Chunks])
      }
    }
  )

  it("has no word of credits where nothing was paid", () => {
    const report = Effect.runSync(reportOf([{ tag: "Stored", chunks: [5], kept: 0, warnings: 0, error: 0 }]))
    assert.notMatch(pageOf(report), /credit|cost/iu)
    assert.match(pageOf({ ...report, credits: 7 }), /Credits[^]*Credits/u)
  })
})
