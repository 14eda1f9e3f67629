/** The store that an agent reads: `serve --agent-store SINK`, and `agent run --to SINK`. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Corpus from "../Corpus.ts"
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

export type OpenError = UsageError | EmbeddingError | EmbeddingCacheError | Corpus.OpenError

type Needs = FileSystem.FileSystem | Path.Path | Scope.Scope | Terminal

/** Any text: the store's vectors are checked against the embedder before the first question. */
const probe = "documents"

/**
 * Opens the store to be searched and read only: creates, locks and stamps nothing. A query is embedded as by `search`: with the given
 * embedder, or with the one of the store's vectors where it can run here, else the store is searched by words, with a note; hits that do
 * not fit are left out as there.
 */
export const open = (asked: Asked): Effect.Effect<Corpus.ReadOnlyCorpus, OpenError, Needs> =>
  opened(asked).pipe(
    Effect.catchTag("OptionError", ofOption),
    Effect.mapError((error) => (error._tag === "UsageError" ? named(asked.flag, error) : error))
  )

/** The error with the flag that named this store; those of targets name `--to`. */
const named = (flag: Asked["flag"], { problem }: UsageError): UsageError =>
  new UsageError({ problem: problem.replace(/^--to(?=[ :])/u, `--${flag}`) })

const usage = (problem: string): UsageError => new UsageError({ problem: `--to: ${problem}` })

/** Fails unless the store is there and queries can be embedded for it; the note says why words are searched alone. */
const checked = ({ embedder, environment }: Asked, target: SinkTarget.SinkTarget) =>
  Effect.gen(function* () {
    const { space } = yield* StoreSearch.open(target)
    const vectors = yield* QueryVector.make({ store: target, embedder, environment })
    const { wordsAlone } = yield* vectors.of(probe, space)
    if (wordsAlone === null) return false
    yield* (yield* Terminal).note(`searching by words alone: ${render(wordsAlone, commandLine)}`)
    return true
  }).pipe(
    Effect.scoped,
    Effect.catchTag("StoreMissing", ({ store }) =>
      usage(`${store}: there is no store; docsluice ingest DOCUMENTS --to ${store} makes it`)
    )
  )

const opened = Effect.fnUntraced(function* (asked: Asked) {
  const { environment, rerank, spelling } = asked
  const target = yield* SinkTarget.parse(spelling, environment)
  if (!target.searches) {
    return yield* usage(`${target.shown} cannot be searched; a ${SinkTarget.searchable.join(", ")} can`)
  }
  yield* RerankerTarget.check(rerank, environment)
  const byWords = yield* checked(asked, target)
  const embedder = byWords ? "none" : Option.getOrUndefined(asked.embedder)
  return yield* Corpus.make({
    to: target.open,
    ...(embedder !== undefined && Corpus.isEmbedder(embedder) && { embedder }),
    ...(Corpus.isReranker(rerank) && { rerank })
  })
})
