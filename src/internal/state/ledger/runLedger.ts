/** The part of a ledger that only runs and repairs may call, since its calls are right in one order only. */
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { ChunkId } from "../../../DocumentChunk.ts"
import type { Summary } from "../../../Outcome.ts"
import type { ScopeRequest } from "../../../Source.ts"
import type { LedgerError } from "../ledgerError.ts"
import type { Failure, Holding, Key, LedgerEntry, Removal, Sighting } from "./entry.ts"
import type { Belief } from "./figures.ts"
import type { Filled } from "./filled.ts"
import type { Commit } from "./operations.ts"
import type { RunReport } from "./runReport.ts"
import type { Expected, Seen } from "./verdict.ts"

export type { Commit, Expected }

/** A found file: its path below the root, and what shows whether it changed. */
export interface SeenFile extends Seen {
  readonly path: string
}

/** `unchanged`: nothing to do. `known`: `get` the entry and decide by it. `new`: there is no entry. */
export type Standing = "unchanged" | "known" | "new"

/** A document that its scope claimed and that was not found. */
export interface Vanished {
  readonly path: string
  /** True when its last attempt before this run failed. */
  readonly failed: boolean
}

/** A document that no scope would claim after this run. */
export interface Unclaimed extends Holding {
  /** True when another scope claims it at present. */
  readonly released: boolean
}

/** A scope's documents at the start of a run, and which of them the run has found. Mutable; for one run. */
export interface Scan<E> {
  /** Number of the scope, for the writes of this run. */
  readonly scope: number
  /** Documents of the root that the ledger knew at the start. */
  readonly documents: number
  /** Documents that this scope claimed at the start. */
  readonly claimed: number
  /** Time of this scope's last complete discovery; null when none was complete. */
  readonly completedAt: number | null
  /** Marks a batch of files as found and returns their standings, in its order. A batch is one call of a database on a server. */
  readonly see: (files: ReadonlyArray<SeenFile>) => Effect.Effect<ReadonlyArray<Standing>, E>
  /** Documents that this scope claimed and that were not found so far; to be run when discovery is complete, before {@link complete}. */
  readonly vanished: Stream.Stream<Vanished, E>
  /**
   * To be run to its end after a complete discovery: removes the claims of scopes inside this one on documents that were not found
   * and whose files no longer exist. Emits the paths whose files are gone but that stay, because a wider scope claims them.
   */
  readonly release: Stream.Stream<string, E>
  /**
   * To be run after a complete discovery: the scope then claims the found documents and no others. While other processes work on the scope,
   * their documents stay too; the last of them takes the others away.
   */
  readonly complete: (at: number) => Effect.Effect<void, E>
  /** To be run at the end of the run, whatever it was: other processes then know that this one does not work on the scope any more. */
  readonly end: Effect.Effect<void, E>
}

/** What became of the attempt to take a document. */
export interface Hold {
  /**
   * `held`: it is this process's, and what was known of it may have changed. `busy`: another process has it; ask again later. `alone`: this
   * process is the only one, and nothing was written.
   */
  readonly standing: "alone" | "held" | "busy"
  /** The document's entry, for `held`. */
  readonly entry: LedgerEntry | null
}

/** A read-only {@link Scan}: binds, claims and writes nothing. */
export interface Preview<E> extends Pick<Scan<E>, "claimed" | "see" | "vanished"> {
  /** To be run when discovery is complete. */
  readonly gone: Effect.Effect<
    {
      /** Documents that no scope would claim after {@link Scan.release} and {@link Scan.complete}. */
      readonly unclaimed: Stream.Stream<Unclaimed, E>
      /** Paths that {@link Scan.release} would emit. */
      readonly kept: Stream.Stream<string, E>
    },
    E
  >
}

