import { type CheckedQuery as Query, type EmbeddingSpace, type Hit, type Range, SinkError } from "docsluice/ChunkSink"
import { ChunkId, type DocumentChunk } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import * as Damaged from "../shared/Damaged.ts"
import { cosine } from "../shared/Similarity.ts"
import * as Tags from "../shared/Tags.ts"
import * as Uuid from "../shared/Uuid.ts"
import * as QdrantFilter from "./Filter.ts"
import type { QdrantRest } from "./Rest.ts"

/** A chunk as a point: its vector, or none, and everything else as its payload. */
export const encode = (tenant: string | null) => (chunk: DocumentChunk) => {
  const { text, record } = ChunkRecord.encode(chunk)
  const metadata = Object.entries(chunk.metadata).map(([key, value]) => [ChunkRecord.plain(key), plainValue(value)])
  return {
    id: Uuid.ofChunk(chunk.id, tenant),
    vector: chunk.embedding === undefined ? {} : Array.from(chunk.embedding),
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

/** The first points of a tenant, 100 at most; null when one of them is no chunk, or is a tenant's in a collection without. */
export const sample = (rest: QdrantRest, points: string, tenant: string | null) =>
  rest
    .call(
      "POST",
      `${points}/scroll`,
      { limit: 100, filter: { must: ofTenant(tenant) }, with_payload: true, with_vector: false },
      Sampled
    )
    .pipe(
      Effect.flatMap((found) => Effect.forEach(found.points, ({ payload }) => decodePayload(payload))),
      Effect.map((all) =>
        all.every((one) => (one.tenant ?? null) === tenant)
          ? all.map(({ document_id: documentId, id }) => ({ documentId, id }))
          : null
      ),
      Effect.catchTag("ParseError", () => Effect.succeed(null))
    )

/** In pages, in the order of the points' ids. */
export const list = (rest: QdrantRest, points: string, tenant: string | null) =>
  Stream.paginateChunkEffect<
    string | number | null,
    { readonly documentId: DocumentId; readonly id: ChunkId },
    SinkError,
    never
  >(null, (offset) =>
    Effect.map(
      rest.call(
        "POST",
        `${points}/scroll`,
        {
          limit: page,
          filter: chunksOf(tenant),
          with_payload: ["id", "document_id"],
          with_vector: false,
          ...(offset !== null && { offset })
        },
        Page
      ),
      ({ next_page_offset: next, points: found }) => [
        Chunk.unsafeFromArray(found.map(({ payload }) => ({ documentId: payload.document_id, id: payload.id }))),
        Option.fromNullable(next)
      ]
    )
  )

const Ranged = Schema.Struct({
  points: Schema.Array(Schema.Struct({ payload: Schema.Struct({ text: Schema.Unknown, docsluice: Schema.Unknown }) }))
})

/** Chunks of a document with indexes of a range, in order. */
export const range = (
  rest: QdrantRest,
  sink: string,
  points: string,
  tenant: string | null,
  { documentId, from, to }: Range
) =>
  Effect.gen(function* () {
    const filter = chunksOf(tenant, [
      { key: "document_id", match: { value: ChunkRecord.plain(documentId) } },
      { key: "chunk_index", range: { gte: from, lte: to } }
    ])
    const asked = { limit: to - from + 1, filter, with_payload: ["text", "docsluice"], with_vector: false }
    const found = yield* rest.call("POST", `${points}/scroll`, asked, Ranged)
    const chunks = yield* Effect.forEach(found.points, ({ payload: { docsluice, text } }) =>
      Effect.mapError(
        ChunkRecord.decode({ text, record: docsluice }),
        (cause) => new SinkError({ sink, reason: "Mismatch", problem: "a point is not a chunk of this version", cause })
      )
    )
    return chunks.toSorted((left, right) => left.index - right.index)
  })

const Found = Schema.Struct({
  points: Schema.Array(
    Schema.Struct({
      id: Schema.Unknown,
      score: Schema.Number,
      vector: Schema.optional(Schema.NullOr(Schema.Array(Schema.Number))),
      payload: Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
    })
  )
})

export const search = Effect.fnUntraced(function* (
  rest: QdrantRest,
  sink: string,
  points: string,
  tenant: string | null,
  space: EmbeddingSpace | null,
  query: Query
): Effect.fn.Return<ReadonlyArray<Hit>, SinkError> {
  if (query.vector === undefined) {
    return yield* new SinkError({
      sink,
      reason: "Unsupported",
      problem: "this sink searches by vectors only; search with the embedder that the chunks were written with"
    })
  }
  if (query.limit < 1) return []
  const must = query.filter === undefined ? [] : [yield* QdrantFilter.translate(sink, query.filter)]
  const asked = {
    query: Array.from(query.vector),
    limit: query.limit,
    filter: chunksOf(tenant, must),
    with_payload: ["id", "text", "docsluice"],
    // The score is the cosine already, unless the metric is another one.
    with_vector: space?.metric !== "cosine"
  }
  const { vector } = query
  const found = yield* rest.call("POST", `${points}/query`, asked, Found)
  return yield* Damaged.hits(
    sink,
    found.points.map(({ id, payload, score, vector: own }) => ({
      id: payload?.["id"] ?? id,
      // Qdrant's Euclid is a distance, and the smallest comes first.
      score: space?.metric === "euclidean" ? -score : score,
      similarity: space?.metric === "cosine" ? score : own === undefined || own === null ? null : cosine(vector, own),
      chunk: ChunkRecord.decode({ text: payload?.["text"], record: payload?.["docsluice"] })
    }))
  )
})
