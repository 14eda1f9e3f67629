/**
 * Chunks in a collection of a Chroma server.
 *
 * @since 0.1.0
 */
import type * as ChromaDb from "chromadb"
import * as ChunkSink from "docsluice/ChunkSink"
import type * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as ChromaFilter from "./internal/chroma/Filter.ts"
import * as ChromaRows from "./internal/chroma/Rows.ts"
import * as OptionalPackage from "./internal/shared/OptionalPackage.ts"
import * as ServerAddress from "./internal/shared/ServerAddress.ts"
import * as StoreGate from "./internal/shared/StoreGate.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The server's address, without credentials; default `http://localhost:8000`. */
  readonly url?: string | undefined
  /** 3 to 512 letters, digits, `.`, `_` and `-`, the first and the last a letter or a digit; default `chunks`. */
  readonly collection?: string | undefined
  /** Default `default_tenant`. */
  readonly tenant?: string | undefined
  /** Default `default_database`. */
  readonly database?: string | undefined
  /** Sent as `x-chroma-token`; never part of an error. */
  readonly token?: Redacted.Redacted | undefined
  /**
   * Sends every request, for instance through a proxy (`UndiciHttpClient.dispatcher()` has those of the environment); default: that of
   * Node's `fetch`, which knows no proxies. It is not closed.
   */
  readonly dispatcher?: UndiciHttpClient.Options["dispatcher"]
}

const defaults = {
  url: "http://localhost:8000",
  collection: "chunks",
  tenant: "default_tenant",
  database: "default_database"
} as const

interface Store {
  readonly collection: ChromaDb.Collection
  /** Records that the server takes in one call, as its pre-flight check says. */
  readonly maxBatch: number
}

