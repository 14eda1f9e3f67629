/** A run: its sinks and ledger opened, its documents worked on, its end recorded. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { SinkError } from "../../ChunkSink.ts"
import type { DeadLetter } from "../../DeadLetter.ts"
import { Ledger, type LedgerError } from "../../Ledger.ts"
import type { Outcome, Summary } from "../../Outcome.ts"
import type { Parser } from "../../Parser.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import type { InvalidOptions } from "../../service/ParseOptions.ts"
import { Source } from "../../Source.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import { oneEffect } from "../base/oneEffect.ts"
import * as RunState from "../client/runState.ts"
import type { EmbeddingError } from "../embedding/embeddingError.ts"
import { ofRun } from "../state/ledger/runLedger.ts"
import { chunkerOf, type Filling } from "./chunkerOf.ts"
import * as Context from "./context.ts"
import * as DistinctTargets from "./distinctTargets.ts"
import { inThisProcess, outcomes, type Workplace } from "./documentRun.ts"
import { openSinks } from "./openSinks.ts"
import type { AnyOptions, LedgerOptions, StateOptions } from "./options.ts"
import * as Paying from "./paying.ts"
import * as Placing from "./placing.ts"
import { remember, type Remembered } from "./remember.ts"
import type { RunError } from "./runError.ts"
import * as Session from "./session.ts"
import { SummaryCounts } from "./summaryCounts.ts"
import * as Trace from "./trace.ts"

/**
 * Errors of a run that cannot begin: an unfit target, a parser that cannot serve the chunker, an embedder or a ledger that cannot be used.
 *
 * @since 0.1.0
 * @category errors
 */
export type OpenError = SinkError | LedgerError | EmbeddingError | InvalidOptions

/** A run whose sinks and ledger are open. */
export interface OpenRun {
  readonly session: Session.Session
  /** Null for a run that was asked to end before it was open: it has no outcome, and records nothing. */
  readonly context: Context.RunContext | null
  /** Counts an outcome, for the summary and the report. */
  readonly count: (outcome: Outcome) => void
  /** Computes the summary and records it; to be run after the last outcome. */
  readonly end: Effect.Effect<Summary>
}

interface Opening {
  readonly session: Session.Session
  readonly trace: Trace.Trace
  readonly startedAt: number
}

type OpenEffect = Effect.Effect<OpenRun, OpenError, Parser | Tokenizer | DeadLetter | Ledger | Scope.Scope>

/** `begun` gives the state that counts requests and stops the run. */
export const open = <E, R>(
  options: AnyOptions<E, R>,
  begun: Effect.Effect<RunState.RunState> = RunState.make
): OpenEffect =>
  Effect.gen(function* () {
    yield* oneEffect
    yield* DistinctTargets.check(options.sinks)
    const startedAt = yield* Clock.currentTimeMillis
    const session = yield* Session.make(yield* begun)
    const trace = yield* Trace.make(session)
    const opening = { session, trace, startedAt }
    const opened = trace.run(openParts(options, opening))
    const { stop } = options
    if (stop === undefined) return yield* opened
    yield* Effect.forkScoped(Effect.interruptible(Effect.zipRight(stop, session.interrupt)))
    const unopened = { session, context: null, ...ending(options, opening, null) }
    // An embedder, a store or a server may let the run wait for minutes.
    return yield* Effect.raceFirst(opened, Effect.as(session.whenInterrupted, unopened))
  })

