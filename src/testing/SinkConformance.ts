/**
 * The contract of a sink, as a list of cases: the sinks of this package and those of others run the same ones, on the real
 * engine.
 *
 * A case ends in one of three ways: it **passed**, it **failed**, or it is **not verifiable** for this sink and target, with
 * the reason: the sink does not claim the capability, or nothing shows what is stored. `list` shows ids only; the hook
 * `read`, or else the sink's own search, shows whole chunks. So a sink whose writes nobody can look at never conforms.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Capabilities } from "../ChunkSink.ts"
import * as access from "../internal/conformance/access.ts"
import type { Case as Row } from "../internal/conformance/Case.ts"
import { cases as rows } from "../internal/conformance/cases.ts"
import { run } from "../internal/conformance/run.ts"
import type * as target from "../internal/conformance/Target.ts"
import * as verdict from "../internal/conformance/Verdict.ts"

/**
 * One store to be tested, empty at first. All but `layer` is optional; each hook makes more cases verifiable.
 *
 * @since 0.1.0
 * @category models
 */
export type Target<E = unknown> = target.Target<E>

/**
 * The sink did not do what the case asks.
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
 * The end of a case that found nothing wrong.
 *
 * @since 0.1.0
 * @category models
 */
export type Verdict = verdict.Verdict

/**
 * One thing that every sink must do.
 *
 * @since 0.1.0
 * @category models
 */
export interface Case {
  /** A sentence that is true of a sink that passes. */
  readonly name: string
  /** Without it nothing is known of the sink: it conforms only when these cases passed, not merely when they did not fail. */
  readonly core: boolean
  /** Makes a fresh store and runs the case on it; a sink that does otherwise fails it. */
  readonly run: <E>(
    fresh: Effect.Effect<Target<E>, E, Scope.Scope>
  ) => Effect.Effect<Verdict, ConformanceFailure | E, Scope.Scope>
}

/**
 * All cases, for any test runner: each is an effect that fails where the sink does.
 *
 * @since 0.1.0
 * @category cases
 */
export const cases: ReadonlyArray<Case> = rows.map((row: Row) => ({
  name: row.name,
  core: row.core === true,
  run: (fresh) => Effect.flatMap(fresh, (target) => run(row, target))
}))

/**
 * A test as its runner sees it, in so far as the suite does.
 *
 * @since 0.1.0
 * @category models
 */
export interface TestContext {
  readonly skip: (note?: string) => never
  readonly task?: { readonly result?: object | undefined } | undefined
}

/** The runner of effects replaces what `skip` throws, and so loses its note. */
const skip = ({ skip, task }: TestContext, note: string): Effect.Effect<never> =>
  Effect.sync(() => {
    if (task?.result !== undefined) Object.assign(task.result, { note })
    return skip(note)
  })

/**
 * Registers every case with `@effect/vitest`, which the caller passes in: this module does not import it. A case that is not
 * verifiable is skipped under its name, with the reason as the note; only for a core case it is a failure.
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
  runner: {
    readonly describe: (name: string, body: () => void) => unknown
    readonly it: {
      readonly scopedLive: (
        name: string,
        body: (context: TestContext) => Effect.Effect<unknown, unknown, Scope.Scope>,
        timeout?: number
      ) => unknown
    }
  },
  options: {
    /** For each case, in milliseconds; default 30000. */
    readonly timeout?: number | undefined
  } = {}
): void => {
  runner.describe(`${name} conforms`, () => {
    for (const one of cases) {
      runner.it.scopedLive(
        one.name,
        (context) =>
          Effect.flatMap(one.run(fresh), (end) => {
            if (end.result === "passed") return Effect.void
            return one.core
              ? new ConformanceFailure({ case: one.name, problem: `it is not verifiable: ${end.reason}` })
              : skip(context, `not verifiable: ${end.reason}`)
          }),
        options.timeout ?? defaultTimeout
      )
    }
  })
}

/**
 * The end of one case.
 *
 * @since 0.1.0
 * @category models
 */
export interface Result {
  /** The name of the case. */
  readonly name: string
  readonly result: "passed" | "failed" | "not verifiable"
  /** What went wrong, or the reason why nothing can be said; null when it passed. */
  readonly reason: string | null
}

/**
 * The result of `check`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report {
  readonly sink: string
  readonly capabilities: Capabilities
  /** In the order of `cases`. */
  readonly results: ReadonlyArray<Result>
  /**
   * No case failed, and every core case passed: what is written was looked at and is there, once. It says nothing of the cases
   * that are not verifiable.
   */
  readonly conforms: boolean
}

const defaultTimeout = 30_000

/**
 * Runs all cases one after another, with no need for a test runner, and never stops at a failure. A case that takes longer than
 * `timeout` failed. Fails only when no store could be made at all.
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
    /** For each case; default 30 seconds. */
    readonly timeout?: Duration.DurationInput | undefined
  } = {}
): Effect.Effect<Report, E> =>
  Effect.gen(function* () {
    const { name, capabilities } = yield* Effect.scoped(Effect.flatMap(fresh, access.open))
    const timeout = Duration.decode(options.timeout ?? defaultTimeout)
    const results = yield* Effect.forEach(cases, (one) =>
      one.run(fresh).pipe(
        Effect.scoped,
        // A sink may be uninterruptible where it hangs.
        Effect.disconnect,
        Effect.timeoutFail({
          duration: timeout,
          onTimeout: () =>
            new ConformanceFailure({ case: one.name, problem: `it did not end within ${Duration.format(timeout)}` })
        }),
        Effect.exit,
        Effect.map((exit) => resultOf(one.name, exit))
      )
    )
    const conforms = results.every(
      ({ result }, at) => result === "passed" || (result === "not verifiable" && cases[at]?.core !== true)
    )
    return { sink: name, capabilities, results, conforms }
  })

const resultOf = (name: string, exit: Exit.Exit<Verdict, unknown>): Result => {
  if (Exit.isFailure(exit)) return { name, result: "failed", reason: Cause.pretty(exit.cause) }
  const { value } = exit
  return value.result === "passed" ? { name, result: "passed", reason: null } : { name, ...value }
}

/**
 * The report as text: one line for each case, its reason below it, and a line for all.
 *
 * @since 0.1.0
 * @category conversions
 */
export const lines = ({ conforms, results, sink }: Report): ReadonlyArray<string> => {
  const count = (wanted: Result["result"]) => results.filter(({ result }) => result === wanted).length
  return [
    ...results.flatMap(({ name, reason, result }) => [
      `${result}: ${name}`,
      ...(reason === null ? [] : reason.split("\n").map((line) => `    ${line}`))
    ]),
    `${sink} ${conforms ? "conforms" : "does not conform"}: ${count("passed")} passed, ${count("failed")} failed, ${count("not verifiable")} not verifiable`
  ]
}

/**
 * What the sinks can do, as a Markdown table: one row each.
 *
 * @since 0.1.0
 * @category conversions
 */
export const table = (reports: ReadonlyArray<Report>): string =>
  [
    "| sink | conforms | remove | replace | list | search | filter | stamp |",
    "|---|---|---|---|---|---|---|---|",
    ...reports.map(({ sink, conforms, capabilities: can }) => {
      const cells = [conforms, can.remove, can.replace, can.list, can.search, can.filter, can.stamp]
      return `| ${sink} | ${cells.map((cell) => (cell ? "yes" : "no")).join(" | ")} |`
    })
  ].join("\n")
