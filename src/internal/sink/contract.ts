/** The contract of a sink: what its author writes, and what a run calls. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { ChunkId, DocumentChunk } from "../../DocumentChunk.ts"
import type { DocumentId } from "../../SourceFile.ts"
import type * as Ownership from "./ownership.ts"
import { EmbeddingSpace } from "./space.ts"

/**
 * The stamp of a target: which store it is, and whose. A sink keeps it as text and never looks into it.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoreStamp {
  readonly format: 2
  /** Another id means another store: what was written to the former one is not here. */
  readonly storeId: string
  /** Null when the chunks have no vectors. */
  readonly space: EmbeddingSpace | null
  /** Id of the state that the store belongs to; null for a store of a run without a state, and of an earlier version. */
  readonly owner: string | null
  /** Several states write to it, each below roots of its own. */
  readonly shared: boolean
  /** Of a shared store: root names, and the state that claimed each first. */
  readonly roots: { readonly [root: string]: string }
}

/**
 * A sink could not do what it was asked.
 *
 * @since 0.1.0
 * @category errors
 */
export class SinkError extends Schema.TaggedError<SinkError>("docsluice/SinkError")("SinkError", {
  /** The sink's id. */
  sink: Schema.String,
  /**
   * `Unavailable` may pass, `TooLarge` asks for smaller batches; `Rejected`, `Mismatch` (the target does not fit) and
   * `Unsupported` do not pass.
   */
  reason: Schema.Literal("Unavailable", "TooLarge", "Rejected", "Mismatch", "Unsupported"),
  /** What happened and what to do about it, in one line. */
  problem: Schema.String,
  /** Of a `Mismatch` of embedding spaces: what is stored, and what was asked for; null without vectors. */
  spaces: Schema.optional(
    Schema.Struct({ stamped: Schema.NullOr(EmbeddingSpace), asked: Schema.NullOr(EmbeddingSpace) })
  ),
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return `${this.sink}: ${this.problem}`
  }
}

/**
 * Operations that a sink has next to `write`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Capabilities {
  readonly remove: boolean
  /** Replaces a document in one transaction. */
  readonly replace: boolean
  readonly list: boolean
  readonly search: boolean
  /** Filters a search by metadata. */
  readonly filter: boolean
  /** Keeps a stamp, so that a target that was lost, or is another state's, is noticed. */
  readonly stamp: boolean
}

/**
 * What one `write` may hold.
 *
 * @since 0.1.0
 * @category models
 */
export interface Limits {
  /** Chunks in one batch. */
  readonly maxCount: number
  /** Bytes of one batch, as UTF-8 text plus 4 bytes a vector component. */
  readonly maxBytes: number
}

/**
 * A query, and how many hits it may give.
 *
 * @since 0.1.0
 * @category models
 */
