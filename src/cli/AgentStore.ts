/** The store that an agent reads: `serve --agent-store SINK`, and `agent run --to SINK`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type ChunkSink, SinkError } from "../ChunkSink.ts"
import type { EmbeddingCacheError } from "../EmbeddingCache.ts"
import type { EmbeddingError } from "../EmbeddingError.ts"
import * as QueryVector from "../internal/target/queryVector.ts"
import type { Environment } from "../internal/target/secret.ts"
import * as SinkTarget from "./SinkTarget.ts"
import { Terminal } from "./Terminal.ts"
import { ofOption, UsageError } from "./UsageError.ts"

export interface Asked {
  /** Flag that named the store, without dashes; errors repeat it. */
  readonly flag: "agent-store" | "to"
  /** `KIND:TARGET`. */
  readonly spelling: string
  /** Value of `--embedder`, if given. */
  readonly embedder: Option.Option<string>
  readonly environment: Environment
}

export type OpenError = UsageError | SinkError | EmbeddingError | EmbeddingCacheError

type Needs = FileSystem.FileSystem | Path.Path | Scope.Scope | Terminal

/** Any text: the store's vectors are checked against the embedder before the first question. */
const probe = "documents"

/**
 * Opens the store to be searched and read only: creates, locks and stamps nothing. A query is embedded as by `search`: with the given
 * embedder, or with the one of the store's vectors where it can run here, else the store is searched by words, with a note.
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

const opened = Effect.fnUntraced(function* ({ embedder, environment, spelling }: Asked) {
  const target = yield* SinkTarget.parse(spelling, environment)
  if (!target.searches) {
    return yield* usage(`${target.shown} cannot be searched; a ${SinkTarget.searchable.join(", ")} can`)
  }
  const sink = yield* target.open
  const { search, stamp } = sink
  if (search === undefined || stamp === undefined) return yield* usage(`${target.shown} cannot be searched`)
  const found = yield* stamp
  if (found === null) {
    return yield* usage(`${target.shown}: there is no store; docsluice ingest DOCUMENTS --to ${target.shown} makes it`)
  }
  const terminal = yield* Terminal
  const context = yield* Effect.context<FileSystem.FileSystem>()
  const vectors = yield* QueryVector.make({ store: target, embedder, environment })
  const vectorOf = (text: string) =>
    Effect.tap(vectors.of(text, found.space), ({ wordsAlone }) =>
      wordsAlone === null ? Effect.void : terminal.note(`searching by words alone: ${wordsAlone}`)
    )
  if ((yield* vectorOf(probe)).vector === undefined) return sink
  const embedded: ChunkSink.Service = {
    ...sink,
    search: (query) =>
      vectorOf(query.text).pipe(
        Effect.provide(context),
        Effect.mapError(
          (error) =>
            new SinkError({
              sink: sink.id,
              reason: "Unavailable",
              problem: `the query cannot be embedded: ${error.message}`
            })
        ),
        Effect.flatMap(({ vector }) => search(vector === undefined ? query : { ...query, vector }))
      )
  }
  return embedded
})
