/** Search of a store, the same for programs, the command line, pages and agents; it creates, changes and locks nothing. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import {
  type Alternative,
  type ChunkSink,
  defaultMinScore,
  describeSpace,
  type EmbeddingSpace,
  type Hit,
  type Query,
  type Rerank,
  type SinkError
} from "../../ChunkSink.ts"
import { citation } from "../../DocumentChunk.ts"
import { RerankError, type Reranker } from "../../Reranker.ts"
import { type Message, messageOf, render } from "../base/message.ts"
import * as Generations from "../sink/generations.ts"
import { poolSize } from "../sink/minScore.ts"
import * as Tenants from "../sink/tenants.ts"
import type { QueryVectors } from "./queryVector.ts"
import type { Target } from "./sinkKind.ts"

/** The store to search does not exist. */
export class StoreMissing extends Schema.TaggedError<StoreMissing>("docsluice/internal/StoreMissing")("StoreMissing", {
  /** The target, without credentials. */
  store: Schema.String
}) {
  override get message(): string {
    return `${this.store}: there is no store; ingest makes it`
  }
}

/**
 * A search that cannot be made as asked.
 *
 * `NoStore`: nothing was stored there yet. `NotSearchable`: none of the targets can be searched. `NoEmbedder`: vectors are asked for, and
 * the corpus has no embedder that makes them. `NoVectors`: vectors are asked for, and the chunks were stored without.
 * `OtherEmbedder`: the chunks were stored with the vectors of another embedder. `NotExpanded`: `expand` failed.
 *
 * @since 0.1.0
 * @category errors
 */
