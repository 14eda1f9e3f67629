/**
 * The contract of a sink as a list of cases. The sinks of this package and those of others run the same cases, on the real store.
 *
 * A case has one of three results: it **passed**, it **failed**, or it is **not verifiable** for this sink and target, with the reason:
 * the sink does not claim the capability, or nothing shows the stored chunks. `list` shows ids only; the hook `read`, or otherwise the
 * sink's own search, shows whole chunks. So a sink whose writes cannot be inspected never conforms.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Capabilities } from "../ChunkSink.ts"
import { operators } from "../Filter.ts"
import * as access from "../internal/conformance/access.ts"
import type { Case as Row } from "../internal/conformance/Case.ts"
import { cases as rows } from "../internal/conformance/cases.ts"
import { run } from "../internal/conformance/run.ts"
import * as Suite from "../internal/conformance/suite.ts"
import type * as target from "../internal/conformance/Target.ts"
import * as verdict from "../internal/conformance/Verdict.ts"

/**
 * A store under test, empty at first. All members but `layer` are optional; each hook makes more cases verifiable.
 *
 * @since 0.1.0
 * @category models
 */
export type Target<E = unknown> = target.Target<E>

/**
 * The sink did not meet the requirement of a case.
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
 * One requirement of every sink.
 *
 * @since 0.1.0
 * @category models
 */
export interface Case {
  /** A sentence that is true of a sink that passes. */
  readonly name: string
  /**
   * True for a case without which nothing is known of the sink: it conforms only when all of these passed, and not merely did not fail.
   */
  readonly core: boolean
  /** Makes a fresh store and runs the case on it; fails if the sink does not meet the requirement. */
  readonly run: <E>(
    fresh: Effect.Effect<Target<E>, E, Scope.Scope>
  ) => Effect.Effect<Verdict, ConformanceFailure | E, Scope.Scope>
}

/**
 * All cases, for any test runner: each is an effect that fails when the sink does.
 *
 * @since 0.1.0
 * @category cases
 */
export const cases: ReadonlyArray<Case> = rows.map((row: Row) => ({
  name: row.name,
  core: row.core,
  run: (fresh) => Effect.flatMap(fresh, (target) => run(row, target))
}))

/**
 * The part of a test's context that the suite uses.
 *
 * @since 0.1.0
 * @category models
 */
export type TestContext = Suite.TestContext

const ready = <E>(
  fresh: Effect.Effect<Target<E>, E, Scope.Scope>
): ReadonlyArray<Suite.Ready<ConformanceFailure | E>> =>
  cases.map(({ core, name, run }) => ({ name, core, run: run(fresh) }))

/**
 * Registers every case with `@effect/vitest`, which the caller passes in: this module does not import it. A case that is not verifiable
 * is skipped under its name, with the reason as the note and as `meta.notVerifiable`; for a core case that is a failure.
 *
 * @example
 * import { describe, it } from "@effect/vitest"
 * import * as SinkConformance from "docsluice/testing/SinkConformance"
 *
 * SinkConformance.suite("mine", freshStore, { describe, it })
 *
 * @since 0.1.0
 * @category cases
 */
export const suite = <E>(
  name: string,
  fresh: Effect.Effect<Target<E>, E, Scope.Scope>,
  runner: Suite.Runner,
  options: {
    /** Time limit of each case, in milliseconds; default 30000. */
    readonly timeout?: number | undefined
  } = {}
): void => {
  Suite.register(name, ready(fresh), runner, options.timeout)
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
  readonly sink: string
  readonly capabilities: Capabilities
  /** Results in the order of `cases`. */
  readonly results: ReadonlyArray<Result>
  /**
   * True if no case failed and every core case passed: written chunks were inspected and are stored exactly once. Cases that are not
   * verifiable do not count.
   */
  readonly conforms: boolean
}

/**
 * Runs all cases one after the other, without a test runner, and does not stop at a failure. A case that exceeds `timeout` failed. Fails
 * only when no store could be made at all.
 *
 * @example
 * import { Console, Effect } from "effect"
 * import * as MemorySink from "docsluice/testing/MemorySink"
 * import * as SinkConformance from "docsluice/testing/SinkConformance"
 *
 * const fresh = Effect.sync(() => {
 *   const store = MemorySink.emptyStore()
 *   return { layer: MemorySink.layer(store), read: Effect.sync(() => [...store.chunks.values()]) }
 * })
 *
 * export const program = Effect.flatMap(SinkConformance.check(fresh), (report) =>
 *   Console.log(SinkConformance.lines(report).join("\n"))
 * )
 *
 * @since 0.1.0
 * @category cases
 */
export const check = <E>(
  fresh: Effect.Effect<Target<E>, E, Scope.Scope>,
  options: {
    /** Time limit of each case; default 30 seconds. */
    readonly timeout?: Duration.DurationInput | undefined
  } = {}
): Effect.Effect<Report, E> =>
  Effect.gen(function* () {
    const { name, capabilities } = yield* Effect.scoped(Effect.flatMap(fresh, access.open))
    const results = yield* Suite.results(ready(fresh), options.timeout)
    return { sink: name, capabilities, results, conforms: Suite.conforms(cases, results) }
  })

/**
 * The report as text: one line for each case, with its reason below it, and a summary line.
 *
 * @since 0.1.0
 * @category conversions
 */
export const lines = ({ conforms, results, sink }: Report): ReadonlyArray<string> =>
  Suite.lines(sink, conforms, results)

/**
 * Capabilities of the sinks as a Markdown table, one row each.
 *
 * @since 0.1.0
 * @category conversions
 */
export const table = (reports: ReadonlyArray<Report>): string =>
  [
    "| sink | conforms | remove | replace | list | search | filter | stamp |",
    "|---|---|---|---|---|---|---|---|",
    ...reports.map(({ sink, conforms, capabilities: can }) => {
      const cells = [conforms, can.remove, can.replace, can.list, can.search, filtering(can.filter), can.stamp]
      const words = cells.map((cell) => (typeof cell === "string" ? cell : cell ? "yes" : "no"))
      return `| ${sink} | ${words.join(" | ")} |`
    })
  ].join("\n")

/** The operators of filters in a cell: all, some by name, or none. */
const filtering = (has: Capabilities["filter"]): string => {
  const names = operators.filter((operator) => has.includes(operator))
  return names.length === operators.length
    ? "yes"
    : names.length === 0
      ? "no"
      : names.map((name) => `$${name}`).join(" ")
}
