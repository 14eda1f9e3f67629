/**
 * The whole pipeline: parse the files of a source, split them, write the chunks to the sinks, and report an outcome per file.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Chunker } from "./Chunker.ts"
import type { ChunkSink, EmbeddingSpace, SinkError } from "./ChunkSink.ts"
import { DeadLetter } from "./DeadLetter.ts"
import type { Embedder } from "./Embedder.ts"
import type { EmbeddingError } from "./EmbeddingError.ts"
import type { Found } from "./internal/discovery/foundFiles.ts"
import { adaptiveCeiling } from "./internal/gate/limiter.ts"
import { ByteBudget } from "./internal/run/byteBudget.ts"
import { type Compared, compare } from "./internal/run/compare.ts"
import * as DistinctTargets from "./internal/run/distinctTargets.ts"
import * as Embedding from "./internal/run/embed.ts"
import { close } from "./internal/run/finish.ts"
import { mapConcurrently } from "./internal/run/mapConcurrently.ts"
import { finishSinks, openSinks } from "./internal/run/openSinks.ts"
import type { BudgetOptions, LedgerOptions, Mode, StateOptions } from "./internal/run/options.ts"
import * as Paying from "./internal/run/paying.ts"
import * as Stages from "./internal/run/prepare.ts"
import * as Report from "./internal/run/progress.ts"
import { readAhead } from "./internal/run/readAhead.ts"
import { remember } from "./internal/run/remember.ts"
import * as Session from "./internal/run/session.ts"
import { outcomeIfUnchanged, store } from "./internal/run/store.ts"
import { SummaryCounts } from "./internal/run/summaryCounts.ts"
import * as Trace from "./internal/run/trace.ts"
import { withhold } from "./internal/run/withhold.ts"
import { ofRun } from "./internal/state/ledger/runLedger.ts"
import { Ledger, type LedgerError } from "./Ledger.ts"
import type { Outcome, Summary } from "./Outcome.ts"
import { type Parser, serving } from "./Parser.ts"
import * as RetryPolicy from "./RetryPolicy.ts"
import type { RunReport } from "./RunReport.ts"
import * as RunState from "./RunState.ts"
import type { InvalidOptions } from "./service/ParseOptions.ts"
import { Source } from "./Source.ts"
import { spans } from "./Telemetry.ts"
import { Tokenizer } from "./Tokenizer.ts"

/**
 * Errors that end the whole run: a failure that concerns every document or, before anything is parsed, an unfit target or a
 * parser that cannot serve the chunker.
 *
 * @since 0.1.0
 * @category errors
 */
export type RunError = EmbeddingError | InvalidOptions | RunState.RunStopped | SinkError | LedgerError

/**
 * Progress of a run.
 *
 * @since 0.1.0
 * @category models
 */
export type Progress = Report.Progress

export type { BudgetOptions, Mode, StateOptions } from "./internal/run/options.ts"

/**
 * Options of every run, with a state and without.
 *
 * @since 0.1.0
 * @category models
 */
