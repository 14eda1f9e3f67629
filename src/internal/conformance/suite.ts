/** Cases of a contract in any test runner, or without one, and their results as a report. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { ConformanceFailure, type Verdict } from "./Verdict.ts"

/** A case with all that it needs. */
export interface Ready<E> {
  readonly name: string
  readonly core: boolean
  readonly run: Effect.Effect<Verdict, E, Scope.Scope>
}

/** The part of a test's context that the suite uses. */
export interface TestContext {
  readonly skip: (note?: string) => never
  readonly task?: { readonly result?: object | undefined; readonly meta?: object | undefined } | undefined
}

/** The part of `@effect/vitest` that the suite uses. */
export interface Runner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: {
    readonly scopedLive: (
      name: string,
      body: (context: TestContext) => Effect.Effect<unknown, unknown, Scope.Scope>,
      timeout?: number
    ) => unknown
  }
}

/** Result of one case. */
export interface Result {
  /** Name of the case. */
  readonly name: string
  readonly result: "passed" | "failed" | "not verifiable"
  /** Reason of a failure or of a case that is not verifiable; null when it passed. */
  readonly reason: string | null
}

const defaultTimeout = 30_000

/** Skips a test. The runner of effects replaces the error that `skip` throws, and loses its note. */
const skip = ({ skip, task }: TestContext, note: string): Effect.Effect<never> =>
  Effect.sync(() => {
    if (task?.result !== undefined) Object.assign(task.result, { note })
    if (task?.meta !== undefined) Object.assign(task.meta, { notVerifiable: note })
    return skip(note)
  })

/** Registers the cases as tests. One that is not verifiable is skipped, for a core case it is a failure. */
export const register = <E>(
  name: string,
  cases: ReadonlyArray<Ready<E>>,
  { describe, it }: Runner,
  timeout: number = defaultTimeout
): void => {
  describe(`${name} conforms`, () => {
    for (const one of cases) {
      it.scopedLive(
        one.name,
        (context) =>
          Effect.flatMap(one.run, (end) => {
            if (end.result === "passed") return Effect.void
            return one.core
              ? new ConformanceFailure({ case: one.name, problem: `it is not verifiable: ${end.reason}` })
              : skip(context, `not verifiable: ${end.reason}`)
          }),
        timeout
      )
    }
  })
}

/** Results of all cases, run one after the other, in their order. */
export const results = <E>(
  cases: ReadonlyArray<Ready<E>>,
  limit: Duration.DurationInput = defaultTimeout
): Effect.Effect<ReadonlyArray<Result>> => {
  const timeout = Duration.decode(limit)
  return Effect.forEach(cases, (one) =>
    one.run.pipe(
      Effect.scoped,
      // What is tested may hang in an uninterruptible region.
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
}

const resultOf = (name: string, exit: Exit.Exit<Verdict, unknown>): Result => {
  if (Exit.isFailure(exit)) return { name, result: "failed", reason: Cause.pretty(exit.cause) }
  const { value } = exit
  return value.result === "passed" ? { name, result: "passed", reason: null } : { name, ...value }
}

/** True if no case failed and every core case passed. */
export const conforms = (cases: ReadonlyArray<{ readonly core: boolean }>, found: ReadonlyArray<Result>): boolean =>
  found.every(({ result }, at) => result === "passed" || (result === "not verifiable" && cases[at]?.core !== true))

/** One line for each case, with its reason below it, and a summary line. */
export const lines = (subject: string, conforms: boolean, results: ReadonlyArray<Result>): ReadonlyArray<string> => {
  const count = (wanted: Result["result"]) => results.filter(({ result }) => result === wanted).length
  return [
    ...results.flatMap(({ name, reason, result }) => [
      `${result}: ${name}`,
      ...(reason === null ? [] : reason.split("\n").map((line) => `    ${line}`))
    ]),
    `${subject} ${conforms ? "conforms" : "does not conform"}: ${count("passed")} passed, ${count("failed")} failed, ${count("not verifiable")} not verifiable`
  ]
}
