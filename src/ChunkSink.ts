/**
 * Where chunks go. A sink writes primitives only; retries and batching belong to the framework.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type { ChunkId, DocumentChunk } from "./DocumentChunk.ts"
import { chunkBytes, cut, unstorable } from "./internal/base/batch.ts"
import * as RetryPolicy from "./RetryPolicy.ts"
import type { DocumentId } from "./SourceFile.ts"

/**
 * What is stamped into the target, so that two models' vectors never mix.
 *
 * @since 0.1.0
 * @category models
 */
export const EmbeddingSpace = Schema.Struct({
  model: Schema.String,
  dimensions: Schema.Int.pipe(Schema.positive()),
  normalized: Schema.Boolean,
  metric: Schema.Literal("cosine", "dot", "euclidean")
})

/**
 * @since 0.1.0
 * @category models
 */
export type EmbeddingSpace = typeof EmbeddingSpace.Type

/**
 * What a target says of itself.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoreStamp {
  /** Another id means another store: what was written to the former one is not here. */
  readonly storeId: string
  /** Null when the chunks have no vectors. */
  readonly space: EmbeddingSpace | null
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
 * A space in words; two that may not be mixed never read alike.
 *
 * @since 0.1.0
 * @category models
 */
export const describeSpace = (space: EmbeddingSpace | null): string =>
  space === null
    ? "chunks without vectors"
    : `vectors of ${space.model} (${space.dimensions} dimensions, ${space.metric}${space.normalized ? ", normalized" : ""})`

/**
 * For `prepare`: fails with `Mismatch`, naming both spaces and the remedy, when what is stored is of another space than what
 * is to come. A target that holds nothing fits every space.
 *
 * @since 0.1.0
 * @category combinators
 */
export const checkSpace = (options: {
  /** The sink's id. */
  readonly sink: string
  readonly stamped: EmbeddingSpace | null
  readonly asked: EmbeddingSpace | null
  /** Whether nothing is stored yet. */
  readonly empty: boolean
}): Effect.Effect<void, SinkError> =>
  options.empty || describeSpace(options.stamped) === describeSpace(options.asked)
    ? Effect.void
    : Effect.fail(
        new SinkError({
          sink: options.sink,
          reason: "Mismatch",
          problem: `it holds ${describeSpace(options.stamped)}, this run brings ${describeSpace(options.asked)}; use the same embedder, another target, or --rebuild to empty this one`,
          spaces: { stamped: options.stamped, asked: options.asked }
        })
      )

/**
 * What a sink can do beside `write`.
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
  /** Keeps a store id, so that a lost target is noticed. */
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
     * Creates or checks what is needed, before anything is parsed; `null` when chunks carry no vectors. The stamp is the
     * store id that was found or made, `null` for a sink without one. A new id means: nothing is stored here any more.
     */
    readonly prepare: (space: EmbeddingSpace | null) => Effect.Effect<string | null, SinkError>
    /** Idempotent by chunk id; succeeds only when durable. Chunks of one document come together and in order. */
    readonly write: (batch: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
    /** Ids that are not there are no error. */
    readonly remove?: (ids: ReadonlyArray<ChunkId>) => Effect.Effect<void, SinkError>
    /** The document's chunks are these and no others, in one transaction. */
    readonly replace?: (documentId: DocumentId, chunks: ReadonlyArray<DocumentChunk>) => Effect.Effect<void, SinkError>
    /** As `replace`, of several documents, each of them once: for a target where one step for all costs as much as one for each. */
    readonly replaceAll?: (documents: ReadonlyArray<DocumentChunks>) => Effect.Effect<void, SinkError>
    /** Everything that is stored, in any order. */
    readonly list?: Stream.Stream<{ readonly documentId: DocumentId; readonly id: ChunkId }, SinkError>
    /** Best first. A stored row from which no chunk can be read is left out, with a warning that names it. */
    readonly search?: (query: Query) => Effect.Effect<ReadonlyArray<Hit>, SinkError>
    /**
     * Puts the target in order once a run is over (rewrites a file, builds an index); everything written is durable before
     * it. Called at most once a run; a sink does the same when its scope closes, where a failure can only be logged.
     */
    readonly finish?: Effect.Effect<void, SinkError>
    /** Empties the target and forgets its stamp and space, also when `prepare` refused them; call `prepare` afterwards. */
    readonly clear?: Effect.Effect<void, SinkError>
  }
}

/**
 * What the author of a sink writes: primitives, one engine call each. `make` adds the rest.
 *
 * Not called concurrently unless `concurrent` says so; never with an empty batch.
 *
 * @since 0.1.0
 * @category models
 */
