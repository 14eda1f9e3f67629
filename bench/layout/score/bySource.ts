/** Scores by the source of the documents: an engine that was fitted to one source is good there alone. */
import type { Measure } from "./file.ts"
import type { Summary } from "./summary.ts"

export interface Spread {
  /** Mean over sources, each of which counts once; in percent, as all below. */
  readonly mean: number
  readonly worst: { readonly source: string; readonly value: number }
  /** Best minus worst. */
  readonly spread: number
}

const rounded = (value: number): number => Math.round(value * 10) / 10

/** For each engine and measure; `grouping` is that of the sources. */
export const make = (
  summary: Summary,
  grouping: string,
  measures: ReadonlyArray<Measure>
): Readonly<Record<string, Readonly<Partial<Record<Measure, Spread>>>>> =>
  Object.fromEntries(
    Object.entries(summary).map(([engine, groups]) => {
      const own = measures.flatMap((measure) => {
        const values = Object.entries(groups)
          .flatMap(([group, means]) => {
            const value = means[measure]
            return value === undefined || !group.startsWith(`${grouping}:`)
              ? []
              : [{ source: group.slice(grouping.length + 1), value }]
          })
          .toSorted((one, other) => one.value - other.value)
        const [lowest] = values
        const highest = values.at(-1)
        if (lowest === undefined || highest === undefined) return []
        const mean = rounded(values.reduce((sum, { value }) => sum + value, 0) / values.length)
        // Of what is to be low the highest is the worst.
        const worst = /^(?:wordsLost|furniture)/.test(measure) ? highest : lowest
        return [[measure, { mean, worst, spread: rounded(highest.value - lowest.value) }] as const]
      })
      return [engine, Object.fromEntries(own)]
    })
  )
