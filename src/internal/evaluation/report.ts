/** Results of an evaluation, as data that is printed, kept and compared. */
import * as Schema from "effect/Schema"
import { levels } from "./judge.ts"

/**
 * A mean over questions, with the bounds of its 95 % confidence interval.
 *
 * @since 0.1.0
 * @category models
 */
export class Measure extends Schema.Class<Measure>("docsluice/Evaluation/Measure")({
  /** 0 to 1. */
  value: Schema.Number,
  low: Schema.Number,
  high: Schema.Number
}) {}

const measured = {
  /** Number of questions with truth at this level. */
  questions: Schema.Int,
  /**
   * By their names: `recall@5`, `hit@5` and `ndcg@5` over the first hits, `recall@1000tokens` over those that fit into a prompt, `mrr` and
   * `map` over all.
   */
  measures: Schema.Record({ key: Schema.String, value: Measure })
}

/**
 * Measures at one level of truth.
 *
 * @since 0.1.0
 * @category models
 */
export class LevelResult extends Schema.Class<LevelResult>("docsluice/Evaluation/LevelResult")({
  level: Schema.Literal(...levels),
  ...measured,
  /** By kind of question, in the order of their names; empty where no question has one. */
  kinds: Schema.Array(Schema.Struct({ kind: Schema.String, ...measured }))
}) {}

/**
 * A question without right hit among the most that are looked at, at the finest level of its truth.
 *
 * @since 0.1.0
 * @category models
 */
export class Miss extends Schema.Class<Miss>("docsluice/Evaluation/Miss")({
  question: Schema.String,
  kind: Schema.optional(Schema.String),
  level: Schema.Literal(...levels),
  /** What should have been found: `report.pdf, p. 3`. */
  wanted: Schema.String,
  answer: Schema.optional(Schema.String),
  /** 1-based rank of the first right hit after those; null when there is none. */
  rank: Schema.NullOr(Schema.Int),
  /** The first hits instead, best first. */
  came: Schema.Array(
    Schema.Struct({
      /** Document and place, as `DocumentChunk.citation` writes it. */
      citation: Schema.String,
      source: Schema.String,
      pages: Schema.Array(Schema.Int),
      /** Beginning of the text. */
      text: Schema.String
    })
  )
}) {}

/**
 * Result of one search over all questions.
 *
 * @since 0.1.0
 * @category models
 */
export class Result extends Schema.Class<Result>("docsluice/Evaluation/Result")({
  /** Number of questions asked. */
  questions: Schema.Int,
  /** Hits asked for at most. */
  depth: Schema.Int,
  /** From the coarsest to the finest; only levels that a question has truth at. */
  levels: Schema.Array(LevelResult),
  /** In the order of the questions. */
  misses: Schema.Array(Miss)
}) {}