export interface Primitives extends Pick<
  ChunkSink.Service,
  "id" | "name" | "prepare" | "write" | "remove" | "replace" | "replaceAll" | "list" | "search" | "finish" | "clear"
> {
  /** Default: 1000 chunks, 8 MiB. `replace` is given a document whole, whatever its size. */
  readonly limits?: Partial<Limits> | undefined
  /** Whether `search` filters by metadata; default false. */
  readonly filter?: boolean | undefined
  /** Whether `prepare` gives a store id that is kept in the target; default false. */
  readonly stamp?: boolean | undefined
  /** Calls that may run at the same time; default 1. */
  readonly concurrent?: number | undefined
}

const defaults = { maxCount: 1000, maxBytes: 8 * 1024 * 1024, concurrent: 1 } as const

const written = Metric.counter("docsluice_sink_chunks_written", {
  description: "Chunks that a sink acknowledged, those of replaced documents included",
  incremental: true
})

const removed = Metric.counter("docsluice_sink_chunks_removed", {
  description: "Chunk ids that a sink was asked to remove and acknowledged",
  incremental: true
})

const failures = Metric.counter("docsluice_sink_failures", {
  description: "Calls of a sink that failed, those that were split and repeated included",
  incremental: true
})

/**
 * A sink from its primitives.
 *
 * Batches above the limits are split, in order, and a batch that the engine calls too large is halved down to single
 * chunks; a chunk that no store can hold (a vector or a number that is not finite, metadata that are not flat) is `Rejected`
 * before the engine sees it. Calls run one after another unless `concurrent` is above 1. Each call is a span (`ChunkSink.write`, …) with the
 * sink's name, and counts in `docsluice_sink_chunks_written`, `…_removed` and `docsluice_sink_failures`, tagged by sink.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (primitives: Primitives): Effect.Effect<ChunkSink.Service> =>
  Effect.map(Effect.makeSemaphore(primitives.concurrent ?? defaults.concurrent), (semaphore) => {
    const { name, id, remove, replace, replaceAll, list, search, finish, clear } = primitives
    const limits: Limits = {
      maxCount: Math.max(1, primitives.limits?.maxCount ?? defaults.maxCount),
      maxBytes: Math.max(1, primitives.limits?.maxBytes ?? defaults.maxBytes)
    }
    const failed = Metric.tagged(failures, "sink", name)
    const run = <A>(call: string, attributes: Record<string, unknown>, effect: Effect.Effect<A, SinkError>) =>
      effect.pipe(
        Effect.tapError(() => Metric.increment(failed)),
        semaphore.withPermits(1),
        Effect.withSpan(`ChunkSink.${call}`, { attributes: { sink: name, ...attributes } })
      )
    const halving = <A>(call: (items: ReadonlyArray<A>) => Effect.Effect<void, SinkError>) => {
      const attempt = (items: ReadonlyArray<A>): Effect.Effect<void, SinkError> =>
        Effect.catchIf(
          call(items),
          (error) => error.reason === "TooLarge" && items.length > 1,
          () => {
            const half = items.length >> 1
            return Effect.zipRight(attempt(items.slice(0, half)), attempt(items.slice(half)))
          }
        )
      return attempt
    }
    const writePart = halving((part: ReadonlyArray<DocumentChunk>) =>
      run("write", { chunks: part.length }, primitives.write(part)).pipe(
        Effect.zipRight(Metric.incrementBy(Metric.tagged(written, "sink", name), part.length))
      )
    )
    const service: ChunkSink.Service = {
      id,
      name,
      capabilities: {
        remove: remove !== undefined,
        replace: replace !== undefined,
        list: list !== undefined,
        search: search !== undefined,
        filter: search !== undefined && primitives.filter === true,
        stamp: primitives.stamp === true
      },
      limits,
      prepare: (space) => run("prepare", {}, primitives.prepare(space)),
      write: (batch) =>
        Effect.zipRight(
          checkStorable(id, batch),
          Effect.suspend(() =>
            Effect.forEach(cut(batch, limits.maxCount, limits.maxBytes), writePart, { discard: true })
          )
        )
    }
    return {
      ...service,
      ...(remove && {
        remove: (ids) => {
          const removePart = halving((part: ReadonlyArray<ChunkId>) =>
            run("remove", { chunks: part.length }, remove(part)).pipe(
              Effect.zipRight(Metric.incrementBy(Metric.tagged(removed, "sink", name), part.length))
            )
          )
          return Effect.forEach(cut(ids, limits.maxCount, Infinity), removePart, { discard: true })
        }
      }),
      ...(replace && {
        replace: (documentId, chunks) =>
          checkStorable(id, chunks).pipe(
            Effect.zipRight(checkDocument(id, documentId, chunks)),
            Effect.zipRight(run("replace", { documentId, chunks: chunks.length }, replace(documentId, chunks))),
            Effect.zipRight(Metric.incrementBy(Metric.tagged(written, "sink", name), chunks.length))
          )
      }),
      ...(replace &&
        replaceAll && {
          replaceAll: (documents) => {
            if (documents.length === 0) return Effect.void
            const count = documents.reduce((sum, { chunks }) => sum + chunks.length, 0)
            return Effect.forEach(
              documents,
              ({ chunks, documentId }) =>
                Effect.zipRight(checkStorable(id, chunks), checkDocument(id, documentId, chunks)),
              { discard: true }
            ).pipe(
              Effect.zipRight(run("replaceAll", { documents: documents.length, chunks: count }, replaceAll(documents))),
              Effect.zipRight(Metric.incrementBy(Metric.tagged(written, "sink", name), count))
            )
          }
        }),
      ...(list && { list }),
      ...(search && { search: (query) => run("search", { limit: query.limit }, search(query)) }),
      ...(finish && { finish: run("finish", {}, finish) }),
      ...(clear && { clear: run("clear", {}, clear) })
    }
  })

const checkStorable = (sink: string, chunks: ReadonlyArray<DocumentChunk>): Effect.Effect<void, SinkError> =>
  Effect.suspend(() => {
    for (const chunk of chunks) {
      const problem = unstorable(chunk)
      if (problem !== null) {
        return new SinkError({
          sink,
          reason: "Rejected",
          problem: `chunk ${chunk.id} of ${chunk.documentId}: ${problem}`
        })
      }
    }
    return Effect.void
  })

const checkDocument = (
  sink: string,
  documentId: DocumentId,
  chunks: ReadonlyArray<DocumentChunk>
): Effect.Effect<void, SinkError> => {
  const stranger = chunks.find((chunk) => chunk.documentId !== documentId)
  return stranger === undefined
    ? Effect.void
    : Effect.fail(
        new SinkError({
          sink,
          reason: "Rejected",
          problem: `chunk ${stranger.id} belongs to ${stranger.documentId}, not to ${documentId}, which is to be replaced`
        })
      )
}

/**
 * Provides a sink that `make` builds; what it acquires is released with the layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  make: Effect.Effect<ChunkSink.Service, E, R>
): Layer.Layer<ChunkSink, E, Exclude<R, Scope.Scope>> => Layer.scoped(ChunkSink, make)

/**
 * Every chunk goes to both sinks, to the two at the same time.
 *
 * Fails when one of them fails; the other's part stays written, and writing again does no harm. It can what both can;
 * `list` and `search` are the left one's. The stamp is both stamps, `null` when one of them has none.
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
      stamp: a.stamp && b.stamp
    },
    limits: {
      maxCount: Math.min(left.limits.maxCount, right.limits.maxCount),
      maxBytes: Math.min(left.limits.maxBytes, right.limits.maxBytes)
    },
    prepare: (space) =>
      Effect.map(Effect.all([left.prepare(space), right.prepare(space)]), ([one, other]) =>
        one === null || other === null ? null : `${one}+${other}`
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

/**
 * How a sink that is not there is tried again: `RetryPolicy.ofSinks`.
 *
 * @since 0.1.0
 * @category models
 */
