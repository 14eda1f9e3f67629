/**
 * Chunks in a collection of a Qdrant server, over its REST interface.
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
import * as QdrantCollection from "./internal/qdrant/Collection.ts"
import * as QdrantFilter from "./internal/qdrant/Filter.ts"
import * as QdrantPoints from "./internal/qdrant/Points.ts"
import * as QdrantRest from "./internal/qdrant/Rest.ts"
import * as Rest from "./internal/shared/Rest.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The server's address with port and optional path, without credentials; default `http://localhost:6333`. */
  readonly url?: string | undefined
  /** Default `chunks`. */
  readonly collection?: string | undefined
  /**
   * Name of the tenant in a collection that several share: each point carries it as `tenant`, indexed as a tenant's key, each tenant has
   * its own stamp, and nothing but its points is read, written, searched or removed. All have vectors of one size and metric. At most
   * 64 letters without accents, digits, `_`, `.`, `-`.
   * How rare a word is in the ranking counts over all tenants. Default: the collection has no tenants, or
   * queries choose one.
   */
  readonly tenant?: string | undefined
  /** Sent as `api-key`; never part of an error or a span. */
  readonly key?: Redacted.Redacted | undefined
}

const defaults = { url: "http://localhost:6333", collection: "chunks" } as const

/**
 * A sink that keeps chunks as points of a Qdrant collection, over `HttpClient`; it needs no package.
 *
 * **It has not been tested with a real server yet**, only with a double of Qdrant's published REST interface (1.10 and later:
 * `points/query`), from which it is written.
 *
 * **Points.** Qdrant takes UUIDs and integers as ids: a point's id is a UUID derived from the chunk's (version 8, from its
 * SHA-256), and the payload keeps the chunk's own as `id`. The payload's other keys are `document_id`, `source`, `chunk_index`,
 * `text`, `pages`, `headings`, `metadata` (an object), `tags` (each metadata member as `key=value`, a list as one tag per item,
 * `%` and `=` of a key percent-encoded), and `docsluice`: everything else as JSON, from which a chunk is
 * read back exactly. Store id and embedding space are in the payload of one more point,
 * `00000000-0000-8000-8000-000000000000`.
 *
 * **Collection.** Created when missing. An existing one that is empty and has vectors of the run's size and metric is used as it
 * is, with its own settings; a collection with points that are not chunks of this sink is refused. Its vectors are one without a name,
 * those of the embedder if there is one, and the sparse vector `terms2` with the modifier `idf`: for each term of text, headings and
 * source (see `Terms`) its hash, and the share of BM25 that the chunk gives, with Qdrant's own settings (k 1.2, b 0.75, usual length 256).
 *
 * **Indexes**, which a server in strict mode, such as Qdrant Cloud's, wants for every filter: those of the payload's own keys are made
 * when the collection is opened for writing, and one of each metadata member, of 64 at most, when a chunk with it is first written.
 * A member has one index, for the type of that value: numbers, booleans, dates (`date`, and where the value is one), or other texts.
 * In strict mode a condition that needs another one is `Unsupported`, and names the key. Where the server refuses to make an index,
 * it is logged, and chunks are written all the same.
 *
 * **Durability.** Each call waits until the server has applied it (`wait=true`). Qdrant has no transactions, so the sink has
 * no `replace`: the new chunks are written, then the old ones removed.
 *
 * **Search** is by the terms of the query, by BM25, function words only if no other word finds anything; with a vector, its nearest
 * neighbours are added, joined with the others by their scores, weighted by
 * `vectorWeight`. How rare a
 * word is counts over the whole collection, all tenants included; `relevance` takes all words as equally rare. A collection that an
 * earlier version made has no such sparse vector: it is searched by vectors alone, as before, and a query without one is `Unsupported`,
 * until it is rebuilt. Filters (see `Filter`) have every
 * operator but `$contains`; the field `kind`, and metadata members with an empty name or a quote in it, are `Unsupported`. Hits come
 * without their vectors.
 *
 * **Calls** go through the request gate of the server's address and key, which the whole process shares: after a wait that the server
 * asked for (`Retry-After`), and with pauses while it fails again and again. A wait above two minutes is `Unavailable` at once.
 *
 * **Failures**: `Unavailable` while the server cannot be reached, is busy or failed; `Rejected` for a key or a chunk that it
 * refuses; `TooLarge` above its limit for a request; `Mismatch` for a collection that this sink did not make and for another
 * embedding space.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<ChunkSink.ChunkSink.Removing, never, HttpClient | Scope.Scope> {
  const { key: secret, tenant = null } = options
  const name = options.collection ?? defaults.collection
  const connect = yield* Rest.connecting(QdrantRest.dialect, { url: options.url ?? defaults.url, name, secret })
  return yield* over(connect, name, tenant)
})

/** The sink of a collection with its generations, or of a tenant's part of it. */
const over = (
  connect: (tenant: string | null) => Effect.Effect<Rest.Rest, never, Scope.Scope>,
  name: string,
  tenant: string | null
): Effect.Effect<ChunkSink.ChunkSink.Removing, never, Scope.Scope> =>
  Effect.gen(function* () {
    const rest = yield* connect(tenant)
    const placed = (collection: string) => QdrantPoints.placeOf(rest, collection, tenant)
    return yield* ChunkSink.make({
      ...at(rest.sink, placed(name)),
      ...(tenant === null ? { ofTenant: (one: string) => over(connect, name, one) } : { tenant }),
      beside: ({ id, suffix }: ChunkSink.Place) => ({
        ...at(id, placed(`${name}${suffix}`)),
        ...(tenant !== null && { tenant })
      })
    })
  })

/** The sink of one collection, or of a tenant's part of it. */
const at = (id: string, place: QdrantPoints.Place) => {
  const collection = QdrantCollection.make(place)
  const storeOf = (space: ChunkSink.EmbeddingSpace | null) =>
    Effect.map(collection.terms, (terms): QdrantPoints.Store => ({ space, terms }))

  return {
    id,
    name: "qdrant",
    filter: QdrantFilter.supported,
    terms: true,
    vectors: "float32",
    limits: { maxBytes: 4 * 1024 * 1024 },
    ...(place.tenant !== null && { tenant: place.tenant }),
    inspect: collection.inspect,
    open: (opening) => Effect.zipRight(collection.prepare(opening), storeOf(opening.space)),
    read: ({ space }) => storeOf(space),
    write: (store, batch) => Effect.zipRight(collection.index(batch), QdrantPoints.write(place, store, batch)),
    remove: (_, ids) => QdrantPoints.remove(place, ids),
    list: () => QdrantPoints.list(place),
    count: () => collection.count,
    search: (store, query) => QdrantPoints.search(place, store, query),
    range: (_, range) => QdrantPoints.range(place, range),
    clear: collection.drop
  } satisfies ChunkSink.Definition<QdrantPoints.Store>
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
