/** The store that an agent reads: `serve --agent-store SINK`, and `agent run --to SINK`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type ChunkSink, SinkError } from "../ChunkSink.ts"
import type { EmbeddingCacheError } from "../EmbeddingCache.ts"
import { commandLine, render } from "../internal/base/message.ts"
import type { EmbeddingError } from "../internal/embedding/embeddingError.ts"
import * as QueryVector from "../internal/target/queryVector.ts"
import * as RerankerTarget from "../internal/target/rerankerTarget.ts"
import type { Environment } from "../internal/target/secret.ts"
import * as SinkTarget from "../internal/target/sinkTarget.ts"
import * as StoreSearch from "../internal/target/storeSearch.ts"
import { Terminal } from "./Terminal.ts"
import { ofOption, UsageError } from "./UsageError.ts"

export interface Asked {
  /** Flag that named the store, without dashes; errors repeat it. */
  readonly flag: "agent-store" | "to"
  /** `KIND:TARGET`. */
  readonly spelling: string
  /** Value of `--embedder`, if given. */
  readonly embedder: Option.Option<string>
  /** Spelling of the reranker of hits. */
  readonly rerank: string
  readonly environment: Environment
}

export type OpenError = UsageError | SinkError | EmbeddingError | EmbeddingCacheError

type Needs = FileSystem.FileSystem | Path.Path | Scope.Scope | Terminal

/** Any text: the store's vectors are checked against the embedder before the first question. */
const probe = "documents"

/**
 * Opens the store to be searched and read only: creates, locks and stamps nothing. A query is embedded as by `search`: with the given
 * embedder, or with the one of the store's vectors where it can run here, else the store is searched by words, with a note; hits that do
 * not fit are left out as there.
 */
export const open = (asked: Asked): Effect.Effect<ChunkSink.Service, OpenError, Needs> =>
  opened(asked).pipe(
    Effect.catchTag("OptionError", ofOption),
    Effect.mapError((error) => (error._tag === "UsageError" ? named(asked.flag, error) : error))
  )

/** The error with the flag that named this store; those of targets name `--to`. */
const named = (flag: Asked["flag"], { problem }: UsageError): UsageError =>
  new UsageError({ problem: problem.replace(/^--to(?=[ :])/u, `--${flag}`) })

const usage = (problem: string): UsageError => new UsageError({ problem: `--to: ${problem}` })

const opened = Effect.fnUntraced(function* ({ embedder, environment, rerank, spelling }: Asked) {
  const target = yield* SinkTarget.parse(spelling, environment)
  if (!target.searches) {
    return yield* usage(`${target.shown} cannot be searched; a ${SinkTarget.searchable.join(", ")} can`)
  }
  const sink = yield* target.open
  const { search, stamp } = sink
  if (search === undefined || stamp === undefined) return yield* usage(`${target.shown} cannot be searched`)
  const found = yield* stamp
  if (Option.isNone(found)) {
    return yield* usage(`${target.shown}: there is no store; docsluice ingest DOCUMENTS --to ${target.shown} makes it`)
  }
  const terminal = yield* Terminal
  const context = yield* Effect.context<FileSystem.FileSystem>()
  const vectors = yield* QueryVector.make({ store: target, embedder, environment })
  const reranker = yield* RerankerTarget.ofSpelling(rerank, { environment })
  const { space } = found.value
  const store = { sink, space }
  const note = ({ wordsAlone }: Pick<StoreSearch.Answer, "wordsAlone">) =>
    wordsAlone === null ? Effect.void : terminal.note(`searching by words alone: ${render(wordsAlone, commandLine)}`)
  yield* Effect.flatMap(vectors.of(probe, space), note)
  const searched: ChunkSink.Service = {
    ...sink,
    search: (query) => {
      const { alternatives: _others, rerank: own = reranker, text, vector: _, ...options } = query
      return StoreSearch.search(store, vectors, text, { ...options, rerank: own }).pipe(
        Effect.tap(note),
        Effect.provide(context),
        Effect.map(({ hits }) => hits),
        Effect.mapError((error) =>
          error._tag === "SinkError"
            ? error
            : new SinkError({
                sink: sink.id,
                reason: "Unavailable",
                problem: `${error._tag === "RerankError" ? "the hits cannot be reranked" : "the query cannot be embedded"}: ${error.message}`
              })
        )
      )
    }
  }
  return searched
})
