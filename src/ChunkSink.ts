/**
 * A store for chunks. A sink's author defines operations on one open handle; the framework owns the handle, batching and retries.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type { DocumentChunk } from "./DocumentChunk.ts"
import { chunkBytes } from "./internal/base/batch.ts"
import * as SinkWriter from "./internal/run/sinkWriter.ts"
import type * as Contract from "./internal/sink/contract.ts"
import type { Claim, DocumentChunks, Limits, Opened, SinkError } from "./internal/sink/contract.ts"
import type { EmbeddingSpace } from "./internal/sink/space.ts"
import * as RetryPolicy from "./RetryPolicy.ts"
import * as Stage from "./Stage.ts"

export {
  type Capabilities,
  type CheckedQuery,
  type Claim,
  type Definition,
  type DocumentChunks,
  type Found,
  type Frequencies,
  type Highlight,
  type Hit,
  type Limits,
  type Listed,
  type Made,
  type Opened,
  type Opening,
  type Plan,
  type Query,
  type Range,
  type Rerank,
  SinkError,
  type StoreStamp
} from "./internal/sink/contract.ts"

export { make } from "./internal/sink/make.ts"

export { defaultMinScore } from "./internal/sink/minScore.ts"

export { describeSpace, EmbeddingSpace } from "./internal/sink/space.ts"

/**
 * The service, for programs with one sink.
 *
 * @since 0.1.0
 * @category services
 */
export class ChunkSink extends Context.Tag("docsluice/ChunkSink")<ChunkSink, ChunkSink.Service>() {}

export declare namespace ChunkSink {
  /**
   * @since 0.1.0
   * @category services
   */
  export type Service = Contract.Service

  /**
   * A sink that is known to remove chunks: what modes `upsert` and `sync` need.
   *
   * @since 0.1.0
   * @category services
   */
  export type Removing = Contract.Removing

  /**
   * A sink that is known not to remove chunks, for mode `append`.
   *
   * @since 0.1.0
   * @category services
   */
  export type Appending = Contract.Appending
}

/**
 * Provides a sink that `make` builds; its resources are released with the layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  make: Effect.Effect<ChunkSink.Service, E, R>
): Layer.Layer<ChunkSink, E, Exclude<R, Scope.Scope>> => Layer.scoped(ChunkSink, make)

/**
 * The embedding space of the vectors in a sink's target, so that a search can embed its query in the same space; null when the
 * chunks have no vectors or there is no store. Creates nothing.
 *
 * @since 0.1.0
 * @category combinators
 */
export const stampedSpace = (self: ChunkSink.Service): Effect.Effect<EmbeddingSpace | null, SinkError> =>
  Effect.map(self.stamp ?? Effect.succeed(null), (stamp) => stamp?.space ?? null)

/**
 * Writes every chunk to both sinks at the same time.
 *
 * Fails when one of them fails; chunks that the other has written stay there, and writing them again is harmless. Supports only
 * what both support; `list` and `search` are the left one's. The stamp is both stamps, `null` when one of them has none.
 *
 * @since 0.1.0
 * @category combinators
 */
