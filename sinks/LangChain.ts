/**
 * Chunks in any vector store of LangChain.js.
 *
 * @since 0.1.0
 */
import type { DocumentInterface } from "@langchain/core/documents"
import type { VectorStoreInterface } from "@langchain/core/vectorstores"
import * as ChunkSink from "docsluice/ChunkSink"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import type { Condition, Subject, Value } from "docsluice/Filter"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as ChunkRecord from "./internal/shared/ChunkRecord.ts"
import * as FlatChunk from "./internal/shared/FlatChunk.ts"
import * as Hits from "./internal/shared/Hits.ts"
import * as Uuid from "./internal/shared/Uuid.ts"

/**
 * A store and its abilities, which LangChain's interface does not expose.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<Store extends VectorStoreInterface> {
  /** The store, which the caller creates, configures and closes. */
  readonly store: Store
  /** Permanent name in the ledger: kind and target, without credentials (`pgvector/db.example.org/docs/chunks`). */
  readonly name: string
  /**
   * The store's handling of `{ ids }` in `addVectors`. `upsert`: an existing id is overwritten (Chroma, Pinecone, Qdrant,
   * Weaviate). `insert`: an existing id is refused or stored a second time (PGVectorStore), so the sink deletes it first, and
   * `remove` must be given. `none` (default): the store takes no ids. The sink then remembers which ids it added to this store
   * object and does not add them again, whatever their content; other processes and other store objects do not share this.
   */
  readonly ids?: "upsert" | "insert" | "none" | undefined
  /** `chunk`: the chunk's own id; `uuid` (default): a UUID derived from it, always the same, for stores that need UUIDs. */
  readonly idForm?: "chunk" | "uuid" | undefined
  /**
   * `true` when `store.delete({ ids })` deletes by the ids above and ignores missing ones; or a function that does so.
   * Without it the sink can only append.
   */
  readonly remove?: boolean | ((ids: ReadonlyArray<string>) => Promise<void>) | undefined
  /**
   * Builds a filter in the store's own form from members of a document's metadata that must be equal, `source` and `document_id` among
   * them; without it the sink cannot filter. Such a sink has the operators `$eq` and `$and`, and conforms only if the store keeps
   * types apart and finds a list by its items. PGVectorStore does neither, and puts a member's name into its query without escaping
   * it: accept only names that you know.
   */
  readonly filter?: ((wanted: Readonly<Record<string, Value>>) => Store["FilterType"]) | undefined
  /** Meaning of the store's scores; default `similarity`: greater is better. */
  readonly scores?: "similarity" | "distance" | undefined
  /** Size limits of one call of the store; default 1000 chunks and 8 MiB. */
  readonly limits?: Partial<ChunkSink.Limits> | undefined
}

/**
 * A sink over a vector store of LangChain.js.
 *
 * **Documents.** If the run has an embedder, the sink calls `addVectors` with its vectors, and `pageContent` is the chunk's
 * text. Otherwise the store embeds: the sink calls `addDocuments`, and `pageContent` is `embedText`, the text with its context.
 * The metadata are flat: `docsluice` (everything else as JSON, from which the chunk is read back exactly), `document_id`,
 * `source`, `chunk_index`, `pages`, `headings` and each member of the chunk's metadata, prefixed with `docsluice:` when its
 * name collides with one of these.
 *
 * **Limits.** The sink never lists, replaces in one step, clears, or keeps a store id: the ledger is trusted about the store's
 * content, an emptied store is not noticed, and stored vectors are not checked. Its other abilities depend on the options. A
 * write is as atomic and as durable as the store's own.
 *
 * **Failures**: `Rejected` for a vector that is missing or of another length than the run's; every error that the store
 * throws is `Unavailable`, with the store's message, since LangChain does not distinguish them.
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
    removal === null ? Effect.void : attempt(id, "cannot remove", () => removal(ids.map((one) => form(one))))
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
    filter: options.filter === undefined ? [] : ["eq", "and"],
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

/** Calls the store. A thrown error is not kept as a cause, because it may hold the store's address or credentials. */
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

/** Ids added to each store object that takes no ids. */
const remembered = (store: object): Set<string> => {
  const known = written.get(store) ?? new Set()
  written.set(store, known)
  return known
}

/** The members that the condition compares for equality; it is one of them, or several that all hold. */
const equalities = (
  sink: string,
  condition: Condition
): Effect.Effect<Readonly<Record<string, Value>>, ChunkSink.SinkError> =>
  Effect.gen(function* () {
    const wanted = new Map<string, Value>()
    const conditions = [condition]
    for (const one of conditions) {
      if (one._tag === "And") {
        conditions.push(...one.parts)
        continue
      }
      const key = one._tag === "In" ? keyOf(one.subject) : null
      const [value] = one._tag === "In" ? [...one.texts, ...one.numbers, ...one.booleans] : []
      if (key === null || value === undefined || wanted.has(key)) {
        return yield* new ChunkSink.SinkError({
          sink,
          reason: "Unsupported",
          problem:
            "the store is filtered only by source, documentId and members of the metadata, each equal to one value"
        })
      }
      wanted.set(key, value)
    }
    return Object.fromEntries(wanted)
  })

/** The key in a document's metadata; null for what is a list there. */
const keyOf = (subject: Subject): string | null => {
  switch (subject.name) {
    case "metadata":
      return FlatChunk.key(subject.key)
    case "source":
      return "source"
    case "documentId":
      return "document_id"
    default:
      return null
  }
}

const decodeMetadata = Schema.decodeUnknown(Schema.Struct({ [FlatChunk.recordKey]: Schema.String }))

const search = Effect.fnUntraced(function* <Store extends VectorStoreInterface>(
  sink: string,
  options: Options<Store>,
  space: ChunkSink.EmbeddingSpace | null,
  query: ChunkSink.CheckedQuery
): Effect.fn.Return<ReadonlyArray<ChunkSink.Hit>, ChunkSink.SinkError> {
  const { store } = options
  const { filter: wanted, limit, text, vector } = query
  const filter =
    wanted === undefined || options.filter === undefined ? undefined : options.filter(yield* equalities(sink, wanted))
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
  return yield* Hits.hits(
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