/** `E`: the error of the store of rows. */
export interface RunLedger<E> {
  /** Id by which stores recognise this state: random, made once. Null for a ledger in memory, which owns no store. */
  readonly state: Effect.Effect<string | null, E>
  /** Documents that a sink has acknowledged, store by store. */
  readonly belief: (sink: string) => Effect.Effect<Belief, E>
  /**
   * Rejects a run over a scope that is probably a mistake: `NameClash` when another folder that still exists has the root's
   * name; `RootRenamed` when the name is new and this folder holds half or more of the files of a root whose folder is gone (by
   * inode, size and time of modification), unless `newRoot` is true. Writes nothing. Reads one row for a known name, and the
   * status of each file of the missing root for a new one.
   */
  readonly admit: (request: ScopeRequest, newRoot?: boolean) => Effect.Effect<void, E>
  /**
   * Binds the root's name and begins a scan of its documents. An embedded ledger reads all their rows, in about 200 bytes of memory
   * per path; one on a server keeps them there. `NameClash` when another folder that still exists has the name; a folder that has
   * moved keeps its name.
   */
  readonly scan: (request: ScopeRequest, expected: Expected) => Effect.Effect<Scan<E>, E>
  /** The result of a {@link scan} without its writes; fails as it would. */
  readonly preview: (request: ScopeRequest, expected: Expected) => Effect.Effect<Preview<E>, E>
  /**
   * Takes a document before it is parsed, so that no other process works on it.
   *
   * Ends with the next `touch`, `fail` or `forget`, with a `commit` that leaves nothing to remove, or with `letGo`. When this process is
   * stopped or cut off for longer than the lease, another one may take the document over: `announce` and `commit` then fail with
   * `Superseded`, and `touch`, `fail`, `removed` and `forget` change nothing.
   */
  readonly hold: (key: Key) => Effect.Effect<Hold, E>
  /** Ends a {@link hold} that came to no result; does nothing without one. */
  readonly letGo: (key: Key) => Effect.Effect<void, E>
  /**
   * Records chunks that a sink may have got from this process after another one had taken the document over; to be called under a new
   * {@link hold}. Returns those to be removed at once. `instead`: the sink replaced the document, so it counts as not having it.
   */
  readonly stray: (
    key: Key,
    chunkIds: ReadonlyArray<ChunkId>,
    sinks: ReadonlyArray<string>,
    how: "beside" | "instead"
  ) => Effect.Effect<ReadonlyArray<Removal>, E>
  /**
   * To be called before a document's chunks are written: if the run ends in between, the next one knows which of them the sinks
   * may hold. `beside` (default) keeps the former generation acknowledged; `instead` stops counting the sinks as holding it.
   */
  readonly announce: (
    key: Key,
    chunkIds: ReadonlyArray<ChunkId>,
    sinks: ReadonlyArray<string>,
    scope: number | null,
    how?: "beside" | "instead"
  ) => Effect.Effect<void, E>
  /**
   * Records the generation and clears the failure. Returns the chunks that may now be removed: old ids minus new ids, for the
   * sinks that acknowledged. When the ids are the same as before, the sinks are added to those that acknowledged them.
   */
  readonly commit: (entry: Commit) => Effect.Effect<ReadonlyArray<Removal>, E>
  /** Records a new sighting of a file whose bytes are the stored ones, and clears the failure. */
  readonly touch: (key: Key, sighting: Sighting, scope: number | null) => Effect.Effect<void, E>
  /** Records the failure; the stored generation stays. */
  readonly fail: (key: Key, failure: Failure, scope: number | null) => Effect.Effect<void, E>
  /** Clears the failure; a document of which no sink holds anything is deleted. */
  readonly forgive: (key: Key) => Effect.Effect<void, E>
  /**
   * Chunks that these sinks should remove, left by runs that ended early. To be removed before the first write of a run, since
   * an id may be written again. Leaves out documents that this process is writing.
   */
  readonly removals: (sinks: ReadonlyArray<string>) => Stream.Stream<Removal, E>
  /** Records that the sink has removed these chunks. */
  readonly removed: (removal: Removal) => Effect.Effect<void, E>
  /** Documents of the root that no scope claims and of which one of the sinks holds something. */
  readonly unclaimed: (root: string, sinks: ReadonlyArray<string>) => Stream.Stream<Holding, E>
  /**
   * Records that these sinks hold nothing of the document any more; its row is deleted once no sink does. False where another process has
   * taken the document over, and nothing changed.
   */
  readonly forget: (key: Key, sinks: ReadonlyArray<string>) => Effect.Effect<boolean, E>
  /**
   * Stops counting these sinks as having the document's generation, though they may still hold chunks of it: the next run
   * writes it there again.
   */
  readonly disown: (key: Key, sinks: ReadonlyArray<string>) => Effect.Effect<void, E>
  /**
   * Configuration of the chunker that the root was filled with; for a root without documents, that of the root that came last into one of
   * the sinks. Null when nothing is recorded.
   */
  readonly filledWith: (root: string, sinks: ReadonlyArray<string>) => Effect.Effect<string | null, E>
  /** The configurations that roots were filled with, each once. */
  readonly configurations: Effect.Effect<ReadonlyArray<string>, E>
  /** Records what the root, which a {@link scan} has bound, is filled with. */
  readonly fill: (root: string, filled: Filled) => Effect.Effect<void, E>
  /** Records the start of a run and returns its number. `request`: the settings that a later `retry` needs, without secrets; may be empty. */
  readonly startRun: (startedAt: number, request: string) => Effect.Effect<number, E>
  /** Records the summary and the report, and makes all writes safe from a power cut. */
  readonly finishRun: (run: number, finishedAt: number, summary: Summary, report: RunReport) => Effect.Effect<void, E>
}

/** Key under which a ledger of this package keeps these methods, which its public type does not have. */
export const runLedger: unique symbol = Symbol.for("docsluice/Ledger/run")

const isOurs = (ledger: object): ledger is { readonly [runLedger]: RunLedger<LedgerError> } => runLedger in ledger

/** The ledger with the methods of a run. One that is not of this package has none: it is for reading, and a run with it is a defect. */
export const ofRun = <L extends object>(ledger: L): L & RunLedger<LedgerError> => ({
  ...ledger,
  ...Option.getOrThrowWith(
    Option.map(Option.liftPredicate(isOurs)(ledger), (own) => own[runLedger]),
    () => new TypeError("a run writes to a ledger of State or Ledger; this one can be read only")
  )
})
