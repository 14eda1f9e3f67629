// The road of a document, from its file to a store.
export * as Discovery from "./Discovery.ts"
export * as Source from "./Source.ts"
export * as SourceFile from "./SourceFile.ts"
export * as Parser from "./Parser.ts"
export * as Readers from "./Readers.ts"
export * as ParsedDocument from "./ParsedDocument.ts"
export * as Extraction from "./Extraction.ts"
export * as AutoChunker from "./AutoChunker.ts"
export * as BlockChunker from "./BlockChunker.ts"
export * as MarkdownChunker from "./MarkdownChunker.ts"
export * as PageChunker from "./PageChunker.ts"
export * as Chunker from "./Chunker.ts"
export * as Tokenizer from "./Tokenizer.ts"
export * as DocumentChunk from "./DocumentChunk.ts"
export * as Embedder from "./Embedder.ts"
export * as ChunkSink from "./ChunkSink.ts"
export * as Stage from "./Stage.ts"

// The whole road, and what became of each file.
export * as Corpus from "./Corpus.ts"
export * as Pipeline from "./Pipeline.ts"
export * as Plan from "./Plan.ts"
export * as Outcome from "./Outcome.ts"
export * as DeadLetter from "./DeadLetter.ts"
export * as Filter from "./Filter.ts"
export * as Interop from "./Interop.ts"

// What is kept between runs, and shared by processes.
export * as State from "./State.ts"
export * as Ledger from "./Ledger.ts"
export * as ParseCache from "./ParseCache.ts"
export * as EmbeddingCache from "./EmbeddingCache.ts"
export * as Queue from "./Queue.ts"

// The parsing service.
export * as Client from "./service/Client.ts"
export * as Embedded from "./service/Embedded.ts"
export * as ParseOptions from "./service/ParseOptions.ts"
export * as ServiceError from "./service/ServiceError.ts"
export * as RetryPolicy from "./RetryPolicy.ts"
export * as RequestGate from "./RequestGate.ts"
export * as UndiciHttpClient from "./UndiciHttpClient.ts"
export * as Telemetry from "./Telemetry.ts"

// Agent jobs.
export * as Agent from "./service/Agent.ts"
export * as AgentClient from "./service/AgentClient.ts"
export * as ArtifactSource from "./ArtifactSource.ts"
