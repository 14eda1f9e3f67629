/** The contract of a sink: the definition that its author writes, the service made of it, and what writes once that is prepared. */
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { ChunkId, DocumentChunk } from "../../DocumentChunk.ts"
import type { Condition, Filter, Operator } from "../../Filter.ts"
import type { DocumentId } from "../../SourceFile.ts"
import type { SinkError } from "./sinkError.ts"
import type { EmbeddingSpace } from "./space.ts"
import type { Stamp } from "./stamp.ts"

/**
 * The stamp of a target: which store it is, and whose. A sink keeps it as text and never looks into it.
 *
 * @since 0.1.0
 * @category models
 */
export type StoreStamp = Stamp

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
  /** Operators of a search's filter; none: it cannot be filtered. A filter with another one is `Unsupported`. */
  readonly filter: ReadonlyArray<Operator>
  /** Searches by the words of `Terms`: those inside a Chinese, Japanese, Korean or Thai sentence, and inflected forms; default false. */
  readonly terms?: boolean | undefined
  /** Keeps a stamp, so that a target that was lost, or is another state's, is noticed. */
  readonly stamp: boolean
}

/**
 * Size limits of one `write`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Limits {
  /** Chunks in one batch. */
  readonly maxCount: number
  /** Bytes of one batch, as UTF-8 text plus 4 bytes per vector component. */
  readonly maxBytes: number
}

/**
 * A query and its maximum number of hits. A member that is not of its type, and a number that is not finite, are `Rejected` by name
 * before the engine sees them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Query {
  /** Empty to search by the vector alone. */
  readonly text: string
  /** Finite numbers, as many as the stored vectors have. */
  readonly vector?: ReadonlyArray<number> | undefined
  /** Chunks for which it does not hold are not searched; applied by the store before the limit. */
  readonly filter?: Filter | undefined
  /** Other queries for the same thing, 16 at most: their rankings are fused with this one's. A hit is as relevant as for the best of them. */
  readonly alternatives?: ReadonlyArray<Alternative> | undefined
  /** A whole number; 0 finds nothing. */
  readonly limit: number
  /**
   * The tenant whose chunks are searched, in a store that several share. Without it, a store with tenants is `Rejected` unless the sink is
   * opened for one; and so is a tenant other than that one.
   */
  readonly tenant?: string | undefined
  /**
   * Hits to leave out before the first one, a whole number; default 0. Pages are parts of one list: whatever the limits, the hits that
   * follow one another by `offset` are those of one search.
   */
  readonly offset?: number | undefined
  /**
   * Leaves out hits whose `relevance` is less, 0 to 1; default 0. `ChunkSink.defaultMinScore`, which a corpus and the command line take,
   * refuses most questions that nothing stored answers.
   */
  readonly minScore?: number | undefined
  /** Chunks before and after each hit in its document that come with it, a whole number; default 0. */
  readonly neighbours?: number | undefined
  /** Gives each hit its parent: the larger chunk that holds it, else its section. Default false. */
  readonly parent?: boolean | undefined
  /**
   * Weight of the ranking by vectors, relative to 1 for that by words, 0 or more; both are joined by their scores, from 1 for the first
   * candidate to 0 for the fiftieth, or for the last of fewer. Default: 1, and 0.1 for the vectors of `Embedder.hash`.
   */
  readonly vectorWeight?: number | undefined
  /** Puts the first hits of the ranking in a new order: those of the `window` that are relevant enough. */
  readonly rerank?: Rerank | undefined
  /** Hits of the ranking that `rerank` and `diversity` order anew, at least 1; those after them keep their order. Default 40. */
  readonly window?: number | undefined
  /**
   * How much a hit that repeats those before it is put back, 0 (not at all, the default) to 1: maximal marginal relevance over the first
   * hits, by their vectors where the store gives them, else by their words. The scores stay with their hits.
   */
  readonly diversity?: number | undefined
  /** Most hits of one document, at least 1, the best of them; documents are looked for among the first 640 hits. Default: all. */
  readonly perDocument?: number | undefined
}

/**
 * Another query for the same thing, with its vector where the query has one.
 *
 * @since 0.1.0
 * @category models
 */
export type Alternative = Pick<Query, "text" | "vector">

/**
 * Scores hits for a query, one finite number each, in the order of the hits; greater is better. A failure, another number of
 * scores and a score that is not finite fail the search as `Rejected`.
 *
 * @since 0.1.0
 * @category models
 */