/**
 * A sink that keeps chunks as records of a Chroma collection. It needs the package `chromadb`, which is loaded by
 * `prepare`, and a server of version 1.
 *
 * **Records.** The id is the chunk's, the document its text, the embedding its vector. Chroma's metadata is flat and has no
 * empty lists, so the key `docsluice` holds every other member of the chunk as JSON, from which the chunk is read back
 * exactly. Filters use the keys next to it: `document_id`, `source`, `chunk_index`, `pages`, `headings` and each member of
 * the chunk's metadata. A metadata member is prefixed with `docsluice:` when its name collides with one of these or when
 * Chroma refuses it; an empty list is in the JSON only. Store id and embedding space are kept in the collection's metadata.
 *
 * **Vectors.** Chroma keeps nothing without a vector: `prepare` refuses a run without an embedder as `Unsupported`; a chunk
 * without a vector is `Rejected`. Chroma's own embedding functions are never created or loaded.
 *
 * **Durability.** A call is on the server's disk when it returns. Chroma has no transactions: an interrupted write may have
 * stored a part of its chunks, and the next one completes it. A record whose metadata changed is deleted before it is written
 * again, since Chroma would merge the old members into the new ones.
 *
 * **Search** is by vector only; a query without one is `Unsupported`. Filters (see `Filter`) have `$eq`, `$ne`,
 * `$in`, `$nin`, `$and`, `$or`, and `$gt`, `$gte`, `$lt` and `$lte` for numbers of the metadata; dates, ranges of pages and the field
 * `kind` are `Unsupported`. Hits come without their vectors.
 *
 * **Calls** go through the request gate of the server's address and token, which the whole process shares, with pauses while the server
 * fails again and again. The client does not pass on the wait that a server asks for.
 *
 * **Failures**: `Unavailable` while the server cannot be reached; `Mismatch` for a collection that this sink did not make and
 * for another embedding space; `Rejected` for a name or a token that the server refuses.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<ChunkSink.ChunkSink.Removing, never, Scope.Scope> {
  const { connect, gate, id, name } = yield* serverOf(options)
  const sliced = <A>(items: ReadonlyArray<A>, { maxBatch }: Store, call: (part: ReadonlyArray<A>) => ChromaRows.Call) =>
    Effect.forEach(Arr.chunksOf(items, maxBatch), call, { discard: true })

  return yield* ChunkSink.make({
    id,
    name: "chroma",
    filter: ChromaFilter.supported,
    vectors: "required",
    limits: { maxBytes: 4 * 1024 * 1024 },
    inspect: Effect.map(
      Effect.flatMap(connect, (client) => inspect(gate, client, name)),
      ({ found }) => found
    ),
    open: (opening) => Effect.flatMap(connect, (client) => open(gate, name, client, opening)),
    read: () =>
      Effect.gen(function* () {
        const { collection } = yield* inspect(gate, yield* connect, name)
        if (collection !== null) return { collection, maxBatch: 1 } satisfies Store
        return yield* new ChunkSink.SinkError({ sink: id, reason: "Mismatch", problem: "the collection is gone" })
      }),
    write: (store, batch) => sliced(batch, store, (part) => ChromaRows.upsert(gate, store.collection, part)),
    remove: (store, ids) =>
      sliced(ids, store, (part) =>
        ChromaRows.attempt(gate, "cannot remove", () => store.collection.delete({ ids: [...part] }))
      ),
    list: ({ collection }) => ChromaRows.list(gate, collection),
    count: ({ collection }) => ChromaRows.attempt(gate, "cannot count", () => collection.count()),
    search: ({ collection }, query) => ChromaRows.search(gate, collection, query),
    range: ({ collection }, range) => ChromaRows.range(gate, collection, range),
    clear: Effect.flatMap(connect, (client) => ChromaRows.drop(gate, client, name))
  })
})

/**
 * Provides the sink of `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<ChunkSink.ChunkSink> => ChunkSink.layer(make(options))

/**
 * {@link layer} with its options read from the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (options: Config.Config.Wrap<Options>): Layer.Layer<ChunkSink.ChunkSink, ConfigError> =>
  Layer.unwrapEffect(Effect.map(Config.unwrap(options), layer))

const serverOf = Effect.fnUntraced(function* (options: Options) {
  const url = ServerAddress.parse(options.url ?? defaults.url)
  const tenant = options.tenant ?? defaults.tenant
  const database = options.database ?? defaults.database
  const name = options.collection ?? defaults.collection
  const id = `chroma:${url?.origin ?? "invalid"}/${tenant}/${database}/${name}`
  const connect = Effect.gen(function* () {
    if (url === null || url.path !== "") {
      return yield* new ChunkSink.SinkError({
        sink: id,
        reason: "Rejected",
        problem: "the server's address must be http:// or https://, without credentials, path and query"
      })
    }
    const { ChromaClient } = yield* OptionalPackage.load(id, ["chromadb@3.5.0"], () => import("chromadb"))
    const headers = options.token === undefined ? {} : { "x-chroma-token": Redacted.value(options.token) }
    const fetchOptions: RequestInit = {}
    // The types of Node's fetch are of an older undici, whose dispatchers it takes as well as newer ones.
    if (options.dispatcher !== undefined) Object.assign(fetchOptions, { dispatcher: options.dispatcher })
    return new ChromaClient({ host: url.host, port: url.port, ssl: url.ssl, tenant, database, headers, fetchOptions })
  })
  return { connect, gate: yield* StoreGate.make(id, url?.origin ?? "invalid", options.token), id, name }
})

const metrics = { cosine: "cosine", dot: "ip", euclidean: "l2" } as const

interface Inspected {
  readonly found: ChunkSink.Found
  readonly collection: ChromaDb.Collection | null
}

const inspect = Effect.fnUntraced(function* (
  gate: StoreGate.StoreGate,
  client: ChromaDb.ChromaClient,
  name: string
): Effect.fn.Return<Inspected, ChunkSink.SinkError> {
  const collection = yield* ChromaRows.find(gate, client, name)
  if (collection === null) return { found: { _tag: "Absent" }, collection }
  const stamp = collection.metadata?.[ChromaRows.stampKey]
  const empty = (yield* ChromaRows.attempt(gate, "cannot read the collection", () => collection.count())) === 0
  if (typeof stamp === "string") return { found: { _tag: "Stamped", stamp, empty, changed: false }, collection }
  const chunks = yield* ChromaRows.sample(gate, collection)
  const found: ChunkSink.Found =
    chunks === null
      ? {
          _tag: "Foreign",
          problem: "the collection holds records that are no chunks; nothing was changed, use another name"
        }
      : { _tag: "Unstamped", chunks, vectors: true }
  return { found, collection }
})

const open = Effect.fnUntraced(function* (
  gate: StoreGate.StoreGate,
  name: string,
  client: ChromaDb.ChromaClient,
  { decide, space }: ChunkSink.Opening
): Effect.fn.Return<Store, ChunkSink.SinkError> {
  if (space === null) {
    return yield* new ChunkSink.SinkError({
      sink: gate.sink,
      reason: "Unsupported",
      problem: "Chroma keeps nothing without a vector; run with an embedder, or use another sink"
    })
  }
  const maxBatch = yield* ChromaRows.attempt(gate, "cannot reach the server", () => client.getMaxBatchSize())
  const { collection, found } = yield* inspect(gate, client, name)
  const { action, stamp } = yield* decide(found)
  const stamped = { ...collection?.metadata, [ChromaRows.stampKey]: stamp }
  if (collection !== null && action !== "create") {
    if (found._tag === "Unstamped" && ChromaRows.metricOf(collection) !== metrics[space.metric]) {
      return yield* new ChunkSink.SinkError({
        sink: gate.sink,
        reason: "Mismatch",
        problem: "the collection is there, with another metric; use another name, or delete it"
      })
    }
    if (action === "stamp") {
      yield* ChromaRows.attempt(gate, "cannot stamp the collection", () => collection.modify({ metadata: stamped }))
    }
    return { collection, maxBatch }
  }
  if (collection !== null) yield* ChromaRows.drop(gate, client, name)
  const created = yield* ChromaRows.attempt(gate, "cannot make the collection", () =>
    client.createCollection({
      name,
      embeddingFunction: null,
      metadata: stamped,
      configuration: { hnsw: { space: metrics[space.metric] } }
    })
  )
  return { collection: created, maxBatch }
})
