/** Means of scores by group, and their table. */
import { type Measure, measures, type Score } from "./file.ts"

export interface Row {
  readonly engine: string
  /** Value of the document in each grouping: `split`, `producer`, … */
  readonly groups: Readonly<Record<string, string>>
  readonly name: string
  readonly score: Score
  /** The engine's message where it did not answer; its score is then 0 where others have one. */
  readonly error?: string
}

export type Means = Readonly<Partial<Record<Measure, number>>> & { readonly documents: number }

const mean = (values: ReadonlyArray<number>): number =>
  Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1000) / 10

/** In percent. */
const means = (rows: ReadonlyArray<Row>): Means => ({
  documents: rows.length,
  ...Object.fromEntries(
    measures.flatMap((measure) => {
      const values = rows.flatMap(({ score }) => score[measure] ?? [])
      return values.length === 0 ? [] : [[measure, mean(values)] as const]
    })
  )
})

export type Summary = Readonly<Record<string, Readonly<Record<string, Means>>>>

/** By engine, then by group, named `grouping:value`. */
export const make = (rows: ReadonlyArray<Row>, groupings: ReadonlyArray<string>): Summary => {
  const summary: Record<string, Record<string, Means>> = {}
  for (const engine of new Set(rows.map((row) => row.engine))) {
    const own = rows.filter((row) => row.engine === engine)
    const groups: Record<string, Means> = { all: means(own) }
    for (const grouping of groupings) {
      const values = new Set(own.map(({ groups }) => groups[grouping] ?? "none"))
      for (const value of [...values].toSorted()) {
        groups[`${grouping}:${value}`] = means(own.filter(({ groups }) => (groups[grouping] ?? "none") === value))
      }
    }
    summary[engine] = groups
  }
  return summary
}

const short: Readonly<Record<Measure, string>> = {
  score: "score",
  text: "text",
  order: "order",
  wordsLost: "lost",
  headings: "head",
  levels: "level",
  blocks: "block",
  types: "type",
  cells: "cell",
  adjacency: "adj",
  lists: "list",
  furnitureKept: "kept",
  furnitureLost: "gone"
}

/** One line for each group and engine. */
export const table = (summary: Summary): string => {
  const engines = Object.keys(summary)
  const groups = [...new Set(engines.flatMap((engine) => Object.keys(summary[engine] ?? {})))]
  const head = `${"group".padEnd(40)}${"engine".padEnd(16)}${"docs".padStart(5)}${measures.map((name) => short[name].padStart(7)).join("")}`
  const lines = groups.flatMap((group) =>
    engines.flatMap((engine) => {
      const row = summary[engine]?.[group]
      if (row === undefined) return []
      const cells = measures.map((name) => (row[name] === undefined ? "-" : row[name].toFixed(1)).padStart(7))
      return [`${group.padEnd(40)}${engine.padEnd(16)}${String(row.documents).padStart(5)}${cells.join("")}`]
    })
  )
  return [head, ...lines].join("\n")
}
