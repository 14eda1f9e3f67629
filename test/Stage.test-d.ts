import {
  Chunker,
  ChunkSink,
  Discovery,
  Embedder,
  MarkdownChunker,
  type Outcome,
  Parser,
  type SourceFile,
  Stage,
  type Tokenizer
} from "docsluice"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import { Stream } from "effect"
import { expectTypeOf } from "vitest"

declare const files: Stream.Stream<SourceFile.SourceFile>
declare const documents: Stream.Stream<ChunkSink.DocumentChunks>
declare const sink: ChunkSink.ChunkSink.Service
declare const options: Stage.Options

const chunker = MarkdownChunker.make()

/** The first failure ends the stream. */
expectTypeOf(Parser.parseAll(files, { concurrency: 1 })).toEqualTypeOf<
  Stream.Stream<ParsedDocument, Parser.ParseError, Parser.Parser>
>()

/** A failure is a value, with its error; nothing ends the stream. */
expectTypeOf(files.pipe(Parser.parseAll({ concurrency: 1, failures: "keep" }))).toEqualTypeOf<
  Stream.Stream<ParsedDocument | Stage.Rejected<Parser.ParseError>, never, Parser.Parser>
>()

/** Options that do not say which may do either. */
expectTypeOf(Parser.parseAll(files, options)).toEqualTypeOf<
  Stream.Stream<ParsedDocument | Stage.Rejected<Parser.ParseError>, Parser.ParseError, Parser.Parser>
>()

/** What a stage is not for keeps its type to the end. */
expectTypeOf(
  Discovery.discover({ root: "docs" }).pipe(Parser.parseAll({ concurrency: 1 }), Chunker.chunkAll({ chunker }))
).toEqualTypeOf<
  Stream.Stream<
    Chunker.ChunkedDocument | Discovery.Unsupported | Discovery.Unusable,
    Discovery.DiscoveryError | Parser.ParseError | Chunker.ChunkingError,
    Parser.Parser | Tokenizer.Tokenizer
  >
>()

/** A sink is opened and finished: both may fail, whatever becomes of documents that do. */
expectTypeOf(ChunkSink.store(documents, sink, { failures: "keep" })).toEqualTypeOf<
  Stream.Stream<ChunkSink.DocumentChunks | Stage.Rejected<ChunkSink.SinkError | Outcome.Foreign>, ChunkSink.SinkError>
>()
expectTypeOf(documents.pipe(ChunkSink.store(sink))).toEqualTypeOf<
  Stream.Stream<ChunkSink.DocumentChunks, ChunkSink.SinkError>
>()

/** What a guard is for keeps its own type, in a filter and where failures go another way. */
declare const all: Stream.Stream<Chunker.ChunkedDocument | Discovery.Unsupported | Stage.Rejected<Parser.ParseError>>
expectTypeOf(all.pipe(Stream.filter(Stage.isChunked))).toEqualTypeOf<Stream.Stream<Chunker.ChunkedDocument>>()
expectTypeOf(Stream.filter(all, Stage.isRejected)).toEqualTypeOf<Stream.Stream<Stage.Rejected<Parser.ParseError>>>()
declare const results: Stream.Stream<
  Chunker.ChunkedDocument | Discovery.Unsupported | Discovery.Unusable | Stage.Rejected<Parser.ParseError>
>
expectTypeOf(Stream.filter(results, Stage.isFailure)).toEqualTypeOf<
  Stream.Stream<Discovery.Unusable | Stage.Rejected<Parser.ParseError>>
>()
declare const unknown: unknown
if (Stage.isFile(unknown)) expectTypeOf(unknown).toEqualTypeOf<SourceFile.SourceFile>()

/** A stage that would take nothing of its stream does not compile: chunks of documents that were not split. */
export const unfit = [
  // @ts-expect-error
  Embedder.embedAll(Parser.parseAll(files, { concurrency: 1 }), { concurrency: 1 }),
  // @ts-expect-error
  Stream.make("docs/a.pdf").pipe(Parser.parseAll({ concurrency: 1 }))
]
