/** OpenSearch and Elasticsearch: the index, its documents and the REST calls. */
import { type EmbeddingSpace, type Found, type Opening, SinkError } from "docsluice/ChunkSink"
import { ChunkId } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Rest } from "../shared/Rest.ts"
import * as Words from "../shared/Words.ts"
import * as Dialect from "./Dialect.ts"

/** The index as a whole. */
export interface Index {
  readonly rest: Rest
  /** Name in a path. */
  readonly path: string
  readonly dialect: Effect.Effect<Dialect.Dialect, SinkError>
  readonly inspect: Effect.Effect<Found, SinkError>
  /** Creates the index, or uses the existing one. */
  readonly prepare: (opening: Opening) => Effect.Effect<void, SinkError>
  /** Version of the terms in its field for them. */
  readonly terms: Effect.Effect<Terms.Version, SinkError>
  readonly count: Effect.Effect<number, SinkError>
  /** Makes all that was written visible to searches. */
  readonly refresh: Effect.Effect<void, SinkError>
  /** Deletes it; a missing one is not an error. */
  readonly drop: Effect.Effect<void, SinkError>
}

const unsearched = { type: "keyword", index: false, doc_values: false } as const

/** Longest keyword that is indexed; Lucene refuses one of more than 32,766 bytes. */
const ignoreAbove = 8000

const keyword = { type: "keyword", ignore_above: ignoreAbove } as const

const properties = (dialect: Dialect.Dialect, space: EmbeddingSpace | null) => ({
  key: { type: "keyword" },
  chunk_id: keyword,
  document_id: keyword,
  source: keyword,
  chunk_index: { type: "integer" },
  text: { type: "text" },
  headings: { type: "text" },
  tags: keyword,
  facts: { type: "keyword" },
  [Words.nameOf(Terms.version)]: { type: "text", analyzer: "whitespace", index_options: "freqs" },
  docsluice: unsearched,
  ...(space !== null && { embedding: dialect.vector(space) })
})

const Mapped = Schema.Record({
  key: Schema.String,
  value: Schema.Struct({
    mappings: Schema.Struct({
      dynamic: Schema.optional(Schema.Union(Schema.String, Schema.Boolean)),
      _meta: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
      properties: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
    })
  })
})

const Acknowledged = Schema.Struct({ acknowledged: Schema.Literal(true) })

const Count = Schema.Struct({ count: Schema.Int })

const Sampled = Schema.Struct({
  hits: Schema.Struct({
    hits: Schema.Array(Schema.Struct({ _source: Schema.Struct({ chunk_id: ChunkId, document_id: DocumentId }) }))
  })
})

export const make = (rest: Rest, name: string): Index => {
  const path = encodeURIComponent(name)
  const dialect = Effect.map(rest.call("GET", "/", undefined, Dialect.Root), Dialect.of)
  const drop = Effect.asVoid(rest.find("DELETE", `/${path}`, undefined, Acknowledged))
  const refresh = Effect.asVoid(rest.call("POST", `/${path}/_refresh`, undefined, Schema.Struct({})))
  const count = Effect.map(rest.call("GET", `/${path}/_count`, undefined, Count), (answer) => answer.count)
  // An alias is answered under the name of its index.
  const mapped = Effect.map(rest.find("GET", `/${path}/_mapping`, undefined, Mapped), (answer) =>
    answer === null ? null : (Object.values(answer)[0]?.mappings ?? {})
  )
  const inspect: Effect.Effect<Found, SinkError> = Effect.gen(function* () {
    const mappings = yield* mapped
    if (mappings === null) return { _tag: "Absent" }
    const stamp = mappings._meta?.["docsluice"]
    const fields = mappings.properties ?? {}
    // A write to a deleted index makes the server create it again, with a mapping that is not strict.
    const ours =
      mappings.dynamic === "strict" &&
      ["key", "chunk_id", "document_id", "text", "docsluice"].every((field) => field in fields)
    if (!ours) {
      return {
        _tag: "Foreign",
        problem: "the index is not one that this sink made; nothing was changed, use another name"
      }
    }
    if (!("facts" in fields) || Words.versionOf(Object.keys(fields)) === null) {
      return {
        _tag: "Foreign",
        problem:
          "the index is of another version of this sink; nothing was changed, use another name, or delete the index"
      }
    }
    yield* refresh
    if (typeof stamp === "string") return { _tag: "Stamped", stamp, empty: (yield* count) === 0, changed: false }
    const { hits } = yield* rest.call(
      "POST",
      `/${path}/_search`,
      { size: 100, query: { match_all: {} }, _source: ["chunk_id", "document_id"] },
      Sampled
    )
    return {
      _tag: "Unstamped",
      chunks: hits.hits.map(({ _source }) => ({ documentId: _source.document_id, id: _source.chunk_id })),
      vectors: "embedding" in fields
    }
  })
  return {
    rest,
    path,
    dialect,
    inspect,
    terms: Effect.map(mapped, (mappings) => Words.versionOf(Object.keys(mappings?.properties ?? {})) ?? Terms.version),
    count,
    refresh,
    drop,
    prepare: Effect.fnUntraced(function* ({ decide, space }) {
      const found = yield* inspect
      const { action, stamp } = yield* decide(found)
      const _meta = { docsluice: stamp }
      if (action === "create") {
        const own = yield* dialect
        if (found._tag !== "Absent") yield* drop
        const mappings = { dynamic: "strict", _meta, properties: properties(own, space) }
        yield* rest.call("PUT", `/${path}`, { settings: own.settings(space), mappings }, Acknowledged)
      } else if (action === "stamp") {
        yield* checkVectors(rest.sink, (yield* mapped)?.properties?.["embedding"], space)
        yield* rest.call("PUT", `/${path}/_mapping`, { _meta }, Acknowledged)
      }
    })
  }
}

/** Fails when the mapping of the vectors is not for the space. */
const checkVectors = (sink: string, field: unknown, space: EmbeddingSpace | null): Effect.Effect<void, SinkError> => {
  const length = Predicate.hasProperty(field, "dimension")
    ? field.dimension
    : Predicate.hasProperty(field, "dims")
      ? field.dims
      : null
  return length === (space?.dimensions ?? null)
    ? Effect.void
    : new SinkError({
        sink,
        reason: "Mismatch",
        problem: "the index is there, with vectors of another length; use another name, or delete it"
      })
}