export interface RunOptions {
  /** The parser is asked for what the chunker needs of an answer. */
  readonly chunker: Chunker
  /** Adds a vector to every chunk before it is stored; default: none. */
  readonly embedder?: Embedder.Service | undefined
  /** Without an embedder: the space of the vectors that the chunker's own chunks bring; default null, they have none. */
  readonly space?: EmbeddingSpace | null | undefined
  /**
   * Requests in flight: a number, or `adaptive` (default), which is what the gate finds out (`RequestGate.Options`). Documents that wait
   * for a retry do not count. A parser without a gate parses as many documents at a time, 8 for `adaptive`.
   */
  readonly concurrency?: number | "adaptive" | undefined
  /**
   * Longest time in which no request succeeds, waits that the service asked for included; then the run stops with `ServiceUnreachable`
   * (`EmbeddingError` for the embedder's requests), and the documents that are left count as not attempted. Default 10 minutes. Without
   * effect on a parser or an embedder without a gate.
   */
  readonly outageLimit?: Duration.DurationInput | undefined
  /**
   * Bytes of upload windows, answers and chunks not yet acknowledged that may be held at a time; default 64 MiB. A document
   * that alone needs more is parsed alone.
   */
  readonly maxBytesInFlight?: number | undefined
  /** Store and report in the order of the source rather than of completion; default false. */
  readonly ordered?: boolean | undefined
  /** `fail`: the first failed document stops the run; default `dead-letter`: it goes on. */
  readonly onFailure?: "dead-letter" | "fail" | undefined
  /** Files that may be found ahead of the parser, so that a total is known early; default 20000, about 0.3 KB each. */
  readonly lookAhead?: number | undefined
  /** Called after every file, one call at a time; the run waits for it. */
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined
  /**
   * Called once with the report of the run, after its last outcome; a run with a state also keeps it (`Ledger.reports`). Not called for a
   * run that fails as a whole.
   */
  readonly onReport?: ((report: RunReport) => Effect.Effect<void>) | undefined
  /** Stops the run when it completes: no new file is started, those in flight are finished and stored. Default: never. */
  readonly stop?: Effect.Effect<void> | undefined
  /** Default: unlimited. */
  readonly budget?: BudgetOptions | undefined
  /** A document of which not all was parsed: stored, stored with a warning (default), or failed. */
  readonly truncated?: "store" | "warn" | "fail" | undefined
  /**
   * Retry policy of a sink that becomes `Unavailable`; later writes wait meanwhile. Default `RetryPolicy.ofSinks()`: for 20
   * seconds.
   */
  readonly sinkRetry?: RetryPolicy.Options | undefined
  /** Counts requests and stops the run; default one of its own. */
  readonly run?: RunState.RunState | undefined
}

/**
 * Options of a run that remembers nothing: every document is parsed and stored again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<E, R> extends RunOptions {
  /** Files to parse: `Discovery.folder`, `Source.make`, or a stream of source files. */
  readonly source: Source<E, R> | Stream.Stream<Found, E, R>
  /** Each sink gets all chunks. Two of one target, or one inside another's folder, fail before any work. */
  readonly sinks: ReadonlyArray<ChunkSink.Service>
  readonly state?: undefined
}

/**
 * Options of a run that does only the work left since the previous run. `State.layer` provides its memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface StatefulOptions<
  E,
  R,
  S extends ChunkSink.Service = ChunkSink.Service,
  M extends Mode = Mode
> extends RunOptions {
  /** Files with their scope: a document missing among them may be gone. A bare stream has no scope; `Source.make` adds one. */
  readonly source: Source<E, R>
  /** As in {@link Options}. In modes `upsert` and `sync` each must be able to remove. */
  readonly sinks: ReadonlyArray<S> & Fitting<S, M>
  readonly state: StateOptions<M>
}

/**
 * The sinks that a mode accepts: `upsert` and `sync` exclude those whose type says that they cannot remove.
 *
 * @since 0.1.0
 * @category models
 */
export type Fitting<S extends ChunkSink.Service, M extends Mode> = [M] extends ["append"]
  ? unknown
  : [Extract<S, { readonly remove?: undefined }>] extends [never]
    ? unknown
    : ReadonlyArray<ChunkSink.Removing>

const defaults = { maxBytesInFlight: 67_108_864, lookAhead: 20_000 } as const

/** Maximum number of documents waiting for the sinks at a time; together they make the sinks' batches. */
const storing = 128

/** Results of a stage that wait for the next one: few, since each is a document with its chunks. */
const waiting = 16