export type RetryOptions = Pick<RetryPolicy.Options, "attempts" | "base" | "maxElapsed">

/**
 * Repeats what failed as `Unavailable`; every other failure is final. `list` is not repeated, since part of it may have
 * been used. For a sink outside of a pipeline: a pipeline does the same with its sinks.
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
      prepare: (space) => again(self.prepare(space)),
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
 * Changes each chunk on its way in: drops metadata, shortens text, adds a tenant. The id must stay as it is, else the
 * chunk cannot be removed any more.
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
 * Consumes a stream of chunks and gives how many were stored. Each run of chunks that the stream emits together is one
 * `write`; put `batches` or `Stream.rechunk` before it to decide how many.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toSink = (self: ChunkSink.Service): Sink.Sink<number, DocumentChunk, never, SinkError> =>
  Sink.ignoreLeftover(
    Sink.foldChunksEffect(
      0,
      () => true,
      (count, chunks: Chunk.Chunk<DocumentChunk>) =>
        Effect.as(self.write(Chunk.toReadonlyArray(chunks)), count + chunks.length)
    )
  )

/**
 * Groups documents into batches for one `write` each: as many whole documents as the limits allow, in order, and no later
 * than `delay` after the first of them came. A document that is above the limits alone is a batch of its own.
 *
 * Holds one batch, and at most one more while the one before is written.
 *
 * @since 0.1.0
 * @category combinators
 */
export const batches =
  (options: {
    readonly limits: Limits
    /** How long a document may wait for company. */
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
