import { ChunkSink, type Hit, type Query, type Range, SinkError, unstamped } from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Filter from "docsluice/Filter"
import * as Terms from "docsluice/Terms"
import * as MemorySink from "docsluice/testing/MemorySink"
import type * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Either, Layer, Option, Scope, Stream, Struct } from "effect"
import * as Hits from "../../../src/internal/sink/hits.ts"
import { space } from "../../fixtures/vectorChunks.ts"

/** A sink with all its calls side by side, since a defect may be in any of them; `prepare` gives the store id. */
export interface Flat
  extends
    Omit<ChunkSink.Service, "prepare">,
    Pick<ChunkSink.Prepared, "write" | "remove" | "replace" | "replaceAll" | "finish"> {
  readonly prepare: (...given: Parameters<ChunkSink.Service["prepare"]>) => Effect.Effect<string | null, SinkError>
}

/** The parts of which a spoilt sink is made. */
export interface Parts {
  /** Does everything that it says. */
  readonly sink: Flat
  /** Its store, which outlives it. */
  readonly store: MemorySink.Store
  /** The store of another tenant. */
  readonly theirs: MemorySink.Store
  /** The engine is away: every call of the honest sink fails. */
  readonly away: () => boolean
}

export type Plant = (parts: Parts) => Flat | Effect.Effect<Flat, never, Scope.Scope>

