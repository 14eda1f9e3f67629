/** Options of a run that several internal modules share; `Pipeline` re-exports them. */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { Chunker } from "../../Chunker.ts"
import type { ChunkSink, EmbeddingSpace } from "../../ChunkSink.ts"
import type { Embedder } from "../../Embedder.ts"
import type { Ledger, LedgerError } from "../../Ledger.ts"
import type * as RetryPolicy from "../../RetryPolicy.ts"
import type { ScopeRequest, Source } from "../../Source.ts"
import type { SourceFile } from "../../SourceFile.ts"
import type { Found } from "../discovery/foundFiles.ts"
import type { RunLedger } from "../state/ledger/runLedger.ts"
import type { RunReport } from "../state/ledger/runReport.ts"
import type { Progress } from "./progress.ts"

/**
 * `append`: nothing is ever deleted. `upsert`: a changed document's old chunks are removed. `sync`: documents that no scope claims
 * any more are removed too, after a complete discovery. A sink without `remove` allows `append` only.
 *
 * @since 0.1.0
 * @category models
 */
export type Mode = "append" | "upsert" | "sync"

/**
 * Options for the use of the state between runs.
 *
 * @since 0.1.0
 * @category models
 */
export interface StateOptions<M extends Mode = Mode> {
  /** Default `upsert`. */
  readonly mode?: M | undefined
  /** `sync` may remove more than half of more than 10 documents; default false. */
  readonly allowRemovals?: boolean | undefined
  /** Trust no fingerprint: hash every file; default false. */
  readonly verify?: boolean | undefined
  /**
   * Forces work that the ledger considers done. Each level includes the ones before: `failures` that are final, `writes` to the
   * sinks from the cache, `parses` past the cache. Default `nothing`.
   */
  readonly redo?: "nothing" | "failures" | "writes" | "parses" | undefined
  /**
   * Ownership of the targets. `own` (default): they belong to this state alone; targets of another state are refused. `adopt`: they
   * belong to this state from now on, whoever owned them; chunks already there are acknowledged and not written again. `shared`:
   * other states may write to them too, each below different roots; the owner of a target must share it first.
   */
  readonly claim?: "own" | "adopt" | "shared" | undefined
  /** Empty the sinks first, whatever they hold; in a shared target, only this state's own documents. Default false. */
  readonly rebuild?: boolean | undefined
  /**
   * Split every document anew, from the cache, with the settings of this run, which are those of the root from then on. Default false:
   * what the chunker was not told is as the root was filled, whatever the defaults are now.
   */
  readonly rechunk?: boolean | undefined
  /**
   * Fill a generation of each target next to the one that is searched, which stays as it is: `ChunkSink.Generations` changes over to
   * it. Default false: the generation that serves is written.
   */
  readonly beside?: boolean | undefined
  /**
   * Accept the scope's root as new although it holds half or more of the files of a root that is gone. Default false: it is taken
   * for that root under another name, and the run fails with `RootRenamed` before anything is written.
   */
  readonly newRoot?: boolean | undefined
  /** Text that a later `retry` needs, without secrets; kept with the run and with each of its failures. Default empty. */
  readonly request?: string | undefined
}

/** The same, with the ledger of the run and the scope of its source. */
export interface LedgerOptions extends StateOptions {
  readonly ledger: Ledger.Service & RunLedger<LedgerError>
  readonly scope: ScopeRequest
  /** True when the source is only a part of the scope: a file that is not in it is not gone. */
  readonly partial: boolean
}

/**
 * Spending limits of a run. A document is sent only when the budget left, minus the amount reserved for documents in flight,
 * covers its highest possible cost. The first one that does not fit stops the run, with exit status 1. Needs a parser with
 * `terms`.
 *
 * @since 0.1.0
 * @category models
 */
export interface BudgetOptions {
  /** Maximum number of pages parsed; unlimited by default. Answers from the cache cost nothing. */
  readonly pages?: number | undefined
  readonly credits?: number | undefined
  /**
   * Counts the pages of a PDF; none when unknown. Without it, or with none, a PDF counts as the maximum that the parse options
   * allow: `maxPages`, else 10000.
   */
  readonly pagesOf?: ((file: SourceFile) => Effect.Effect<Option.Option<number>>) | undefined
}

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
   * Requests in flight: a number, or `adaptive` (default), which is what the gate finds out (`RequestGate.Options`). One until the first
   * answer, and one more for every two seconds that it takes. Documents that wait for a retry do not count. A parser without a gate parses as many documents at a time, 8 for `adaptive`.
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
  /**
   * Stops the run when it completes: no new file is started, those in flight are finished and stored. While the run still waits for its
   * embedder or its sinks, it ends at once, and records nothing. Default: never.
   */
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
}

/**
 * Options of a run that remembers nothing: every document is parsed and stored again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<E, R> extends RunOptions {
  /** Files to parse: `Discovery.folder`, `Source.make`, or a stream of source files. The second of two with one id fails. */
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
  : [Extract<S, ChunkSink.Appending>] extends [never]
    ? unknown
    : ReadonlyArray<ChunkSink.Removing>

/** Options of a run, with a state or without. */
export type AnyOptions<E, R> = Options<E, R> | StatefulOptions<E, R>