export const tee: {
  (right: ChunkSink.Service): (left: ChunkSink.Service) => ChunkSink.Service
  (left: ChunkSink.Service, right: ChunkSink.Service): ChunkSink.Service
} = dual(2, (left: ChunkSink.Service, right: ChunkSink.Service): ChunkSink.Service => {
  const both = (a: Effect.Effect<void, SinkError>, b: Effect.Effect<void, SinkError>): Effect.Effect<void, SinkError> =>
    Effect.all([a, b], { concurrency: 2, discard: true })
  const [a, b] = [left.capabilities, right.capabilities]
  const { remove: removeLeft, replace: replaceLeft } = left
  const { remove: removeRight, replace: replaceRight } = right
  const { replaceAll: replaceAllLeft } = left
  const { replaceAll: replaceAllRight } = right
  return {
    id: `${left.id}+${right.id}`,
    name: `${left.name}+${right.name}`,
    capabilities: {
      remove: a.remove && b.remove,
      replace: a.replace && b.replace,
      list: a.list,
      search: a.search,
      filter: a.filter,
      ...(a.terms === true && { terms: true }),
      stamp: a.stamp && b.stamp
    },
    limits: {
      maxCount: Math.min(left.limits.maxCount, right.limits.maxCount),
      maxBytes: Math.min(left.limits.maxBytes, right.limits.maxBytes)
    },
    prepare: (space, claim) =>
      Effect.map(
        Effect.all([left.prepare(space, part(claim, 0)), right.prepare(space, part(claim, 1))]),
        ([one, other]) => (one === null || other === null ? null : `${one}+${other}`)
      ),
    opened: Effect.map(
      Effect.all([left.opened ?? Effect.succeed(null), right.opened ?? Effect.succeed(null)]),
      bothOpened
    ),
    write: (batch) => both(left.write(batch), right.write(batch)),
    ...(removeLeft && removeRight && { remove: (ids) => both(removeLeft(ids), removeRight(ids)) }),
    ...(replaceLeft &&
      replaceRight && {
        replace: (documentId, chunks) => both(replaceLeft(documentId, chunks), replaceRight(documentId, chunks))
      }),
    ...(replaceAllLeft &&
      replaceAllRight && {
        replaceAll: (documents) => both(replaceAllLeft(documents), replaceAllRight(documents))
      }),
    ...(left.list && { list: left.list }),
    ...(left.search && { search: left.search }),
    ...((left.finish ?? right.finish) && { finish: both(left.finish ?? Effect.void, right.finish ?? Effect.void) }),
    ...(left.clear && right.clear && { clear: both(left.clear, right.clear) })
  }
})

/** The claim on the left (0) or right (1) sink of a pair, whose store ids are remembered together. */
const part = (claim: Claim | undefined, side: 0 | 1): Claim | undefined =>
  claim && { ...claim, stores: claim.stores.flatMap((store) => store.split("+")[side] ?? []) }

const bothOpened = ([left, right]: readonly [Opened | null, Opened | null]): Opened | null =>
  left && {
    ...left,
    compare: left.compare || right?.compare === true,
    adopted: left.adopted && right?.adopted === true
  }

/**
 * Retry options for an unavailable sink, see `RetryPolicy.ofSinks`.
 *
 * @since 0.1.0
 * @category models
 */
export type RetryOptions = Pick<RetryPolicy.Options, "attempts" | "base" | "maxElapsed">

/**
 * Repeats calls that fail as `Unavailable`; every other failure is final. `list` is not repeated, since part of it may have
 * been consumed. For a sink outside of a pipeline; a pipeline retries its sinks itself.
 *
 * @since 0.1.0
 * @category combinators
 */
export const retrying: {
  (options?: RetryOptions): (self: ChunkSink.Service) => ChunkSink.Service
  (self: ChunkSink.Service, options?: RetryOptions): ChunkSink.Service
} = dual(
  (args) => "write" in Object(args[0]),
  (self: ChunkSink.Service, options: RetryOptions = {}): ChunkSink.Service => {
    const policy = RetryPolicy.ofSinks(options)
    const again = <A>(effect: Effect.Effect<A, SinkError>) =>
      RetryPolicy.repeat(effect, policy, { while: (error) => error.reason === "Unavailable" })
    const { remove, replace, replaceAll, search, finish, clear } = self
    return {
      ...self,
      prepare: (space, claim) => again(self.prepare(space, claim)),
      write: (batch) => again(self.write(batch)),
      ...(remove && { remove: (ids) => again(remove(ids)) }),
      ...(replace && { replace: (documentId, chunks) => again(replace(documentId, chunks)) }),
      ...(replaceAll && { replaceAll: (documents) => again(replaceAll(documents)) }),
      ...(search && { search: (query) => again(search(query)) }),
      ...(finish && { finish: again(finish) }),
      ...(clear && { clear: again(clear) })
    }
  }
)

/**
 * Changes each chunk before it is written, for example to drop metadata, shorten text or add a tenant. The id must stay the
 * same, or the chunk cannot be removed any more.
 *
 * @since 0.1.0
 * @category combinators
 */
