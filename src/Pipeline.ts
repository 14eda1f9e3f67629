/**
 * The whole pipeline: parse the files of a source, split them, write the chunks to the sinks, and report an outcome per file.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { ChunkSink } from "./ChunkSink.ts"
import type { DeadLetter } from "./DeadLetter.ts"
import { inThisProcess } from "./internal/run/documentRun.ts"
import type { AnyOptions, Mode, Options, StatefulOptions } from "./internal/run/options.ts"
import { type OpenError, outcomesOf, runToEnd } from "./internal/run/run.ts"
import type { RunError } from "./internal/run/runError.ts"
import type { Ledger } from "./Ledger.ts"
import type { Outcome, Summary } from "./Outcome.ts"
import type { Parser } from "./Parser.ts"
import type { Tokenizer } from "./Tokenizer.ts"

export type { Progress } from "./internal/run/progress.ts"

export { RunStopped } from "./internal/client/runState.ts"
export { agrees, examine, type Options as ExamineOptions, Finding } from "./internal/run/examine.ts"
export {
  RemovalError,
  type Failure as RemovalFailure,
  remove,
  type Removed,
  type Options as RemoveOptions
} from "./internal/run/removal.ts"
export type { OpenError } from "./internal/run/run.ts"
export { BudgetSpent, Interrupted } from "./internal/run/runError.ts"

export type {
  BudgetOptions,
  Fitting,
  Mode,
  Options,
  RunOptions,
  StatefulOptions,
  StateOptions
} from "./internal/run/options.ts"

/**
 * The outcome of each file, emitted as soon as every sink has its chunks.
 *
 * Fails, after every file that was found has its outcome, with the error that stopped the run, when one did: `Stream.catchTag` takes a
 * 401 by its tag, `Unauthorized`. Fails with the source's own failure, when it had one. One failed document does not end the stream: its
 * outcome is `Failed`, and its error a dead letter. A document that the service refuses before its first success waits for its outcome until that success, the end
 * of the run or its stop. An unavailable sink is retried as `sinkRetry` says; when the two calls after
 * that find it unavailable too, it is given up and its documents fail; when no sink is left, the run stops. Sinks that can
 * replace a document do so; the others write its chunks. Memory is bounded by `concurrency`, `maxBytesInFlight` and
 * `lookAhead`. When the consumer ends early, everything in flight is interrupted.
 *
 * @since 0.1.0
 * @category running
 */
export function outcomes<E, R>(
  options: Options<E, R>
): Stream.Stream<Outcome, E | RunError, R | Parser | Tokenizer | DeadLetter>
export function outcomes<E, R, S extends ChunkSink.Service, M extends Mode>(
  options: StatefulOptions<E, R, S, M>
): Stream.Stream<Outcome, E | RunError, R | Parser | Tokenizer | DeadLetter | Ledger>
export function outcomes<E, R>(
  options: AnyOptions<E, R>
): Stream.Stream<Outcome, E | RunError, R | Parser | Tokenizer | DeadLetter | Ledger> {
  return outcomesOf(options)
}

/**
 * Runs to the end and returns the summary. Fails only with the source's own failure, and with `OpenError` where the run cannot begin:
 * everything else is in the summary, including why the run was stopped. Holds failures, with their errors, and warnings in memory, nothing
 * of a document that succeeded.
 *
 * With a state, a root that is not there, or in which nothing is wanted, is no failure where documents of its scope are known: nothing is
 * removed, and the summary has exit status 1 and a warning.
 *
 * @since 0.1.0
 * @category running
 */
export function run<E, R>(
  options: Options<E, R>
): Effect.Effect<Summary, E | OpenError, Exclude<R, Scope.Scope> | Parser | Tokenizer | DeadLetter>
export function run<E, R, S extends ChunkSink.Service, M extends Mode>(
  options: StatefulOptions<E, R, S, M>
): Effect.Effect<Summary, E | OpenError, Exclude<R, Scope.Scope> | Parser | Tokenizer | DeadLetter | Ledger>
export function run<E, R>(
  options: AnyOptions<E, R>
): Effect.Effect<Summary, E | OpenError, Exclude<R, Scope.Scope> | Parser | Tokenizer | DeadLetter | Ledger> {
  return runToEnd(options, inThisProcess)
}
