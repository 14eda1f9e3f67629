import { cpus } from "node:os"
import { parseArgs } from "node:util"
import { PiiEntity } from "docsluice/service/ParseOptions"
import * as HtmlView from "../src/engine/redaction/HtmlView.ts"
import * as MarkdownView from "../src/engine/redaction/MarkdownView.ts"
import * as Redaction from "../src/engine/redaction/Redaction.ts"
import * as Rules from "../src/engine/redaction/Rules.ts"
import type { TextView } from "../src/engine/redaction/TextView.ts"
import { hostileNames, hostileText } from "../test/engine/redaction/hostile.ts"
import { leaks } from "../test/engine/redaction/leaks.ts"
import * as LabelledSet from "./redaction/labelledSet.ts"
import * as Score from "./redaction/score.ts"
/**
 * Precision and recall of the rules of redaction on the labelled set, per mode and bucket, on the half that the rules were written with
 * and on the half that they never saw; values that still occur after redaction; CPU time of hostile texts.
 *
 *     npm run bench -- redaction [--seed 20261122] [--fills 3] [--misses]
 *
 * `--misses` prints what is missed and what is wrongly found; of the development half only.
 */

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "20261122" },
    fills: { type: "string", default: "3" },
    misses: { type: "boolean", default: false }
  }
})

const cases = LabelledSet.make(Number(values.seed), Number(values.fills))

const view = ({ shape, text }: LabelledSet.Case): TextView =>
  shape === "html" ? HtmlView.make(text).content : MarkdownView.make(text)

/** The spans that the rules find in a case, in the units of its text. */
const found = (item: LabelledSet.Case, mode: "fast" | "aggressive"): ReadonlyArray<LabelledSet.Span> => {
  const { ranges, text } = view(item)
  return Rules.find(text, mode).flatMap(({ end, entity, start }) => {
    const places = ranges(start, end)
    const from = places[0]?.[0] ?? 0
    return [{ bucket: entity, start: from, end: places.at(-1)?.[1] ?? from }]
  })
}

/** Labelled spans that the view shows: an attribute of HTML is read in another view. */
const shown = (item: LabelledSet.Case): ReadonlyArray<LabelledSet.Span> =>
  item.spans.filter(({ start }) => item.shape !== "html" || !/=["'](?:mailto:)?$/.test(item.text.slice(0, start)))

const overlaps = (span: LabelledSet.Span, others: ReadonlyArray<LabelledSet.Span>): boolean =>
  others.some((other) => other.bucket === span.bucket && other.start < span.end && span.start < other.end)

const print = (item: LabelledSet.Case, mode: string, spans: ReadonlyArray<LabelledSet.Span>): void => {
  const line = (sign: string, { bucket, end, start }: LabelledSet.Span) =>
    console.error(
      `${sign} ${mode} ${item.language} ${item.shape} ${bucket} ${JSON.stringify(item.text.slice(Math.max(0, start - 25), start))} ${JSON.stringify(item.text.slice(start, end))}`
    )
  for (const span of shown(item)) if (!overlaps(span, spans)) line("missed", span)
  for (const span of spans) if (!overlaps(span, item.spans)) line("wrong", span)
}

const scored = (half: LabelledSet.Case["half"], mode: "fast" | "aggressive") => {
  const score = Score.make()
  for (const item of cases) {
    if (item.half !== half) continue
    const spans = found(item, mode)
    Score.add(score, shown(item), spans)
    if (values.misses && half === "development") print(item, mode, spans)
  }
  return Score.figures(score)
}

const halves = (mode: "fast" | "aggressive") => ({
  development: scored("development", mode),
  heldOut: scored("heldOut", mode)
})

/** Number of redacted values of more than one word, with a digit or an `@`, that still occur somewhere in the redacted answer. */
const leaked = (mode: "fast" | "aggressive"): number =>
  cases.reduce((total, item) => {
    const member = item.shape === "html" ? { html: item.text } : { markdown: item.text }
    const { text } = view(item)
    const redacted = Rules.find(text, mode)
      .map(({ end, start }) => text.slice(start, end))
      .filter((value) => /[\d@]|\S\s+\S/.test(value))
    const data = Redaction.redact(
      { ...member, summary: text, json: { text }, metadata: { title: text.slice(0, 200) } },
      { rules: mode, entities: PiiEntity.literals, replaceStyle: "tag", terms: [] }
    )
    return total + leaks(data, redacted).length
  }, 0)

const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

/** CPU time of the slowest hostile text of 1 MB, and the largest growth from a quarter of it: 4 is linear. */
const hostile = () => {
  const measured = hostileNames.map((name) => {
    const read = (length: number) =>
      cpuMs(() => Rules.find(MarkdownView.make(hostileText(name, length)).text, "aggressive"))
    read(100_000)
    const [quarter, whole] = [read(250_000), read(1_000_000)]
    return { name, cpuMs: Math.round(whole), growth: Math.round((whole / Math.max(1, quarter)) * 10) / 10 }
  })
  const most = (by: "cpuMs" | "growth") => measured.toSorted((left, right) => right[by] - left[by])[0]
  return { slowest: most("cpuMs"), steepest: most("growth") }
}

console.log(
  JSON.stringify({
    bench: "redaction",
    seed: Number(values.seed),
    entities: cases.reduce((total, { spans }) => total + spans.length, 0),
    ours: { fast: halves("fast"), aggressive: halves("aggressive") },
    leaks: { fast: leaked("fast"), aggressive: leaked("aggressive") },
    hostile: hostile(),
    machine: { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length }
  })
)
