/** Options of the promise interface; `Async` names and explains them. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Layer from "effect/Layer"
import type { ChunkSink } from "../../ChunkSink.ts"
import type * as Extraction from "../../Extraction.ts"
import type { Parser } from "../../Parser.ts"
import type * as Pipeline from "../../Pipeline.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import type { Tokenizer } from "../../Tokenizer.ts"
import type * as UndiciHttpClient from "../../UndiciHttpClient.ts"
import type * as Corpora from "../corpus/contract.ts"
import type * as CorpusOptions from "../corpus/options.ts"
import type * as SourceTarget from "../target/sourceTarget.ts"
import type { SinkSpelling } from "../target/spelling.ts"
import type * as AsyncChunkers from "./chunker.ts"
import type * as AsyncDescribers from "./describer.ts"
import type * as AsyncEmbedders from "./embedder.ts"
import type { AsyncLogger } from "./logger.ts"
import type * as AsyncModels from "./model.ts"
import type * as AsyncReaders from "./reader.ts"
import type * as AsyncSinks from "./sink.ts"
import type * as AsyncSources from "./source.ts"

/** A sink by its spelling (`libsql:store.db`), of this package, as a service, or as an object with promises. */
export type Target =
  | SinkSpelling
  | AsyncSinks.AsyncSink
  | ChunkSink.Service
  | Layer.Layer<ChunkSink, unknown, FileSystem.FileSystem | Path.Path>

/** The parser and the tokenizer. */
export interface ServiceOptions {
  /** `embedded` (default), or the service's base address. */
  readonly service?: string | undefined
  /** Needed unless the service is embedded or on a loopback address. */
  readonly apiKey?: string | undefined
  readonly parseOptions?: ParseOptions | undefined
  /** Language model of the embedded service, for summaries and extraction; default: none. */
  readonly model?: AsyncModels.AsyncModel | undefined
  /** Default `o200k_base`. */
  readonly tokenizer?: "o200k_base" | "cl100k_base" | "chars" | undefined
  /**
   * Sends every request to the service and to an embedder's server, in place of a connection pool and the proxies of the environment. It is
   * not closed.
   */
  readonly dispatcher?: UndiciHttpClient.Options["dispatcher"]
  /** A parser and a tokenizer of your own, in place of all the above. */
  readonly layer?: Layer.Layer<Parser | Tokenizer, unknown> | undefined
  /** Readers of file types of your own, next to the text formats that are built in; default none. */
  readonly readers?: ReadonlyArray<AsyncReaders.AsyncReader> | undefined
  /** Default: warnings and errors are written to stderr. Nothing is ever written to stdout. */
  readonly logger?: AsyncLogger | undefined
  /** Ends everything at once. */
  readonly signal?: AbortSignal | undefined
}

/** Options of `Async.extract`. */
export type ExtractOptions = ServiceOptions & Omit<Extraction.Options, "parseOptions">

/** A root with patterns. */
export type RootOptions = SourceTarget.RootOptions

/** The files to parse. */
export type SourceOptions =
  | (SourceTarget.RootOptions & { readonly files?: undefined })
  | {
      readonly files: AsyncIterable<AsyncSources.AsyncFile> | Iterable<AsyncSources.AsyncFile>
      /** First part of every document id. */
      readonly name: string
      /** True when these are only some of the files of this name: one that is not among them is not gone. Default false. */
      readonly partial?: boolean | undefined
      readonly root?: undefined
    }

/** A place for the memory of runs. */
export interface AsyncState extends Omit<Pipeline.StateOptions, "request"> {
  /** The folder, or the address of a state on PostgreSQL, as `--state` of the command line. */
  readonly directory: string
}