/**
 * The outcome of each file, emitted as soon as every sink has its chunks.
 *
 * Fails with `RunStopped`, after every file that was found has its outcome, when something stopped the run; fails with the
 * source's own failure, when it had one. One failed document does not end the stream: its outcome is `Failed`, and its error a
 * dead letter. A document that the service refuses before its first success waits for its outcome until that success, the end
 * of the run or its stop, see `RunState.Refusals`. An unavailable sink is retried as `sinkRetry` says; when the two calls after
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
  return Stream.unwrapScoped(
    Effect.gen(function* () {
      const started = yield* begin(options)
      const counted = Stream.mapChunks(started.outcomes, (chunk) => {
        for (const outcome of chunk) started.count(outcome)
        return chunk
      })
      const stopped = Stream.suspend(() => {
        const reason = started.session.stopped()
        return reason === null ? Stream.empty : Stream.fail(reason)
      })
      return counted.pipe(Stream.concat(Stream.drain(Stream.fromEffect(started.end))), Stream.concat(stopped))
    })
  )
}

/**
 * Runs to the end and returns the summary. Fails only with the source's own failure, an unfit target, a parser that cannot serve
 * the chunker or a ledger that cannot be opened: everything else is in the summary, including why the run was stopped. Holds
 * failures and warnings in memory, nothing of a document that succeeded.
 *
 * @since 0.1.0
 * @category running
 */
export function run<E, R>(
  options: Options<E, R>
): Effect.Effect<Summary, E | RunError, Exclude<R, Scope.Scope> | Parser | Tokenizer | DeadLetter>
export function run<E, R, S extends ChunkSink.Service, M extends Mode>(
  options: StatefulOptions<E, R, S, M>
): Effect.Effect<Summary, E | RunError, Exclude<R, Scope.Scope> | Parser | Tokenizer | DeadLetter | Ledger>
export function run<E, R>(
  options: AnyOptions<E, R>
): Effect.Effect<Summary, E | RunError, Exclude<R, Scope.Scope> | Parser | Tokenizer | DeadLetter | Ledger> {
  return Effect.gen(function* () {
    const started = yield* begin(options)
    yield* Stream.runForEachChunk(started.outcomes, (chunk) =>
      Effect.sync(() => {
        for (const outcome of chunk) started.count(outcome)
      })
    )
    return yield* started.end
  }).pipe(Effect.scoped)
}

type AnyOptions<E, R> = Options<E, R> | StatefulOptions<E, R>

/** A run whose sinks and ledger are open. */
interface Started<E, R> {
  readonly session: Session.Session
  /** Counts an outcome, for the summary and the report. */
  readonly count: (outcome: Outcome) => void
  /** One outcome per item of the source; fails only as the source does. */
  readonly outcomes: Stream.Stream<Outcome, E, R | Tokenizer>
  /** Computes the summary and records it; to be run after the last outcome. */
  readonly end: Effect.Effect<Summary>
}

const begin = <E, R>(
  options: AnyOptions<E, R>
): Effect.Effect<
  Started<E, R>,
  SinkError | LedgerError | EmbeddingError | InvalidOptions,
  Parser | Tokenizer | DeadLetter | Ledger | Scope.Scope
> =>
  Effect.gen(function* () {
    yield* DistinctTargets.check(options.sinks)
    const startedAt = yield* Clock.currentTimeMillis
    const session = yield* Session.make(options.run ?? (yield* RunState.make))
    const trace = yield* Trace.make(session)
    return yield* trace.run(opened(options, session, trace, startedAt))
  })

const opened = <E, R>(
  options: AnyOptions<E, R>,
  session: Session.Session,
  trace: Trace.Trace,
  startedAt: number
): Effect.Effect<
  Started<E, R>,
  SinkError | LedgerError | EmbeddingError | InvalidOptions,
  Parser | Tokenizer | DeadLetter | Ledger | Scope.Scope