export type Rerank = (
  query: string,
  hits: ReadonlyArray<Hit>
) => ReadonlyArray<number> | Promise<ReadonlyArray<number>> | Effect.Effect<ReadonlyArray<number>, unknown>

/**
 * A query as the engine of a sink gets it: with a valid filter of operators that the sink has, as a condition.
 *
 * @since 0.1.0
 * @category models
 */
export interface CheckedQuery extends Omit<Query, "filter" | "tenant"> {
  /** Absent when every chunk may be found. The translation finds exactly the chunks that `Filter.matches` does. */
  readonly filter?: Condition | undefined
}

/**
 * A chunk that was found. A sink gives `score` and `chunk`, and `similarity` if it compares vectors; `make` adds the rest.
 *
 * @since 0.1.0
 * @category models
 */
export interface Hit {
  /** Greater is better; comparable within one answer only. With a reranker it is that of the reranker. */
  readonly score: number
  /** Cosine of the vectors of query and chunk, 0 (none, or opposed) to 1 (the same direction); null without vectors. */
  readonly similarity?: number | null | undefined
  /**
   * Share of the query's words that the chunk's text, headings or source hold, inflected forms counted, 0 to 1; rare words weigh
   * more where the sink knows how rare they are. Null for a query without words.
   */
  readonly matched?: number | null | undefined
  /**
   * Evidence that the chunk is about the query, 0 to 1: what `minScore` is compared with. By the words that match, and by how far the
   * similarity stands above that of the best 40 chunks found; the same for every `limit` and `minScore`. A reranker does not change it.
   */
  readonly relevance?: number | undefined
  /** Parts of the chunk's text that match words of the query, in order, apart from each other. */
  readonly highlights?: ReadonlyArray<Highlight> | undefined
  readonly chunk: DocumentChunk
  /** Chunks before the hit in its document, in order; only if asked for. */
  readonly before?: ReadonlyArray<DocumentChunk> | undefined
  /** Chunks after the hit in its document, in order; only if asked for. */
  readonly after?: ReadonlyArray<DocumentChunk> | undefined
  /**
   * The larger chunk that `parentId` names, else the chunks around the hit with the same heading path, in order, the hit among them,
   * at most 32 on each side; only if asked for.
   */
  readonly parent?: ReadonlyArray<DocumentChunk> | undefined
}

/**
 * A part of a text: UTF-16 offsets, the end not included.
 *
 * @since 0.1.0
 * @category models
 */
export interface Highlight {
  readonly start: number
  readonly end: number
}

/**
 * Chunks of a document by their `index`, both ends included.
 *
 * @since 0.1.0
 * @category models
 */
export interface Range {
  readonly documentId: DocumentId
  readonly from: number
  readonly to: number
}

/**
 * Number of stored chunks, and for each group of terms of those that hold any of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Frequencies {
  readonly total: number
  readonly counts: ReadonlyArray<number>
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
 * A sink before it is prepared: it can be looked at, read and searched. `prepare` gives what writes to its store.
 *
 * @since 0.1.0
 * @category services
 */
export interface Service<out P extends Prepared = Prepared> {
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
   * Creates or checks the target, before anything is parsed, and opens it for writing; `space` is null when chunks carry no vectors. The
   * store is closed by the sink's scope, by `clear`, and by the next `prepare`.
   *
   * The claim names the state of the run: a target that belongs to another state is refused as `Mismatch` and not changed. Without
   * a claim a store is opened whoever owns it, and keeps its owner.
   */
  readonly prepare: (space: EmbeddingSpace | null, claim?: Claim) => Effect.Effect<P, SinkError>
  /** The store that `prepare` with the claim would open; creates, changes and locks nothing. None when there is none. */
  readonly look?: (claim?: Claim) => Effect.Effect<Option.Option<Store>, SinkError>
  /** Reads the stamp and creates nothing; none when there is no store, `Mismatch` for a target that this sink did not make. */
  readonly stamp?: Effect.Effect<Option.Option<StoreStamp>, SinkError>
  /** Every stored chunk's ids, in any order. Like `contents`, `count`, `range` and `search` it needs no `prepare` if the sink can `read`. */
  readonly list?: Stream.Stream<Listed, SinkError>
  /** Every stored chunk, in any order, with or without its vector. */
  readonly contents?: Stream.Stream<DocumentChunk, SinkError>
  /** Number of stored chunks. */
  readonly count?: Effect.Effect<number, SinkError>
  /** Best first. A stored row from which no chunk can be read is left out, with a warning that names it. */
  readonly search?: (query: Query) => Effect.Effect<ReadonlyArray<Hit>, SinkError>
  /**
   * Chunks of a document by index in order, with or without their vectors; those missing are left out, and a document that is not there has
   * none. A sink without such a query of its own looks at all its chunks.
   */
  readonly range?: (range: Range) => Effect.Effect<ReadonlyArray<DocumentChunk>, SinkError>
  /**
   * The sink of one tenant of the target, open until the scope closes; absent where stores have no tenants. A sink that is opened for a
   * tenant gives itself, and refuses another tenant as `Rejected`.
   */
  readonly ofTenant?: (tenant: string) => Effect.Effect<Service, SinkError, Scope.Scope>
  /**
   * Empties the target and deletes its stamp and space, even if `prepare` refused them; call `prepare` afterwards. A target that
   * this sink did not make is refused as `Mismatch` and not changed.
   */
  readonly clear?: Effect.Effect<void, SinkError>
  /** The generations of the store; absent for a sink that holds one only. */
  readonly generations?: Generations<P>
}

