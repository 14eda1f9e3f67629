import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as AutoChunker from "../../AutoChunker.ts"
import type { Chunker } from "../../Chunker.ts"
import type { SinkError } from "../../ChunkSink.ts"
import { Embedder } from "../../Embedder.ts"
import type { EmbeddingCache } from "../../EmbeddingCache.ts"
import { OptionError } from "../../OptionError.ts"
import * as Parser from "../../Parser.ts"
import type { InvalidAddress } from "../../service/Client.ts"
import type { InvalidOptions } from "../../service/ParseOptions.ts"
import * as State from "../../State.ts"
import { Tokenizer } from "../../Tokenizer.ts"
import * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import * as ChunkerTarget from "../target/chunkerTarget.ts"
import * as EmbedderTarget from "../target/embedderTarget.ts"
import * as Secret from "../target/secret.ts"
import * as ServiceTarget from "../target/serviceTarget.ts"
import * as SinkTarget from "../target/sinkTarget.ts"
import type { Service } from "./contract.ts"
import * as Made from "./make.ts"
import type * as options from "./options.ts"
import * as Searching from "./searching.ts"
import type * as Stores from "./stores.ts"

/** The parser of the options. */
export const parser = ({
  apiKey,
  model,
  parseOptions = {},
  service = "embedded"
}: options.Options): Layer.Layer<
  Parser.Parser,
  OptionError | InvalidAddress | InvalidOptions | UndiciHttpClient.InvalidProxy,
  FileSystem.FileSystem
> => Layer.provide(Parser.layer(parseOptions), ServiceTarget.layer({ service, apiKey, model }))

/** A tokenizer that is loaded when it is first asked for. */
export const tokenizer = <E>(
  layer: Layer.Layer<Tokenizer, E>
): Effect.Effect<Effect.Effect<Tokenizer.Service, E>, never, Scope.Scope> =>
  Effect.flatMap(Effect.scope, (scope) =>
    Effect.cached(
      Effect.uninterruptible(
        Effect.map(Layer.buildWithScope(layer, scope), (services) => Context.get(services, Tokenizer))
      )
    )
  )

/** The chunker of a name or a value. */
export const chunker = (given: string | Chunker | undefined): Effect.Effect<Chunker, OptionError> => {
  if (given === undefined) return Effect.succeed(AutoChunker.make())
  return typeof given === "string" ? ChunkerTarget.ofName(given) : Effect.succeed(given)
}

/** The embedder of a spelling, with the cache of the state. */
export const embedder = (
  spelling: string,
  dispatcher?: UndiciHttpClient.Options["dispatcher"]
): Effect.Effect<
  Embedder.Service | undefined,
  OptionError | UndiciHttpClient.InvalidProxy,
  EmbeddingCache | FileSystem.FileSystem | Scope.Scope
> =>
  Effect.gen(function* () {
    const target = yield* EmbedderTarget.parse(spelling)
    if (target._tag === "None") return undefined
    const layer = EmbedderTarget.layerOver(target, yield* Secret.environment)
    const services = yield* Layer.build(Layer.provide(layer, UndiciHttpClient.layer({ dispatcher })))
    return Context.get(services, Embedder)
  })

/** The options of a corpus as values and effects. */
export interface Given<E> extends options.RunOptions {
  readonly to: ReadonlyArray<string | Stores.Open<E>>
  readonly embedder: Effect.Effect<Embedder.Service | undefined, E, State.State | FileSystem.FileSystem | Scope.Scope>
  /** False when no query shall get a vector but by the embedder: `none` was asked for. */
  readonly asStamped: boolean
  readonly chunker: Effect.Effect<Chunker, E>
  readonly parser: Parser.Parser.Service
  readonly tokenizer: Effect.Effect<Tokenizer.Service>
  readonly state: string | undefined
  readonly uploads: string | undefined
  readonly mode: options.PartsOptions["mode"]
}

/** Opens the state, then the rest; fails before anything is created where an option cannot be used. */
export const corpus = <E>({
  to,
  embedder,
  asStamped,
  chunker,
  parser,
  tokenizer,
  state,
  uploads = "uploads",
  mode = "upsert",
  ...run
}: Given<E>): Effect.Effect<
  Service,
  E | OptionError | State.StateError | SinkError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const environment = yield* Secret.environment
    if (to.length === 0) return yield* new OptionError({ option: "to", problem: "name a target" })
    const targets: Array<Target<E | SinkError>> = []
    for (const target of to) {
      const unspelled = { outputs: [], needsVectors: false, shown: "" }
      targets.push(typeof target === "string" ? yield* spelled(target, environment) : { ...unspelled, open: target })
    }
    const splitter = yield* chunker
    const memory = yield* Layer.build(state === undefined ? State.memory : State.open(state))
    const made = yield* Effect.provide(embedder, memory)
    const bare = made === undefined ? targets.find(({ needsVectors }) => needsVectors) : undefined
    if (bare !== undefined) {
      const problem = "nothing is found there without vectors; give an `embedder`"
      return yield* new OptionError({ option: "to", part: bare.shown, problem })
    }
    return yield* Made.make({
      targets: targets.map(({ open }) => open),
      embedder: made,
      vectors: yield* Searching.vectors(made, asStamped ? environment : null),
      chunker: splitter,
      parser,
      tokenizer,
      state: memory,
      exclude: [
        ...(state === undefined || State.isAddress(state) ? [] : [state]),
        ...targets.flatMap(({ outputs }) => outputs)
      ].map((output) => path.resolve(output)),
      uploads,
      mode,
      run
    })
  })

interface Target<E> extends Pick<SinkTarget.SinkTarget, "needsVectors" | "outputs" | "shown"> {
  readonly open: Stores.Open<E>
}

const spelled = (
  spelling: string,
  environment: Secret.Environment
): Effect.Effect<Target<SinkError>, OptionError, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(Effect.context<FileSystem.FileSystem | Path.Path>(), (context) =>
    Effect.map(SinkTarget.parse(spelling, environment), ({ needsVectors, open, outputs, shown }) => ({
      needsVectors,
      outputs,
      shown,
      open: Effect.provide(open, context)
    }))
  )

/** The corpus of the options, with a parser and a tokenizer. */
export const given = (
  options: options.PartsOptions,
  parser: Parser.Parser.Service,
  tokenizer: Effect.Effect<Tokenizer.Service>
) =>
  Effect.flatMap(Effect.context<FileSystem.FileSystem | Path.Path>(), (context) => {
    const { concurrency, lookAhead, maxBytesInFlight, mode, outageLimit, sinkRetry, state, to, uploads } = options
    const opening = (target: options.Target) => {
      if (typeof target === "string") return target
      return "id" in target ? Effect.succeed(target) : Effect.provide(target, context)
    }
    return corpus<OptionError | SinkError | UndiciHttpClient.InvalidProxy>({
      concurrency,
      lookAhead,
      maxBytesInFlight,
      outageLimit,
      sinkRetry,
      state,
      uploads,
      mode,
      parser,
      tokenizer,
      to: isList(to) ? to.map(opening) : [opening(to)],
      embedder: typeof options.embedder === "string" ? embedder(options.embedder) : Effect.succeed(options.embedder),
      asStamped: options.embedder !== "none",
      chunker: chunker(options.chunker)
    })
  })

const isList = <A>(given: A | ReadonlyArray<A>): given is ReadonlyArray<A> => Array.isArray(given)
