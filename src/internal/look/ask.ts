/** Questions to a store: hits with their scores, and the pages of their documents that they are on. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Hit as Found } from "../../ChunkSink.ts"
import { citation, type DocumentChunk, figures } from "../../DocumentChunk.ts"
import * as FileType from "../base/fileType.ts"
import * as FirstIssue from "../base/firstIssue.ts"
import { page, render } from "../base/message.ts"
import * as QueryVector from "../target/queryVector.ts"
import * as RerankerTarget from "../target/rerankerTarget.ts"
import type { Environment } from "../target/secret.ts"
import type { Target } from "../target/sinkKind.ts"
import * as StoreSearch from "../target/storeSearch.ts"
import { chunkMessage } from "./chunkMessage.ts"
import * as Figure from "./figure.ts"
import * as HitFile from "./hitFile.ts"
import { HitIds } from "./hitIds.ts"
import { noPicture } from "./hitMissing.ts"
import * as HitPages from "./hitPages.ts"
import * as HitSources from "./hitSources.ts"
import type * as Messages from "./messages.ts"
import * as Refused from "./refused.ts"
import type { Store } from "./store.ts"

export interface Options extends HitSources.Options {
  readonly target: Target
  /** Spelling of the embedder of queries; none for that of the store's vectors, where it can run here. */
  readonly embedder: Option.Option<string>
  /** Spelling of the reranker of hits. */
  readonly rerank: string
  readonly environment: Environment
  readonly drawing: HitPages.Drawing
  /** Longest time of a search; default 20 seconds. */
  readonly timeLimit?: Duration.DurationInput | undefined
}

/** Most characters of a query. */
const longest = 2000

const Request = Schema.Struct({
  query: Schema.Trim.pipe(
    Schema.minLength(1, { message: () => "The query is empty; type a word or a question." }),
    Schema.maxLength(longest, { message: () => `The query has more than ${longest} characters; shorten it.` })
  ),
  limit: Schema.Int.pipe(Schema.between(1, 50, { message: () => "The limit is a whole number from 1 to 50." })),
  minScore: Schema.optional(
    Schema.Number.pipe(Schema.between(0, 1, { message: () => "The least relevance is a number from 0 to 1." }))
  ),
  offset: Schema.optional(
    Schema.Int.pipe(Schema.between(0, 1000, { message: () => "The offset is a whole number from 0 to 1000." }))
  ),
  perDocument: Schema.optional(
    Schema.Int.pipe(Schema.between(1, 50, { message: () => "The hits of a document are a whole number from 1 to 50." }))
  ),
  diversity: Schema.optional(
    Schema.Number.pipe(Schema.between(0, 1, { message: () => "The diversity is a number from 0 to 1." }))
  )
})

const decoded = (request: unknown): Effect.Effect<typeof Request.Type, Refused.Refused> =>
  Effect.mapError(Schema.decodeUnknown(Request)(request), (error) =>
    Refused.make("QueryRefused", FirstIssue.of(error).message)
  )

/** Searches at a time; further ones wait. */
const searches = 4

/** Documents whose pages are read or drawn at a time: each is held in memory. */
const drawings = 2

/** Chunks above which documents are not counted. */
const countable = 20_000

