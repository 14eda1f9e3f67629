/**
 * A store for chunks. A sink's author defines operations on one open handle; the framework owns the handle, batching and retries.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { dual } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type { DocumentChunk } from "./DocumentChunk.ts"
import { chunkBytes } from "./internal/base/batch.ts"
import * as SinkWriter from "./internal/run/sinkWriter.ts"
import type * as Contract from "./internal/sink/contract.ts"
import type { DocumentChunks, Limits } from "./internal/sink/contract.ts"
import * as Generations from "./internal/sink/generations.ts"
import { lacking } from "./internal/sink/lacking.ts"
import { pair } from "./internal/sink/pair.ts"
import type { SinkError } from "./internal/sink/sinkError.ts"
import type { EmbeddingSpace } from "./internal/sink/space.ts"
import * as RetryPolicy from "./RetryPolicy.ts"
import * as Stage from "./Stage.ts"

export {
  type Alternative,
  type Capabilities,
  type CheckedQuery,
  type Claim,
  type Definition,
  type DocumentChunks,
  type Filling,
  type Found,
  type Frequencies,
  type Generation,
  type Generations,
  type Highlight,
  type Hit,
  type Limits,
  type Listed,
  type Made,
  type Opening,
  type Place,
  type Plan,
  type Query,
  type Range,
  type Rerank,
  type Store,
  type StoreStamp
} from "./internal/sink/contract.ts"

export { make } from "./internal/sink/make.ts"

export { unstamped } from "./internal/sink/opening.ts"
export { SinkError } from "./internal/sink/sinkError.ts"

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
   * A sink before it is prepared: it can be looked at, read and searched.
   *
   * @since 0.1.0
   * @category services
   */
  export type Service<P extends Prepared = Prepared> = Contract.Service<P>

  /**
   * A sink that is prepared: what `Service.prepare` gives, and the only value that writes.
   *
   * @since 0.1.0
   * @category services
   */
  export type Prepared = Contract.Prepared

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
 * The embedding space of the vectors in a sink's target, so that a search can embed its query in the same space; none when the
 * chunks have no vectors or there is no store. Creates nothing.
 *
 * @since 0.1.0
 * @category combinators
 */
export const stampedSpace = (self: ChunkSink.Service): Effect.Effect<Option.Option<EmbeddingSpace>, SinkError> =>
  Effect.map(
    self.stamp ?? Effect.succeedNone,
    Option.flatMapNullable(({ space }) => space)
  )

/**
 * Writes every chunk to both sinks at the same time.
 *
 * Fails when one of them fails; chunks that the other has written stay there, and writing them again is harmless. Removes, replaces and clears
 * where both can. `list`, `contents`, `count`, `range` and `search` are those of the left sink. The pair keeps a stamp where both do: `stamp` and
 * `look` find a store where both find one, with the left one's space and owner, and an id made of both ids. What only the right store lost,
 * and not its stamp, is not noticed.
 *
 * @since 0.1.0
 * @category combinators
 */
export const tee: {
  (right: ChunkSink.Service): (left: ChunkSink.Service) => ChunkSink.Service
  (left: ChunkSink.Service, right: ChunkSink.Service): ChunkSink.Service
} = dual(2, (left: ChunkSink.Service, right: ChunkSink.Service): ChunkSink.Service => pair(left, right))

const isService = Predicate.hasProperty("prepare")

/**
 * Changes what `prepare` gives, and so the calls that write: to count them, to refuse some, to write elsewhere too. A run calls `replaceAll`
 * where there is one, else `replace`, else `write`.
 *
 * None of the calls that `capabilities` promise may be left out: preparing then fails as `Unsupported`. To take one away, change
 * `capabilities` before.
 *
 * @since 0.1.0
 * @category combinators
 */
