/**
 * The contract of a source as a list of cases. The sources of this package and those of others run the same cases, over a model of their
 * store.
 *
 * A {@link Store} holds objects in memory and knows no protocol. Its author's double puts the answers of the store into the words of the
 * real one: HTTP, files on a disk. Each case changes the store, tells it which answers fail, runs the source as a run in mode `sync` does,
 * and compares what a ledger would hold. In every run of every case:
 *
 * - nothing is removed that was in the store all the time: a listing that comes to its end has all of it,
 * - each file comes once, and its bytes are those of one version, which was there during the run,
 * - the run ends, after a bounded number of requests;
 *
 * and once nothing fails any more, two runs read all that was missed, and a third one reads nothing and asks for the listing only.
 *
 * The waits of a source pass twenty times as fast, if it takes them from Effect's clock.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Suite from "../internal/conformance/suite.ts"
import * as verdict from "../internal/conformance/Verdict.ts"
import { type Case as Row } from "../internal/sources/Case.ts"
import { cases as rows, run } from "../internal/sources/cases.ts"
import * as model from "../internal/sources/Store.ts"
import type * as target from "../internal/sources/Target.ts"

/**
 * The model of a store: objects with all their versions, listings in pages, and answers that fail as told. A double asks it by `list`,
 * `look` and `read`, or follows it by `objects` and `listen`.
 *
 * @since 0.1.0
 * @category models
 */
export const Store = model.Store

/**
 * @since 0.1.0
 * @category models
 */
export type Store = model.Store

/**
 * One version of an object.
 *
 * @since 0.1.0
 * @category models
 */
export type StoredObject = model.StoredObject

/**
 * A page of a listing.
 *
 * @since 0.1.0
 * @category models
 */
export type Page = model.Page

/**
 * The answer to a request, which a double puts into the words of its protocol.
 *
 * @since 0.1.0
 * @category models
 */
export type Answer<A> = model.Answer<A>

/**
 * A fault that a double of a store can show.
 *
 * @since 0.1.0
 * @category models
 */
export type Ability = target.Ability

/**
 * A source under test, over a double of its store. All members but `name` and `source` are optional; each ability makes more cases
 * verifiable.
 *
 * @since 0.1.0
 * @category models
 */
export type Target<E = unknown> = target.Target<E>

/**
 * The source did not meet the requirement of a case.
 *
 * @since 0.1.0
 * @category errors
 */
export const ConformanceFailure = verdict.ConformanceFailure

/**
 * @since 0.1.0
 * @category errors
 */
export type ConformanceFailure = verdict.ConformanceFailure

/**
 * Result of a case that did not fail.
 *
 * @since 0.1.0
 * @category models
 */
export type Verdict = verdict.Verdict

/**
 * One requirement of every source.
 *
 * @since 0.1.0
 * @category models
 */
export interface Case {
  /** A sentence that is true of a source that passes. */
  readonly name: string
  /** True for a case without which nothing is known of the source: it conforms only when all of these passed, and not merely did not fail. */
  readonly core: boolean
  /** Makes a fresh store with the source over it and runs the case; fails if the source does not meet the requirement. */
  readonly run: <E>(target: Target<E>) => Effect.Effect<Verdict, ConformanceFailure | E, Scope.Scope>
}

/**
 * All cases, for any test runner: each is an effect that fails when the source does.
 *
 * @since 0.1.0
 * @category cases
 */
export const cases: ReadonlyArray<Case> = rows.map((row: Row) => ({
  name: row.name,
  core: row.core,
  run: (target) => run(row, target)
}))

const ready = <E>(target: Target<E>): ReadonlyArray<Suite.Ready<ConformanceFailure | E>> =>
  cases.map(({ core, name, run }) => ({ name, core, run: run(target) }))

/**
 * The part of a test's context that the suite uses.
 *
 * @since 0.1.0
 * @category models
 */
export type TestContext = Suite.TestContext

/**
 * Registers every case with `@effect/vitest`, which the caller passes in: this module does not import it. A case that is not verifiable
 * is skipped under its name, with the reason as the note and as `meta.notVerifiable`; for a core case that is a failure.
 *
 * @since 0.1.0
 * @category cases
 */
export const suite = <E>(
  target: Target<E>,
  runner: Suite.Runner,
  options: {
    /** Time limit of each case, in milliseconds; default 30000. */
    readonly timeout?: number | undefined
  } = {}
): void => {
  Suite.register(target.name, ready(target), runner, options.timeout)
}

/**
 * Result of one case.
 *
 * @since 0.1.0
 * @category models
 */
export type Result = Suite.Result

/**
 * Result of {@link check}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report {
  readonly source: string
  /** Results in the order of `cases`. */
  readonly results: ReadonlyArray<Result>
  /** True if no case failed and every core case passed. Cases that are not verifiable do not count. */
  readonly conforms: boolean
}

/**
 * Runs all cases one after the other, without a test runner, and does not stop at a failure. A case that exceeds `timeout` failed.
 *
 * @since 0.1.0
 * @category cases
 */
export const check = <E>(
  target: Target<E>,
  options: {
    /** Time limit of each case; default 30 seconds. */
    readonly timeout?: Duration.DurationInput | undefined
  } = {}
): Effect.Effect<Report> =>
  Effect.map(Suite.results(ready(target), options.timeout), (results) => ({
    source: target.name,
    results,
    conforms: Suite.conforms(cases, results)
  }))

/**
 * The report as text: one line for each case, with its reason below it, and a summary line.
 *
 * @since 0.1.0
 * @category conversions
 */
export const lines = ({ conforms, results, source }: Report): ReadonlyArray<string> =>
  Suite.lines(source, conforms, results)
