/**
 * Measures how well a search finds the answers to your own questions.
 *
 * Truth is at five levels: the document, the section, the page, a passage by its quote, and boxes on a page. A level is measured over the
 * questions that have truth there. Truth is counted in units, such as pages: a hit counts for the units that no hit before it covers.
 *
 * @since 0.1.0
 */
import type { NonEmptyReadonlyArray } from "effect/Array"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { OptionError } from "./internal/base/optionError.ts"
import * as comparison from "./internal/evaluation/comparison.ts"
import * as question from "./internal/evaluation/question.ts"
import type * as report from "./internal/evaluation/report.ts"
import * as running from "./internal/evaluation/run.ts"

export type { Found, Level } from "./internal/evaluation/judge.ts"

export { Comparison, type Regression, Run } from "./internal/evaluation/comparison.ts"
export { Question, QuestionError } from "./internal/evaluation/question.ts"
export { LevelResult, Measure, Miss, Result } from "./internal/evaluation/report.ts"
export { type Options, type Search } from "./internal/evaluation/run.ts"

/**
 * Reads questions: CSV with a row of names at its head where `file` ends in `.csv`, else JSON Lines. The names are those of the members of
 * {@link Question}; in CSV, `pages` may be written `3, 5-7`. Fails at the first line that cannot be used, and without any question.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decodeQuestions: (
  file: string,
  text: string
) => Either.Either<NonEmptyReadonlyArray<question.Question>, question.QuestionError> = question.decode

/**
 * Asks every question of a search and measures what came. The search's own errors end it. Before the first question is asked, it fails with
 * `Corpus.OptionError` for an option that cannot be used or where there is no question, and with {@link QuestionError} for a question that
 * {@link decodeQuestions} would refuse; `line` is then its number.
 *
 * ```ts
 * import * as Corpus from "docsluice/Corpus"
 * import * as Evaluation from "docsluice/Evaluation"
 * import { Effect } from "effect"
 *
 * const question = Evaluation.Question.make({ question: "When are gauges calibrated?", source: "gauges.pdf", pages: [3] })
 *
 * export const hits = Effect.gen(function* () {
 *   const docs = yield* Corpus.Corpus
 *   const { levels } = yield* Evaluation.run([question], docs.search)
 *   return levels.map(({ level, measures }) => [level, measures["hit@5"]?.value])
 * })
 * ```
 *
 * @since 0.1.0
 * @category running
 */
export const run: <E, R>(
  questions: ReadonlyArray<question.Question>,
  search: running.Search<E, R>,
  options?: running.Options
) => Effect.Effect<report.Result, E | OptionError | question.QuestionError, R> = running.run

/**
 * The measures of an earlier comparison that are more than `tolerance` lower now, or not measured any more. Runs are paired by their names,
 * and one run with one run whatever their names; kinds of questions are not compared.
 *
 * @since 0.1.0
 * @category comparing
 */
export const regressions: (
  before: comparison.Comparison,
  now: comparison.Comparison,
  tolerance: number
) => ReadonlyArray<comparison.Regression> = comparison.regressions
