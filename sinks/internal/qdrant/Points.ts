import {
  type CheckedQuery as Query,
  type EmbeddingSpace,
  type Hit,
  type Listed,
  type Range,
  SinkError
} from "docsluice/ChunkSink"
import { ChunkId, type DocumentChunk } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import type * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import { breadth, type Ranking } from "../shared/Fusion.ts"
import * as Hits from "../shared/Hits.ts"
import * as Pages from "../shared/Pages.ts"
import type * as Rest from "../shared/Rest.ts"
import { cosine } from "../shared/Similarity.ts"
import * as SparseTerms from "../shared/SparseTerms.ts"
import * as Tags from "../shared/Tags.ts"
import * as Uuid from "../shared/Uuid.ts"
import * as Words from "../shared/Words.ts"
import * as QdrantFilter from "./Filter.ts"
import { Done, resultsOf } from "./Rest.ts"

/** A collection, or the part of it that is a tenant's. */
export interface Place {
  /** The sink's id. */
  readonly sink: string
  /** Path of the collection. */
  readonly path: string
  readonly tenant: string | null
  /** Sends JSON and decodes the answer's `result`. */
  readonly call: Rest.Rest["call"]
}

export const placeOf = (rest: Rest.Rest, name: string, tenant: string | null): Place => ({
  sink: rest.sink,
  path: `/collections/${encodeURIComponent(name)}`,
  tenant,
  call: resultsOf(rest)
})

/** Writes points, and returns once the server has applied it. */
export const put = ({ call, path }: Place, points: ReadonlyArray<object>): Effect.Effect<void, SinkError> =>
  Effect.asVoid(call("PUT", `${path}/points?wait=true`, { points }, Done))

/** An open collection. */
export interface Store {
  readonly space: EmbeddingSpace | null
  /** Version of the terms in its sparse vector; null without one, as in a collection of an earlier version. */
  readonly terms: Terms.Version | null
}

export const write = (
  place: Place,
  store: Store,
  chunks: ReadonlyArray<DocumentChunk>
): Effect.Effect<void, SinkError> => put(place, chunks.map(encode(place.tenant, store)))

/** Removes the points with these ids, or those that a filter lets pass. */
export const removeWhere = ({ call, path }: Place, which: object): Effect.Effect<void, SinkError> =>
  Effect.asVoid(call("POST", `${path}/points/delete?wait=true`, which, Done))

export const remove = (place: Place, ids: ReadonlyArray<ChunkId>): Effect.Effect<void, SinkError> =>
  removeWhere(place, { points: ids.map((id) => Uuid.ofChunk(id, place.tenant)) })

/** Name of the vector that has none. */
const unnamed = ""

const vectorsOf = (chunk: DocumentChunk, { terms }: Store) => {
  const dense = chunk.embedding && Array.from(chunk.embedding)
  if (terms === null) return dense ?? {}
  const sparse = SparseTerms.ofCounts(SparseTerms.countsOf(chunk, terms))
  return { ...(dense && { [unnamed]: dense }), ...(sparse && { [Words.nameOf(terms)]: sparse }) }
}

/** A chunk as a point: its vectors, and everything else as its payload. */
const encode = (tenant: string | null, store: Store) => (chunk: DocumentChunk) => {
  const { text, record } = ChunkRecord.encode(chunk)
  const metadata = Object.entries(chunk.metadata).map(([key, value]) => [ChunkRecord.plain(key), plainValue(value)])
  return {
    id: Uuid.ofChunk(chunk.id, tenant),
    vector: vectorsOf(chunk, store),
    payload: {
      id: ChunkRecord.plain(chunk.id),
      document_id: ChunkRecord.plain(chunk.documentId),
      source: ChunkRecord.plain(chunk.source),
      chunk_index: chunk.index,
      text,
      pages: chunk.pages,
      headings: chunk.headingPath.map((heading) => ChunkRecord.plain(heading.text)),
      metadata: Object.fromEntries(metadata),
      tags: Tags.ofChunk(chunk),
      ...(tenant !== null && { tenant }),
      docsluice: record
    }
  }
}

const plainValue = (value: DocumentChunk["metadata"][string]) =>
  typeof value === "string"
    ? ChunkRecord.plain(value)
    : typeof value === "object"
      ? value.map(ChunkRecord.plain)
      : value

/** A condition on a key of the payload. */
interface Condition {
  readonly key: string
  readonly match: { readonly value: unknown }
}

/** The points of a tenant, its stamp among them. */
export const ofTenant = (tenant: string | null): ReadonlyArray<Condition> =>
  tenant === null ? [] : [{ key: "tenant", match: { value: tenant } }]

/** The chunks of a tenant that meet the conditions. */
const chunksOf = (tenant: string | null, conditions: ReadonlyArray<object> = []) => ({
  must: [...ofTenant(tenant), ...conditions],
  must_not: [{ has_id: [Uuid.ofStampOf(tenant)] }]
})

const Page = Schema.Struct({
  points: Schema.Array(Schema.Struct({ payload: Schema.Struct({ id: ChunkId, document_id: DocumentId }) })),
  next_page_offset: Schema.optional(Schema.NullOr(Schema.Union(Schema.String, Schema.Number)))
})

const page = 1000

const Sampled = Schema.Struct({ points: Schema.Array(Schema.Struct({ payload: Schema.NullOr(Schema.Unknown) })) })

const decodePayload = Schema.decodeUnknown(
  Schema.Struct({
    id: ChunkId,
    document_id: DocumentId,
    docsluice: Schema.String,
    tenant: Schema.optional(Schema.String)
  })
)

const scroll = <A, I>({ call, path }: Place, asked: object, Points: Schema.Schema<A, I>) =>
  call("POST", `${path}/points/scroll`, { with_vector: false, ...asked }, Points)