/** `C`: the chunker, which TypeScript tells from its name only where both are asked for one after the other. */
export type IngestOptions<C = AsyncChunkers.Given> = ServiceOptions &
  SourceOptions &
  Pick<
    Pipeline.RunOptions,
    "concurrency" | "outageLimit" | "maxBytesInFlight" | "onFailure" | "lookAhead" | "sinkRetry"
  > & {
    /** `auto` (default), `pages`, `blocks`, `markdown`, one of these with its budget, a chunker of this package, or a splitter of your own: `{ name, split }`. */
    readonly chunker?: C | undefined
    /** Two of one target, or one inside another's folder, reject before any work. */
    readonly sinks: ReadonlyArray<Target>
    /** Report and store in the order of the source rather than of completion; default false. */
    readonly ordered?: boolean | undefined
    /** Adds a vector to every chunk before it is stored; default: none. */
    readonly embedder?: AsyncEmbedders.AsyncEmbedder | undefined
    /** Describes the figures of PDFs before they are chunked, see `Corpus.PartsOptions`; default: they are not described. */
    readonly describe?: AsyncDescribers.AsyncDescriber | undefined
    /**
     * Folder of the ledger, the paid answers and vectors, and the dead letters, the same as `--state` of the command line. The next
     * run with it does only the work that is left. One run at a time, or many with the address of a state on PostgreSQL. Default: nothing is remembered.
     */
    readonly state?: string | AsyncState | undefined
    /** File for the dead letters; default: in the `state`, and without one none are kept beyond the summary. */
    readonly deadLetters?: string | undefined
    /** Called after every file; the run waits for it. */
    readonly onProgress?: ((progress: Pipeline.Progress) => void | Promise<void>) | undefined
    /** Stops the run when aborted: no new file is started, those in flight are stored, and the summary's status is 130. */
    readonly stop?: AbortSignal | undefined
  }

/** Options of `Async.chunks`. */
export type ChunksOptions<C = AsyncChunkers.Given> = ServiceOptions &
  SourceOptions & {
    /** As of `Async.ingest`. */
    readonly chunker?: C | undefined
    /** Adds a vector to every chunk; default: none. */
    readonly embedder?: AsyncEmbedders.AsyncEmbedder | undefined
    /** Documents that are parsed at a time, and requests in flight at most; default 8. */
    readonly concurrency?: number | undefined
    /** Called for each document that fails; without it the iterable fails with the document's error. */
    readonly onFailure?: ((source: string, error: unknown) => void) | undefined
  }

/** Options of one call of a handle. */
export interface CallOptions {
  /** Ends this call at once, and no other. */
  readonly signal?: AbortSignal | undefined
}

/** Options of `retry` of a handle. */
export interface RetryOptions extends CallOptions {
  /** Parse the documents again that are stored without text or in part, instead of the failed ones; default false. */
  readonly empty?: boolean | undefined
}

/** Options of one extraction of a handle. */
export type ExtractCall = CallOptions & Extraction.Options

/** Options of `Async.open`. */
export interface OpenOptions<C = AsyncChunkers.Given>
  extends
    Omit<ServiceOptions, "signal">,
    Pick<
      CorpusOptions.PartsOptions,
      | "concurrency"
      | "lookAhead"
      | "maxBytesInFlight"
      | "mode"
      | "outageLimit"
      | "rerank"
      | "sinkRetry"
      | "state"
      | "uploads"
    > {
  /** Where the chunks go; the first one that can search is searched. */
  readonly to: Target | ReadonlyArray<Target>
  /** Adds a vector to every chunk, and makes those of queries; default: none. */
  readonly embedder?: AsyncEmbedders.AsyncEmbedder | undefined
  /** As of `Async.ingest`. */
  readonly chunker?: C | undefined
  /** As of `Async.ingest`. */
  readonly describe?: AsyncDescribers.AsyncDescriber | undefined
}

/**
 * Files to ingest: a path, a glob or an address (`s3://…`, `az://…`, `sitemap:URL`, `list:FILE`, `zip:FILE`, `tar:FILE`), relative to the
 * working directory as on the command line; several of them; a root with patterns; or files of your own.
 */
export type AsyncSource = string | ReadonlyArray<string> | SourceOptions

/** Options of one ingestion. */
export interface HandleIngestOptions extends CallOptions, Omit<Corpora.IngestOptions, "onProgress" | "stop"> {
  /** Called after every file; the run waits for it. */
  readonly onProgress?: ((progress: Pipeline.Progress) => void | Promise<void>) | undefined
  /** Stops the run when aborted: no new file is started, those in flight are stored, and the summary's status is 130. */
  readonly stop?: AbortSignal | undefined
}
