/**
 * What every sink must do, as a list of cases: ours and a stranger's run the same ones, on the real engine.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { type Capabilities, type ChunkSink, type EmbeddingSpace } from "../ChunkSink.ts"
import type { DocumentChunk } from "../DocumentChunk.ts"
import { type Case as Row, cases as rows } from "../internal/conformance/cases.ts"
import * as Session from "../internal/conformance/session.ts"

/**
 * One store to be tested, empty at first.
 *
 * @since 0.1.0
 * @category models
 */
export interface Target<E = unknown> {
  /** Built anew for each session of a case; building it again must find what was stored. */
  readonly layer: Layer.Layer<ChunkSink, E>
  /**
   * Everything that is stored, in any order, read while no session is open. Without it only ids are checked, and only where
   * the sink lists them.
   */
  readonly read?: Effect.Effect<ReadonlyArray<DocumentChunk>, E> | undefined
  /** Deletes the store behind the sink's back: the file, the table. Without it a lost stamp is not tested. */
  readonly destroy?: Effect.Effect<void, E> | undefined
  /** Space of the vectors that the suite's chunks carry; default null: they carry none. */
  readonly space?: EmbeddingSpace | null | undefined
}

/**
 * The sink did not do what the case asks.
 *
 * @since 0.1.0
 * @category errors
 */
export const ConformanceFailure = Session.ConformanceFailure

/**
 * @since 0.1.0
 * @category errors
 */
export type ConformanceFailure = Session.ConformanceFailure

/**
 * One thing that every sink must do.
 *
 * @since 0.1.0
 * @category models
 */
export interface Case {
  /** A sentence that is true of a sink that passes. */
  readonly name: string
  /** Makes a fresh store, and says whether the sink passed; `skipped` when it does not claim the capability. */
  readonly run: <E>(
    fresh: Effect.Effect<Target<E>, E, Scope.Scope>
  ) => Effect.Effect<"passed" | "skipped", ConformanceFailure | E, Scope.Scope>
}

/**
 * All cases, for any test runner: each is an effect that fails where the sink does.
 *
 * @since 0.1.0
 * @category cases
 */
export const cases: ReadonlyArray<Case> = rows.map((row: Row) => ({
  name: row.name,
  run: (fresh) => Effect.flatMap(fresh, (target) => Session.run(row, target))
}))

/**
 * Registers every case with `@effect/vitest`, which the caller passes in: this module does not import it.
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
        body: () => Effect.Effect<unknown, unknown, Scope.Scope>,
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
      runner.it.scopedLive(one.name, () => one.run(fresh), options.timeout ?? 30_000)
    }
  })
}

/**
 * What `check` found.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report {
  readonly sink: string
  readonly capabilities: Capabilities
  /** In the order of `cases`; a result other than `passed` and `skipped` is what went wrong. */
  readonly results: ReadonlyArray<{ readonly name: string; readonly result: string }>
  /** Whether no case failed. */
  readonly conforms: boolean
}

/**
 * Runs all cases one after another and never stops at a failure. Fails only when no store could be made at all.
 *
 * @since 0.1.0
 * @category cases
 */
export const check = <E>(fresh: Effect.Effect<Target<E>, E, Scope.Scope>): Effect.Effect<Report, E> =>
  Effect.gen(function* () {
    const { name, capabilities } = yield* Effect.scoped(Effect.flatMap(fresh, Session.describe))
    const results = yield* Effect.forEach(cases, (one) =>
      Effect.map(Effect.exit(Effect.scoped(one.run(fresh))), (exit) => ({
        name: one.name,
        result: Exit.isSuccess(exit) ? exit.value : Cause.pretty(exit.cause)
      }))
    )
    const conforms = results.every(({ result }) => result === "passed" || result === "skipped")
    return { sink: name, capabilities, results, conforms }
  })

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
