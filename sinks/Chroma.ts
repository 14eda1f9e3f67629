/**
 * Chunks in a collection of a Chroma server.
 *
 * @since 0.1.0
 */
import type * as ChromaDb from "chromadb"
import * as ChunkSink from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as ChromaRows from "./internal/chroma/Rows.ts"
import * as NeedsVectors from "./internal/shared/NeedsVectors.ts"
import * as OptionalPackage from "./internal/shared/OptionalPackage.ts"
import * as ServerAddress from "./internal/shared/ServerAddress.ts"
import { storeId } from "./internal/shared/Stamp.ts"
import * as Stamped from "./internal/shared/Stamped.ts"
import * as Vector from "./internal/shared/Vector.ts"

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
}

const defaults = {
  url: "http://localhost:8000",
  collection: "chunks",
  tenant: "default_tenant",
  database: "default_database"
} as const

interface Store {
  readonly collection: ChromaDb.Collection
  readonly space: ChunkSink.EmbeddingSpace
  /** What the server takes in one call, as its pre-flight check says. */
  readonly maxBatch: number
}

/**
 * A sink that keeps chunks as records of a Chroma collection. It needs the package `chromadb`, which is loaded by
 * `prepare`, and a server of version 1.
 *
 * **Records.** The id is the chunk's, the document its text, the embedding its vector. Chroma's metadata is flat and has no
 * empty lists, so `docsluice` holds every other member of the chunk as JSON, from which it is read back exactly; beside it
 * stand, for filters, `document_id`, `source`, `chunk_index`, `pages`, `headings` and each member of the chunk's metadata. One that has a name
 * of these, or one that Chroma refuses, has `docsluice:` before its name; an empty list is in the JSON only. Store id and
 * embedding space are kept in the collection's metadata.
 *
 * **Vectors.** Chroma keeps nothing without a vector: a run without an embedder is refused by `prepare` as `Unsupported`, a
 * chunk without a vector as `Rejected`. No embedding function is ever made or loaded: vectors are ours alone.
 *
 * **Durability.** A call is on the server's disk when it returns. Chroma has no transactions: a write that was cut short may have stored
 * a part of it, and the next one completes it. What is written again with other metadata is deleted first, since Chroma would keep
 * the members that are gone.
 *
 * **Search** by vector only; a query without one is `Unsupported`. A filter compares as text, and finds a list by any of its
 * items. Hits come without their vectors.
 *
 * **Failures**: `Unavailable` while the server is not there; `Mismatch` for a collection of somebody else and another
 * embedding space; `Rejected` for a name or a token that the server refuses.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Effect.Effect<ChunkSink.ChunkSink.Service> => {
  const { connect, id, name } = serverOf(options)
  let current: Store | null = null

  const opened = Effect.suspend(() =>
    current === null
      ? new ChunkSink.SinkError({ sink: id, reason: "Rejected", problem: "it was not prepared" })
      : Effect.succeed(current)
  )

  return ChunkSink.make({
    id,
    name: "chroma",
    stamp: true,
    filter: true,
    limits: { maxBytes: 4 * 1024 * 1024 },
    prepare: (space) =>
      Effect.gen(function* () {
        current = null
        if (space === null) {
          return yield* new ChunkSink.SinkError({
            sink: id,
            reason: "Unsupported",
            problem: "Chroma keeps nothing without a vector; run with an embedder, or use another sink"
          })
        }
        const { store, stamp } = yield* open(id, name, yield* connect, space)
        current = store
        return stamp
      }),
    write: (batch) => Effect.flatMap(opened, (store) => write(id, store, batch)),
    remove: (ids) =>
      Effect.flatMap(opened, ({ collection, maxBatch }) =>
        Effect.forEach(
          ChromaRows.slices(ids, maxBatch),
          (part) => ChromaRows.attempt(id, "cannot remove", () => collection.delete({ ids: [...part] })),
          { discard: true }
        )
      ),
    list: Stream.unwrap(Effect.map(opened, ({ collection }) => ChromaRows.list(id, collection))),
    search: (query) =>
      Effect.flatMap(opened, ({ collection, space }) =>
        Effect.zipRight(Vector.checkQuery(id, space, query.vector), ChromaRows.search(id, collection, query))
      ),
    clear: Effect.gen(function* () {
      current = null
      const client = yield* connect
      yield* ChromaRows.drop(id, client, name)
    })
  })
}

/**
 * Provides the sink of `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<ChunkSink.ChunkSink> => ChunkSink.layer(make(options))

/**
 * What is stamped into the collection; null when there is no collection. Makes nothing. `Mismatch` for one of somebody else.
 *
 * @since 0.1.0
 * @category constructors
 */