export class SearchError extends Schema.TaggedError<SearchError>("docsluice/SearchError")("SearchError", {
  /** Id of the store, or of all targets, separated by commas. */
  store: Schema.String,
  reason: Schema.Literal("NoStore", "NotSearchable", "NoEmbedder", "NoVectors", "OtherEmbedder", "NotExpanded"),
  /** The fault and its remedy, in one line. */
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.store}: ${this.problem}`
  }
}

/**
 * Other queries for the same thing: synonyms, a translation, an answer that a model guesses. Their rankings are fused with the query's own,
 * all alike; 16 at most. Where it fails, so does the search.
 *
 * @since 0.1.0
 * @category models
 */
export type Expand = (
  query: string
) => ReadonlyArray<string> | Promise<ReadonlyArray<string>> | Effect.Effect<ReadonlyArray<string>, unknown>

/** A reranker of a search; `none`: the order is the store's. */
export type Reranking = Rerank | Reranker.Service | "none"

/**
 * Options of one search. A filter is as the store takes it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SearchOptions extends Omit<
  Query,
  "text" | "vector" | "limit" | "minScore" | "alternatives" | "rerank"
> {
  /** Most hits; default 10. */
  readonly limit?: number | undefined
  /** Leaves out hits whose `relevance` is less, 0 to 1; default `ChunkSink.defaultMinScore`. */
  readonly minScore?: number | undefined
  /**
   * `words`: full text alone. `vectors`: meaning alone. Default `hybrid`: both, as far as the store has them and the query's vector can
   * be made.
   */
  readonly mode?: "hybrid" | "words" | "vectors" | undefined
  /**
   * Puts the first hits in a new order: a function, or a reranker; a search whose reranker fails fails. `none` leaves the order to the store.
   * Default: that of the corpus.
   */
  readonly rerank?: Reranking | undefined
  /** Gives other queries for the same thing, which are searched as well; default none. */
  readonly expand?: Expand | undefined
}

/**
 * The place of a chunk in its document, for a reader.
 *
 * @since 0.1.0
 * @category models
 */
export interface Citation {
  /** POSIX path below the root. */
  readonly source: string
  /** 1-based physical pages, ascending; `[]` where the format has none. */
  readonly pages: ReadonlyArray<number>
  /** Headings above the chunk, from the outermost to the innermost. */
  readonly headings: ReadonlyArray<string>
  /** In one line, as `DocumentChunk.citation` writes it: `handbook.pdf, p. 3–4`, or `costs.xlsx, sheet Costs, A2:F41`. */
  readonly label: string
}

/**
 * A hit with its citation.
 *
 * @since 0.1.0
 * @category models
 */
export interface CitedHit extends Hit {
  readonly citation: Citation
}

export interface Answer {
  /** Best first. */
  readonly hits: ReadonlyArray<CitedHit>
  /** Reason why only words were searched although the store has vectors; null otherwise. */
  readonly wordsAlone: Message | null
  /** Of an answer without hits: relevance of the best that is below the lowest relevance; null when there is none. */
  readonly nearest: number | null
}

/** A store that is open. */
export interface Opened {
  readonly sink: ChunkSink.Service
  /** Space of the stored vectors; null without vectors, undefined for a sink that keeps no stamp. */
  readonly space: EmbeddingSpace | null | undefined
  /** The generation of that space, for a search at once; default: the one that serves at the time of a search. */
  readonly at?: ChunkSink.Service | undefined
}

/** Opens the store, or the part of it that is a tenant's; it stays open until the scope is closed. */
export const open = (
  target: Target,
  tenant?: string
): Effect.Effect<
  Opened & { readonly space: EmbeddingSpace | null },
  StoreMissing | SinkError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function* () {
    const whole = yield* target.open
    const sink = tenant === undefined ? whole : yield* Tenants.part(whole, tenant)
    const stamp = yield* sink.stamp ?? Effect.succeedNone
    if (Option.isNone(stamp)) {
      return yield* new StoreMissing({ store: target.shown + (tenant === undefined ? "" : `, tenant ${tenant}`) })
    }
    return { sink, space: stamp.value.space }
  })

/** Alternatives of a query that are embedded at a time: they share requests. */
const embeddings = 16

const defaults = { limit: 10, minScore: defaultMinScore, mode: "hybrid" } as const

/** The function of a reranker; what is asked is the query, also where only vectors are searched. */
const rerankOf = (given: Reranking | undefined, query: string): Rerank | undefined => {
  if (given === undefined || given === "none") return undefined
  return (_, hits) => (typeof given === "function" ? given(query, hits) : given.rerank(query, hits))
}

/** A search that failed by its reranker fails with that error. */
const failedBy = (error: SinkError): SinkError | RerankError =>
  error.cause instanceof RerankError ? error.cause : error

/** The queries that `expand` gives: each once, without the query itself. */
const expanded = (expand: Expand, query: string): Effect.Effect<ReadonlyArray<string>, Message> =>
  Effect.suspend(() => {
    const given = expand(query)
    return Effect.isEffect(given) ? given : Effect.tryPromise({ try: async () => given, catch: (error) => error })
  }).pipe(
    Effect.catchAllDefect(Effect.fail),
    Effect.mapError((error) => (error instanceof Error ? messageOf(error) : String(error))),
    Effect.filterOrFail(
      (queries) => Array.isArray(queries) && queries.every((one: unknown) => typeof one === "string"),
      () => "it gave no list of texts"
    ),
    Effect.map((queries) => [...new Set(queries)].filter((one) => one.trim() !== "" && one !== query))
  )

const withoutVector = { vector: undefined, wordsAlone: null } as const

/**
 * Searches a store that is open, with the vector of the query where both the mode and the store want one. One generation answers, with the
 * vector that its own model makes; when it was dropped meanwhile, the one that serves then.
 */
export const search = <E>(
  opened: Opened,
  vectors: QueryVectors<E>,
  query: string,
  options: SearchOptions = {}
): Effect.Effect<Answer, SearchError | SinkError | RerankError | E, FileSystem.FileSystem> => {
  const { at, sink, space } = opened
  if (sink.generations === undefined) return searchOne(sink, space, vectors, query, options)
  const use = (serving: ChunkSink.Service) =>
    Effect.flatMap(serving === at ? Effect.succeed(space) : spaceOf(serving), (stamped) =>
      searchOne(serving, stamped, vectors, query, options)
    )
  return Generations.following(sink, use, ({ hits }) => hits.length === 0, at)
}

const spaceOf = ({
  id,
  stamp = Effect.succeedNone
}: ChunkSink.Service): Effect.Effect<EmbeddingSpace | null, SearchError | SinkError> =>
  Effect.flatMap(
    stamp,
    Option.match({
      onNone: () => new SearchError({ store: id, reason: "NoStore", problem: "there is no store; ingest makes it" }),
      onSome: ({ space }) => Effect.succeed(space)
    })
  )

/** Searches one generation. */
const searchOne = <E>(
  sink: ChunkSink.Service,
  space: EmbeddingSpace | null | undefined,
  vectors: QueryVectors<E>,
  query: string,
  options: SearchOptions
): Effect.Effect<Answer, SearchError | SinkError | RerankError | E, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const {
      expand,
      limit = defaults.limit,
      minScore = defaults.minScore,
      mode = defaults.mode,
      rerank,
      ...others
    } = options
    const refused = (reason: SearchError["reason"], problem: string) =>
      new SearchError({ store: sink.id, reason, problem })
    if (sink.search === undefined) return yield* refused("NotSearchable", "this target cannot be searched")
    if (mode === "vectors" && space === null) {
      return yield* refused("NoVectors", "its chunks have no vectors; ingest them with an embedder, or search by words")
    }
    const { vector, wordsAlone } = mode === "words" ? withoutVector : yield* vectors.of(query, space)
    if (mode === "vectors" && vector === undefined) {
      const held = space === undefined || space === null ? "vectors" : describeSpace(space)
      return yield* refused("NoEmbedder", `it holds ${held}; open the corpus with their embedder`)
    }
    const textOf = (words: string) => (mode === "vectors" ? "" : words)
    const more =
      expand === undefined
        ? []
        : yield* Effect.mapError(expanded(expand, query), (problem) =>
            refused("NotExpanded", `the query cannot be expanded: ${render(problem)}; search without \`expand\``)
          )
    const alternatives = yield* Effect.forEach(
      more,
      (words): Effect.Effect<Alternative, E, FileSystem.FileSystem> =>
        vector === undefined
          ? Effect.succeed({ text: words })
          : Effect.map(vectors.of(words, space), (made) => ({ text: textOf(words), vector: made.vector })),
      { concurrency: embeddings }
    )
    const asked = { ...others, text: textOf(query), vector, alternatives, limit, minScore }
    const hits = yield* Effect.mapError(sink.search({ ...asked, rerank: rerankOf(rerank, query) }), failedBy)
    if (hits.length > 0) return { hits: hits.map(cited), wordsAlone, nearest: null }
    if ((others.offset ?? 0) > 0) return { hits: [], wordsAlone, nearest: null }
    const plain = { neighbours: 0, parent: false, diversity: 0, perDocument: undefined }
    const below = yield* sink.search({ ...asked, ...plain, limit: poolSize, minScore: 0 })
    const nearest = below.length === 0 ? null : Math.max(...below.map(({ relevance = 0 }) => relevance))
    return { hits: [], wordsAlone, nearest }
  })

/** The hit with its citation. */
export const cited = (hit: Hit): CitedHit => {
  const { headingPath, pages, source } = hit.chunk
  const headings = headingPath.map(({ text }) => text)
  return { ...hit, citation: { source, pages, headings, label: citation(hit.chunk) } }
}