> =>
  Effect.gen(function* () {
    if (options.stop !== undefined) {
      yield* Effect.forkScoped(Effect.interruptible(Effect.zipRight(options.stop, session.interrupt)))
    }
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
    const counts = new SummaryCounts()
    const scope = options.source instanceof Source ? options.source.scope : null
    const subject = {
      root: scope?.root ?? null,
      folder: scope?.path ?? null,
      sinks: options.sinks.map(({ id }) => id)
    }
    const outcomes = through(options, {
      session,
      parser,
      deadLetter,
      chunker: options.chunker,
      writers,
      budget: new ByteBudget(options.maxBytesInFlight ?? defaults.maxBytesInFlight),
      paying: Paying.make(session, parser, options.budget),
      truncated: options.truncated ?? "warn",
      onFailure: options.onFailure ?? "dead-letter",
      vectorBytes: options.embedder === undefined || space === null ? 0 : 4 * space.dimensions,
      memory: memory?.memory ?? null,
      trace
    })
    const end = Effect.gen(function* () {
      const current = Effect.map(Clock.currentTimeMillis, (finishedAt) => {
        const summary = counts.summary(session, Math.max(0, finishedAt - startedAt))
        return { summary, report: session.collected.report(summary, { ...subject, startedAt, finishedAt }) }
      })
      const { report, summary } =
        memory === null
          ? yield* current
          : yield* Effect.catchAll(
              Effect.tap(current, ({ report, summary }) => memory.record(summary, report)),
              (error) => {
                session.halt(error._tag, error.message)
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
    return { session, count, outcomes, end }
  })

const remembering = <E, R>(
  state: StateOptions,
  { partial, scope }: Source<E, R>
): Effect.Effect<LedgerOptions, never, Ledger> =>
  Effect.map(Ledger, (ledger) => ({ ...state, ledger: ofRun(ledger), scope, partial }))

/**
 * Number of documents that are prepared at a time. The gate limits the requests; there are three documents for each, since those that wait
 * for a retry leave their place in the gate to others.
 */
const workers = (concurrency: number | "adaptive", { gate }: Parser.Service): number => {
  if (gate === undefined) return concurrency === "adaptive" ? 8 : Math.max(1, concurrency)
  return 3 * (concurrency === "adaptive" ? adaptiveCeiling : Math.max(1, concurrency))
}

const through = <E, R>(
  options: AnyOptions<E, R>,
  context: Stages.Context
): Stream.Stream<Outcome, E, R | Tokenizer> => {
  const { parser, session, trace, writers } = context
  const concurrency = workers(options.concurrency ?? "adaptive", parser)
  const ordered = options.ordered ?? false
  const lookAhead = Math.max(1, options.lookAhead ?? defaults.lookAhead)
  const found = readAhead(options.source instanceof Source ? options.source.files : options.source, {
    capacity: lookAhead,
    through: compare(session, context.memory),
    halt: Effect.ignore(session.whenStopped),
    pulled: (count) => {
      session.discovered += count
    },
    ended: () => {
      session.complete = true
    }
  })
  const prepare = trace.first(Stages.prepare(context))
  const begun = (one: Compared) =>
    Effect.suspend(() => {
      session.collected.began(one.found.path)
      return prepare(one)
    })
  const prepared = mapConcurrently(found, begun, {
    concurrency,
    runAhead: waiting,
    ordered,
    direct: Stages.endedIfUntouched(context)
  })
  const together = Math.max(storing, concurrency)
  const embedding = options.embedder && Embedding.stage(context, options.embedder, together)
  const embedded =
    embedding === undefined
      ? prepared
      : mapConcurrently(prepared, trace.stage(spans.embed, embedding.embed), {
          concurrency: together,
          runAhead: waiting,
          ordered,
          direct: embedding.withoutVectors
        })
  const settled = mapConcurrently(embedded, trace.stage(spans.write, store(context)), {
    concurrency: together,
    ordered,
    direct: outcomeIfUnchanged
  })
  const last = trace.run(
    Effect.zipRight(
      Effect.catchAll(close(context), (error) => Effect.sync(() => session.halt(error._tag, error.message))),
      finishSinks(session, writers)
    )
  )
  const outcomes = trace.settled(withhold(context, { ordered, capacity: lookAhead })(settled))
  return Stream.concat(Report.reported(outcomes, session, options.onProgress), Stream.drain(Stream.fromEffect(last)))
}