export const mapPrepared: {
  <P extends ChunkSink.Prepared, Q extends ChunkSink.Prepared>(
    f: (prepared: P) => Q
  ): (self: ChunkSink.Service<P>) => ChunkSink.Service<Q>
  <P extends ChunkSink.Prepared, Q extends ChunkSink.Prepared>(
    self: ChunkSink.Service<P>,
    f: (prepared: P) => Q
  ): ChunkSink.Service<Q>
} = dual(
  2,
  <P extends ChunkSink.Prepared, Q extends ChunkSink.Prepared>(
    self: ChunkSink.Service<P>,
    f: (prepared: P) => Q
  ): ChunkSink.Service<Q> => {
    const { generations: _, ...rest } = self
    const generations = Generations.held(self)
    const mapped: ChunkSink.Service<Q> = {
      ...rest,
      prepare: (space, claim) =>
        Effect.flatMap(self.prepare(space, claim), (prepared) => {
          const changed = f(prepared)
          const missing = promised.find((call) => self.capabilities[call] && changed[call] === undefined)
          return missing === undefined ? Effect.succeed(changed) : lacking(self.id, missing)
        })
    }
    return Generations.holding(mapped, generations && Generations.mapped(generations, (sink) => mapPrepared(sink, f)))
  }
)

const promised = ["remove", "replace"] as const

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
  (options?: RetryOptions): <P extends ChunkSink.Prepared>(self: ChunkSink.Service<P>) => ChunkSink.Service<P>
  <P extends ChunkSink.Prepared>(self: ChunkSink.Service<P>, options?: RetryOptions): ChunkSink.Service<P>
} = dual(
  (args) => isService(args[0]),
  <P extends ChunkSink.Prepared>(self: ChunkSink.Service<P>, options: RetryOptions = {}): ChunkSink.Service<P> => {
    const policy = RetryPolicy.ofSinks(options)
    const again = <A>(effect: Effect.Effect<A, SinkError>) =>
      RetryPolicy.retry(effect, policy, { while: (error) => error.reason === "Unavailable" })
    const { clear, range, search } = self
    const prepared = mapPrepared(self, (prepared) => {
      const { remove, replace, replaceAll } = prepared
      return {
        ...prepared,
        write: (batch) => again(prepared.write(batch)),
        ...(remove && { remove: (ids) => again(remove(ids)) }),
        ...(replace && { replace: (documentId, chunks) => again(replace(documentId, chunks)) }),
        ...(replaceAll && { replaceAll: (documents) => again(replaceAll(documents)) }),
        finish: again(prepared.finish)
      }
    })
    return {
      ...prepared,
      prepare: (space, claim) => again(prepared.prepare(space, claim)),
      ...(search && { search: (query) => again(search(query)) }),
      ...(range && { range: (asked) => again(range(asked)) }),
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
  (
    f: (chunk: DocumentChunk) => DocumentChunk
  ): <P extends ChunkSink.Prepared>(self: ChunkSink.Service<P>) => ChunkSink.Service<P>
  <P extends ChunkSink.Prepared>(
    self: ChunkSink.Service<P>,
    f: (chunk: DocumentChunk) => DocumentChunk
  ): ChunkSink.Service<P>
} = dual(
  2,
  <P extends ChunkSink.Prepared>(
    self: ChunkSink.Service<P>,
    f: (chunk: DocumentChunk) => DocumentChunk
  ): ChunkSink.Service<P> =>
    mapPrepared(self, (prepared) => {
      const { replace, replaceAll } = prepared
      return {
        ...prepared,
        write: (batch) => Effect.suspend(() => prepared.write(batch.map(f))),
        ...(replace && { replace: (documentId, chunks) => Effect.suspend(() => replace(documentId, chunks.map(f))) }),
        ...(replaceAll && {
          replaceAll: (documents) =>
            Effect.suspend(() =>
              replaceAll(documents.map(({ chunks, documentId }) => ({ documentId, chunks: chunks.map(f) })))
            )
        })
      }
    })
)

/**
 * @since 0.1.0
 * @category models
 */
export interface SpaceOptions {
  /** The space of the chunks' vectors; null (default): they have none. */
  readonly space?: EmbeddingSpace | null | undefined
}

/**
 * Consumes a stream of chunks and returns the number stored. Each group of chunks that the stream emits together is one
 * `write`; use `batches` or `Stream.rechunk` before it to set the group size.
 *
 * The sink is prepared before the first chunk, without a claim, and `finish` runs after the last; one that is prepared already is only
 * written to. A sink that fails keeps what was written. Chunks that are stored already stay there, unless one of the stream has their id.
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
export const toSink: {
  (options?: SpaceOptions): (self: ChunkSink.Service) => Sink.Sink<number, DocumentChunk, never, SinkError>
  (self: ChunkSink.Service, options?: SpaceOptions): Sink.Sink<number, DocumentChunk, never, SinkError>
  (self: ChunkSink.Prepared): Sink.Sink<number, DocumentChunk, never, SinkError>
} = dual(
  (args) => isService(args[0]) || "write" in Object(args[0]),
  (self: ChunkSink.Service | ChunkSink.Prepared, { space = null }: SpaceOptions = {}) =>
    isService(self)
      ? Sink.unwrap(
          Effect.map(self.prepare(space), (prepared) =>
            Sink.mapEffect(writing(prepared), (count) => Effect.as(prepared.finish, count))
          )
        )
      : writing(self)
)

const writing = (self: ChunkSink.Prepared): Sink.Sink<number, DocumentChunk, never, SinkError> =>
  Sink.ignoreLeftover(
    Sink.foldChunksEffect(
      0,
      () => true,
      (count, chunks: Chunk.Chunk<DocumentChunk>) =>
        Effect.as(self.write(Chunk.toReadonlyArray(chunks)), count + chunks.length)
    )
  )

/**
 * @since 0.1.0
 * @category models
 */
export interface StoreOptions extends Partial<Stage.Options>, SpaceOptions {
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
        return Stream.concat(stage(documents), Stream.drain(Stream.fromEffect(writer.finish)))
      })
    )
)