const isTenants = Schema.is(Schema.Struct({ docsluice: Schema.String, tenant: Schema.String }))

/**
 * The first points of a tenant, 100 at most: null when one of them is no chunk, or is a tenant's in a collection without; `tenants` tells
 * whether all of them are.
 */
export const sample = Effect.fnUntraced(function* (
  place: Place
): Effect.fn.Return<{ readonly chunks: ReadonlyArray<Listed> | null; readonly tenants: boolean }, SinkError> {
  const asked = { limit: 100, filter: { must: ofTenant(place.tenant) }, with_payload: true }
  const { points } = yield* scroll(place, asked, Sampled)
  const all = yield* Effect.option(Effect.forEach(points, ({ payload }) => decodePayload(payload)))
  const ours = Option.isSome(all) && all.value.every((one) => (one.tenant ?? null) === place.tenant)
  return {
    chunks: ours ? all.value.map(({ document_id: documentId, id }) => ({ documentId, id })) : null,
    tenants: points.every(({ payload }) => isTenants(payload))
  }
})

/** In pages, in the order of the points' ids. */
export const list = (place: Place) =>
  Pages.stream(null, (offset: string | number | null) =>
    Effect.map(
      scroll(
        place,
        {
          limit: page,
          filter: chunksOf(place.tenant),
          with_payload: ["id", "document_id"],
          ...(offset !== null && { offset })
        },
        Page
      ),
      ({ next_page_offset: next, points }) => [
        points.map(({ payload }) => ({ documentId: payload.document_id, id: payload.id })),
        next
      ]
    )
  )

const Ranged = Schema.Struct({
  points: Schema.Array(Schema.Struct({ payload: Schema.Struct({ text: Schema.Unknown, docsluice: Schema.Unknown }) }))
})

/** Chunks of a document with indexes of a range, in order. */
export const range = Effect.fnUntraced(function* (place: Place, { documentId, from, to }: Range) {
  const filter = chunksOf(place.tenant, [
    { key: "document_id", match: { value: ChunkRecord.plain(documentId) } },
    { key: "chunk_index", range: { gte: from, lte: to } }
  ])
  const asked = { limit: to - from + 1, filter, with_payload: ["text", "docsluice"] }
  const { points } = yield* scroll(place, asked, Ranged)
  const rows = points.map(({ payload: { docsluice, text } }) => ChunkRecord.decode({ text, record: docsluice }))
  return Hits.byIndex(yield* Hits.chunks(place.sink, "a point", rows))
})

const Dense = Schema.Array(Schema.Number)

const Found = Schema.Struct({
  points: Schema.Array(
    Schema.Struct({
      id: Schema.Union(Schema.String, Schema.Number),
      score: Schema.Number,
      // One vector without a name as it is, several by their names.
      vector: Schema.optional(Schema.NullOr(Schema.Union(Dense, Schema.Struct({ [unnamed]: Schema.optional(Dense) })))),
      payload: Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
    })
  )
})

type Point = (typeof Found.Type)["points"][number]

const denseOf = ({ vector }: Point): ReadonlyArray<number> | undefined =>
  vector === undefined || vector === null || isDense(vector) ? (vector ?? undefined) : vector[unnamed]

const isDense = Schema.is(Dense)

const ranking = (points: ReadonlyArray<Point>, sign: 1 | -1): Ranking<Point["id"]> =>
  points.map(({ id, score }) => ({ key: id, score: sign * score }))

/** By the terms of the query where the collection has them, and by its vector, both at the same time; joined by score. */
export const search = Effect.fnUntraced(function* (
  { call, path, sink, tenant }: Place,
  { space, terms: version }: Store,
  query: Query
): Effect.fn.Return<ReadonlyArray<Hit>, SinkError> {
  const { filter, limit, text, vector } = query
  if (vector === undefined && version === null) {
    return yield* new SinkError({
      sink,
      reason: "Unsupported",
      problem:
        "this collection is of an earlier version and is searched by vectors only; search with the embedder that the chunks were written with, or rebuild it"
    })
  }
  if (limit < 1) return []
  const common = {
    limit: breadth(limit),
    filter: chunksOf(tenant, filter === undefined ? [] : [yield* QdrantFilter.translate(sink, filter)]),
    with_payload: ["id", "text", "docsluice"],
    with_vector: vector !== undefined
  }
  const asked = (one: object) =>
    Effect.map(call("POST", `${path}/points/query`, { ...common, ...one }, Found), ({ points }) => points)
  const none: ReadonlyArray<Point> = []
  const byTerms =
    version === null
      ? Effect.succeed(none)
      : Effect.reduce(Words.steps(text, version), none, (found, words) =>
          found.length > 0
            ? Effect.succeed(found)
            : asked({ query: SparseTerms.ofWords(words), using: Words.nameOf(version) })
        )
  const byVector = vector === undefined || space === null ? Effect.succeed(none) : asked({ query: Array.from(vector) })
  const [terms, vectors] = yield* Effect.all([byTerms, byVector], { concurrency: 2 })
  const rows = new Map(
    [...terms, ...vectors].map((point) => {
      const { id, payload } = point
      const stored = denseOf(point)
      return [
        id,
        {
          id: payload?.["id"] ?? id,
          similarity: vector === undefined || stored === undefined ? null : cosine(vector, stored),
          chunk: ChunkRecord.decode({ text: payload?.["text"], record: payload?.["docsluice"] })
        }
      ]
    })
  )
  // Of a distance, the lowest is best.
  const sign = space?.metric === "euclidean" ? -1 : 1
  const rankings = { words: ranking(terms, 1), vectors: ranking(vectors, sign), space, query }
  return yield* Hits.fused(sink, rankings, () => Effect.succeed(rows))
})
