/** Vectors of queries, in the space of the searched store. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { describeSpace, type EmbeddingSpace } from "../../ChunkSink.ts"
import { Embedder } from "../../Embedder.ts"
import type { EmbeddingCacheError } from "../../EmbeddingCache.ts"
import { type Message, messageOf, option, problem, text } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"
import type { EmbeddingError } from "../embedding/embeddingError.ts"
import * as EmbedderTarget from "./embedderTarget.ts"
import type { Environment } from "./secret.ts"
import type { Target } from "./sinkKind.ts"

export interface Options {
  readonly store: Pick<Target, "shown" | "needsVectors">
  /** Spelling of the embedder, if one was given. */
  readonly embedder: Option.Option<string>
  readonly environment: Environment
}

export interface QueryVector {
  /** Undefined to search by words alone. */
  readonly vector: ReadonlyArray<number> | undefined
  /** Reason why only words are searched although the store has vectors; null otherwise. */
  readonly wordsAlone: Message | null
}

export type QueryVectorError = OptionError | EmbeddingError | EmbeddingCacheError

export interface QueryVectors<E = QueryVectorError> {
  /** Vector of a query. `space` is that of the store's vectors: null when it has none, undefined where it is not known. */
  readonly of: (
    text: string,
    space: EmbeddingSpace | null | undefined
  ) => Effect.Effect<QueryVector, E, FileSystem.FileSystem>
}

/** Vectors as the command line makes them. */
export interface Spelled extends QueryVectors {
  /** True when a model embeds queries for vectors of this space, as far as can be told without embedding one; `hash` is none. */
  readonly hasModel: (space: EmbeddingSpace | null) => Effect.Effect<boolean, QueryVectorError>
}

/** Fails when the spelling of the embedder cannot be used; loads and sends nothing. */
export const check = ({
  embedder,
  environment
}: Pick<Options, "embedder" | "environment">): Effect.Effect<
  void,
  OptionError | EmbeddingCacheError,
  FileSystem.FileSystem
> =>
  Option.match(embedder, {
    onNone: () => Effect.void,
    onSome: (spelling) =>
      Effect.flatMap(EmbedderTarget.parse(spelling), (target) => EmbedderTarget.check(target, environment))
  })

/** No vector, since none is wanted. */
export const words: QueryVector = { vector: undefined, wordsAlone: null }

/**
 * A given embedder is used or fails. Without one, the model that the store's vectors are of is used if it can run here; otherwise the
 * search is by words, with the reason, or fails if the store needs vectors. An embedder is made by the first query that needs it, and
 * kept while the scope is open.
 */
export const make = (options: Options): Effect.Effect<Spelled, never, Scope.Scope> =>
  Effect.map(kept(options.environment), (embedders) => ({
    of: (text, space = null) =>
      Option.match(options.embedder, {
        onNone: () => asStamped(options, embedders, text, space),
        onSome: (spelling) =>
          Effect.flatMap(EmbedderTarget.parse(spelling), (target) => asGiven(options, embedders, target, text, space))
      }),
    hasModel: (space) => {
      if (space === null) return Effect.succeed(false)
      const isModel = (target: EmbedderTarget.EmbedderTarget | null) =>
        target !== null && target._tag !== "None" && target._tag !== "Hash"
      return Option.match(options.embedder, {
        onNone: () => Effect.map(EmbedderTarget.ofSpace(space, options.environment), isModel),
        onSome: (spelling) => Effect.map(EmbedderTarget.parse(spelling), isModel)
      })
    }
  }))

/** As {@link make} without an embedder, for a program: where no vector can be made, words are searched alone. */
export const stamped = (environment: Environment): Effect.Effect<QueryVectors<never>, never, Scope.Scope> =>
  Effect.map(kept(environment), (embedders) => {
    const options = { store: { shown: "", needsVectors: false }, environment }
    return {
      of: (text, space = null) =>
        Effect.catchAll(asStamped(options, embedders, text, space), (error) =>
          Effect.succeed({ vector: undefined, wordsAlone: messageOf(error) })
        )
    }
  })

