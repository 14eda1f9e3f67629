/**
 * Chunks in any vector store of LangChain.js.
 *
 * @since 0.1.0
 */
import type { DocumentInterface } from "@langchain/core/documents"
import type { VectorStoreInterface } from "@langchain/core/vectorstores"
import * as ChunkSink from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as ChunkRecord from "./internal/shared/ChunkRecord.ts"
import * as Damaged from "./internal/shared/Damaged.ts"
import * as FlatChunk from "./internal/shared/FlatChunk.ts"
import * as Uuid from "./internal/shared/Uuid.ts"

/**
 * What is said of a store, since LangChain's interface does not tell what a store can do.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<Store extends VectorStoreInterface> {
  /** Made, configured and closed by the caller. */
  readonly store: Store
  /** What the ledger calls it, for ever: kind and target, without credentials (`pgvector/db.example.org/docs/chunks`). */
  readonly name: string
  /**
   * What the store does with `{ ids }` in `addVectors`. `upsert`: an id that is there is written over (Chroma, Pinecone,
   * Qdrant, Weaviate). `insert`: it is refused, or stored a second time (PGVectorStore); the sink deletes it first, so
   * `remove` must be given. `none` (default): the store takes no ids. The sink then remembers which ids went into this very
   * object and does not add them again, whatever their content; another process, and another object, do not know them.
   */
  readonly ids?: "upsert" | "insert" | "none" | undefined
  /** `chunk`: the chunk's own id; `uuid` (default): a UUID made of it, the same for ever, for stores that take nothing else. */
  readonly idForm?: "chunk" | "uuid" | undefined
  /**
   * `true` when `store.delete({ ids })` deletes by the ids above and does not mind those that are not there; or a function
   * that does so. Without it the sink can append only.
   */
  readonly remove?: boolean | ((ids: ReadonlyArray<string>) => Promise<void>) | undefined
  /**
   * A filter in the store's own form, of metadata members that must be equal; without it the sink cannot filter. Some stores
   * (PGVectorStore) put a member's name into their query as it is: let through only names that you know.
   */
  readonly filter?: ((wanted: Readonly<Record<string, string>>) => Store["FilterType"]) | undefined
  /** What the store's scores are; default `similarity`: greater is better. */
  readonly scores?: "similarity" | "distance" | undefined
  /** What one call of the store may hold; default 1000 chunks and 8 MiB. */
  readonly limits?: Partial<ChunkSink.Limits> | undefined
}

