import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Chunker } from "../../Chunker.ts"
import type { ChunkSink, Rerank, SinkError } from "../../ChunkSink.ts"
import type { AiSdkModel, Embedder, NamedEmbeddings } from "../../Embedder.ts"
import type { FigureDescriber } from "../../Parser.ts"
import type * as Pipeline from "../../Pipeline.ts"
import type { Reranker } from "../../Reranker.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import type * as Tokenizer from "../../Tokenizer.ts"
import type * as ChunkerTarget from "../target/chunkerTarget.ts"
import type { EmbedderSpelling, RerankerSpelling, SinkSpelling } from "../target/spelling.ts"

/** Options of all runs of a corpus. */
export type RunOptions = Pick<
  Pipeline.RunOptions,
  "concurrency" | "outageLimit" | "maxBytesInFlight" | "lookAhead" | "sinkRetry"
>

/**
 * A target: its spelling as on the command line, `libsql:store.db` for instance; a sink; or the effect that makes one,
 * `LibSql.make({ file })` for instance, which is then closed with the corpus.
 */
export type Target =
  | SinkSpelling
  | ChunkSink.Service
  | Effect.Effect<ChunkSink.Service, SinkError, FileSystem.FileSystem | Path.Path | Scope.Scope>

/**
 * Options of a corpus with a parser of the context.
 */
export interface PartsOptions extends RunOptions {
  /** Where the chunks go; the first one that can search is searched. */
  readonly to: Target | ReadonlyArray<Target>
  /**
   * Adds a vector to every chunk, and makes those of queries: `hash` (offline and lexical), `openai:MODEL[@BASE]` with its key in
   * `DOCSLUICE_EMBEDDER_API_KEY` or, for OpenAI itself, `OPENAI_API_KEY`, and so `cohere:` and `voyage:`; an embedder; or a model of the AI
   * SDK or LangChain.js. Default: none; a search then asks the model of the store's vectors where it can, which `none` forbids.
   */
  readonly embedder?: EmbedderSpelling | Embedder.Service | AiSdkModel | NamedEmbeddings | undefined
  /**
   * Puts the first hits of every search in a new order: `cohere:MODEL[@BASE]`, `jina:MODEL[@BASE]`, `voyage:MODEL[@BASE]`,
   * `tei:[MODEL]@BASE`, `llamacpp:[MODEL]@BASE` or `vllm:[MODEL]@BASE`, with its key in `DOCSLUICE_RERANK_API_KEY` or, for a provider itself,
   * `COHERE_API_KEY`, `JINA_API_KEY` or `VOYAGE_API_KEY`; a reranker; or a function. A search whose reranker fails fails. Default: none.
   */
  readonly rerank?: RerankerSpelling | Reranker.Service | Rerank | undefined
  /**
   * Folder of ledger, caches and dead letters, as `--state` of the command line; locked while the corpus is open, so that a second one on
   * it, in this process or another, fails with `Locked`. Or the address of a state on PostgreSQL, which many may use. Default: in memory, so that a later corpus parses everything again.
   */
  readonly state?: string | undefined
  /** `auto` (default), `pages`, `blocks`, `markdown`, one of these with its budget, `{ kind, maxTokens }` for instance; or a chunker. */
  readonly chunker?: ChunkerTarget.Name | ChunkerTarget.Settings | Chunker | undefined
  /**
   * Describes the figures of PDFs before they are chunked, see `Parser.describeFigures`: `openai:MODEL[@BASE]` with its key in
   * `DOCSLUICE_MODEL_API_KEY` or, for OpenAI itself, `OPENAI_API_KEY`; or a describer, of any vision model by `Parser.figureModel`. Refused
   * with `redactPII` and `zeroDataRetention`, since pictures are sent as they are. Default: figures are not described.
   */
  readonly describe?: string | FigureDescriber | undefined
  /** Name of the root of added documents, first part of their ids; default `uploads`. */
  readonly uploads?: string | undefined
  /**
   * Mode of every call that names none; default `upsert`. A target that cannot remove is refused when the corpus is opened, unless this is
   * `append`.
   */
  readonly mode?: Pipeline.Mode | undefined
}

/**
 * Options of a corpus.
 */
export interface Options extends PartsOptions {
  /** `embedded` (default), or the service's base address. */
  readonly service?: string | undefined
  /** Needed unless the service is embedded or on a loopback address. */
  readonly apiKey?: Redacted.Redacted | "none" | undefined
  readonly parseOptions?: ParseOptions | undefined
  /** Default `o200k_base`. Loaded by the first call that splits. */
  readonly tokenizer?: Tokenizer.Name | undefined
  /**
   * Language model of the embedded service, for summaries and extraction: `openai:MODEL[@BASE]` with its key in
   * `DOCSLUICE_MODEL_API_KEY` or, for OpenAI itself, `OPENAI_API_KEY`; or a model with its identity. Default: none.
   */
  readonly model?: string | Model | undefined
}

/**
 * A language model of your own.
 */
export interface Model {
  /** Name and address without credentials: part of the engine's version, so that no cache mixes two models. */
  readonly identity: string
  readonly layer: Layer.Layer<LanguageModel.LanguageModel>
  /** Tokens that a request and its answer may hold together; default 8192. */
  readonly contextTokens?: number | undefined
}