export const mapChunks: {
  (f: (chunk: DocumentChunk) => DocumentChunk): (self: ChunkSink.Service) => ChunkSink.Service
  (self: ChunkSink.Service, f: (chunk: DocumentChunk) => DocumentChunk): ChunkSink.Service
} = dual(2, (self: ChunkSink.Service, f: (chunk: DocumentChunk) => DocumentChunk): ChunkSink.Service => {
  const { replace, replaceAll } = self
  return {
    ...self,
    write: (batch) => Effect.suspend(() => self.write(batch.map(f))),
    ...(replace && { replace: (documentId, chunks) => Effect.suspend(() => replace(documentId, chunks.map(f))) }),
    ...(replaceAll && {
      replaceAll: (documents) =>
        Effect.suspend(() =>
          replaceAll(documents.map(({ chunks, documentId }) => ({ documentId, chunks: chunks.map(f) })))
        )
    })
  }
})

/**
 * Consumes a stream of chunks and returns the number stored. Each group of chunks that the stream emits together is one
 * `write`; use `batches` or `Stream.rechunk` before it to set the group size.
 *
 * The sink is prepared before the first chunk, without a claim, and `finish` runs after the last. A sink that fails keeps what was
 * written. Chunks that are stored already stay there, unless one of the stream has their id.
 *
 * ```ts
 * import { ChunkSink, type DocumentChunk, Embedder } from "docsluice"
 * import * as LibSql from "docsluice/sinks/LibSql"
 * import { Effect, Stream } from "effect"
 *
 * const store = <E>(embedded: Stream.Stream<DocumentChunk.DocumentChunk, E>) =>
 *   Effect.gen(function* () {
 *     const sink = yield* LibSql.make({ file: "chunks.db" })
 *     const { space } = yield* Embedder.Embedder
 *     return yield* Stream.run(embedded, ChunkSink.toSink(sink, { space: yield* space }))
 *   }).pipe(Effect.scoped)
 * ```
 *
 * @since 0.1.0
 * @category conversions
 */
export const toSink = (
  self: ChunkSink.Service,
  options: {
    /** The space of the chunks' vectors, null: they have none. Default: as the sink was prepared already, else null. */
    readonly space?: EmbeddingSpace | null | undefined
  } = {}
): Sink.Sink<number, DocumentChunk, never, SinkError> =>
  Effect.gen(function* () {
    yield* prepared(self, options.space)
    return Sink.foldChunksEffect(
      0,
      () => true,
      (count, chunks: Chunk.Chunk<DocumentChunk>) =>
        Effect.as(self.write(Chunk.toReadonlyArray(chunks)), count + chunks.length)
    )
  }).pipe(
    Sink.unwrap,
    Sink.mapEffect((count) => Effect.as(self.finish ?? Effect.void, count)),
    Sink.ignoreLeftover
  )

/** Prepares a sink for the space; one that is prepared stays as it is where no space is given. */
const prepared = (self: ChunkSink.Service, space: EmbeddingSpace | null | undefined): Effect.Effect<void, SinkError> =>
  Effect.flatMap(space === undefined ? (self.opened ?? Effect.succeed(null)) : Effect.succeed(null), (store) =>
    store === null ? Effect.asVoid(self.prepare(space ?? null)) : Effect.void
  )

/**
 * @since 0.1.0
 * @category models
 */
export interface StoreOptions extends Partial<Stage.Options> {
  /** The space of the chunks' vectors, null: they have none. Default: as the sink was prepared already, else null. */
  readonly space?: EmbeddingSpace | null | undefined
  /** How an `Unavailable` sink is retried while documents wait; default as {@link retrying}. */
  readonly retry?: RetryOptions | undefined
}

/** Documents that wait for a sink, unless `concurrency` says how many. */
const waiting = 64

/**
 * Stores every document of a stream and lets it pass once its chunks are durable, in order unless `ordered` is false; what has no chunks
 * passes. Two of these stages store into two sinks. A sink that can replace a document does so; another one writes its chunks next to those
 * that are there. Documents that arrive during a call are written together by the next one, within the sink's limits.
 *
 * The sink is prepared before the first document, without a claim, and `finish` runs after the last; a failure of these two ends the stream.
 * So does the first document that fails, or it comes out as a `Stage.Rejected` where `failures` is `keep`; a sink that stays `Unavailable` for
 * three calls is given up. Holds at most `concurrency` documents, default 64. Of a document that comes twice, the last counts.
 *
 * @since 0.1.0
 * @category combinators
 */