/**
 * A generation of a store: all its chunks, with the vectors of one model.
 *
 * @since 0.1.0
 * @category models
 */
export interface Generation<out P extends Prepared = Prepared> {
  /** 1 for the first; none is given twice. */
  readonly number: number
  /**
   * `serving`: it is read and written. The other one is `filling` until the run that fills it has ended, then `whole`; `former` when it
   * served before the last switch; `dropping` when a drop did not end.
   */
  readonly standing: "serving" | "filling" | "whole" | "former" | "dropping"
  /** Start of the standing, milliseconds since the epoch; null for the serving one. */
  readonly since: number | null
  /** The generation alone, whichever serves. Its id is the target's own for the first one, and ends in its number for a later one. */
  readonly sink: Service<P>
}

/**
 * A generation that is being filled.
 *
 * @since 0.1.0
 * @category models
 */
export interface Filling<out P extends Prepared = Prepared> {
  readonly sink: Service<P>
  /** To be run when all was written: only then can it be switched to. */
  readonly filled: Effect.Effect<void, SinkError>
}

/**
 * The generations of a store: the one that serves, and at most one other. All calls of its sink go to the serving one, each call to one
 * generation alone. Changes are one write each, so that a kill leaves the generation before or the one after.
 *
 * @since 0.1.0
 * @category services
 */
export interface Generations<out P extends Prepared = Prepared> {
  /** The serving one first. */
  readonly list: Effect.Effect<readonly [Generation<P>, ...Array<Generation<P>>], SinkError>
  /** Begins to fill the other generation, a new one where there is none. `Mismatch` without a store, and for a shared one. */
  readonly fill: Effect.Effect<Filling<P>, SinkError>
  /** The whole one serves, and the one that served becomes the `former`. `Mismatch` where it lacks a document that the serving one has. */
  readonly switch: Effect.Effect<void, SinkError>
  /** The `former` one serves again. */
  readonly rollback: Effect.Effect<void, SinkError>
  /**
   * Deletes the generation that does not serve. `deleted` is run in between: when it fails, or the process dies, another drop begins
   * again.
   */
  readonly drop: (deleted?: Effect.Effect<void, SinkError>) => Effect.Effect<void, SinkError>
}

/**
 * A store as `prepare` opens it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Store {
  /** A new id means: nothing is stored here any more. None for a sink that keeps no stamp. */
  readonly storeId: Option.Option<string>
  /** None for a sink that keeps no stamp. */
  readonly stamp: Option.Option<StoreStamp>
  /** True when the store's content may differ from the ledger: it was changed, emptied, taken over or stamped again. */
  readonly compare: boolean
  /** True when the store may hold more than the state knows: chunks that a run would write may be there already. */
  readonly adopted: boolean
  /** True for a document that belongs to another state. */
  readonly isOthers: (documentId: DocumentId) => boolean
}

/**
 * A sink that is prepared: its store, and the calls that change it.
 *
 * It serves as long as its store is open. The calls of a sink of `make` fail as `Mismatch` once the sink is closed, cleared, or prepared
 * for another embedding space or store; prepared again for the same ones, the former value writes there too.
 *
 * @since 0.1.0
 * @category services
 */
