/** One handle for ingestion and search: its calls one after another or side by side, its stores, and its end. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { ChunkingError } from "../../Chunker.ts"
import type { SinkError } from "../../ChunkSink.ts"
import type { Entry } from "../../DeadLetter.ts"
import type * as Discovery from "../../Discovery.ts"
import type { Box, DocumentChunk } from "../../DocumentChunk.ts"
import type * as Extraction from "../../Extraction.ts"
import type * as Ledger from "../../Ledger.ts"
import { DocumentError, type Stored, type Summary, tagOf, type Unchanged } from "../../Outcome.ts"
import type { ParsedDocument, ParsedWith } from "../../ParsedDocument.ts"
import type * as Parser from "../../Parser.ts"
import type * as Pipeline from "../../Pipeline.ts"
import type { RerankError } from "../../Reranker.ts"
import type { InvalidOptions, ParseOptions } from "../../service/ParseOptions.ts"
import type * as Source from "../../Source.ts"
import type { FileError, SourceFile } from "../../SourceFile.ts"
import type { FigureError } from "../base/figureError.ts"
import type { OptionError } from "../base/optionError.ts"
import type { RunStopped } from "../client/runState.ts"
import type { EmbeddingError } from "../embedding/embeddingError.ts"
import type { FigurePicture } from "../look/figure.ts"
import type * as DocumentRemoval from "../run/removal.ts"
import type { ReadOnlyCorpus } from "../target/readOnlyCorpus.ts"
import type * as SourceTarget from "../target/sourceTarget.ts"
import type { SearchError } from "../target/storeSearch.ts"
import type { StoreGeneration } from "./generations.ts"

/**
 * The corpus was closed before this call.
 *
 * @since 0.1.0
 * @category errors
 */
export class CorpusClosed extends Schema.TaggedError<CorpusClosed>("docsluice/CorpusClosed")("CorpusClosed", {}) {
  override get message(): string {
    return "the corpus is closed; open it again"
  }
}

/**
 * A document could not be added; chunks stored of it before stay. It is among the failures until it is added or removed,
 * unless a value of the file, such as its path, cannot be used.
 *
 * @since 0.1.0
 * @category errors
 */
export class AddError extends Schema.TaggedError<AddError>("docsluice/AddError")("AddError", {
  /** The document's path. */
  source: Schema.String,
  error: DocumentError,
  /** True when the same bytes may succeed later. */
  retryable: Schema.Boolean
}) {
  /** Tag of the error, `UnsupportedFile` for instance; that of the error which a `Foreign` stands for. */
  get tag(): string {
    return tagOf(this.error)
  }

  /** Message of the error. */
  get problem(): string {
    return this.error.message
  }

  override get message(): string {
    return `${this.source}: ${this.tag}: ${this.problem}`
  }
}

/**
 * Files to ingest: a path, a glob or an address (`s3://…`, `az://…`, `sitemap:URL`, `list:FILE`, `zip:FILE`, `tar:FILE`), relative to the
 * working directory as on the command line; several of them; a root with patterns; or files with their scope.
 *
 * @since 0.1.0
 * @category models
 */
export type CorpusSource<E = never> =
  | string
  | ReadonlyArray<string>
  | SourceTarget.RootOptions
  | Source.Source<E, SourceTarget.Requirements>

/**
 * Options of one ingestion.
 *
 * @since 0.1.0
 * @category models
 */
export interface IngestOptions
  extends
    Omit<Pipeline.StateOptions, "mode" | "request">,
    Pick<Pipeline.RunOptions, "budget" | "onFailure" | "onProgress" | "onReport" | "ordered" | "stop" | "truncated"> {
  /** Default: that of the corpus. */
  readonly mode?: Pipeline.Mode | undefined
}

/**
 * A document in every target: `Stored` now, or `Unchanged` since it was stored.
 *
 * @since 0.1.0
 * @category models
 */
export type Added = Stored | Unchanged

/**
 * Counts of the ledger, the last run, and the targets.
 *
 * @since 0.1.0
 * @category models
 */
export interface Status extends Ledger.Stats {
  /** Null before the first run. */
  readonly lastRun: Ledger.Run | null
  /**
   * Each target, with the number of chunks of the generation that serves (`generations` tells of the others); null where there is no store yet,
   * or it cannot count.
   */
  readonly stores: ReadonlyArray<{ readonly id: string; readonly chunks: number | null }>
}

/**
 * @since 0.1.0
 * @category errors
 */
export type IngestFailure =
  | Pipeline.OpenError
  | Discovery.DiscoveryError
  | Source.SourceUnavailable
  | OptionError
  | CorpusClosed

/**
 * @since 0.1.0
 * @category errors
 */
export type AddFailure = AddError | Pipeline.OpenError | RunStopped | CorpusClosed

/**
 * @since 0.1.0
 * @category errors
 */
export type SearchFailure = OptionError | SearchError | SinkError | EmbeddingError | RerankError | CorpusClosed

/**
 * @since 0.1.0
 * @category errors
 */
export type ParseFailure = Parser.ParseError | InvalidOptions | CorpusClosed

/**
 * @since 0.1.0
 * @category errors
 */
export type ChunksFailure =
  | Discovery.DiscoveryError
  | Source.SourceUnavailable
  | OptionError
  | FileError
  | Ledger.LedgerError
  | ChunkingError
  | EmbeddingError
  | RunStopped
  | ParseFailure