const openParts = <E, R>(options: AnyOptions<E, R>, opening: Opening): OpenEffect =>
  Effect.gen(function* () {
    const { session, startedAt, trace } = opening
    const ledger = options.state === undefined ? undefined : yield* ledgerOptions(options.state, options.source)
    const chunker = ledger === undefined ? options.chunker : yield* chunkerOf(options.chunker, filling(ledger, options))
    const set = { ...options, chunker }
    const services = yield* Context.openServices(set)
    if (ledger !== undefined) yield* ledger.ledger.admit(ledger.scope, ledger.newRoot)
    const retry = RetryPolicy.ofSinks(options.sinkRetry)
    const { filled, sinks } = yield* Placing.make(options.sinks, ledger, services.space)
    const writers = yield* openSinks(session, { sinks, space: services.space, ledger, retry })
    const remembered =
      ledger === undefined ? null : yield* remember(ledger, set, { services, session, startedAt, writers })
    if (ledger !== undefined && (ledger.rechunk === true || remembered?.memory.scan.documents === 0)) {
      const sinks = options.sinks.map(({ id }) => id)
      yield* ledger.ledger.fill(ledger.scope.root, { configuration: chunker.configuration, sinks })
    }
    const paying = Paying.make(session, services.terms, options.budget)
    const memory = remembered?.memory ?? null
    const root = options.source instanceof Source ? options.source.scope.root : null
    const context = Context.make(set, services, { session, root, writers, paying, memory, trace })
    const whole = Effect.suspend(() =>
      session.stopped() !== null || memory?.incomplete !== null || writers.some(({ down }) => down() !== null)
        ? Effect.void
        : Effect.catchAll(filled, (error) => Effect.sync(() => session.halt(error)))
    )
    const { count, end } = ending(options, opening, remembered)
    return { session, context, count, end: Effect.zipRight(whole, end) }
  })

const ledgerOptions = <E, R>(
  state: StateOptions,
  { partial, scope }: Source<E, R>
): Effect.Effect<LedgerOptions, never, Ledger> =>
  Effect.map(Ledger, (ledger) => ({ ...state, ledger: ofRun(ledger), scope, partial }))

const filling = (
  { ledger, rechunk, scope }: LedgerOptions,
  { sinks }: Pick<AnyOptions<unknown, unknown>, "sinks">
): Filling => ({ ledger, rechunk, root: scope.root, sinks: sinks.map(({ id }) => id) })

/** The counts of a run and its end. */
const ending = <E, R>(
  { onReport, sinks, source }: AnyOptions<E, R>,
  { session, startedAt, trace }: Opening,
  remembered: Remembered | null
): Pick<OpenRun, "count" | "end"> => {
  const counts = new SummaryCounts()
  const scope = source instanceof Source ? source.scope : null
  const subject = {
    root: scope?.root ?? null,
    folder: scope?.path ?? null,
    sinks: sinks.map(({ id }) => id),
    startedAt
  }
  const current = Effect.map(Clock.currentTimeMillis, (finishedAt) => {
    const summary = counts.summary(session, Math.max(0, finishedAt - startedAt))
    return { summary, report: session.collected.report(summary, { ...subject, finishedAt }) }
  })
  const recorded =
    remembered === null
      ? current
      : Effect.catchAll(
          Effect.tap(current, ({ report, summary }) => remembered.record(summary, report)),
          (error) => {
            session.halt(error)
            return current
          }
        )
  return {
    count: (outcome) => {
      counts.add(outcome)
      session.collected.add(outcome)
    },
    end: Effect.gen(function* () {
      const { report, summary } = yield* recorded
      trace.summary(summary)
      yield* onReport?.(report) ?? Effect.void
      return summary
    })
  }
}

/** The outcomes of a run, and then the error that stopped it, when one did; `begun` as for {@link open}. */
export const outcomesOf = <E, R>(
  options: AnyOptions<E, R>,
  workplace: Workplace<never> = inThisProcess,
  begun?: Effect.Effect<RunState.RunState>
): Stream.Stream<Outcome, E | RunError, R | Parser | Tokenizer | DeadLetter | Ledger> =>
  Stream.unwrapScoped(
    Effect.map(open(options, begun), ({ context, count, end, session }) => {
      const counted = Stream.mapChunks(outcomes(options, context, workplace), (chunk) => {
        for (const outcome of chunk) count(outcome)
        return chunk
      })
      const stopped = Stream.suspend(() => {
        const reason = session.stopped()
        return reason === null ? Stream.empty : Stream.fail(reason.cause)
      })
      return counted.pipe(Stream.concat(Stream.drain(Stream.fromEffect(end))), Stream.concat(stopped))
    })
  )

/** Opens a run and runs it to its end. */
export const runToEnd = <E, R, E2>(
  options: AnyOptions<E, R>,
  workplace: Workplace<E2>
): Effect.Effect<Summary, E | E2 | OpenError, Exclude<R, Scope.Scope> | Parser | Tokenizer | DeadLetter | Ledger> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { context, count, end } = yield* open(options)
      yield* Stream.runForEachChunk(outcomes(options, context, workplace), (chunk) =>
        Effect.sync(() => {
          for (const outcome of chunk) count(outcome)
        })
      )
      return yield* end
    })
  )
