/** Chroma: chunks as rows of a collection. */
import type * as ChromaDb from "chromadb"
import { type CheckedQuery as Query, type Hit, type Range, SinkError } from "docsluice/ChunkSink"
import { ChunkId, type DocumentChunk } from "docsluice/DocumentChunk"
import type { State } from "docsluice/RequestGate"
import { DocumentId } from "docsluice/SourceFile"
import * as Effect from "effect/Effect"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as ChunkRecord from "../shared/ChunkRecord.ts"
import * as FlatChunk from "../shared/FlatChunk.ts"
import * as Hits from "../shared/Hits.ts"
import * as Pages from "../shared/Pages.ts"
import { cosine } from "../shared/Similarity.ts"
import type { Failure, StoreGate } from "../shared/StoreGate.ts"
import * as ChromaFilter from "./Filter.ts"

/** Member of the collection's metadata that holds the stamp. */
export const stampKey = "docsluice"

/** Reason, state of the server and words of an error of the client, by its name. */
const meanings: Readonly<Record<string, readonly [SinkError["reason"], State, string]>> = {
  ChromaConnectionError: ["Unavailable", "unreachable", "the server is not there"],
  ChromaServerError: ["Unavailable", "unhealthy", "the server failed"],
  ChromaRateLimitError: ["Unavailable", "rateLimited", "the server asks for fewer calls"],
  ChromaQuotaExceededError: ["Rejected", "answered", "the quota is used up"],
  ChromaNotFoundError: ["Mismatch", "answered", "the collection, tenant or database is not there any more"],
  ChromaUnauthorizedError: ["Rejected", "answered", "the token is missing or not accepted"],
  ChromaForbiddenError: ["Rejected", "answered", "the token does not allow it"],
  ChromaClientError: ["Rejected", "answered", "the server refused it"],
  ChromaValueError: ["Rejected", "answered", "the client refused it"]
}

/** A call whose result is not used. */
export type Call = Effect.Effect<unknown, SinkError>

/** Removes the address from a message that already names it. */
const withoutAddress = (message: string): string => message.replace(/^Bad request to \S+ with status: /u, "")

/**
 * Calls the client through the server's gate and turns thrown errors into the sink's error. They are not kept as causes: they may hold the request. A call
 * cannot be cancelled once it has begun, so an interruption waits for its end.
 */
export const attempt = <A>(
  { send, sink }: StoreGate,
  doing: string,
  call: () => Promise<A>
): Effect.Effect<A, SinkError> =>
  send(
    Effect.uninterruptible(
      Effect.tryPromise({
        try: call,
        catch: (cause): Failure => {
          const { message, name } = cause instanceof Error ? cause : { message: String(cause), name: "" }
          const [reason, state, words] = meanings[name] ?? ["Unavailable", "unhealthy", "the call failed"]
          const said = name === "ChromaConnectionError" ? "" : ` (${withoutAddress(message).slice(0, 300)})`
          const tooLarge = /413|payload too large|length limit exceeded/iu.test(message)
          const error = new SinkError({
            sink,
            reason: tooLarge ? "TooLarge" : reason,
            problem: `${doing}: ${words}${said}`
          })
          return { state: tooLarge ? "answered" : state, error }
        }
      })
    )
  )

/** Keeps the client from looking for an embedding function and loading it. */
const unused: ChromaDb.EmbeddingFunction = {
  name: "docsluice",
  generate: () => Promise.reject(new Error("docsluice brings its own vectors"))
}

/** Null for a missing collection. */
export const find = (gate: StoreGate, client: ChromaDb.ChromaClient, name: string) =>
  attempt(gate, "cannot read the collection", () => client.getCollection({ name, embeddingFunction: unused })).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "Mismatch",
      () => Effect.succeed(null)
    )
  )

/** Distance metric of the collection: `l2` unless its configuration says otherwise. */
export const metricOf = ({ configuration }: ChromaDb.Collection): string => configuration.hnsw?.space ?? "l2"

/** Deletes the collection, if there is one. */
export const drop = (gate: StoreGate, client: ChromaDb.ChromaClient, name: string): Effect.Effect<void, SinkError> =>
  Effect.flatMap(find(gate, client, name), (found) =>
    found === null
      ? Effect.void
      : attempt(gate, "cannot delete the collection", () => client.deleteCollection({ name }))
  )