/** A store in memory with all hooks, and the sink over it that `plant` makes of an honest one. */
export const target = (plant: Plant = ({ sink }) => sink): Effect.Effect<SinkConformance.Target<never>> =>
  Effect.sync(() => {
    const [store, theirs] = [MemorySink.emptyStore(), MemorySink.emptyStore()]
    let away = false
    const layer = Layer.scoped(
      ChunkSink,
      Effect.gen(function* () {
        const sink = ofMine(withEngine(flat(yield* MemorySink.make(store)), () => away))
        const planted = plant({ sink, store, theirs, away: () => away })
        return service(Effect.isEffect(planted) ? yield* planted : planted)
      })
    )
    return {
      layer,
      space,
      neighbour: MemorySink.layer(theirs),
      tenants: { layer: Layer.effect(ChunkSink, chooser(plant, store, theirs)), mine: "mine", theirs: "theirs" },
      read: Effect.sync(() => [...store.chunks.values()]),
      destroy: Effect.sync(() => {
        store.chunks.clear()
        store.stamp = null
        store.beside.clear()
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
    const { write } = yield* sink.prepare(space)
    const half = documents.slice(0, documents.length >> 1)
    yield* Effect.forEach(half, write, { discard: true })
    return half.length
  }).pipe(Effect.orDie)

/** What `ChunkSink.make` makes of the hits of an engine, and of the chunks that it gives for a range. */
export const completed = (
  sink: string,
  store: MemorySink.Store,
  query: Query,
  rank: typeof ranked,
  belongs: (chunk: DocumentChunk, range: Range) => boolean = ({ documentId }, range) => documentId === range.documentId
) => {
  const chunks = () => [...store.chunks.values()]
  return Hits.search(
    {
      sink,
      space,
      search: (asked) => Effect.sync(() => rank(chunks(), asked).slice(0, asked.limit)),
      range: (range) =>
        Effect.sync(() =>
          chunks()
            .filter((chunk) => belongs(chunk, range) && chunk.index >= range.from && chunk.index <= range.to)
            .toSorted((left, right) => left.index - right.index)
        ),
      frequencies: undefined
    },
    query
  )
}

/** All chunks that fit, the best first: by vector where the query has one, else by its words. */
export const ranked = (
  chunks: ReadonlyArray<DocumentChunk>,
  query: Query,
  words: (query: string, text: string) => number = termsIn
): ReadonlyArray<Hit> =>
  chunks
    .filter(fits(query))
    .map((chunk) => ({
      chunk,
      score: query.vector === undefined ? words(query.text, chunk.text) : nearness(query.vector, chunk),
      similarity: query.vector === undefined || chunk.embedding === undefined ? null : nearness(query.vector, chunk)
    }))
    .filter((hit) => query.vector !== undefined || hit.score > 0)
    .toSorted((left, right) => right.score - left.score)

const fits = ({ filter }: Query): ((chunk: DocumentChunk) => boolean) => {
  if (filter === undefined) return () => true
  const { condition } = Either.getOrThrow(Filter.parse(filter))
  return (chunk) => Filter.matches(condition, chunk)
}

const nearness = (vector: ReadonlyArray<number>, { embedding }: DocumentChunk): number =>
  dot(vector, Array.from(embedding ?? []))

/** Number of the query's words that the text holds, inflected forms counted. */
const termsIn = (query: string, text: string): number => {
  const held = new Set(Terms.places(text).flatMap(({ terms }) => terms))
  return Terms.sought(query).filter(({ terms }) => terms.some((term) => held.has(term))).length
}

export const dot = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)

/** The sink, with the calls of what it was prepared to last. */
export const flat = (sink: ChunkSink.Removing): Flat => {
  let last: Effect.Effect.Success<ReturnType<typeof sink.prepare>> | null = null
  const store = Effect.suspend(() => (last === null ? Effect.dieMessage("nothing was prepared") : Effect.succeed(last)))
  return {
    ...sink,
    prepare: (space, claim) =>
      Effect.map(sink.prepare(space, claim), (prepared) => {
        last = prepared
        return Option.getOrNull(prepared.storeId)
      }),
    write: (batch) => Effect.flatMap(store, ({ write }) => write(batch)),
    remove: (ids) => Effect.flatMap(store, ({ remove }) => remove(ids)),
    replace: (documentId, chunks) =>
      Effect.flatMap(store, ({ replace }) => replace?.(documentId, chunks) ?? Effect.dieMessage("it replaces")),
    replaceAll: (documents) =>
      Effect.flatMap(store, ({ replaceAll }) => replaceAll?.(documents) ?? Effect.dieMessage("it replaces")),
    finish: Effect.flatMap(store, ({ finish }) => finish)
  }
}

/** A sink again, of calls that stand side by side. */
export const service = (sink: Flat): ChunkSink.Service => {
  const calls = Struct.pick(sink, "write", "remove", "replace", "replaceAll", "finish")
  return {
    ...sink,
    prepare: (space, claim) =>
      Effect.map(sink.prepare(space, claim), (storeId) => ({
        ...unstamped,
        ...calls,
        storeId: Option.fromNullable(storeId)
      }))
  }
}

const rejected = (problem: string) => new SinkError({ sink: "memory:", reason: "Rejected", problem })

/** The sink of the tenant `mine`, which refuses a query for another one. */
const ofMine = (sink: Flat): Flat => {
  const { search } = sink
  return {
    ...sink,
    ...(search && {
      search: ({ tenant, ...query }) =>
        tenant === undefined || tenant === "mine" ? search(query) : rejected("it is opened for another tenant")
    })
  }
}

/** The sink of both tenants, whose queries choose one; the plant may spoil its searches. */
const chooser = (plant: Plant, store: MemorySink.Store, theirs: MemorySink.Store): Effect.Effect<ChunkSink.Service> =>
  Effect.gen(function* () {
    const [mine, others] = [yield* MemorySink.make(store), yield* MemorySink.make(theirs)]
    const honest: Flat = {
      ...flat(mine),
      search: ({ tenant, ...query }) => {
        const chosen = tenant === "mine" ? mine.search : tenant === "theirs" ? others.search : undefined
        return chosen?.(query) ?? rejected("give the name of a tenant")
      }
    }
    const planted = plant({ sink: honest, store, theirs, away: () => false })
    return service(Effect.isEffect(planted) ? yield* Effect.scoped(planted) : planted)
  })

const withEngine = (sink: Flat, away: () => boolean): Flat => {
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