const opened = (
  sink: ChunkSink.Service,
  { retry, space = null }: StoreOptions
): Effect.Effect<SinkWriter.SinkWriter, SinkError, Scope.Scope> => {
  const patiently = SinkWriter.patience(RetryPolicy.ofSinks(retry), Effect.never)
  return Effect.flatMap(patiently(sink.prepare(space)), (prepared) =>
    SinkWriter.make({
      sink,
      prepared: Either.right(prepared),
      held: null,
      replaces: true,
      onDown: () => undefined,
      patiently
    })
  )
}

/**
 * @since 0.1.0
 * @category models
 */
export interface BatchOptions {
  readonly limits: Limits
  /** Longest time that a document waits for its batch to fill. */
  readonly delay: Duration.DurationInput
}

/**
 * Groups documents into batches for one `write` each: as many whole documents as the limits allow, in order, emitted no later
 * than `delay` after the first of them. A document above the limits is a batch alone.
 *
 * Holds one batch, and at most one more while the previous one is written.
 *
 * @since 0.1.0
 * @category combinators
 */
export const batches: {
  (options: BatchOptions): <E, R>(documents: Documents<E, R>) => Batches<E, R>
  <E, R>(documents: Documents<E, R>, options: BatchOptions): Batches<E, R>
} = dual(2, <E, R>(documents: Documents<E, R>, { delay, limits }: BatchOptions): Batches<E, R> =>
  documents.pipe(
    Stream.map((chunks) => ({ chunks, bytes: chunks.reduce((sum, chunk) => sum + chunkBytes(chunk), 0) })),
    Stream.aggregateWithin(
      Sink.foldWeighted({
        initial: emptyBatch(),
        maxCost: 1 + 1e-9,
        cost: (batch, document: { readonly chunks: ReadonlyArray<DocumentChunk>; readonly bytes: number }) =>
          load(batch.count + document.chunks.length, batch.bytes + document.bytes, limits) -
          load(batch.count, batch.bytes, limits),
        body: (batch, document) => ({
          documents: Chunk.append(batch.documents, document.chunks),
          count: batch.count + document.chunks.length,
          bytes: batch.bytes + document.bytes
        })
      }),
      Schedule.fromDelay(delay)
    ),
    Stream.map((batch) => Chunk.toReadonlyArray(batch.documents)),
    Stream.filter((batch) => batch.length > 0)
  )
)

type Documents<E, R> = Stream.Stream<ReadonlyArray<DocumentChunk>, E, R>

type Batches<E, R> = Stream.Stream<ReadonlyArray<ReadonlyArray<DocumentChunk>>, E, R>

const emptyBatch = () => ({ documents: Chunk.empty<ReadonlyArray<DocumentChunk>>(), count: 0, bytes: 0 })

const load = (count: number, bytes: number, limits: Limits) =>
  Math.max(count / limits.maxCount, bytes / limits.maxBytes)