/** Stores records whole: Chroma merges metadata, so one that has lost a member is deleted first. */
export const upsert = Effect.fnUntraced(function* (
  gate: StoreGate,
  collection: ChromaDb.Collection,
  chunks: ReadonlyArray<DocumentChunk>
) {
  const ids = chunks.map(({ id }): string => id)
  const rows = chunks.map((chunk) => FlatChunk.flatten(chunk))
  const there = yield* attempt(gate, "cannot read what is stored", () =>
    collection.get({ ids, include: ["metadatas"] })
  )
  const position = new Map(ids.map((id, at) => [id, at]))
  const shrunk = there.ids.filter((id, at) => {
    const next = rows[position.get(id) ?? -1]?.metadata ?? {}
    return Object.keys(there.metadatas[at] ?? {}).some((key) => !Object.hasOwn(next, key))
  })
  if (shrunk.length > 0) yield* attempt(gate, "cannot replace records", () => collection.delete({ ids: shrunk }))
  yield* attempt(gate, "cannot write", () =>
    collection.upsert({
      ids,
      embeddings: chunks.map(({ embedding }) => Array.from(embedding ?? [])),
      documents: rows.map(({ text }) => text),
      metadatas: rows.map(({ metadata }) => metadata)
    })
  )
}, Effect.uninterruptible)

export const search = Effect.fnUntraced(function* (
  gate: StoreGate,
  collection: ChromaDb.Collection,
  query: Query
): Effect.fn.Return<ReadonlyArray<Hit>, SinkError> {
  const { vector } = query
  const { sink } = gate
  if (vector === undefined) {
    return yield* new SinkError({
      sink,
      reason: "Unsupported",
      problem: "Chroma ranks by vectors only; search with the embedder that the chunks were written with"
    })
  }
  if (query.limit < 1) return []
  const where = query.filter === undefined ? {} : { where: yield* ChromaFilter.translate(sink, query.filter) }
  const result = yield* attempt(gate, "cannot search", () =>
    collection.query({
      queryEmbeddings: [Array.from(vector)],
      nResults: query.limit,
      include: ["documents", "metadatas", "distances", "embeddings"],
      ...where
    })
  )
  return yield* Hits.hits(
    sink,
    (result.rows()[0] ?? []).map(({ distance, document, embedding, id, metadata }) => ({
      id,
      score: -(distance ?? 0),
      similarity: embedding === undefined || embedding === null ? null : cosine(vector, embedding),
      chunk: ChunkRecord.decode({ text: document ?? "", record: metadata?.[FlatChunk.recordKey] })
    }))
  )
})

/** Chunks of a document with indexes of a range, in order. */
export const range = Effect.fnUntraced(function* (
  gate: StoreGate,
  collection: ChromaDb.Collection,
  { documentId, from, to }: Range
) {
  const where: ChromaDb.Where = {
    $and: [
      { document_id: ChunkRecord.plain(documentId) },
      { chunk_index: { $gte: from } },
      { chunk_index: { $lte: to } }
    ]
  }
  const { documents, metadatas } = yield* attempt(gate, "cannot read the collection", () =>
    collection.get({ where, include: ["documents", "metadatas"] })
  )
  const rows = documents.map((document, at) =>
    ChunkRecord.decode({ text: document ?? "", record: metadatas[at]?.[FlatChunk.recordKey] })
  )
  return Hits.byIndex(yield* Hits.chunks(gate.sink, "a record", rows))
})

const page = 1000

const Listed = Schema.Struct({ document_id: DocumentId })

const Sampled = Schema.Struct({ ...Listed.fields, [FlatChunk.recordKey]: Schema.String })

/** The names of chunks in records, their metadata checked. */
const namesOf = (
  { ids, metadatas }: Pick<ChromaDb.GetResult, "ids" | "metadatas">,
  decode: (metadata: unknown) => Effect.Effect<typeof Listed.Type, ParseError>
) =>
  Effect.forEach(ids, (id, at) =>
    Effect.map(decode(metadatas[at]), ({ document_id: documentId }) => ({ documentId, id: ChunkId.make(id) }))
  )

/** The first records, 100 at most; null when one of them is no chunk. */
export const sample = (gate: StoreGate, collection: ChromaDb.Collection) =>
  attempt(gate, "cannot read the collection", () => collection.get({ limit: 100, include: ["metadatas"] })).pipe(
    Effect.flatMap((found) => namesOf(found, Schema.decodeUnknown(Sampled))),
    Effect.catchTag("ParseError", () => Effect.succeed(null))
  )

/** In pages, in the server's own order. */
export const list = (gate: StoreGate, collection: ChromaDb.Collection) =>
  Pages.stream(0, (offset) =>
    attempt(gate, "cannot list the collection", () =>
      collection.get({ limit: page, offset, include: ["metadatas"] })
    ).pipe(
      Effect.flatMap((found) =>
        Effect.mapError(namesOf(found, Schema.decodeUnknown(Listed)), Hits.unreadable(gate.sink, "a record"))
      ),
      Effect.map((names) => [names, names.length < page ? null : offset + page])
    )
  )