/**
 * A sink over a vector store of LangChain.js.
 *
 * **Documents.** With an embedder of the run, `addVectors` is given our vectors, and `pageContent` is the chunk's text. Without
 * one the store embeds itself: `addDocuments`, and `pageContent` is `embedText`, the text with its context. The metadata are
 * flat: `docsluice` (all else as JSON, from which the chunk is read back exactly), `document_id`, `source`, `chunk_index`,
 * `pages`, `headings` and each member of the chunk's metadata; one that has a name of these has `docsluice:` before it.
 *
 * **What it cannot do.** It never lists, replaces in one step, clears, or keeps a store id: the ledger's word is taken for what is
 * stored, an emptied store is not noticed, and nothing is known of the vectors that are there. What it can do besides is what
 * the options say. A write is as atomic and as durable as the store's own.
 *
 * **Failures**: `Rejected` for a vector that is missing or of another length than the run's; everything that the store
 * throws is `Unavailable`, with the store's words, since LangChain does not tell them apart.
 *
 * @example
 * import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory"
 * import type { EmbeddingsInterface } from "@langchain/core/embeddings"
 * import * as LangChain from "docsluice/sinks/LangChain"
 *
 * export const sink = (embeddings: EmbeddingsInterface) =>
 *   LangChain.make({ store: new MemoryVectorStore(embeddings), name: "memory" })
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <Store extends VectorStoreInterface>(
  options: Options<Store>
): Effect.Effect<ChunkSink.ChunkSink.Service> => {
  const id = `langchain:${options.name}`
  const { store } = options
  const form = options.idForm === "chunk" ? (chunkId: string) => chunkId : Uuid.ofChunk
  const given = options.remove
  const removal =
    given === undefined || given === false
      ? null
      : given === true
        ? (ids: Array<string>) => store.delete({ ids })
        : given
  const remove = (_: Space, ids: ReadonlyArray<string>) =>
    removal === null ? Effect.void : attempt(id, "cannot remove", () => removal(ids.map(form)))
  const add = (space: Space, chunks: ReadonlyArray<DocumentChunk>) =>
    attempt(id, "cannot write", () => {
      const documents = chunks.map((chunk) => document(chunk, form(chunk.id), space === null))
      const how =
        options.ids === undefined || options.ids === "none" ? undefined : { ids: chunks.map((one) => form(one.id)) }
      return space === null
        ? store.addDocuments(documents, how)
        : store.addVectors(
            chunks.map(({ embedding }) => Array.from(embedding ?? [])),
            documents,
            how
          )
    })

  const write = (space: Space, batch: ReadonlyArray<DocumentChunk>) => {
    if (options.ids === "upsert") return add(space, batch)
    if (removal !== null) {
      return Effect.zipRight(
        remove(
          space,
          batch.map((chunk) => chunk.id)
        ),
        add(space, batch)
      )
    }
    const known = remembered(store)
    const fresh = batch.filter((chunk) => !known.has(chunk.id))
    return Effect.map(fresh.length === 0 ? Effect.void : add(space, fresh), () => {
      for (const chunk of fresh) known.add(chunk.id)
    })
  }

  return ChunkSink.make({
    id,
    name: "langchain",
    filter: options.filter !== undefined,
    limits: options.limits,
    vectors: "required",
    open: ({ space }) =>
      options.ids === "insert" && removal === null
        ? Effect.fail(
            new ChunkSink.SinkError({
              sink: id,
              reason: "Unsupported",
              problem: "a store that inserts what is there must be able to remove it: give the option remove"
            })
          )
        : Effect.succeed(space),
    write: (space, batch) => Effect.uninterruptible(write(space, batch)),
    ...(removal !== null && { remove }),
    search: (space, query) => search(id, options, space, query)
  })
}

type Space = ChunkSink.EmbeddingSpace | null

/**
 * Provides the sink of `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <Store extends VectorStoreInterface>(options: Options<Store>): Layer.Layer<ChunkSink.ChunkSink> =>
  ChunkSink.layer(make(options))

/** One call of the store; what it throws is not kept as a cause, for it may hold how the store is reached. */
const attempt = <A>(sink: string, doing: string, call: () => Promise<A>): Effect.Effect<A, ChunkSink.SinkError> =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: call,
      catch: (cause) =>
        new ChunkSink.SinkError({
          sink,
          reason: "Unavailable",
          problem: `${doing}: ${(cause instanceof Error ? cause.message : String(cause)).slice(0, 300)}`
        })
    })
  )

const document = (chunk: DocumentChunk, id: string, embedded: boolean): DocumentInterface => {
  const { text, metadata } = FlatChunk.flatten(chunk, embedded ? "embedText" : "text")
  return { id, pageContent: text, metadata }
}

const written = new WeakMap<object, Set<string>>()

/** Ids that went into a store which takes none. */
const remembered = (store: object): Set<string> => {
  const known = written.get(store) ?? new Set()
  written.set(store, known)
  return known
}

const decodeMetadata = Schema.decodeUnknown(Schema.Struct({ [FlatChunk.recordKey]: Schema.String }))

const search = Effect.fnUntraced(function* <Store extends VectorStoreInterface>(
  sink: string,
  options: Options<Store>,
  space: ChunkSink.EmbeddingSpace | null,
  query: ChunkSink.Query
): Effect.fn.Return<ReadonlyArray<ChunkSink.Hit>, ChunkSink.SinkError> {
  const { store } = options
  const { filter: wanted, limit, text, vector } = query
  const filter = wanted === undefined || options.filter === undefined ? undefined : options.filter(wanted)
  if (vector === undefined && space !== null) {
    return yield* new ChunkSink.SinkError({
      sink,
      reason: "Unsupported",
      problem: `the store holds vectors of ${space.model}; search with that embedder`
    })
  }
  if (limit < 1) return []
  const found = yield* attempt(sink, "cannot search", () =>
    vector === undefined
      ? store.similaritySearchWithScore(text, limit, filter)
      : store.similaritySearchVectorWithScore(Array.from(vector), limit, filter)
  )
  return yield* Damaged.hits(
    sink,
    found.map(([{ id, metadata, pageContent }, score]) => ({
      id,
      score: options.scores === "distance" ? -score : score,
      chunk: Effect.flatMap(decodeMetadata(metadata), ({ docsluice }) =>
        ChunkRecord.decode({ text: pageContent, record: docsluice })
      )
    }))
  )
})
