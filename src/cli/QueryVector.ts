/** Vector of a query, in the space of the searched store. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { describeSpace, type EmbeddingSpace } from "../ChunkSink.ts"
import { Embedder } from "../Embedder.ts"
import type { EmbeddingCacheError } from "../EmbeddingCache.ts"
import type { EmbeddingError } from "../EmbeddingError.ts"
import type { Environment } from "../internal/target/secret.ts"
import * as EmbedderTarget from "./EmbedderTarget.ts"
import type { SinkTarget } from "./SinkTarget.ts"
import { Terminal } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

export interface Asked {
  readonly text: string
  readonly store: Pick<SinkTarget, "shown" | "needsVectors">
  /** Space of the store's vectors; null when it has none. */
  readonly space: EmbeddingSpace | null
  /** Value of `--embedder`, if given. */
  readonly embedder: Option.Option<string>
  readonly environment: Environment
}

type Vector = ReadonlyArray<number> | undefined

type Made = Effect.Effect<Vector, UsageError | EmbeddingError | EmbeddingCacheError, FileSystem.FileSystem | Terminal>

/**
 * Vector of a query; undefined to search by words alone. A given `--embedder` is used or fails. Without one, the model that the store's
 * vectors are of is used if it can run here; otherwise the search is by words, with a note, or fails if the store needs vectors.
 */
export const make = (asked: Asked): Made =>
  Option.match(asked.embedder, {
    onNone: () => asStamped(asked),
    onSome: (spelling) => Effect.flatMap(EmbedderTarget.parse(spelling), (target) => asGiven(asked, target))
  })

const usage = (problem: string): UsageError => new UsageError({ problem })

const wordless = ({ store }: Asked): UsageError =>
  usage(
    `--to ${store.shown}: this store cannot be searched by words alone; give the --embedder that it was filled with`
  )

const asGiven = (asked: Asked, target: EmbedderTarget.EmbedderTarget): Made => {
  const { space, store } = asked
  if (target._tag === "None") return store.needsVectors ? Effect.fail(wordless(asked)) : Effect.succeed(undefined)
  return space === null
    ? Effect.fail(usage(`--embedder: ${store.shown} holds chunks without vectors; search it with --embedder none`))
    : embedded(asked, target, space)
}

const asStamped = (asked: Asked): Made =>
  Effect.gen(function* () {
    const { environment, space, store } = asked
    if (space === null) return store.needsVectors ? yield* wordless(asked) : undefined
    const target = yield* EmbedderTarget.ofSpace(space, environment)
    if (target === null) {
      const lacking = `the vectors are of ${space.model}, which cannot be asked from here: ${remedy(space)}`
      if (store.needsVectors) return yield* usage(`--to ${store.shown}: ${lacking}`)
      return yield* byWords(lacking)
    }
    return yield* Effect.catchTag(embedded(asked, target, space), "EmbeddingError", (error) =>
      store.needsVectors ? error : byWords(error.message)
    )
  })

const remedy = ({ model }: EmbeddingSpace): string =>
  model.startsWith("text-embedding-")
    ? `set OPENAI_API_KEY, or give --embedder openai:${model}@BASE`
    : `give --embedder openai:${model}@BASE`

const byWords = (reason: string): Effect.Effect<undefined, never, Terminal> =>
  Effect.flatMap(Terminal, ({ note }) => Effect.as(note(`searching by words alone: ${reason}`), undefined))

const embedded = (
  { environment, store, text }: Asked,
  target: EmbedderTarget.EmbedderTarget,
  space: EmbeddingSpace
): Made =>
  Effect.gen(function* () {
    const embedder = yield* Embedder
    const vector = yield* embedder.embedQuery(text)
    // Known after the query, without another request.
    const own = yield* embedder.space
    if (describeSpace(own) === describeSpace(space)) return vector ?? undefined
    return yield* usage(
      `--embedder: ${store.shown} holds ${describeSpace(space)}, but the given embedder makes ${describeSpace(own)}; give the one that the store was filled with`
    )
  }).pipe(Effect.provide(EmbedderTarget.layer(target, { environment, cache: null })))
