/** Output of an evaluation: a table for each level of truth, and the questions that found nothing. */
import type { Comparison, LevelResult, Miss, Regression, Run } from "../Evaluation.ts"
import { counted } from "../internal/base/figures.ts"
import * as Columns from "./Columns.ts"
import type * as Line from "./Line.ts"
import * as Snippet from "./Snippet.ts"
import * as Table from "./Table.ts"

/** A share with three digits. */
const shared = (value: number | undefined): string => (value === undefined ? "" : value.toFixed(3))

type Measures = LevelResult["measures"]

/** Measures of the table: recall over hits, the two means over ranks, recall over tokens. */
const shown = (measures: Measures): ReadonlyArray<string> => {
  const names = Object.keys(measures)
  const recalls = names.filter((name) => /^recall@\d+$/u.test(name))
  const gains = names.filter((name) => name.startsWith("ndcg@")).slice(-1)
  return [...recalls, "mrr", ...gains, ...names.filter((name) => name.endsWith("tokens"))]
}

const titleOf = (name: string): string => name.replace(/^recall@(\d+)tokens$/u, "$1 tokens")

const row = (title: string, measures: Measures, names: ReadonlyArray<string>, bound: "value" | "low" | "high") => [
  title,
  ...names.map((name) => shared(measures[name]?.[bound]))
]

/** A run, the bounds of its interval where it is alone, and its kinds of questions. */
const rowsOf = (
  { name }: Run,
  { kinds, measures }: LevelResult,
  names: ReadonlyArray<string>,
  alone: boolean
): ReadonlyArray<Table.Row> => [
  row(name, measures, names, "value"),
  ...(alone ? [row("  95 %: from", measures, names, "low"), row("  to", measures, names, "high")] : []),
  ...kinds.map((kind) => row(`  ${kind.kind} (${kind.questions})`, kind.measures, names, "value"))
]

const sectionOf = (comparison: Comparison, level: string, width: number): ReadonlyArray<Line.Line> => {
  const found = comparison.runs.flatMap((run) =>
    run.result.levels.flatMap((result) => (result.level === level ? [{ run, result }] : []))
  )
  const [first] = found
  if (first === undefined) return []
  const names = shown(first.result.measures)
  const columns: ReadonlyArray<Table.Column> = [
    { title: "recall" },
    ...names.map((name): Table.Column => ({ title: titleOf(name).replace("recall@", "@"), kind: "number" }))
  ]
  const rows = found.flatMap(({ result, run }) => rowsOf(run, result, names, found.length === 1))
  return ["", `${level}, ${counted(first.result.questions, "question")}`, ...Table.lines(columns, rows, width)]
}

/** Misses that are listed. */
const most = 10

const missLines = ({ came, question, rank, wanted }: Miss, width: number): ReadonlyArray<Line.Line> => {
  const [first] = came
  const where = rank === null ? "not found" : `found at ${rank}`
  return [
    ...Columns.wrap(Snippet.plain(question), width, 2),
    ...Columns.wrap(`  wanted ${Snippet.plain(wanted)} (${where})`, width, 4),
    ...Columns.wrap(`  came ${first === undefined ? "nothing" : Snippet.plain(first.citation)}`, width, 4)
  ]
}

const missesOf = (comparison: Comparison, width: number): ReadonlyArray<Line.Line> => {
  const [run, ...others] = comparison.runs
  if (run === undefined || others.length > 0) return []
  const { misses } = run.result
  if (misses.length === 0) return []
  const rest = misses.length > most ? [`and ${misses.length - most} more; --json and --html have all`] : []
  return [
    "",
    `${counted(misses.length, "question")} without a right hit`,
    ...misses.slice(0, most).flatMap((miss) => missLines(miss, width)),
    ...rest
  ]
}

/** Tables and misses of the runs. */
export const text = (comparison: Comparison, levels: ReadonlyArray<string>, width: number): ReadonlyArray<Line.Line> =>
  [
    ...levels.flatMap((level) => sectionOf(comparison, level, width)),
    ...missesOf(comparison, Math.min(width, 100))
  ].slice(1)

/** Doubts about the questions: those of no run whose hits are of a document that they name. */
export const remarks = ({ runs }: Comparison): ReadonlyArray<string> => {
  const [first] = runs.flatMap(({ result }) => result.misses.flatMap(({ came }) => came))
  const strange = runs.every(({ result }) =>
    result.levels.some(({ level, measures }) => level === "document" && measures["mrr"]?.value === 0)
  )
  return strange && first !== undefined
    ? [`no hit is of a document that the questions name; hits are named like this: ${Snippet.plain(first.source)}`]
    : []
}

/** A measure that is worse than in the baseline, in one line. */
export const regression = ({ before, level, measure, now, run }: Regression): string =>
  `worse than the baseline: ${run}, ${level}, ${measure}: ${shared(before)} before, ${now === null ? "not measured" : shared(now)} now`