export const store: {
  <const O extends StoreOptions = Stage.Failing>(
    sink: ChunkSink.Service,
    options?: O
  ): Stage.Stage<DocumentChunks, DocumentChunks, SinkError, never, Stage.Kept<O, SinkError>>
  <A, E, R, const O extends StoreOptions = Stage.Failing>(
    documents: Stream.Stream<A, E, R> & Stage.Fitting<A, DocumentChunks>,
    sink: ChunkSink.Service,
    options?: O
  ): Stream.Stream<DocumentChunks | Stage.Kept<O, SinkError> | Exclude<A, DocumentChunks>, E | SinkError, R>
} = dual(
  ([first]) => Predicate.hasProperty(first, Stream.StreamTypeId),
  <A, E, R>(
    documents: Stream.Stream<A, E, R> & Stage.Fitting<A, DocumentChunks>,
    sink: ChunkSink.Service,
    options: StoreOptions = {}
  ) =>
    Stream.unwrapScoped(
      Effect.map(opened(sink, options), (writer) => {
        const stored = (document: DocumentChunks) =>
          writer
            .submit(document.documentId, document.chunks)
            .pipe(Effect.catchTag("LedgerError", Effect.die), Effect.as(document))
        const { concurrency = waiting, failures, ordered } = options
        const stage = Stage.make(Stage.isChunked, stored, { concurrency, failures, ordered })
        return Stream.concat(
          stage(documents),
          Stream.drain(Stream.fromEffect(writer.patiently(sink.finish ?? Effect.void)))
        )
      })
    )
)

const opened = (
  sink: ChunkSink.Service,
  { retry, space }: StoreOptions
): Effect.Effect<SinkWriter.SinkWriter, SinkError, Scope.Scope> =>
  Effect.tap(
    SinkWriter.make({
      sink,
      store: null,
      held: null,
      replaces: true,
      down: null,
      onDown: () => undefined,
      retry: RetryPolicy.ofSinks(retry),
      until: Effect.never
    }),
    (writer) => writer.patiently(prepared(sink, space))
  )

/**
 * Groups documents into batches for one `write` each: as many whole documents as the limits allow, in order, emitted no later
 * than `delay` after the first of them. A document above the limits is a batch alone.
 *
 * Holds one batch, and at most one more while the previous one is written.
 *
 * @since 0.1.0
 * @category combinators
 */
export const batches =
  (options: {
    readonly limits: Limits
    /** Longest time that a document waits for its batch to fill. */
    readonly delay: Duration.DurationInput
  }) =>
  <E, R>(
    documents: Stream.Stream<ReadonlyArray<DocumentChunk>, E, R>
  ): Stream.Stream<ReadonlyArray<ReadonlyArray<DocumentChunk>>, E, R> =>
    documents.pipe(
      Stream.map((chunks) => ({ chunks, bytes: chunks.reduce((sum, chunk) => sum + chunkBytes(chunk), 0) })),
      Stream.aggregateWithin(
        Sink.foldWeighted({
          initial: emptyBatch(),
          maxCost: 1 + 1e-9,
          cost: (batch, document: { readonly chunks: ReadonlyArray<DocumentChunk>; readonly bytes: number }) =>
            load(batch.count + document.chunks.length, batch.bytes + document.bytes, options.limits) -
            load(batch.count, batch.bytes, options.limits),
          body: (batch, document) => ({
            documents: Chunk.append(batch.documents, document.chunks),
            count: batch.count + document.chunks.length,
            bytes: batch.bytes + document.bytes
          })
        }),
        Schedule.fromDelay(options.delay)
      ),
      Stream.map((batch) => Chunk.toReadonlyArray(batch.documents)),
      Stream.filter((batch) => batch.length > 0)
    )

const emptyBatch = () => ({ documents: Chunk.empty<ReadonlyArray<DocumentChunk>>(), count: 0, bytes: 0 })

const load = (count: number, bytes: number, limits: Limits) =>
  Math.max(count / limits.maxCount, bytes / limits.maxBytes)
