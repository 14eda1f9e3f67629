import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import type { Chunker } from "../../Chunker.ts"
import type { ChunkSink, EmbeddingSpace, Rerank, SinkError } from "../../ChunkSink.ts"
import { Embedder } from "../../Embedder.ts"
import type { EmbeddingCacheError } from "../../EmbeddingCache.ts"
import { redacts } from "../../ParsedDocument.ts"
import type { FigureDescriber, Parser } from "../../Parser.ts"
import type * as Pipeline from "../../Pipeline.ts"
import type { Readers } from "../../Readers.ts"
import type { Reranker } from "../../Reranker.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import * as State from "../../State.ts"
import type * as Tokenizer from "../../Tokenizer.ts"
import type * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import { option, problem, text } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"
import * as DistinctTargets from "../run/distinctTargets.ts"
import * as Address from "../target/address.ts"
import * as ChunkerTarget from "../target/chunkerTarget.ts"
import * as DescriberTarget from "../target/describerTarget.ts"
import * as EmbedderTarget from "../target/embedderTarget.ts"
import * as RerankerTarget from "../target/rerankerTarget.ts"
import * as Secret from "../target/secret.ts"
import * as SinkTarget from "../target/sinkTarget.ts"
import * as SourceTarget from "../target/sourceTarget.ts"
import type { Reranking } from "../target/storeSearch.ts"
import { Description, encode, type Part, Recorded, sourceOptions } from "./description.ts"
import type { Vectors } from "./memory.ts"
import type { RunOptions } from "./options.ts"

/** Opens the sink of a target; what it acquires is released with the scope. */
export type Open<E> = Effect.Effect<ChunkSink.Service, E, FileSystem.FileSystem | Path.Path | Scope.Scope>

/** A target that a run may open. */
export interface Target<E> extends Pick<SinkTarget.SinkTarget, "needsVectors" | "outputs" | "place" | "shown"> {
  readonly searches: boolean
  readonly open: Open<E>
  /** As `open`, for mode append: existing data stays. */
  readonly openToAppend: Open<E>
  /** Its spelling without credentials; null for a sink of the program. */
  readonly kept: Address.Kept | null
}

/** An embedder of the program's own, over the vectors that were paid for. */
export type Embedding<E> = (
  vectors: Vectors
) => Effect.Effect<Embedder.Service | undefined, E, FileSystem.FileSystem | Scope.Scope>

/** Parts in words, or alive. */
export interface Given<E> extends RunOptions {
  readonly to: ReadonlyArray<string | Open<E>>
  /** Default: none. */
  readonly embedder: string | Embedding<E | EmbeddingCacheError> | undefined
  /** Default: none. */
  readonly rerank?: string | Reranker.Service | Rerank | undefined
  readonly chunker: ChunkerTarget.Settings | ChunkerTarget.Name | Chunker | undefined
  /** Default: figures are not described. */
  readonly describe?: string | FigureDescriber | undefined
  readonly parser: Parser.Service
  /** The words that the parser was made of; null for one of the program's own. */
  readonly service: ServiceWords | null
  readonly tokenizer: Effect.Effect<Tokenizer.Tokenizer.Service>
  readonly tokenizerName?: Tokenizer.Name | undefined
  /** Default: those of the context. */
  readonly readers?: Readers.Service | undefined
  /** True for readers that no words describe; default false. */
  readonly ownReaders?: boolean | undefined
  readonly state: string | undefined
  /** Default `upsert`; without it and without a state, a run of its own remembers nothing and needs no sink that can remove. */
  readonly mode: Pipeline.Mode | undefined
  readonly onFailure?: "dead-letter" | "fail" | undefined
  /** As of `UndiciHttpClient`, for an embedder and a reranker in words. */
  readonly dispatcher?: UndiciHttpClient.Options["dispatcher"]
}

/** The words of a parser. */
export interface ServiceWords {
  /** Default `embedded`. */
  readonly service?: string | undefined
  /** True if it has a key. */
  readonly key: boolean
  readonly ocrLanguages?: ReadonlyArray<string> | undefined
  readonly model?: string | undefined
  readonly parseOptions?: ParseOptions | undefined
}

