import * as Effect from "effect/Effect"
import { describeSpace, type EmbeddingSpace, type Hit } from "../../ChunkSink.ts"
import { citation } from "../../DocumentChunk.ts"
import { type Embedder, hash } from "../../Embedder.ts"
import type { EmbeddingError } from "../../EmbeddingError.ts"
import { type CitedHit, SearchError, type SearchOptions } from "./contract.ts"
import type { Reading } from "./stores.ts"

const defaults = { limit: 10, mode: "hybrid" } as const

/** Searches the store with the vector of the query, where both the mode and the store want one. */
export const search = (
  { absent, sink, space }: Reading,
  embedder: Embedder.Service | undefined,
  query: string,
  { limit = defaults.limit, mode = defaults.mode, ...others }: SearchOptions
): Effect.Effect<ReadonlyArray<CitedHit>, SearchError | EmbeddingError | SinkErrorOf> =>
  Effect.gen(function* () {
    const refused = (reason: SearchError["reason"], problem: string) =>
      new SearchError({ store: sink.id, reason, problem })
    if (sink.search === undefined) return yield* refused("NotSearchable", "this target cannot be searched")
    if (absent) return yield* refused("NoStore", "nothing is stored there yet; ingest or add documents first")
    const own = mode === "words" ? undefined : yield* embedderFor(embedder, space)
    if (mode === "vectors" && space === null) {
      return yield* refused("NoVectors", "its chunks have no vectors; ingest them with an embedder, or search by words")
    }
    if (own !== undefined && space === null) {
      return yield* refused(
        "OtherEmbedder",
        "its chunks have no vectors; open the corpus without an embedder, or search by words"
      )
    }
    if (mode === "vectors" && own === undefined) {
      return yield* refused("NoEmbedder", `it holds ${described(space)}; open the corpus with their embedder`)
    }
    const vector = own === undefined ? null : yield* own.embedQuery(query)
    // The space is known after the query, without another request.
    const made = own === undefined ? null : yield* own.space
    if (own !== undefined && space !== undefined && describeSpace(made) !== describeSpace(space)) {
      return yield* refused(
        "OtherEmbedder",
        `it holds ${described(space)}, and the embedder makes ${described(made)}; open the corpus with the embedder that it was filled with`
      )
    }
    const text = mode === "vectors" ? "" : query
    const hits = yield* sink.search({ ...others, text, vector: vector ?? undefined, limit })
    return hits.map(cited)
  })

type SinkErrorOf = Effect.Effect.Error<ReturnType<NonNullable<Reading["sink"]["search"]>>>

const described = (space: EmbeddingSpace | null | undefined): string =>
  space === undefined ? "vectors" : describeSpace(space)

/** Without an embedder, vectors made by hashing are searched all the same: it costs nothing, and no model is asked. */
const embedderFor = (
  embedder: Embedder.Service | undefined,
  space: EmbeddingSpace | null | undefined
): Effect.Effect<Embedder.Service | undefined, EmbeddingError> => {
  if (embedder !== undefined || space === undefined || space === null) return Effect.succeed(embedder)
  return Effect.map(hash.space, (hashed) => (describeSpace(hashed) === describeSpace(space) ? hash : undefined))
}

const cited = (hit: Hit): CitedHit => {
  const { headingPath, pages, source } = hit.chunk
  const headings = headingPath.map(({ text }) => text)
  return { ...hit, citation: { source, pages, headings, label: citation(hit.chunk) } }
}
