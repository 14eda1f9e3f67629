/** OpenSearch and Elasticsearch: the index, its documents and the REST calls. */
import { type EmbeddingSpace, type Found, type Opening, SinkError } from "docsluice/ChunkSink"
import { ChunkId } from "docsluice/DocumentChunk"
import { DocumentId } from "docsluice/SourceFile"
import * as Terms from "docsluice/Terms"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Rest } from "../shared/Rest.ts"
import * as Tenant from "../shared/Tenant.ts"
import * as Uuid from "../shared/Uuid.ts"
import * as Words from "../shared/Words.ts"
import * as Dialect from "./Dialect.ts"
import type { FactQuery } from "./Filter.ts"

/** The index as a whole, or the part of it that is a tenant's. */
export interface Index {
  readonly tenant: string | null
  /** The condition on a tenant's documents; null without one. */
  readonly own: FactQuery | null
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
  /** Deletes it, or the tenant's part of it and it with the last of them; a missing one is not an error. */
  readonly drop: Effect.Effect<void, SinkError>
}

const unsearched = { type: "keyword", index: false, doc_values: false } as const

/** Longest keyword that is indexed; Lucene refuses one of more than 32,766 bytes. */
const ignoreAbove = 8000

const keyword = { type: "keyword", ignore_above: ignoreAbove } as const

const properties = (dialect: Dialect.Dialect, space: EmbeddingSpace | null, tenant: string | null) => ({
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
  ...(space !== null && { embedding: dialect.vector(space) }),
  // A document with `stamp_of` holds the stamp of a tenant, and is no tenant's.
  ...(tenant !== null && { tenant: { type: "keyword" }, stamp_of: { type: "keyword" } })
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

const Stamps = Schema.Struct({
  hits: Schema.Struct({ hits: Schema.Array(Schema.Struct({ _source: Schema.Struct({ docsluice: Schema.String }) })) })
})

const Deleted = Schema.Struct({ deleted: Schema.Int })

/** Long, since it names each call to the index once, and composes them below. */
export const make = (rest: Rest, name: string, tenant: string | null): Index => {
  const own: FactQuery | null = tenant === null ? null : { terms: { tenant: [tenant] } }
  const path = encodeURIComponent(name)
  const dialect = Effect.map(rest.call("GET", "/", undefined, Dialect.Root), Dialect.of)
  const whole = Effect.asVoid(rest.find("DELETE", `/${path}`, undefined, Acknowledged))
  const refresh = Effect.asVoid(rest.call("POST", `/${path}/_refresh`, undefined, Schema.Struct({})))
  const all = Effect.map(rest.call("GET", `/${path}/_count`, undefined, Count), (answer) => answer.count)
  const count =
    own === null
      ? all
      : Effect.map(rest.call("POST", `/${path}/_count`, { query: own }, Count), (answer) => answer.count)
  /** The stamp goes last, so that what a kill leaves is still the tenant's; the index with its last tenant. */
  const removal = Effect.gen(function* () {
    for (const query of [own, { terms: { stamp_of: [tenant] } }]) {
      const gone = yield* rest.find("POST", `/${path}/_delete_by_query?refresh=true`, { query }, Deleted)
      if (gone === null) return
    }
    if ((yield* all) === 0) yield* whole
  })
  const drop = tenant === null ? whole : removal
  const stampId = Uuid.ofStampOf(tenant)
  const tenantStamp = Effect.map(
    rest.call(
      "POST",
      `/${path}/_search`,
      { size: 1, query: { ids: { values: [stampId] } }, _source: ["docsluice"] },
      Stamps
    ),
    ({ hits: { hits } }) => hits[0]?._source.docsluice ?? null
  )
  // An alias is answered under the name of its index.
  const mapped = Effect.map(rest.find("GET", `/${path}/_mapping`, undefined, Mapped), (answer) =>
    answer === null ? null : (Object.values(answer)[0]?.mappings ?? {})
  )
  const inspect: Effect.Effect<Found, SinkError> = Effect.gen(function* () {
    yield* Tenant.check(rest.sink, tenant)
    const mappings = yield* mapped
    if (mappings === null) return { _tag: "Absent" }
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
    if ("tenant" in fields !== (tenant !== null)) {
      return tenant === null
        ? { _tag: "Foreign", problem: Tenant.needed, tenants: true }
        : { _tag: "Foreign", problem: Tenant.lacking("the index") }
    }
    yield* refresh
    const stamp = tenant === null ? mappings._meta?.["docsluice"] : yield* tenantStamp
    if (typeof stamp === "string") return { _tag: "Stamped", stamp, empty: (yield* count) === 0, changed: false }
    const { hits } = yield* rest.call(
      "POST",
      `/${path}/_search`,
      { size: 100, query: own ?? { match_all: {} }, _source: ["chunk_id", "document_id"] },
      Sampled
    )
    if (tenant !== null && hits.hits.length === 0) return { _tag: "Absent" }
    return {
      _tag: "Unstamped",
      chunks: hits.hits.map(({ _source }) => ({ documentId: _source.document_id, id: _source.chunk_id })),
      vectors: "embedding" in fields
    }
  })
  const writeStamp = (stamp: string, _meta: object) =>
    tenant === null
      ? Effect.asVoid(rest.call("PUT", `/${path}/_mapping`, { _meta }, Acknowledged))
      : Effect.asVoid(
          rest.call(
            "PUT",
            `/${path}/_doc/${stampId}`,
            { key: stampId, stamp_of: tenant, docsluice: stamp },
            Schema.Struct({ result: Schema.Literal("created", "updated") })
          )
        )
  return {
    tenant,
    own,
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
      const _meta = tenant === null ? { docsluice: stamp } : {}
      const shared = tenant !== null && (yield* mapped) !== null
      if (action === "create" && !shared) {
        const dialectOf = yield* dialect
        if (found._tag !== "Absent") yield* drop
        const mappings = { dynamic: "strict", _meta, properties: properties(dialectOf, space, tenant) }
        yield* rest.call("PUT", `/${path}`, { settings: dialectOf.settings(space), mappings }, Acknowledged)
      } else if (action !== "open") {
        yield* checkVectors(rest.sink, (yield* mapped)?.properties?.["embedding"], space, tenant)
      }
      if (action === "stamp" || (action === "create" && tenant !== null)) yield* writeStamp(stamp, _meta)
    })
  }
}

/** Fails when the mapping of the vectors is not for the space. */
const checkVectors = (
  sink: string,
  field: unknown,
  space: EmbeddingSpace | null,
  tenant: string | null
): Effect.Effect<void, SinkError> => {
  const length = Predicate.hasProperty(field, "dimension")
    ? field.dimension
    : Predicate.hasProperty(field, "dims")
      ? field.dims
      : null
  // A tenant without vectors may stand next to others that have some.
  return length === (space?.dimensions ?? null) || (tenant !== null && space === null)
    ? Effect.void
    : new SinkError({
        sink,
        reason: "Mismatch",
        problem: "the index is there, with vectors of another length; use another name, or delete it"
      })
}
