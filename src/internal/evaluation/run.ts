import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Effect from "effect/Effect"
import { OptionError } from "../base/optionError.ts"
import * as Rules from "../base/rules.ts"
import * as Members from "../corpus/members.ts"
import { intervals } from "./bootstrap.ts"
import { finest, type Found, judge, type Judgement, type Level, levels, placeOf } from "./judge.ts"
import * as Measures from "./measures.ts"
import { decodeAll, type Question, type QuestionError } from "./question.ts"
import { LevelResult, Measure, Miss, Result } from "./report.ts"

/**
 * A search to evaluate: the best hits for a question, best first, at most `limit`. `Corpus.search` is one.
 *
 * @since 0.1.0
 * @category models
 */
export type Search<out E = never, out R = never> = (
  question: string,
  options: { readonly limit: number }
) => Effect.Effect<ReadonlyArray<Found>, E, R>

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Numbers of first hits that are looked at; default 1, 3, 5 and 10. */
  readonly k?: NonEmptyReadonlyArray<number> | undefined
  /** Tokens of a prompt that the hits are put into; default 500, 1000, 2000 and 4000. */
  readonly tokens?: ReadonlyArray<number> | undefined
  /** Hits asked for, at least the greatest `k`; default 100. */
  readonly depth?: number | undefined
  /** Draws of the bootstrap, at least 1; default 1000. */
  readonly resamples?: number | undefined
  /** Seed of the bootstrap; default 1. */
  readonly seed?: number | undefined
  /** Questions asked at a time; default 4. */
  readonly concurrency?: number | undefined
}

const defaults = { k: [1, 3, 5, 10], tokens: [500, 1000, 2000, 4000], depth: 100, resamples: 1000, seed: 1 } as const

const whole = (least: number, greatest: number) => Rules.integer(least, greatest)

const numbers = Rules.arrayOf(whole(1, 1_000_000), "an array of whole numbers")

const some: Rules.Rule = (value, field, issues) =>
  Array.isArray(value) && value.length === 0
    ? Rules.when("a whole number at least", () => false)(value, field, issues)
    : numbers(value, field, issues)

const members: Members.Members<Options> = {
  k: some,
  tokens: numbers,
  depth: whole(1, 10_000),
  resamples: whole(1, 100_000),
  seed: whole(0, Number.MAX_SAFE_INTEGER),
  concurrency: whole(1, 1024)
}

/** Options with their defaults. */
export interface Settings {
  readonly k: ReadonlyArray<number>
  readonly tokens: ReadonlyArray<number>
  readonly depth: number
  readonly resamples: number
  readonly seed: number
}

/** Fails with the option that cannot be used. */
export const settings = (options: Options): Effect.Effect<Settings, OptionError> =>
  Effect.gen(function* () {
    yield* Members.check(options, members)
    const ascending = (given: ReadonlyArray<number>) => [...new Set(given)].toSorted((left, right) => left - right)
    const k = ascending(options.k ?? defaults.k)
    const { resamples = defaults.resamples, seed = defaults.seed } = options
    const depth = Math.max(options.depth ?? defaults.depth, ...k)
    return { k, tokens: ascending(options.tokens ?? defaults.tokens), depth, resamples, seed }
  })

/** Every measure by its name. */
const measuresOf = ({ k, tokens }: Settings): ReadonlyArray<readonly [string, (judged: Measures.Judged) => number]> => [
  ...k.flatMap((each): ReadonlyArray<readonly [string, (judged: Measures.Judged) => number]> => [
    [`recall@${each}`, (judged) => Measures.recall(judged, each)],
    [`hit@${each}`, (judged) => Measures.hit(judged, each)],
    [`ndcg@${each}`, (judged) => Measures.ndcg(judged, each)]
  ]),
  ...tokens.map(
    (each) => [`recall@${each}tokens`, (judged: Measures.Judged) => Measures.recallWithin(judged, each)] as const
  ),
  ["mrr", Measures.reciprocalRank],
  ["map", Measures.averagePrecision]
]

const measured = (all: ReadonlyArray<Measures.Judged>, given: Settings) => {
  const values = measuresOf(given).map(([name, measure]) => [name, all.map(measure)] as const)
  const found = intervals(Object.fromEntries(values), given)
  return {
    questions: all.length,
    measures: Object.fromEntries(Object.entries(found).map(([name, interval]) => [name, Measure.make(interval)]))
  }
}

const judgedAt = (judgements: ReadonlyArray<Judgement>, level: Level): ReadonlyArray<Measures.Judged> =>
  judgements.flatMap((judgement) => judgement.levels.get(level) ?? [])

const levelOf = (judgements: ReadonlyArray<Judgement>, level: Level, given: Settings): ReadonlyArray<LevelResult> => {
  const all = judgedAt(judgements, level)
  if (all.length === 0) return []
  const names = [...new Set(judgements.flatMap(({ question }) => question.kind ?? []))].toSorted()
  const kinds = names.flatMap((kind) => {
    const own = judgedAt(
      judgements.filter(({ question }) => question.kind === kind),
      level
    )
    return own.length === 0 ? [] : [{ kind, ...measured(own, given) }]
  })
  return [LevelResult.make({ level, ...measured(all, given), kinds })]
}

/** Hits of a miss that are shown, and characters of each. */
const shown = { hits: 5, characters: 300 } as const

const missOf = (judgement: Judgement, { k }: Settings): ReadonlyArray<Miss> => {
  const { hits, levels: judged, question, wanted } = judgement
  const level = finest(judgement)
  const ranking = judged.get(level)
  if (ranking === undefined || Measures.hit(ranking, Math.max(...k)) === 1) return []
  const { answer, kind } = question
  const came = hits.slice(0, shown.hits).map((hit) => ({
    citation: placeOf(hit),
    source: hit.chunk.source,
    pages: hit.chunk.pages,
    text: Array.from(hit.chunk.text.slice(0, 2 * shown.characters))
      .slice(0, shown.characters)
      .join("")
  }))
  const rank = Measures.firstRank(ranking)
  return [
    Miss.make({
      question: question.question,
      ...(kind !== undefined && { kind }),
      level,
      wanted,
      ...(answer !== undefined && { answer }),
      rank,
      came
    })
  ]
}

/** The result of judged questions. */
export const summarised = (judgements: ReadonlyArray<Judgement>, given: Settings): Result =>
  Result.make({
    questions: judgements.length,
    depth: given.depth,
    levels: levels.flatMap((level) => levelOf(judgements, level, given)),
    misses: judgements.flatMap((judgement) => missOf(judgement, given))
  })

/** Questions asked at a time by default. */
const asking = 4

/** As `Evaluation.run`, of questions that were checked. */
export const measure = <E, R>(
  questions: ReadonlyArray<Question>,
  search: Search<E, R>,
  options: Options = {}
): Effect.Effect<Result, E | OptionError, R> =>
  Effect.gen(function* () {
    const given = yield* settings(options)
    if (questions.length === 0) return yield* new OptionError({ option: "questions", problem: "there is no question" })
    const { depth: limit } = given
    const { concurrency = asking } = options
    const judgements = yield* Effect.forEach(
      questions,
      (question) => Effect.map(search(question.question, { limit }), (hits) => judge(question, hits.slice(0, limit))),
      { concurrency }
    )
    return summarised(judgements, given)
  })

/** See `Evaluation.run`. */
export const run = <E, R>(
  questions: ReadonlyArray<Question>,
  search: Search<E, R>,
  options?: Options
): Effect.Effect<Result, E | OptionError | QuestionError, R> =>
  Effect.flatMap(decodeAll("questions", questions), (asked) => measure(asked, search, options))
