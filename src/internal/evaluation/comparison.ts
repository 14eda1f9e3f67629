/** Results of several searches over the same questions, and what became worse since an earlier comparison. */
import * as Schema from "effect/Schema"
import { Result } from "./report.ts"

/**
 * The result of a search with its name and settings.
 *
 * @since 0.1.0
 * @category models
 */
export class Run extends Schema.Class<Run>("docsluice/Evaluation/Run")({
  /** Unique in its comparison: `auto 256, hash, fused`. */
  name: Schema.String,
  /** By flag or option: `{ chunker: "auto", by: "fused" }`. */
  settings: Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Number) }),
  result: Result
}) {}

/**
 * Results of searches over the same questions, as `docsluice eval --json` prints them and `--baseline` reads them.
 *
 * @since 0.1.0
 * @category models
 */
export class Comparison extends Schema.Class<Comparison>("docsluice/Evaluation/Comparison")({
  version: Schema.Literal(1),
  runs: Schema.Array(Run)
}) {}

/**
 * A measure that became worse.
 *
 * @since 0.1.0
 * @category models
 */
export interface Regression {
  /** Name of the run. */
  readonly run: string
  readonly level: string
  readonly measure: string
  readonly before: number
  /** Null where it is not measured any more. */
  readonly now: number | null
}

/** Differences of sums of floating point numbers. */
const rounding = 1e-9

/**
 * The measures of `before` that are more than `tolerance` lower now, in its order. Runs are paired by their names, and one run with one
 * run whatever their names. Kinds of questions are not compared.
 */
export const regressions = (before: Comparison, now: Comparison, tolerance: number): ReadonlyArray<Regression> =>
  before.runs.flatMap(({ name, result }) => {
    const single = before.runs.length === 1 && now.runs.length === 1
    const pair = single ? now.runs[0] : now.runs.find((run) => run.name === name)
    return result.levels.flatMap(({ level, measures }) => {
      const own = pair?.result.levels.find((one) => one.level === level)?.measures
      return Object.entries(measures).flatMap(([measure, { value }]): ReadonlyArray<Regression> => {
        const found = own?.[measure]?.value ?? null
        const worse = found === null || found < value - tolerance - rounding
        return worse ? [{ run: name, level, measure, before: value, now: found }] : []
      })
    })
  })