/** All that runs are made of but their files: read and checked, and not open yet. */
export interface Means<E> {
  readonly targets: ReadonlyArray<Target<E>>
  readonly embedder: Embedding<E | OptionError | EmbeddingCacheError>
  /** Opens the reranker of searches, over the scores that were paid for. */
  readonly reranker: (
    vectors: Vectors
  ) => Effect.Effect<Reranking, OptionError | EmbeddingCacheError, FileSystem.FileSystem | Scope.Scope>
  /** False where it is certain that chunks get no vectors: `none`, or no embedder. */
  readonly embeds: boolean
  readonly chunker: Chunker
  readonly parser: Parser.Service
  /** Opens what describes the figures of documents that are chunked; null: nothing does. */
  readonly describer: DescriberTarget.Opening | null
  /** Loaded by the first call that needs it. */
  readonly tokenizer: Effect.Effect<Tokenizer.Tokenizer.Service>
  readonly readers: Readers.Service | undefined
  /** Null: nothing is remembered after the scope. */
  readonly state: string | null
  readonly mode: Pipeline.Mode | undefined
  readonly onFailure: "dead-letter" | "fail" | undefined
  readonly run: RunOptions
  /** Paths that discovery leaves out: the state and the targets. */
  readonly outputs: ReadonlyArray<string>
  /** The text that the ledger keeps of a run over this source. */
  readonly request: (
    source: SourceTarget.RootOptions,
    opened: { readonly space: EmbeddingSpace | null; readonly sinks: ReadonlyArray<string> },
    as: { readonly command: Recorded["command"]; readonly types?: ReadonlyArray<string> | undefined }
  ) => string
}

const target = <E>(
  given: string | Open<E>,
  environment: Secret.Environment
): Effect.Effect<Target<E | SinkError>, OptionError, FileSystem.FileSystem> => {
  if (typeof given === "string") return SinkTarget.parse(given, environment)
  const own = { needsVectors: false, outputs: [], place: null, shown: "", searches: false, kept: null }
  return Effect.succeed({ ...own, open: given, openToAppend: given })
}

/** Refuses two spellings of one target, or one inside another's folder. */
const checkDistinct = (targets: ReadonlyArray<Target<unknown>>): Effect.Effect<void, OptionError> => {
  const named = targets.flatMap(({ kept, place, shown }) => (kept === null ? [] : [{ place, shown, id: kept.address }]))
  const clash = DistinctTargets.clash(named)
  return clash === null
    ? Effect.void
    : new OptionError({ option: null, ...problem(text`${option("to")} ${clash.target.shown} ${clash.problem}`) })
}

/** The chunker of settings, a name or a value; default `auto`. */
export const chunker = (given: Given<never>["chunker"]): Effect.Effect<Chunker, OptionError> => {
  if (given === undefined) return ChunkerTarget.make({})
  if (Predicate.hasProperty(given, "chunk")) return Effect.succeed(given)
  return ChunkerTarget.isSettings(given) ? ChunkerTarget.make(given) : ChunkerTarget.ofName(given)
}

/** The embedder of a spelling, which is checked at once and opened later. */
const spelled = (
  target: EmbedderTarget.EmbedderTarget,
  environment: Secret.Environment,
  dispatcher: UndiciHttpClient.Options["dispatcher"]
): Embedding<OptionError | EmbeddingCacheError> =>
  target._tag === "None"
    ? () => Effect.succeed(undefined)
    : (cache) =>
        Effect.map(Layer.build(EmbedderTarget.layer(target, { environment, cache, dispatcher })), (services) =>
          Context.get(services, Embedder)
        )

/** The part of a description that is not the source, with what has to be given again and what only the program has. */
const written = <E>(
  given: Given<E>,
  targets: ReadonlyArray<Target<unknown>>,
  embedder: Address.Kept | null
): Pick<Recorded["kept"], "alive" | "secrets"> & { readonly run: Omit<typeof Description.Type, "root"> } => {
  const { chunker, concurrency, maxBytesInFlight, mode, onFailure, outageLimit, service: words } = given
  const kept = targets.flatMap((target) => target.kept ?? [])
  const { headers, ...parseOptions } = words?.parseOptions ?? {}
  const service = words === null ? null : Address.stripped(words.service ?? "embedded")
  const own = typeof chunker === "object" && "chunk" in chunker
  const alive: ReadonlyArray<Part | false> = [
    kept.length < targets.length && "to",
    embedder === null && "embedder",
    own && "chunker",
    words === null && "parser",
    given.ownReaders === true && "readers",
    given.describe !== undefined && "describe"
  ]
  return {
    alive: alive.filter((part) => part !== false),
    secrets: {
      to: kept.flatMap(({ address, credential }) => (credential ? [address] : [])),
      embedder: embedder?.credential ?? false,
      service: service !== null && (service.credential || (words?.key ?? false)),
      headers: headers !== undefined
    },
    run: {
      to: kept.map(({ address }) => address),
      embedder: embedder?.address,
      service: service?.address,
      ocrLanguages: words?.ocrLanguages,
      model: words?.model,
      parseOptions: words === null ? undefined : parseOptions,
      chunker: own ? undefined : typeof chunker === "string" ? { kind: chunker } : chunker,
      tokenizer: given.tokenizerName,
      mode,
      concurrency,
      outageLimit: outageLimit === undefined ? undefined : Duration.toMillis(outageLimit),
      maxBytesInFlight,
      onFailure
    }
  }
}

