/**
 * Chunks in an index of OpenSearch or Elasticsearch, over their REST interface.
 *
 * @since 0.1.0
 */
import type { HttpClient } from "@effect/platform/HttpClient"
import * as ChunkSink from "docsluice/ChunkSink"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Documents from "./internal/opensearch/Documents.ts"
import * as OpenSearchFilter from "./internal/opensearch/Filter.ts"
import * as Index from "./internal/opensearch/Index.ts"
import { dialect } from "./internal/opensearch/Rest.ts"
import * as Search from "./internal/opensearch/Search.ts"
import * as Rest from "./internal/shared/Rest.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The server's address with port and optional path, without credentials; default `http://localhost:9200`. */
  readonly url?: string | undefined
  /** Name of the index, in lower case; default `chunks`. */
  readonly index?: string | undefined
  /**
   * Name of the tenant in an index that several share: each document carries it as `tenant`, each tenant has its own stamp, and nothing
   * but its documents is read, written, searched or removed. All have vectors of one length and metric. At most 64 letters without accents,
   * digits, `_`, `.`, `-`.
   * How rare a word is in the ranking counts over all tenants. Default: the index has no tenants, or queries choose one.
   */
  readonly tenant?: string | undefined
  /** Value of the header `Authorization`: `ApiKey …`, `Basic …` or `Bearer …`; never part of an error or a span. */
  readonly authorization?: Redacted.Redacted | undefined
}

const defaults = { url: "http://localhost:9200", index: "chunks" } as const

interface Store extends Search.Opened {
  /** True when it was opened for reading only, by somebody who may not be allowed to refresh the index. */
  readonly reads: boolean
}

/**
 * A sink that keeps chunks as documents of an index of OpenSearch (2.4 and later) or Elasticsearch (8.11 and later), over `HttpClient`;
 * it needs no package. The two are told apart by what the server says of itself.
 *
 * **It has not been tested with a real server yet**, only with a double of the published REST interfaces, from which it is written.
 *
 * **Documents.** A document's `_id`, and its `key`, is a UUID derived from the chunk's id. Its fields are `chunk_id`, `document_id`,
 * `source`, `chunk_index`, `text` and `headings` (full text), `tags` (each metadata member as `key=value`, a list as one tag per item, `%`
 * and `=` of a key percent-encoded), `embedding`, `facts` (keywords for filters), `terms2` (the terms of `Terms` of text, headings and
 * source, between blanks), and `docsluice`: everything else as JSON, from which a chunk is read back exactly.
 * The stamp is in the mapping's `_meta`.
 *
 * **Index.** Created when missing, with a strict mapping and an HNSW index of Lucene for the vectors. An index that this sink did not
 * make is refused, also one that the server made because the sink's was deleted while a run wrote to it (`action.auto_create_index`
 * forbids that).
 *
 * **Durability.** Each call is one bulk request, durable as the index's `translog.durability` says (by default on the disk when it returns).
 * There are no transactions, so the sink has no `replace`: the new chunks are written, then the old ones removed. What was written is made
 * visible to searches by a refresh before the sink itself reads, and by `finish`.
 *
 * **Search.** Text search is BM25 over the terms of text, headings and source (see `Terms`: words inside sentences without blanks,
 * inflected forms, diacritics folded); any word of the query may match, function words only if no other does, and nothing in it is
 * syntax. With a vector, its approximate nearest neighbours are added, joined with the others by their scores, weighted by
 * `vectorWeight`. Hits come without their vectors.
 *
 * **Filters** (see `Filter`) have every operator but `$contains`, on every field. They are applied by the server to the words and inside
 * the search for vectors, by ranges and equality of keywords: a server with `search.allow_expensive_queries: false` refuses `$gt`, `$gte`,
 * `$lt` and `$lte`.
 *
 * **Calls** go through the request gate of the server's address and credentials, which the whole process shares: after a wait that the
 * server asked for (`Retry-After`), and with pauses while it fails again and again.
 *
 * **Failures**: `Unavailable` while the server cannot be reached, is busy or failed; `Rejected` for credentials, or a chunk that it
 * refuses; `TooLarge` above its limit for a request; `Mismatch` for an index that this sink did not make and for another embedding space.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<ChunkSink.ChunkSink.Removing, never, HttpClient | Scope.Scope> {
  const name = options.index ?? defaults.index
  const connect = yield* Rest.connecting(dialect, {
    url: options.url ?? defaults.url,
    name,
    secret: options.authorization
  })
  return yield* over(connect, name, options.tenant ?? null)
})

/** The sink of an index with its generations, or of a tenant's part of it. */
const over = (
  connect: (tenant: string | null) => Effect.Effect<Rest.Rest, never, Scope.Scope>,
  name: string,
  tenant: string | null
): Effect.Effect<ChunkSink.ChunkSink.Removing, never, Scope.Scope> =>
  Effect.gen(function* () {
    const rest = yield* connect(tenant)
    return yield* ChunkSink.make({
      ...at(rest.sink, Index.make(rest, name, tenant), tenant),
      ...(tenant === null && { ofTenant: (one: string) => over(connect, name, one) }),
      beside: ({ id, suffix }: ChunkSink.Place) => at(id, Index.make(rest, `${name}${suffix}`, tenant), tenant)
    })
  })

/** The sink of one index, or of a tenant's part of it. */
const at = (id: string, index: Index.Index, tenant: string | null) => {
  const opened = (space: ChunkSink.EmbeddingSpace | null, reads: boolean) =>
    Effect.map(index.terms, (terms): Store => ({ space, terms, reads }))
  let visible = false
  const written = <A>(call: Effect.Effect<A, ChunkSink.SinkError>) =>
    Effect.ensuring(
      call,
      Effect.sync(() => {
        visible = false
      })
    )
  /** Makes the sink's own writes visible, once after the last of them. */
  const seen = ({ reads }: Store): Effect.Effect<void, ChunkSink.SinkError> =>
    Effect.suspend(() => {
      if (visible || reads) return Effect.void
      visible = true
      return Effect.tapError(index.refresh, () =>
        Effect.sync(() => {
          visible = false
        })
      )
    })

  return {
    id,
    name: "opensearch",
    filter: OpenSearchFilter.supported,
    terms: true,
    vectors: "float32",
    limits: { maxBytes: 4 * 1024 * 1024 },
    ...(tenant !== null && { tenant }),
    inspect: index.inspect,
    open: (opening) => Effect.zipRight(index.prepare(opening), opened(opening.space, false)),
    read: ({ space }) => opened(space, true),
    write: ({ terms }, batch) => written(Documents.write(index, terms, batch)),
    remove: (_, ids) => written(Documents.remove(index, ids)),
    list: (store) => Stream.unwrap(Effect.as(seen(store), Documents.list(index))),
    count: (store) => Effect.zipRight(seen(store), index.count),
    search: (store, query) => Effect.zipRight(seen(store), Search.search(index, store, query)),
    frequencies: (store, groups) => Effect.zipRight(seen(store), Search.frequencies(index, store, groups)),
    range: (store, range) => Effect.zipRight(seen(store), Search.range(index, range)),
    finish: (_, changed) => (changed ? index.refresh : Effect.void),
    clear: index.drop
  } satisfies ChunkSink.Definition<Store>
}

/**
 * Provides the sink of `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<ChunkSink.ChunkSink, never, HttpClient> =>
  ChunkSink.layer(make(options))

/**
 * {@link layer} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: Config.Config.Wrap<Options>
): Layer.Layer<ChunkSink.ChunkSink, ConfigError, HttpClient> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))
