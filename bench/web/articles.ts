/**
 * Main text of real pages of which the article's body is known: `truth.json`, `{ID: {articleBody}}`, and `html/ID.html.gz`, as in
 * scrapinghub/article-extraction-benchmark. The title is no part of the body, so that ours, which keeps it, pays some precision for it.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Schema } from "effect"
import * as engines from "./engines.ts"
import * as truth from "./truth.ts"

const Truths = Schema.parseJson(
  Schema.Record({ key: Schema.String, value: Schema.Struct({ articleBody: Schema.String }) })
)

type Row = truth.Score & { readonly id: string; readonly split: string; readonly cpuMs: number }

/** Half of the pages, by their ids, were looked at while rules were chosen. */
const splitOf = (id: string): string =>
  (createHash("sha256").update(id).digest()[0] ?? 0) % 2 === 0 ? "learn" : "judge"

const mean = (numbers: ReadonlyArray<number>): number =>
  Math.round((1000 * numbers.reduce((sum, own) => sum + own, 0)) / numbers.length) / 10

const sums = (rows: ReadonlyArray<Row>) => ({
  pages: rows.length,
  f1: mean(rows.map(({ f1 }) => f1)),
  precision: mean(rows.map(({ precision }) => precision)),
  recall: mean(rows.map(({ recall }) => recall)),
  cpuMs: Math.round(rows.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / rows.length)
})

/** Figures of each engine for both halves and for all pages; with `withRows` those of each page. */
export const run = async (folder: string, withRows: boolean) => {
  const pages = Object.entries(Schema.decodeSync(Truths)(readFileSync(join(folder, "truth.json"), "utf8")))
  const all = { ours: engines.ours("markdown", true), ...(await engines.peers(false)) }
  const rows: Record<string, Array<Row>> = {}
  for (const [id, { articleBody }] of pages) {
    const html = gunzipSync(readFileSync(join(folder, "html", `${id}.html.gz`))).toString("utf8")
    for (const [name, extract] of Object.entries(all)) {
      const before = process.cpuUsage()
      // oxlint-disable-next-line no-await-in-loop -- in turns
      const found = await engines.attempt(extract, html)
      const { system, user } = process.cpuUsage(before)
      const words = name === "ours" ? truth.markdownWords(found) : truth.wordsOf(found)
      const score = truth.compare(words, truth.textWords(articleBody))
      rows[name] = [...(rows[name] ?? []), { id, split: splitOf(id), ...score, cpuMs: (user + system) / 1000 }]
    }
  }
  return Object.fromEntries(
    Object.entries(rows).map(([name, own]) => [
      name,
      {
        learn: sums(own.filter(({ split }) => split === "learn")),
        judge: sums(own.filter(({ split }) => split === "judge")),
        all: sums(own),
        ...(withRows && { rows: own.toSorted((left, right) => left.f1 - right.f1) })
      }
    ])
  )
}