export interface Query {
  readonly text: string
  readonly vector?: ReadonlyArray<number> | undefined
  /** Metadata members that must be equal, all of them; numbers and booleans as they are written. */
  readonly filter?: Readonly<Record<string, string>> | undefined
  readonly limit: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Hit {
  /** Greater is better; comparable within one answer only. */
  readonly score: number
  readonly chunk: DocumentChunk
}

/**
 * All chunks of one document, in order.
 *
 * @since 0.1.0
 * @category models
 */
export interface DocumentChunks {
  readonly documentId: DocumentId
  readonly chunks: ReadonlyArray<DocumentChunk>
}

/**
 * @since 0.1.0
 * @category services
 */
export interface Service {
  /**
   * Kind and canonical target, never credentials: `jsonl:/data/chunks.jsonl`. An absolute path is a file or folder that only
   * this sink writes to: a run refuses another sink there.
   */
  readonly id: string
  /** The kind: `jsonl`. */
  readonly name: string
  readonly capabilities: Capabilities
  readonly limits: Limits
  /**
   * Creates or checks the target, before anything is parsed; `space` is null when chunks carry no vectors. Gives the store
   * id that was found or made, `null` for a sink without a stamp. A new id means: nothing is stored here any more.
   *
   * The claim says whose run it is: a target that is not its own is refused as `Mismatch` and stays as it is. Without a claim a
   * store is opened whoever owns it, and its owner stays.
   */
  readonly prepare: (space: EmbeddingSpace | null, claim?: Claim) => Effect.Effect<string | null, SinkError>
  /** What the last `prepare` found; null before it. */
  readonly opened?: Effect.Effect<Opened | null>
  /** What `prepare` with the claim would open, without opening it: makes, changes and locks nothing. Null where nothing is there. */
  readonly look?: (claim?: Claim) => Effect.Effect<Opened | null, SinkError>
  /** Reads the stamp and makes nothing; null where there is no store, `Mismatch` for what is none of ours. */
  readonly stamp?: Effect.Effect<StoreStamp | null, SinkError>
  /** Idempotent by chunk id; succeeds only when durable. Chunks of one document come together and in order. */
  readonly write: (batch: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
  /** Ids that are not there are no error. */
  readonly remove?: Remove | undefined
  /** The document's chunks are these and no others, in one transaction. */
  readonly replace?: (documentId: DocumentId, chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
  /** As `replace`, of several documents, each of them once: for a target where one step for all costs as much as one for each. */
  readonly replaceAll?: (documents: ReadonlyArray<DocumentChunks>) => Effect.Effect<void, SinkError>
  /** Every chunk that is stored, in any order. Like `contents`, `count` and `search` it needs no `prepare` where the sink can `read`. */
  readonly list?: Stream.Stream<Listed, SinkError>
  /** Every chunk as it is stored, in any order, with or without its vector. */
  readonly contents?: Stream.Stream<DocumentChunk, SinkError>
  /** Number of chunks that are stored. */
  readonly count?: Effect.Effect<number, SinkError>
  /** Best first. A stored row from which no chunk can be read is left out, with a warning that names it. */
  readonly search?: (query: Query) => Effect.Effect<ReadonlyArray<Hit>, SinkError>
  /**
   * Puts the target in order once a run is over (rewrites a file, builds an index); everything written is durable before
   * it. Called at most once a run; a sink does the same when its scope closes, where a failure can only be logged.
   */
  readonly finish?: Effect.Effect<void, SinkError>
  /**
   * Empties the target and forgets its stamp and space, also when `prepare` refused them; call `prepare` afterwards. A target
   * that is none of ours is refused as `Mismatch` and stays as it is.
   */
  readonly clear?: Effect.Effect<void, SinkError>
}

/**
 * @since 0.1.0
 * @category services
 */
export type Remove = (ids: ReadonlyArray<ChunkId>) => Effect.Effect<void, SinkError>

/**
 * A sink that is known to remove chunks: what modes `upsert` and `sync` need.
 *
 * @since 0.1.0
 * @category services
 */
export type Removing = Service & { readonly remove: Remove }

/**
 * A sink that is known not to remove chunks, for mode `append`.
 *
 * @since 0.1.0
 * @category services
 */
export type Appending = Service & { readonly remove?: undefined }

/**
 * A stored chunk's id and its document's.
 *
 * @since 0.1.0
 * @category models
 */
export type Listed = Ownership.Listed

/**
 * What a run says of a store when it opens it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Claim {
  /** Id of the state that the run remembers with; null for a run that remembers nothing. */
  readonly state: string | null
  /** `adopt`: the store is this state's from now on, whoever owns it. `shared`: other states may write to it as well. */
  readonly how: "own" | "adopt" | "shared"
  /** Store ids that the state remembers for this sink, the last one first. */
  readonly stores: ReadonlyArray<string>
  /** Names of the roots that the run writes below, and of those that the state has documents of in this sink. */
  readonly roots: ReadonlyArray<string>
  /** Whether the state knows one of these chunks. */
  readonly knows: (chunks: ReadonlyArray<Listed>) => Effect.Effect<boolean, SinkError>
  /** Empty the store first; of a shared one, take out what is below this state's roots. Default false. */
  readonly rebuild?: boolean | undefined
}

/**
 * A store as `prepare` opened it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Opened {
  /** Null for a sink without one. */
  readonly stamp: StoreStamp | null
  /** What is stored may not be what the state believes: it was changed, emptied, taken over or stamped again. */
  readonly compare: boolean
  /** The state may know less than what is stored: what a run would write may be there already. */
  readonly adopted: boolean
  /** Whether a document is another state's. */
  readonly isOthers: (documentId: DocumentId) => boolean
}

/**
 * The state of a target, as a sink sees it.
 *
 * `Absent`: nothing is there, and what is needed may be made. `Stamped`: with the text of its stamp; `empty` when it holds no
 * chunk, `changed` when somebody else wrote to it since it was put in order, as far as the sink can tell. `Unstamped`: the sink
 * could use it, and no stamp says whose it is; some of its chunks (none when it is empty, 100 at most), and whether any has a vector. `Foreign`: the sink must not
 * touch it, for the reason given.
 *
 * @since 0.1.0
 * @category models
 */
export type Found =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Stamped"; readonly stamp: string; readonly empty: boolean; readonly changed: boolean }
  | { readonly _tag: "Unstamped"; readonly chunks: ReadonlyArray<Listed>; readonly vectors?: boolean | undefined }
  | { readonly _tag: "Foreign"; readonly problem: string }

/**
 * How a sink is to open its target.
 *
 * @since 0.1.0
 * @category models
 */
export interface Opening {
  /** The space of the vectors that are to come; null: chunks without vectors. */
  readonly space: EmbeddingSpace | null
  /**
   * Decides what to do with what was found: to be asked once, in the lock or the transaction that the target is opened in.
   * Fails with `Mismatch` for a target that the run may not use; then nothing of it may be changed.
   */
  readonly decide: (found: Found) => Effect.Effect<Plan, SinkError>
}

/**
 * What to do with a target.
 *
 * `create`: make the store; what is there of it is empty, and made for another space. `stamp`: keep what is there, and write the
 * stamp. `open`: keep what is there, the stamp too.
 *
 * @since 0.1.0
 * @category models
 */
export interface Plan {
  readonly action: "create" | "stamp" | "open"
  /** The text to keep, less than 10 KB. */
  readonly stamp: string
}

/**
 * A sink as its author writes it: operations on an open handle, one engine call each. `make` adds the rest.
 *
 * An operation that is left out is a capability that the sink does not have. Operations are not called concurrently unless
 * `concurrent` says so, never with an empty batch, and never with the same id twice.
 *
 * @since 0.1.0
 * @category models
 */
export interface Definition<Handle, R extends Scope.Scope = never> extends Pick<Service, "id" | "name"> {
  /** Default: 1000 chunks, 8 MiB. `replaceAll` is given documents whole, whatever their size. */
  readonly limits?: Partial<Limits> | undefined
  /** Whether `search` filters by metadata; default false. */
  readonly filter?: boolean | undefined
  /** Calls that may run at the same time; default 1. */
  readonly concurrent?: number | undefined
  /**
   * `float32`: a vector has the length of the space's, and components that fit into 32 bits. `required`: the same, and in a
   * space of vectors every chunk has one. A chunk that has not is `Rejected`, and a query's vector of another length is a
   * `Mismatch`, before the engine sees them. Default `any`.
   */
  readonly vectors?: "any" | "float32" | "required" | undefined
  /** Looks at the target, changes nothing and waits for nobody. A sink without it keeps no stamp. */
  readonly inspect?: Effect.Effect<Found, SinkError>
  /** Opens the target for writing; what it acquires is released when the sink is closed or opened again. */
  readonly open: (opening: Opening) => Effect.Effect<Handle, SinkError, R>
  /** Opens a target for `list`, `contents`, `count` and `search` only: nothing is made, changed or locked. */
  readonly read?: (stamp: StoreStamp) => Effect.Effect<Handle, SinkError, R>
  readonly write: (handle: Handle, batch: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
  readonly remove?: (handle: Handle, ids: ReadonlyArray<ChunkId>) => Effect.Effect<void, SinkError>
  /** The documents, each given once, hold these chunks and no others, in one transaction. */
  readonly replaceAll?: (handle: Handle, documents: ReadonlyArray<DocumentChunks>) => Effect.Effect<void, SinkError>
  readonly list?: (handle: Handle) => Stream.Stream<Listed, SinkError>
  readonly contents?: (handle: Handle) => Stream.Stream<DocumentChunk, SinkError>
  readonly count?: (handle: Handle) => Effect.Effect<number, SinkError>
  readonly search?: (handle: Handle, query: Query) => Effect.Effect<ReadonlyArray<Hit>, SinkError>
  /** `changed`: something was written, replaced or removed since the last time. */
  readonly finish?: (handle: Handle, changed: boolean) => Effect.Effect<void, SinkError>
  /** Deletes the target, or what is ours of it; called while nothing is open, and never of a target that is `Foreign`. */
  readonly clear?: Effect.Effect<void, SinkError>
}

/**
 * The sink of a definition: whether it can `remove` is known where the definition says so.
 *
 * @since 0.1.0
 * @category models
 */
export type Made<D> = D extends { readonly remove: (...args: never) => unknown }
  ? Removing
  : "remove" extends keyof D
    ? Service
    : Appending