/**
 * Options of a figure's picture.
 *
 * @since 0.1.0
 * @category models
 */
export interface FigureOptions {
  /** Pixels of the picture's width, 16 to 2400; default 1000. */
  readonly width?: number | undefined
}

/**
 * @since 0.1.0
 * @category errors
 */
export type FigureFailure = FigureError | OptionError | CorpusClosed

/**
 * @since 0.1.0
 * @category errors
 */
export type GenerationsFailure = OptionError | Ledger.LedgerError | SinkError | CorpusClosed

/**
 * Options of a change of generations.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChangeOptions {
  /** Change a store of another state, after that state was lost; default false. */
  readonly adopt?: boolean | undefined
}

/**
 * @since 0.1.0
 * @category services
 */
export interface Service extends ReadOnlyCorpus<SearchFailure> {
  /**
   * Does only what is left to do since the previous run, and gives the summary: one failed document fails nothing. Calls that write run
   * one after another. Fails as `Pipeline.run` does.
   */
  readonly ingest: <E = never>(
    source: CorpusSource<E>,
    options?: IngestOptions
  ) => Effect.Effect<Summary, E | IngestFailure>
  /**
   * Parses, splits, embeds and stores one document, below the root of uploads, whatever the file's own root. It is remembered by its path:
   * the same bytes again cost nothing, other bytes replace it. Concurrent calls are parsed side by side, those of one path one after
   * another; a call during an ingestion waits for its end. A call that is interrupted before its turn does nothing; later, the document
   * may be stored all the same when others are added with it.
   */
  readonly add: (file: SourceFile) => Effect.Effect<Added, AddFailure>
  /** Removes one document, by its path or id, from targets, caches, ledger and failures; see `DocumentRemoval.remove`. */
  readonly remove: (source: string) => Effect.Effect<DocumentRemoval.Removed, DocumentRemoval.Failure | CorpusClosed>
  /**
   * Sends the failed documents again, those whose failure is final too. Those that cannot be sent from here, uploads for instance, stay
   * failures and are named in the summary's warnings; those whose file is gone are forgotten.
   */
  readonly retry: Effect.Effect<Summary, IngestFailure>
  /**
   * Parses the documents again that are stored without text or in part, whatever is cached, with the sources of the latest run over their
   * root. What an {@link ingest} can tell itself, such as OCR that was installed since, it does without this.
   */
  readonly retryEmpty: Effect.Effect<Summary, IngestFailure>
  readonly status: Effect.Effect<Status, Ledger.LedgerError | SinkError | CorpusClosed>
  /** The generations of each target that can hold a second one, the serving one first. */
  readonly generations: Effect.Effect<ReadonlyArray<StoreGeneration>, GenerationsFailure>
  /**
   * Changes over to the generation that `ingest` with `beside` filled, in every target that has one. Refused where it lacks a document that
   * the serving one has, or has it as it was before. Gives the generations after it.
   */
  readonly switch: (options?: ChangeOptions) => Effect.Effect<ReadonlyArray<StoreGeneration>, GenerationsFailure>
  /**
   * Changes back to the generation that served before the switch, with its documents as they were then; those that were removed since are
   * removed from it first.
   */
  readonly rollback: (options?: ChangeOptions) => Effect.Effect<ReadonlyArray<StoreGeneration>, GenerationsFailure>
  /** Deletes the generation that does not serve. */
  readonly drop: (options?: ChangeOptions) => Effect.Effect<ReadonlyArray<StoreGeneration>, GenerationsFailure>
  /** Documents whose last attempt failed, oldest failure first. */
  readonly failures: Effect.Effect<ReadonlyArray<Entry>, Ledger.LedgerError | CorpusClosed>
  /** Parses one file, by its path or as it is, and stores nothing. With a state, an answer is paid for once. */
  readonly parse: {
    <const Options extends ParseOptions>(
      file: string | SourceFile,
      options: Options
    ): Effect.Effect<ParsedWith<Options>, ParseFailure>
    (file: string | SourceFile): Effect.Effect<ParsedDocument, ParseFailure>
  }
  /** Parses one file and asks for data of a shape; see `Parser.extract`. */
  readonly extract: <A, I>(
    file: string | SourceFile,
    schema: Schema.Schema<A, I> | Extraction.Target<A>,
    options?: Extraction.Options
  ) => Effect.Effect<Extraction.Extraction<A>, ParseFailure | Extraction.ExtractionError>
  /**
   * The picture in a box of a page, from the PDF that was stored: of a chunk, for which `DocumentChunk.figures` gives the boxes of figures, of a
   * parsed document, or of the document with this id. The file is read where it was ingested, and has to have the bytes that it had.
   */
  readonly figure: (
    of: string | Pick<DocumentChunk, "documentId" | "source">,
    box: typeof Box.Type,
    options?: FigureOptions
  ) => Effect.Effect<FigurePicture, FigureFailure>
  /**
   * The chunks of a source's documents with their vectors, for programs that store them themselves: a document's together, documents in
   * the order of the source. Stores nothing; the first document that fails ends it. Ends with `CorpusClosed` when the corpus is closed.
   */
  readonly chunks: <E = never>(source: CorpusSource<E>) => Stream.Stream<DocumentChunk, E | ChunksFailure>
}
