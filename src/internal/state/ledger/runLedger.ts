/** The part of a ledger that only runs and repairs may call, since its calls are right in one order only. */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ChunkId } from "../../../DocumentChunk.ts"
import type { Failure, Holding, Key, Removal, Sighting } from "../../../LedgerEntry.ts"
import type { Summary } from "../../../Outcome.ts"
import type { ScopeRequest } from "../../../Source.ts"
import type { Belief } from "./belief.ts"
import type { Expected, Seen } from "./verdict.ts"
import type { Commit } from "./writes.ts"

export type { Commit, Expected }

/** A scope's documents at the start of a run, and what of them the run has found. Mutable; of one run. */
export interface Scan<E> {
  /** Number of the scope, for the writes of this run. */
  readonly scope: number
  /** Documents of the root that the ledger knew at the start. */
  readonly documents: number
  /** Documents that this scope claimed at the start. */
  readonly claimed: number
  /** When a discovery of this scope last was complete; null when none ever was. */
  readonly completedAt: number | null
  /**
   * Marks the file as found. `unchanged`: nothing is to be done. Else `get` the entry and decide by it; `new` has none. Pure
   * memory, some 0.5 µs.
   */
  readonly see: (file: Seen & { readonly path: string }) => "unchanged" | "known" | "new"
  /** Paths that this scope claimed and that were not found so far; to be asked when discovery is complete. */
  readonly vanished: () => ReadonlyArray<string>
  /**
   * Discovery was complete: takes the claims of scopes inside of this one from documents that were not found and whose files are not
   * there any more. Gives the paths of those that are gone and stay, since a scope that looks further claims them.
   */
  readonly release: Effect.Effect<ReadonlyArray<string>, E>
  /** Discovery was complete: the scope claims what was found and nothing else. */
  readonly complete: (at: number) => Effect.Effect<void, E>
}

/** As {@link Scan}, for looking only: nothing is bound, claimed or written. */
export interface Preview<E> extends Pick<Scan<E>, "claimed" | "see" | "vanished"> {
  /** To be asked when discovery is complete. */
  readonly gone: Effect.Effect<
    {
      /** Documents that no scope would claim after {@link Scan.release} and {@link Scan.complete}. */
      readonly unclaimed: ReadonlyArray<Holding>
      /** Paths of those among them that another scope claims now. */
      readonly released: ReadonlyArray<string>
      /** What {@link Scan.release} would give. */
      readonly kept: ReadonlyArray<string>
    },
    E
  >
}

/** `E`: the error of the ledger, whose public module declares it. */
export interface RunLedger<E> {
  /** What stores know this state by: random, made once. Null for a ledger in memory, which owns nothing. */
  readonly state: Effect.Effect<string | null, E>
  /** What was acknowledged by a sink, store by store. */
  readonly belief: (sink: string) => Effect.Effect<Belief, E>
  /**
   * Fails where a run over this scope cannot be meant: `NameClash` when another folder that still exists has the root's name;
   * `RootRenamed` when the name is new and half or more of the files of a root whose folder is gone lie in this one (by inode, size
   * and time of modification), unless `newRoot` says that it is meant. Writes nothing; costs one row when the name is known, and a
   * look at each of the lost root's files when it is not.
   */
  readonly admit: (request: ScopeRequest, newRoot?: boolean) => Effect.Effect<void, E>
  /**
   * Binds the root's name and reads what is known of its documents: one pass in memory of some 200 bytes a path.
   * `NameClash` when another folder that still exists has the name; a folder that has moved takes its name along.
   */
  readonly scan: (request: ScopeRequest, expected: Expected) => Effect.Effect<Scan<E>, E>
  /** What a {@link scan} would find; fails as it would. */
  readonly preview: (request: ScopeRequest, expected: Expected) => Effect.Effect<Preview<E>, E>
  /**
   * To be called before a document's chunks are written: should the run end in between, the next one knows what the sinks may
   * hold of them. `beside` (default) the former generation, or `instead` of it: then the sinks do not count as holding that one
   * any more.
   */
  readonly announce: (
    key: Key,
    chunkIds: ReadonlyArray<ChunkId>,
    sinks: ReadonlyArray<string>,
    scope: number | null,
    how?: "beside" | "instead"
  ) => Effect.Effect<void, E>
  /**
   * Records the generation and clears the failure. Gives what may be removed now: old ids minus new ids, of the sinks that
   * acknowledged. The same ids as before, acknowledged elsewhere, add to what is acknowledged.
   */
  readonly commit: (entry: Commit) => Effect.Effect<ReadonlyArray<Removal>, E>
  /** The bytes turned out to be the stored ones: records the new sighting and clears the failure. */
  readonly touch: (key: Key, sighting: Sighting, scope: number | null) => Effect.Effect<void, E>
  /** Records the failure; what is stored stays. */
  readonly fail: (key: Key, failure: Failure, scope: number | null) => Effect.Effect<void, E>
  /** Forgets the failure; a document of which no sink holds anything goes. */
  readonly forgive: (key: Key) => Effect.Effect<void, E>
  /**
   * What these sinks may be rid of, left over from runs that ended early; to be removed before the first write of a run, since
   * an id may come back. Without what this process is writing.
   */
  readonly removals: (sinks: ReadonlyArray<string>) => Stream.Stream<Removal, E>
  /** The sink has removed these. */
  readonly removed: (removal: Removal) => Effect.Effect<void, E>
  /** Documents of the root that no scope claims and of which one of the sinks holds something. */
  readonly unclaimed: (root: string, sinks: ReadonlyArray<string>) => Stream.Stream<Holding, E>
  /** These sinks hold nothing of the document any more; it is forgotten once no sink does. */
  readonly forget: (key: Key, sinks: ReadonlyArray<string>) => Effect.Effect<void, E>
  /**
   * These sinks no longer count as having the document's generation, though they may still hold chunks of it: the next run
   * writes it there again.
   */
  readonly disown: (key: Key, sinks: ReadonlyArray<string>) => Effect.Effect<void, E>
  /** Gives the run's number. `request`: what a later `retry` needs to know, without secrets; empty for nothing. */
  readonly startRun: (startedAt: number, request: string) => Effect.Effect<number, E>
  /** Records the summary and makes all that was written safe from a power cut. */
  readonly finishRun: (run: number, finishedAt: number, summary: Summary) => Effect.Effect<void, E>
}

/** Where a ledger keeps it. */
export const runLedger: unique symbol = Symbol.for("docsluice/Ledger/run")

/** A ledger with everything that a run may ask of it. */
export const ofRun = <L extends object, E>(ledger: L & { readonly [runLedger]: RunLedger<E> }): L & RunLedger<E> => ({
  ...ledger,
  ...ledger[runLedger]
})