/** The describer of a spelling or of the program; refused where pictures may not be sent as they are. */
const describerOf = <E>({
  describe,
  dispatcher,
  service
}: Given<E>): Effect.Effect<DescriberTarget.Opening | null, OptionError, FileSystem.FileSystem> => {
  if (describe === undefined) return Effect.succeed(null)
  const { parseOptions = {} } = service ?? {}
  if (redacts(parseOptions) || parseOptions.zeroDataRetention === true) {
    const words = text`pictures are sent and kept as they are; leave it out, or redactPII and zeroDataRetention out of ${option("parseOptions")}`
    return new OptionError({ option: "describe", ...problem(words) })
  }
  return typeof describe === "string"
    ? DescriberTarget.read(describe, dispatcher)
    : Effect.succeed(Effect.succeed(describe))
}

/** Reads and checks everything; fails before anything is created, and opens no target, model or state. */
export const make = <E>(
  given: Given<E>
): Effect.Effect<Means<E | SinkError>, OptionError | EmbeddingCacheError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const environment = yield* Secret.environment
    const { concurrency, dispatcher, lookAhead, maxBytesInFlight, outageLimit, sinkRetry, state = null } = given
    const targets = yield* Effect.forEach(given.to, (one) => target(one, environment))
    yield* checkDistinct(targets)
    const embedding =
      typeof given.embedder === "function" ? null : yield* EmbedderTarget.parse(given.embedder ?? "none")
    if (embedding !== null) yield* EmbedderTarget.check(embedding, environment)
    const { rerank = "none" } = given
    if (typeof rerank === "string") yield* RerankerTarget.check(rerank, environment)
    const embeds = embedding?._tag !== "None"
    const bare = embeds ? undefined : targets.find(({ needsVectors }) => needsVectors)
    if (bare !== undefined) {
      const words = text`nothing is found there without vectors; give an ${option("embedder")}: hash, or openai:MODEL[@BASE] for instance`
      return yield* new OptionError({ option: "to", part: bare.shown, ...problem(words) })
    }
    const words = written(given, targets, embedding === null ? null : EmbedderTarget.keep(embedding, environment))
    const means: Means<E | SinkError> = {
      targets,
      embedder:
        typeof given.embedder === "function"
          ? given.embedder
          : spelled(embedding ?? { _tag: "None" }, environment, dispatcher),
      reranker: (cache) =>
        typeof rerank === "string"
          ? RerankerTarget.ofSpelling(rerank, { environment, cache, dispatcher })
          : Effect.succeed(rerank),
      embeds,
      chunker: yield* chunker(given.chunker),
      parser: given.parser,
      describer: yield* describerOf(given),
      tokenizer: given.tokenizer,
      readers: given.readers,
      state,
      mode: given.mode,
      onFailure: given.onFailure,
      run: { concurrency, lookAhead, maxBytesInFlight, outageLimit, sinkRetry },
      outputs: [
        ...(state === null || State.isAddress(state) ? [] : [state]),
        ...targets.flatMap(({ outputs }) => outputs)
      ].map((output) => path.resolve(output)),
      request: (source, { sinks, space }, { command, types = source.types }) =>
        encode(
          Recorded.make({
            version: 2,
            command,
            run: Description.make({
              ...words.run,
              ...sourceOptions(source),
              root: SourceTarget.absolute(source.root),
              types
            }),
            kept: {
              sinks: sinks.filter((_, at) => targets[at]?.kept !== null),
              space,
              secrets: words.secrets,
              alive: words.alive
            }
          })
        )
    }
    return means
  })