export interface Prepared extends Store {
  /** Idempotent by chunk id; succeeds only when durable. Chunks of one document come together and in order. */
  readonly write: (batch: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
  /** Removes chunks by id; missing ids are not an error. */
  readonly remove?: Remove | undefined
  /** Sets the document's chunks to exactly these, in one transaction. */
  readonly replace?: (documentId: DocumentId, chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
  /** As `replace`, for several documents, each given once; for targets where one step for all costs as much as one for each. */
  readonly replaceAll?: (documents: ReadonlyArray<DocumentChunks>) => Effect.Effect<void, SinkError>
  /**
   * Tidies the target after a run (rewrites a file, builds an index); all writes are durable before it. Called at most once per
   * run; a sink does the same when its scope closes, where a failure can only be logged.
   */
  readonly finish: Effect.Effect<void, SinkError>
}

/**
 * @since 0.1.0
 * @category services
 */
export type Remove = (ids: ReadonlyArray<ChunkId>) => Effect.Effect<void, SinkError>

/**
 * A sink that is known to remove chunks, as modes `upsert` and `sync` need.
 *
 * @since 0.1.0
 * @category services
 */
export type Removing = Service<Prepared & { readonly remove: Remove }>

/**
 * A sink that is known not to remove chunks, for mode `append`.
 *
 * @since 0.1.0
 * @category services
 */
export type Appending = Service<Prepared & { readonly remove?: undefined }>

/**
 * A stored chunk's id and its document's.
 *
 * @since 0.1.0
 * @category models
 */
export interface Listed {
  readonly documentId: DocumentId
  readonly id: ChunkId
}

/**
 * The claim of a run on a store that it opens.
 *
 * @since 0.1.0
 * @category models
 */
export interface Claim {
  /** Id of the run's state; null for a run without state. */
  readonly state: string | null
  /** `adopt`: the store belongs to this state from now on, whoever owns it. `shared`: other states may write to it too. */
  readonly how: "own" | "adopt" | "shared"
  /** Store ids that the state remembers for this sink, the last one first. */
  readonly stores: ReadonlyArray<string>
  /** Names of the roots that the run writes, and of those whose documents the state has in this sink. */
  readonly roots: ReadonlyArray<string>
  /** True when the state knows one of these chunks. */
  readonly knows: (chunks: ReadonlyArray<Listed>) => Effect.Effect<boolean, SinkError>
  /** Empty the store first; in a shared one, remove only the documents below this state's roots. Default false. */
  readonly rebuild?: boolean | undefined
}

/**
 * The state of a target, as a sink sees it.
 *
 * `Absent`: nothing is there, and the store may be created. `Stamped`: with the text of its stamp; `empty` when it holds no
 * chunk, `changed` when another program wrote to it since the last `finish`, as far as the sink can detect it. `Unstamped`: the
 * sink could use it, but no stamp names its owner; `chunks` are some of its chunks (none when it is empty, 100 at most), `vectors`
 * is true when any has a vector. `Foreign`: the sink must not touch it, for the reason in `problem`; `tenants` is true when the reason is
 * that it serves tenants and the sink is opened for none.
 *
 * @since 0.1.0
 * @category models
 */
export type Found =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Stamped"; readonly stamp: string; readonly empty: boolean; readonly changed: boolean }
  | { readonly _tag: "Unstamped"; readonly chunks: ReadonlyArray<Listed>; readonly vectors?: boolean | undefined }
  | { readonly _tag: "Foreign"; readonly problem: string; readonly tenants?: boolean | undefined }

/**
 * Instructions to a sink for opening its target.
 *
 * @since 0.1.0
 * @category models
 */
export interface Opening {
  /** The space of the vectors to be written; null: chunks without vectors. */
  readonly space: EmbeddingSpace | null
  /**
   * Decides the plan for the target found; to be called once, inside the lock or transaction in which the target is opened.
   * Fails with `Mismatch` for a target that the run may not use, which must then stay unchanged.
   */
  readonly decide: (found: Found) => Effect.Effect<Plan, SinkError>
}

/**
 * The plan for opening a target.
 *
 * `create`: create the store; an existing one is empty and made for another space. `stamp`: keep the content and write the stamp.
 * `open`: keep both content and stamp.
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
 * Leaving out an operation means that the sink lacks the capability. Operations are not called concurrently unless `concurrent`
 * is above 1, never with an empty batch, and never with the same id twice.
 *
 * @since 0.1.0
 * @category models
 */
export interface Definition<Handle, R extends Scope.Scope = never> extends Pick<Service, "id" | "name"> {
  /** Default: 1000 chunks, 8 MiB. `replaceAll` gets whole documents, whatever their size. */
  readonly limits?: Partial<Limits> | undefined
  /** Operators of filters that `search` translates for its engine; default none. It is never called with another one. */
  readonly filter?: ReadonlyArray<Operator> | undefined
  /** True when `search` finds the terms of `Terms`; default false. */
  readonly terms?: boolean | undefined
  /** Calls that may run at the same time; default 1. */
  readonly concurrent?: number | undefined
  /**
   * Requirements on vectors. `float32`: the length of the space, and components that fit into 32 bits. `required`: the same, and
   * every chunk has a vector if the run has a space. A chunk that violates this is `Rejected`, and a query's vector of another
   * length is a `Mismatch`, before the engine sees them. Default `any`.
   */
  readonly vectors?: "any" | "float32" | "required" | undefined
  /** The tenant whose part of the target this is; default: the target is opened for none. */
  readonly tenant?: string | undefined
  /** Makes the sink of one tenant of the same target, with resources of the same kind. */
  readonly ofTenant?: (tenant: string) => Effect.Effect<Service, SinkError, Scope.Scope>
  /** Inspects the target without changing it or waiting for a lock. A sink without it keeps no stamp. */
  readonly inspect?: Effect.Effect<Found, SinkError>
  /** Opens the target for writing; its resources are released when the sink is closed or opened again. */
  readonly open: (opening: Opening) => Effect.Effect<Handle, SinkError, R>
  /** Opens a target for `list`, `contents`, `count` and `search` only: creates, changes and locks nothing. */
  readonly read?: (stamp: StoreStamp) => Effect.Effect<Handle, SinkError, R>
  readonly write: (handle: Handle, batch: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
  readonly remove?: (handle: Handle, ids: ReadonlyArray<ChunkId>) => Effect.Effect<void, SinkError>
  /** Sets the chunks of the documents, each given once, to exactly these, in one transaction. */
  readonly replaceAll?: (handle: Handle, documents: ReadonlyArray<DocumentChunks>) => Effect.Effect<void, SinkError>
  readonly list?: (handle: Handle) => Stream.Stream<Listed, SinkError>
  readonly contents?: (handle: Handle) => Stream.Stream<DocumentChunk, SinkError>
  readonly count?: (handle: Handle) => Effect.Effect<number, SinkError>
  /**
   * Best first. Only `text`, `vector`, `filter` and `limit` of the query are its concern, and highlights are not: `make` adds the rest.
   */
  readonly search?: (handle: Handle, query: CheckedQuery) => Effect.Effect<ReadonlyArray<Hit>, SinkError>
  /**
   * Chunks of a document, by index in order, those missing left out; without it hits have neither neighbours nor parents, and the sink's
   * `range` reads all `contents`.
   */
  readonly range?: (handle: Handle, range: Range) => Effect.Effect<ReadonlyArray<DocumentChunk>, SinkError>
  /** How many chunks hold any term (see `Terms`) of each group; without it all words of a query weigh the same. */
  readonly frequencies?: (
    handle: Handle,
    groups: ReadonlyArray<ReadonlyArray<string>>
  ) => Effect.Effect<Frequencies, SinkError>
  /** Tidies the target. `changed`: something was written, replaced or removed since the last time. */
  readonly finish?: (handle: Handle, changed: boolean) => Effect.Effect<void, SinkError>
  /** Deletes the target, or the sink's part of it; called while nothing is open, and never for a `Foreign` target. */
  readonly clear?: Effect.Effect<void, SinkError>
  /** The same sink at another place next to this one, so that the store can hold generations; needs `inspect` and `clear`. */
  readonly beside?: (place: Place) => Definition<Handle, R>
}

/**
 * A place next to the target.
 *
 * @since 0.1.0
 * @category models
 */
export interface Place {
  /** Id of the sink there. */
  readonly id: string
  /** To be put after the names of the target's tables, collection or index: `_g` and a number. */
  readonly suffix: string
}

/**
 * The sink of a definition: its type shows whether it can `remove` when the definition's type does.
 *
 * @since 0.1.0
 * @category models
 */
export type Made<D> = D extends { readonly remove: (...args: never) => unknown }
  ? Removing
  : "remove" extends keyof D
    ? Service
    : Appending
