/** A run: its sinks and ledger opened, its documents coordinated and worked on, its end recorded. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { SinkError } from "../../ChunkSink.ts"
import { DeadLetter } from "../../DeadLetter.ts"
import type { EmbeddingError } from "../../EmbeddingError.ts"
import { Ledger, type LedgerError } from "../../Ledger.ts"
import type { Outcome, Summary } from "../../Outcome.ts"
import { type Parser, serving } from "../../Parser.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import * as RunState from "../../RunState.ts"
import type { InvalidOptions } from "../../service/ParseOptions.ts"
import { Source } from "../../Source.ts"
import { Tokenizer } from "../../Tokenizer.ts"
import { ofRun } from "../state/ledger/runLedger.ts"
import { ByteBudget } from "./byteBudget.ts"
import { type Carry, here } from "./carry.ts"
import { coordinate } from "./coordinate.ts"
import * as DistinctTargets from "./distinctTargets.ts"
import { openSinks } from "./openSinks.ts"
import type { AnyOptions, LedgerOptions, StateOptions } from "./options.ts"
import * as Paying from "./paying.ts"
import { remember, type Remembered } from "./remember.ts"
import * as Session from "./session.ts"
import { SummaryCounts } from "./summaryCounts.ts"
import * as Trace from "./trace.ts"

/** Errors of a run that cannot begin. */
export type BeginError = SinkError | LedgerError | EmbeddingError | InvalidOptions

const maxBytesInFlight = 67_108_864

/** A run whose sinks and ledger are open. */
export interface Started<E, R> {
  readonly session: Session.Session
  /** Counts an outcome, for the summary and the report. */
  readonly count: (outcome: Outcome) => void
  /** One outcome per item of the source; fails only as the source does. */
  readonly outcomes: Stream.Stream<Outcome, E, R | Tokenizer>
  /** Computes the summary and records it; to be run after the last outcome. */
  readonly end: Effect.Effect<Summary>
}

/**
 * Opens a run. `carry`: the road of the documents to where they are worked on; default: through this process. A run that is asked to end
 * before it is open has no outcome, and records nothing.
 */
export const begin = <E, R, E2 = never>(
  options: AnyOptions<E, R>,
  carry: Carry<E2> = here
): Effect.Effect<Started<E | E2, R>, BeginError, Parser | Tokenizer | DeadLetter | Ledger | Scope.Scope> =>
  Effect.gen(function* () {
    yield* DistinctTargets.check(options.sinks)
    const startedAt = yield* Clock.currentTimeMillis
    const session = yield* Session.make(options.run ?? (yield* RunState.make))
    const trace = yield* Trace.make(session)
    const opening = trace.run(opened(options, carry, session, trace, startedAt))
    const { stop } = options
    if (stop === undefined) return yield* opening
    yield* Effect.forkScoped(Effect.interruptible(Effect.zipRight(stop, session.interrupt)))
    const unopened = { ...ending(options, session, trace, startedAt, null), outcomes: Stream.empty }
    // An embedder, a store or a server may let the run wait for minutes.
    return yield* Effect.raceFirst(opening, Effect.as(session.whenInterrupted, unopened))
  })

/** The counts of a run and its end. */
const ending = <E, R>(
  options: AnyOptions<E, R>,
  session: Session.Session,
  trace: Trace.Trace,
  startedAt: number,
  remembered: Remembered | null
): Omit<Started<never, never>, "outcomes"> => {
  const counts = new SummaryCounts()
  const scope = options.source instanceof Source ? options.source.scope : null
  const subject = {
    root: scope?.root ?? null,
    folder: scope?.path ?? null,
    sinks: options.sinks.map(({ id }) => id)
  }
  const end = Effect.gen(function* () {
    const current = Effect.map(Clock.currentTimeMillis, (finishedAt) => {
      const summary = counts.summary(session, Math.max(0, finishedAt - startedAt))
      return { summary, report: session.collected.report(summary, { ...subject, startedAt, finishedAt }) }
    })
    const { report, summary } =
      remembered === null
        ? yield* current
        : yield* Effect.catchAll(
            Effect.tap(current, ({ report, summary }) => remembered.record(summary, report)),
            (error) => {
              session.halt(error)
              return current
            }
          )
    trace.summary(summary)
    yield* options.onReport?.(report) ?? Effect.void
    return summary
  })
  const count = (outcome: Outcome): void => {
    counts.add(outcome)
    session.collected.add(outcome)
  }
  return { session, count, end }
}

const opened = <E, R, E2>(
  options: AnyOptions<E, R>,
  carry: Carry<E2>,
  session: Session.Session,
  trace: Trace.Trace,
  startedAt: number
): Effect.Effect<Started<E | E2, R>, BeginError, Parser | Tokenizer | DeadLetter | Ledger | Scope.Scope> =>
  Effect.gen(function* () {
    const parser = yield* serving(options.chunker)
    yield* parser.gate?.within({ concurrency: options.concurrency, outageLimit: options.outageLimit }) ?? Effect.void
    yield* options.embedder?.gate?.within({ outageLimit: options.outageLimit }) ?? Effect.void
    const deadLetter = yield* DeadLetter
    const space = options.embedder === undefined ? (options.space ?? null) : yield* options.embedder.space
    const ledger = options.state === undefined ? undefined : yield* remembering(options.state, options.source)
    if (ledger !== undefined) yield* ledger.ledger.admit(ledger.scope, ledger.newRoot)
    const writers = yield* openSinks(session, {
      sinks: options.sinks,
      space,
      ledger,
      retry: RetryPolicy.ofSinks(options.sinkRetry)
    })
    const tokenizer = yield* Tokenizer
    const memory =
      ledger === undefined
        ? null
        : yield* remember(ledger, {
            chunker: options.chunker,
            deadLetter,
            embedder: options.embedder?.digest ?? null,
            parser,
            session,
            space,
            startedAt,
            tokenizer,
            writers
          })
    const outcomes = coordinate(options, carry, {
      session,
      parser,
      deadLetter,
      chunker: options.chunker,
      writers,
      budget: new ByteBudget(options.maxBytesInFlight ?? maxBytesInFlight),
      paying: Paying.make(session, parser, options.budget),
      truncated: options.truncated ?? "warn",
      onFailure: options.onFailure ?? "dead-letter",
      vectorBytes: options.embedder === undefined || space === null ? 0 : 4 * space.dimensions,
      memory: memory?.memory ?? null,
      trace
    })
    return { ...ending(options, session, trace, startedAt, memory), outcomes }
  })

const remembering = <E, R>(
  state: StateOptions,
  { partial, scope }: Source<E, R>
): Effect.Effect<LedgerOptions, never, Ledger> =>
  Effect.map(Ledger, (ledger) => ({ ...state, ledger: ofRun(ledger), scope, partial }))

/** Runs to the end. */
export const toEnd = <E, R>({ count, end, outcomes }: Started<E, R>): Effect.Effect<Summary, E, R | Tokenizer> =>
  Effect.zipRight(
    Stream.runForEachChunk(outcomes, (chunk) =>
      Effect.sync(() => {
        for (const outcome of chunk) count(outcome)
      })
    ),
    end
  )
