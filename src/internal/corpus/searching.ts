import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { describeSpace, type EmbeddingSpace, type Range, type SinkError } from "../../ChunkSink.ts"
import { DocumentChunk } from "../../DocumentChunk.ts"
import type { Embedder } from "../../Embedder.ts"
import type { RerankError } from "../../Reranker.ts"
import type { DocumentId } from "../../SourceFile.ts"
import { render } from "../base/message.ts"
import type { EmbeddingError } from "../embedding/embeddingError.ts"
import * as QueryVector from "../target/queryVector.ts"
import type { ListedDocument } from "../target/readOnlyCorpus.ts"
import type { Environment } from "../target/secret.ts"
import * as StoreSearch from "../target/storeSearch.ts"
import type { Reading } from "./stores.ts"

/** The query's vectors for the store with this id. */
export type Vectors = (store: string) => QueryVector.QueryVectors<StoreSearch.SearchError | EmbeddingError>

/**
 * Vectors by the embedder of the corpus. Without one, they are made as on the command line, with one warning for each reason why they are
 * not; without an environment too, there are none.
 */
export const vectors = (
  embedder: Embedder.Service | undefined,
  environment: Environment | null
): Effect.Effect<Vectors, never, Scope.Scope> => {
  if (embedder !== undefined)
    return Effect.succeed((store) => ({ of: (text, space) => given(embedder, store, text, space) }))
  if (environment === null) return Effect.succeed(() => ({ of: () => Effect.succeed(QueryVector.words) }))
  const told = new Set<string>()
  return Effect.map(QueryVector.stamped(environment), (stamped) => (store) => ({
    of: (text, space) =>
      Effect.tap(stamped.of(text, space), ({ wordsAlone }) => {
        const why = wordsAlone === null ? null : render(wordsAlone)
        if (why === null || told.has(why)) return Effect.void
        told.add(why)
        return Effect.logWarning(`${store}: searched by words alone: ${why}`)
      })
  }))
}

const given = (
  embedder: Embedder.Service,
  store: string,
  text: string,
  space: EmbeddingSpace | null | undefined
): Effect.Effect<QueryVector.QueryVector, StoreSearch.SearchError | EmbeddingError> =>
  Effect.gen(function* () {
    const refused = (problem: string) => new StoreSearch.SearchError({ store, reason: "OtherEmbedder", problem })
    if (space === null) {
      return yield* refused("its chunks have no vectors; open the corpus without an embedder, or search by words")
    }
    const vector = yield* embedder.embedQuery(text)
    // The space is known after the query, without another request.
    const made = yield* embedder.space
    if (space !== undefined && describeSpace(made) !== describeSpace(space)) {
      return yield* refused(
        `it holds ${describeSpace(space)}, and the embedder makes ${describeSpace(made)}; open the corpus with the embedder that it was filled with`
      )
    }
    return { vector: Option.getOrUndefined(vector), wordsAlone: null }
  })

const noStore = (store: string): StoreSearch.SearchError =>
  new StoreSearch.SearchError({
    store,
    reason: "NoStore",
    problem: "nothing is stored there yet; ingest or add documents first"
  })

/** The hits of a target of the corpus, which is the part of the tenant that the options name. */
export const search = (
  { absent, ...opened }: Reading,
  vectors: Vectors,
  query: string,
  options: StoreSearch.SearchOptions
): Effect.Effect<
  ReadonlyArray<StoreSearch.CitedHit>,
  StoreSearch.SearchError | EmbeddingError | RerankError | SinkError,
  FileSystem.FileSystem
> =>
  Effect.gen(function* () {
    const { sink } = opened
    if (absent && sink.search !== undefined) return yield* noStore(sink.id)
    const { tenant: _, ...others } = options
    const { hits } = yield* StoreSearch.search(opened, vectors(sink.id), query, others)
    return hits
  })

/** The documents of a target that can list its chunks. */
export const documents = ({
  absent,
  sink
}: Reading): Effect.Effect<ReadonlyArray<ListedDocument>, StoreSearch.SearchError | SinkError> =>
  absent
    ? noStore(sink.id)
    : Effect.map(
        Stream.runFold(sink.list ?? Stream.empty, new Map<DocumentId, number>(), (counts, { documentId }) =>
          counts.set(documentId, (counts.get(documentId) ?? 0) + 1)
        ),
        (counts) =>
          Array.from(counts, ([documentId, chunks]) => ({ documentId, chunks })).toSorted((left, right) =>
            left.documentId < right.documentId ? -1 : 1
          )
      )

/** Chunks of a document of a target, without their vectors. */
export const read = (
  { absent, sink }: Reading,
  range: Range
): Effect.Effect<ReadonlyArray<DocumentChunk>, StoreSearch.SearchError | SinkError> =>
  absent
    ? noStore(sink.id)
    : Effect.map(sink.range?.(range) ?? Effect.succeed([]), (chunks) =>
        chunks.map((chunk) =>
          chunk.embedding === undefined ? chunk : DocumentChunk.make({ ...chunk, embedding: undefined })
        )
      )