export const stamp = (options: Options = {}): Effect.Effect<ChunkSink.StoreStamp | null, ChunkSink.SinkError> =>
  Effect.gen(function* () {
    const { connect, id, name } = serverOf(options)
    const collection = yield* ChromaRows.find(id, yield* connect, name)
    return collection === null ? null : yield* stampOf(id, collection)
  })

/**
 * The embedding space that is stamped into the collection, so that a search can embed its query alike; null when there is no
 * collection. Makes nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const stampedSpace = (
  options: Options = {}
): Effect.Effect<ChunkSink.EmbeddingSpace | null, ChunkSink.SinkError> =>
  Effect.map(stamp(options), (found) => found?.space ?? null)

const serverOf = (options: Options) => {
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
    return new ChromaClient({ host: url.host, port: url.port, ssl: url.ssl, tenant, database, headers })
  })
  return { connect, id, name }
}

const stampOf = (id: string, collection: ChromaDb.Collection) =>
  Stamped.decode(id, "collection", collection.metadata?.[ChromaRows.stampKey])

const metrics = { cosine: "cosine", dot: "ip", euclidean: "l2" } as const

const open = Effect.fnUntraced(function* (
  id: string,
  name: string,
  client: ChromaDb.ChromaClient,
  space: ChunkSink.EmbeddingSpace
) {
  const maxBatch = yield* ChromaRows.attempt(id, "cannot reach the server", () => client.getMaxBatchSize())
  const create = Effect.fnUntraced(function* (storeId: string) {
    const collection = yield* ChromaRows.attempt(id, "cannot make the collection", () =>
      client.createCollection({
        name,
        embeddingFunction: null,
        metadata: { [ChromaRows.stampKey]: Stamped.encode(storeId, space) },
        configuration: { hnsw: { space: metrics[space.metric] } }
      })
    )
    return { store: { collection, space, maxBatch }, stamp: storeId }
  })
  const collection = yield* ChromaRows.find(id, client, name)
  if (collection === null) return yield* create(yield* storeId)
  const stamped = yield* stampOf(id, collection)
  const empty = (yield* ChromaRows.attempt(id, "cannot read the collection", () => collection.count())) === 0
  yield* ChunkSink.checkSpace({ sink: id, stamped: stamped.space, asked: space, empty })
  if (!empty || Stamped.sameSpace(stamped.space, space)) {
    return { store: { collection, space, maxBatch }, stamp: stamped.storeId }
  }
  yield* ChromaRows.drop(id, client, name)
  return yield* create(stamped.storeId)
})

const write = (
  id: string,
  store: Store,
  batch: ReadonlyArray<DocumentChunk>
): Effect.Effect<void, ChunkSink.SinkError> => {
  // Chroma refuses an id that is twice in one call.
  const last = [...new Map(batch.map((chunk) => [chunk.id, chunk])).values()]
  return Effect.zipRight(
    NeedsVectors.check(id, store.space, batch),
    Effect.forEach(ChromaRows.slices(last, store.maxBatch), (part) => ChromaRows.upsert(id, store.collection, part), {
      discard: true
    })
  )
}