/** Opens the store for each search, so that each sees its present content. The reranker's spelling was checked before. */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Store, never, FileSystem.FileSystem | Path.Path | Scope.Scope> {
  const { drawing, target, timeLimit = "20 seconds" } = options
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const vectors = yield* QueryVector.make({ ...options, store: target })
  const rerank = yield* Effect.orDie(RerankerTarget.ofSpelling(options.rerank, options))
  const files = yield* HitFile.make(options)
  const ids = new HitIds<DocumentChunk>()
  const searching = yield* Effect.makeSemaphore(searches)
  const reading = yield* Effect.makeSemaphore(drawings)

  /** Disconnected, since a driver that hangs may hold up its own interruption too. */
  const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.timeoutFail(Effect.disconnect(effect), {
      duration: timeLimit,
      onTimeout: () =>
        Refused.make("SearchTimeout", `${target.shown} did not answer within ${Duration.toSeconds(timeLimit)} s`)
    })

  const found = ({ query, ...options }: typeof Request.Type) =>
    Effect.scoped(
      Effect.flatMap(StoreSearch.open(target), (store) =>
        StoreSearch.search(store, vectors, query, { ...options, rerank })
      )
    ).pipe(Effect.mapError(Refused.ofStore), searching.withPermits(1), inTime, Effect.provide(context))

  const settings = Effect.scoped(
    Effect.gen(function* () {
      const { sink, space } = yield* StoreSearch.open(target)
      const chunks = sink.count === undefined ? null : yield* sink.count
      const listed = chunks === null || chunks > countable ? undefined : sink.list
      const documents =
        listed === undefined
          ? null
          : yield* Stream.runFold(listed, new Set<string>(), (all, { documentId }) => all.add(documentId))
      return { vectors: yield* vectors.hasModel(space), chunks, documents: documents?.size ?? null }
    })
  ).pipe(
    Effect.disconnect,
    Effect.timeout("3 seconds"),
    Effect.orElseSucceed(() => ({ vectors: false, chunks: null, documents: null })),
    Effect.map((figures) => ({
      name: target.shown,
      ...figures,
      reranked: rerank === "none" ? null : rerank.description
    })),
    Effect.provide(context)
  )

  const known = (id: string, caller: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const chunk = ids.get(id, caller, now)
      return chunk === undefined
        ? Refused.make("HitUnknown", "This hit is no longer known to the server.")
        : Effect.succeed(chunk)
    })

  const search = Effect.fnUntraced(function* (request: unknown, caller: string) {
    const asked = yield* decoded(request)
    const [took, { hits, nearest, wordsAlone }] = yield* Effect.timed(found(asked))
    const now = yield* Clock.currentTimeMillis
    return {
      hits: yield* HitSources.using(options, (sources) =>
        Effect.forEach(hits, (hit) =>
          Effect.map(missing(sources, hit.chunk), (reason) => hitMessage(hit, ids.add(hit.chunk, caller, now), reason))
        )
      ),
      nothing: hits.length > 0 ? null : nothing(target.shown, nearest),
      nearest,
      note: wordsAlone === null ? null : `Searched by words alone: ${render(wordsAlone, page)}`,
      took: Math.round(Duration.toMillis(took))
    }
  })

  return {
    settings,
    search,
    view: (id, caller) =>
      Effect.flatMap(known(id, caller), (chunk) => reading.withPermits(1)(HitPages.view(files, drawing, chunk))),
    picture: (id, page, width, caller) =>
      Effect.flatMap(known(id, caller), (chunk): Effect.Effect<Uint8Array, Refused.Refused> =>
        HitPages.numbersOf(chunk).includes(page)
          ? reading.withPermits(1)(
              Effect.mapError(HitPages.picture(files, drawing, { chunk, page, width }), Refused.ofStore)
            )
          : Refused.make("PageUnknown", `The hit has no page ${page}.`)
      ),
    figure: (id, at, width, caller) =>
      Effect.flatMap(known(id, caller), (chunk): Effect.Effect<Uint8Array, Refused.Refused> => {
        const box = chunk.boxes[at]
        return box !== undefined && figures(chunk).includes(box)
          ? Figure.draw(files, drawing, { of: chunk, ...box, width }).pipe(
              Effect.mapBoth({ onFailure: Refused.ofFigure, onSuccess: ({ bytes }) => bytes }),
              reading.withPermits(1)
            )
          : Refused.make("FigureUnknown", `The hit has no figure ${at}.`)
      })
  }
})

const missing = (sources: HitSources.HitSources, chunk: DocumentChunk): Effect.Effect<Messages.NoPicture | null> =>
  HitPages.paged(chunk).pipe(
    Effect.zipRight(HitFile.locate(sources, chunk)),
    Effect.match({ onFailure: noPicture, onSuccess: () => null })
  )

const nothing = (store: string, nearest: number | null): string =>
  nearest === null
    ? `Nothing in ${store} has these words.`
    : `Nothing in ${store} fits: the relevance of the nearest passage is ${nearest.toFixed(2)}.`

/** The texts that are read as Markdown. */
const markdowns: ReadonlySet<string> = new Set(["md", "markdown", "mdx", "ipynb"])

/** True for a text that has no Markdown: the service answers its own types with Markdown, readers of texts leave them as they are. */
const isVerbatim = ({ pages, source }: DocumentChunk): boolean => {
  const extension = FileType.extensionOf(source)
  return pages.length === 0 && !FileType.isExtension(extension) && !markdowns.has(extension)
}

const hitMessage = (
  { chunk, highlights = [], matched = null, relevance, score, similarity = null }: Found,
  id: string,
  reason: Messages.NoPicture | null
): Messages.Hit => ({
  id,
  chunk: { ...chunkMessage(chunk), documentId: chunk.documentId, source: chunk.source },
  citation: citation(chunk),
  score,
  relevance: relevance ?? null,
  similarity,
  matched,
  highlights,
  verbatim: isVerbatim(chunk),
  pages: HitPages.sheets(chunk),
  figures: figures(chunk).map((box) => chunk.boxes.indexOf(box)),
  missing: reason
})