type Embedders = (
  target: EmbedderTarget.EmbedderTarget
) => Effect.Effect<Embedder.Service, OptionError | EmbeddingCacheError, FileSystem.FileSystem>

/** Embedders by their target, each made once; one that cannot be made is tried again by the next query. */
const kept = (environment: Environment): Effect.Effect<Embedders, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const making = yield* Effect.makeSemaphore(1)
    const made = new Map<string, Embedder.Service>()
    return (target) =>
      Effect.suspend(() => {
        const key = JSON.stringify(target)
        const known = made.get(key)
        if (known !== undefined) return Effect.succeed(known)
        const layer = EmbedderTarget.layer(target, { environment })
        return Effect.map(Layer.buildWithScope(layer, scope), (context) => {
          const embedder = Context.get(context, Embedder)
          made.set(key, embedder)
          return embedder
        })
      }).pipe(making.withPermits(1))
  })

const usage = (name: "to" | "embedder", message: Message, part?: string): OptionError =>
  new OptionError({ option: name, ...problem(message), ...(part !== undefined && { part }) })

type Asked = Pick<Options, "store" | "environment">

const wordless = ({ store }: Asked): OptionError =>
  usage(
    "to",
    text`this store cannot be searched by words alone; give the ${option("embedder")} that it was filled with`,
    store.shown
  )

const asGiven = (
  options: Options,
  embedders: Embedders,
  target: EmbedderTarget.EmbedderTarget,
  query: string,
  space: EmbeddingSpace | null
): Effect.Effect<QueryVector, QueryVectorError, FileSystem.FileSystem> => {
  const { store } = options
  if (target._tag === "None") return store.needsVectors ? wordless(options) : Effect.succeed(words)
  return space === null
    ? usage("embedder", text`${store.shown} holds chunks without vectors; search it with ${option("embedder", "none")}`)
    : embedded(options, embedders, target, query, space)
}

const asStamped = (
  options: Asked,
  embedders: Embedders,
  query: string,
  space: EmbeddingSpace | null
): Effect.Effect<QueryVector, QueryVectorError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { environment, store } = options
    if (space === null) return store.needsVectors ? yield* wordless(options) : words
    const target = yield* EmbedderTarget.ofSpace(space, environment)
    if (target === null) {
      const lacking = text`the vectors are of ${space.model}, which cannot be asked from here: ${remedy(space)}`
      return store.needsVectors ? yield* usage("to", lacking, store.shown) : { vector: undefined, wordsAlone: lacking }
    }
    return yield* Effect.catchTag(embedded(options, embedders, target, query, space), "EmbeddingError", (error) =>
      store.needsVectors ? error : Effect.succeed({ vector: undefined, wordsAlone: error.message })
    )
  })

const remedy = (space: EmbeddingSpace): Message => {
  const provider = EmbedderTarget.providerOf(space)?.provider
  if (provider === undefined) return text`give ${option("embedder", `openai:${space.model}@BASE`)}`
  return text`set ${provider.variable}, or give the ${option("embedder")} that the store was filled with`
}

const embedded = (
  { store }: Asked,
  embedders: Embedders,
  target: EmbedderTarget.EmbedderTarget,
  query: string,
  space: EmbeddingSpace
): Effect.Effect<QueryVector, QueryVectorError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const embedder = yield* embedders(target)
    const vector = yield* embedder.embedQuery(query)
    // Known after the query, without another request.
    const own = yield* embedder.space
    if (describeSpace(own) === describeSpace(space)) return { vector: Option.getOrUndefined(vector), wordsAlone: null }
    return yield* usage(
      "embedder",
      `${store.shown} holds ${describeSpace(space)}, but the given embedder makes ${describeSpace(own)}; give the one that the store was filled with`
    )
  })
