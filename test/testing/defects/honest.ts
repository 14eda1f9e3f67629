import { ChunkSink, type Hit, type Query, SinkError } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Filter from "docsluice/Filter"
import * as MemorySink from "docsluice/testing/MemorySink"
import type * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Either, Layer, Scope, Stream } from "effect"
import { rank } from "../../../src/internal/conformance/rank.ts"
import { space } from "../../fixtures/vectorChunks.ts"

/** The parts of which a spoilt sink is made. */
export interface Parts {
  /** Does everything that it says. */
  readonly sink: ChunkSink.Service
  /** Its store, which outlives it. */
  readonly store: MemorySink.Store
  /** The engine is away: every call of the honest sink fails. */
  readonly away: () => boolean
}

export type Plant = (parts: Parts) => ChunkSink.Service | Effect.Effect<ChunkSink.Service, never, Scope.Scope>

/** A store in memory with all hooks, and the sink over it that `plant` makes of an honest one. */
export const target = (plant: Plant = ({ sink }) => sink): Effect.Effect<SinkConformance.Target<never>> =>
  Effect.sync(() => {
    const store = MemorySink.emptyStore()
    let away = false
    const layer = Layer.scoped(
      ChunkSink,
      Effect.gen(function* () {
        const sink = withEngine(yield* MemorySink.make(store), () => away)
        const planted = plant({ sink, store, away: () => away })
        return Effect.isEffect(planted) ? yield* planted : planted
      })
    )
    return {
      layer,
      space,
      read: Effect.sync(() => [...store.chunks.values()]),
      destroy: Effect.sync(() => {
        store.chunks.clear()
        store.stamp = null
      }),
      engine: {
        stop: Effect.sync(() => {
          away = true
        }),
        start: Effect.sync(() => {
          away = false
        })
      },
      kill: (documents) => abandoned(layer, documents)
    }
  })

/** Writes the first half and leaves the sink open for ever: to it, that is what a killed process is. */
const abandoned = (layer: Layer.Layer<ChunkSink>, documents: ReadonlyArray<ReadonlyArray<DocumentChunk>>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const sink = yield* Effect.provide(ChunkSink, yield* Layer.buildWithScope(layer, scope))
    yield* sink.prepare(space)
    const half = documents.slice(0, documents.length >> 1)
    yield* Effect.forEach(half, (chunks) => sink.write(chunks), { discard: true })
    return half.length
  }).pipe(Effect.orDie)

/** The best chunks that fit, as the honest sink finds them. */
export const ranked = (chunks: ReadonlyArray<DocumentChunk>, { filter, ...query }: Query): ReadonlyArray<Hit> =>
  rank(
    chunks,
    {
      ...query,
      limit: Number.POSITIVE_INFINITY,
      ...(filter && { filter: Either.getOrThrow(Filter.parse(filter)).condition })
    },
    space.metric
  )

export const dot = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)

const withEngine = (sink: ChunkSink.Service, away: () => boolean): ChunkSink.Service => {
  const gone = new SinkError({ sink: sink.id, reason: "Unavailable", problem: "the engine is away" })
  const here = <A>(call: Effect.Effect<A, SinkError>) => Effect.suspend(() => (away() ? Effect.fail(gone) : call))
  const { clear, list, remove, replace, search } = sink
  return {
    ...sink,
    prepare: (space) => here(sink.prepare(space)),
    write: (batch) => here(sink.write(batch)),
    ...(remove && { remove: (ids) => here(remove(ids)) }),
    ...(replace && { replace: (documentId, chunks) => here(replace(documentId, chunks)) }),
    ...(list && { list: Stream.unwrap(here(Effect.succeed(list))) }),
    ...(search && { search: (query) => here(search(query)) }),
    ...(clear && { clear: here(clear) })
  }
}
