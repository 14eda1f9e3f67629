/**
 * The package for programs without Effect: promises, async iterables and plain objects.
 *
 * Promises reject with the tagged error itself: compare its `_tag`. An aborted `signal` ends everything at once and rejects
 * with its reason. The first call loads what it needs; the module itself loads almost nothing.
 *
 * @since 0.1.0
 */
import type { StandardSchemaV1 } from "@standard-schema/spec"
import type * as Schema from "effect/Schema"
import type * as Chunker from "./Chunker.ts"
import type * as Corpus from "./Corpus.ts"
import type { Entry } from "./DeadLetter.ts"
import type * as Discovery from "./Discovery.ts"
import type { DocumentChunk } from "./DocumentChunk.ts"
import type * as Evaluation from "./Evaluation.ts"
import type * as Extraction from "./Extraction.ts"
import type * as AsyncAgents from "./internal/async/agent.ts"
import type * as AsyncChunkers from "./internal/async/chunker.ts"
import type * as AsyncDescribers from "./internal/async/describer.ts"
import type * as AsyncEmbedders from "./internal/async/embedder.ts"
import type * as AsyncEvaluations from "./internal/async/evaluation.ts"
import type * as AsyncExtractions from "./internal/async/extraction.ts"
import type * as AsyncLoggers from "./internal/async/logger.ts"
import type * as AsyncModels from "./internal/async/model.ts"
import type { Handle } from "./internal/async/open.ts"
import { opened } from "./internal/async/opened.ts"
import type * as AsyncOptions from "./internal/async/options.ts"
import type * as AsyncReaders from "./internal/async/reader.ts"
import type * as AsyncSinks from "./internal/async/sink.ts"
import type * as AsyncSources from "./internal/async/source.ts"
import type * as AsyncTools from "./internal/async/tools.ts"
import type { AgentEvent, AgentTrace } from "./internal/client/agentEvent.ts"
import type { AgentRequest, Job, SnapshotText } from "./internal/client/agentJob.ts"
import type { Removed } from "./internal/run/removal.ts"
import * as spelling from "./internal/target/spelling.ts"
import type { Summary } from "./Outcome.ts"
import type { ParsedDocument, ParsedWith } from "./ParsedDocument.ts"
import type * as Agent from "./service/Agent.ts"
import type { ParseOptions } from "./service/ParseOptions.ts"
import type * as Verification from "./Verification.ts"

const agents = () => import("./internal/async/agent.ts")

type AgentModule = Awaited<ReturnType<typeof agents>>

const programs = () => import("./internal/async/programs.ts")

/**
 * A file of your own: a name, and its bytes or a function that reads them.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncFile = AsyncSources.AsyncFile

/**
 * A splitting strategy of your own: spans of the Markdown, in ascending order.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncChunker = AsyncChunkers.AsyncChunker

/**
 * A span of a document's Markdown.
 *
 * @since 0.1.0
 * @category models
 */
export type Piece = AsyncChunkers.Piece

/**
 * A target of your own.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncSink = AsyncSinks.AsyncSink

/**
 * Source of vectors: a spelling as on the command line, `"hash"` (offline and lexical, no model) or `"openai:MODEL[@BASE]"`; a model of the
 * AI SDK or embeddings of LangChain.js; a function of your own (`{ model, embed }`); a server that speaks OpenAI's protocol
 * (`{ model, baseUrl, apiKey }`); or an embedder of this package as a layer.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncEmbedder = AsyncEmbedders.AsyncEmbedder

/**
 * What describes figures: a spelling as on the command line, `openai:MODEL[@BASE]`, a function of your own (`{ name, write }`), or a describer
 * of `Parser`.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncDescriber = AsyncDescribers.AsyncDescriber

/**
 * Takes log messages; `console` fits, and so does a logger of most packages. Each function gets the message and its fields.
 * Messages of a level without a function are dropped. `debug` gets a line for each attempt of a request.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncLogger = AsyncLoggers.AsyncLogger

/**
 * A reader of a file type of your own: an extension, and a function that gives the text of a file.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncReader = AsyncReaders.AsyncReader

/**
 * A sink by its spelling as on the command line (`libsql:store.db`), of this package (`Jsonl.layer({ file })`), as a service, or as an
 * object with promises.
 *
 * @since 0.1.0
 * @category models
 */
export type Target = AsyncOptions.Target

/**
 * True for a text whose kind of target there is, as one of a configuration has to be before it is given as `to`; what follows the kind is
 * checked when it is opened.
 *
 * @since 0.1.0
 * @category guards
 */
export const isTarget: (text: string) => text is spelling.SinkSpelling = spelling.isTarget

/**
 * True for `none`, `hash`, and a text whose kind of embedder there is.
 *
 * @since 0.1.0
 * @category guards
 */
export const isEmbedder: (text: string) => text is spelling.EmbedderSpelling = spelling.isEmbedder

/**
 * True for `none`, and a text whose kind of reranker there is.
 *
 * @since 0.1.0
 * @category guards
 */
export const isReranker: (text: string) => text is spelling.RerankerSpelling = spelling.isReranker

/**
 * The parser and the tokenizer.
 *
 * @since 0.1.0
 * @category models
 */
export type ServiceOptions = AsyncOptions.ServiceOptions

/**
 * The files to parse: those below a root, or files of your own.
 *
 * @since 0.1.0
 * @category models
 */
export type SourceOptions = AsyncOptions.SourceOptions

/**
 * A folder for the memory of runs, and the use that a run makes of it, see `Pipeline.StateOptions`.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncState = AsyncOptions.AsyncState

/**
 * @since 0.1.0
 * @category models
 */
export type IngestOptions<C = AsyncChunkers.Given> = AsyncOptions.IngestOptions<C>

/**
 * Discovers, parses, splits and stores. One failed document rejects nothing: see `failures` of the summary, and `stopped` for
 * the cause of a run that ended early. Rejects for a wrong root or argument, an unfit target, or the failure of `files`.
 *
 * @since 0.1.0
 * @category running
 */
export function ingest(options: IngestOptions<AsyncChunkers.Value>): Promise<Summary>
export function ingest(options: IngestOptions): Promise<Summary>
export async function ingest(options: IngestOptions): Promise<Summary> {
  return (await programs()).ingest(options)
}

/**
 * Parses one file: a path of this machine, or a file of your own. With pages and blocks, unless the parse options say otherwise; the
 * result's type has the members of the `formats` asked for.
 *
 * ```ts
 * import * as Async from "docsluice/Async"
 *
 * const page = await Async.parse("page.html", { parseOptions: { formats: [{ type: "html" }, { type: "links" }] } })
 * console.log(page.links.length)
 * ```
 *
 * @since 0.1.0
 * @category running
 */
export function parse<const Options extends ParseOptions>(
  file: string | AsyncFile,
  options: ServiceOptions & { readonly parseOptions: Options }
): Promise<ParsedWith<Options>>
export function parse(file: string | AsyncFile, options?: ServiceOptions): Promise<ParsedDocument>
export async function parse(file: string | AsyncFile, options: ServiceOptions = {}): Promise<ParsedDocument> {
  return (await programs()).parse(file, options)
}

/**
 * @since 0.1.0
 * @category models
 */
export type ExtractOptions = AsyncOptions.ExtractOptions

/**
 * A Standard Schema that brings no JSON Schema of its own, with one beside it.
 *
 * @since 0.1.0
 * @category models
 */
export type SchemaPair<A> = AsyncExtractions.SchemaPair<A>

/**
 * Parses one file and asks the service for data of a schema's shape: an Effect Schema, a Standard Schema such as Zod's, or a JSON Schema.
 * Rejects with `ExtractionError` where the answer does not conform.
 *
 * ```ts
 * import * as Async from "docsluice/Async"
 * import { z } from "zod/v4"
 *
 * const Invoice = z.object({ number: z.string(), total: z.number() })
 * const { value } = await Async.extract("invoice.pdf", Invoice, { service: "http://127.0.0.1:8787" })
 * console.log(value.total * 2)
 * ```
 *
 * @since 0.1.0
 * @category running
 */
export function extract<A, I>(
  file: string | AsyncFile,
  schema: Schema.Schema<A, I>,
  options?: ExtractOptions
): Promise<Extraction.Extraction<A>>
export function extract<A>(
  file: string | AsyncFile,
  schema: StandardSchemaV1<unknown, A> | SchemaPair<A>,
  options?: ExtractOptions
): Promise<Extraction.Extraction<A>>
export function extract(
  file: string | AsyncFile,
  schema: Extraction.JsonSchema,
  options?: ExtractOptions
): Promise<Extraction.Extraction<unknown>>
export async function extract(
  file: string | AsyncFile,
  schema: object,
  options: ExtractOptions = {}
): Promise<Extraction.Extraction<unknown>> {
  return (await programs()).extract(file, schema, options)
}

/**
 * The files below a root, and what cannot be parsed there; see `Discovery.discover`. A file of an archive or a list can be read until the
 * iterable ends.
 *
 * @since 0.1.0
 * @category running
 */
export const discover = (
  options: AsyncOptions.RootOptions & Pick<ServiceOptions, "logger" | "readers" | "signal">
): AsyncIterable<Discovery.Found> => opened(async () => (await programs()).discover(options))

/**
 * @since 0.1.0
 * @category models
 */
export type ChunksOptions<C = AsyncChunkers.Given> = AsyncOptions.ChunksOptions<C>

/**
 * The chunks of all documents, for programs that store them themselves: a document's chunks together and in order, documents in
 * the order of the source. Holds the chunks of a few documents beyond those consumed.
 *
 * @since 0.1.0
 * @category running
 */
export function chunks(options: ChunksOptions<AsyncChunkers.Value>): AsyncIterable<DocumentChunk>
export function chunks(options: ChunksOptions): AsyncIterable<DocumentChunk>
export function chunks(options: ChunksOptions): AsyncIterable<DocumentChunk> {
  return opened(async () => (await programs()).chunks(options))
}

/**
 * The service with the agents: an address, a client of your own as a layer, or documents and a language model in this process.
 *
 * @since 0.1.0
 * @category models
 */
export type AgentOptions = AsyncAgents.AgentOptions

/**
 * A language model: a spelling as on the command line, `openai:MODEL[@BASE]`; a server that speaks OpenAI's protocol
 * (`{ model, baseUrl, apiKey }`); or a layer with its identity.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncModel = AsyncModels.AsyncModel

/**
 * As {@link IngestOptions}, without the files.
 *
 * @since 0.1.0
 * @category models
 */
export type ArtifactOptions = AsyncAgents.ArtifactOptions

/**
 * Agent jobs of a service. Every call is as the one of `AgentClient` or `Agent` of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export interface AsyncAgent {
  /** Submits a job and watches it to its result. An aborted `signal` cancels the job. */
  readonly result: (request: AgentRequest, polling?: Agent.Polling) => Promise<Job>
  /** The steps of a job from its submission to its result. Leaving the loop before its end cancels the job, and so does the `signal`. */
  readonly run: (request: AgentRequest, polling?: Agent.Polling) => AsyncIterable<Agent.Update>
  /** The steps of a job that runs already; leaving the loop leaves the job alone. */
  readonly follow: (jobId: string, polling?: Agent.Polling) => AsyncIterable<Agent.Update>
  /** The events of a job, each once, to the last one. */
  readonly events: (jobId: string, polling?: Agent.Polling) => AsyncIterable<AgentEvent>
  /** The artifacts of a job as it makes them. */
  readonly artifacts: (jobId: string, polling?: Agent.Polling) => AsyncIterable<Agent.Artifact>
  readonly submit: (request: AgentRequest) => Promise<string>
  readonly status: (jobId: string) => Promise<Job>
  readonly trace: (jobId: string) => Promise<AgentTrace>
  readonly snapshot: (jobId: string, snapshotId: string) => Promise<SnapshotText>
  readonly cancel: (jobId: string) => Promise<void>
  /** Stores the artifacts of a job as documents, each in its last version, once the job has ended; see `ArtifactSource`. */
  readonly ingest: (jobId: string, options: ArtifactOptions) => Promise<Summary>
  /** Closes the connections. Jobs in this process end, and are gone. Further calls reject. */
  readonly close: () => Promise<void>
  /** As `close`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/**
 * Agent jobs of a service, or of this process. The first call opens what all calls share: a pool of connections, and the limits of the
 * service's address and key. Connections that are idle do not keep the process alive; agents in this process do until `close`.
 *
 * ```ts
 * import * as Async from "docsluice/Async"
 *
 * const agent = Async.agent({ service: "http://127.0.0.1:8787" })
 * const job = await agent.result({ prompt: "Which invoices are overdue?", maxCredits: 100 })
 * console.log(job.data, job.creditsUsed)
 * await agent.ingest(job.jobId, { sinks: [] })
 * await agent.close()
 * ```
 *
 * Documents given directly, held and searched in memory:
 *
 * ```ts
 * import * as Async from "docsluice/Async"
 *
 * const model = { model: "qwen3", baseUrl: "http://127.0.0.1:11434/v1" }
 * const agent = Async.agent({ documents: [await Async.parse("report.pdf")], model })
 * const { data } = await agent.result({ prompt: "What does the report recommend?" })
 * console.log(data)
 * await agent.close()
 * ```
 *
 * @since 0.1.0
 * @category running
 */
export const agent = (options: AgentOptions): AsyncAgent => {
  let opening: Promise<{ readonly module: AgentModule; readonly handle: AsyncAgents.Handle }> | undefined
  const handled = () => (opening ??= agents().then((module) => ({ module, handle: module.open(options) })))
  const calling = async <A>(call: (module: AgentModule, handle: AsyncAgents.Handle) => A | Promise<A>): Promise<A> => {
    const { handle, module } = await handled()
    return call(module, handle)
  }
  const close = () => calling((_, handle) => handle.close())
  return {
    result: (request, polling) => calling((module, handle) => module.result(handle, request, polling)),
    run: (request, polling) => opened(() => calling((module, handle) => module.run(handle, request, polling))),
    follow: (jobId, polling) => opened(() => calling((module, handle) => module.follow(handle, jobId, polling))),
    events: (jobId, polling) => opened(() => calling((module, handle) => module.events(handle, jobId, polling))),
    artifacts: (jobId, polling) => opened(() => calling((module, handle) => module.artifacts(handle, jobId, polling))),
    submit: (request) => calling((module, handle) => module.submit(handle, request)),
    status: (jobId) => calling((module, handle) => module.status(handle, jobId)),
    trace: (jobId) => calling((module, handle) => module.trace(handle, jobId)),
    snapshot: (jobId, snapshotId) => calling((module, handle) => module.snapshot(handle, jobId, snapshotId)),
    cancel: (jobId) => calling((module, handle) => module.cancel(handle, jobId)),
    ingest: (jobId, options) => calling((module, handle) => module.ingest(handle, jobId, options)),
    close,
    [Symbol.asyncDispose]: close
  }
}

/**
 * Splits Markdown, or plain text, that a program already has; see `Chunker.text`. Loads neither parsers nor stores.
 *
 * ```ts
 * import * as Async from "docsluice/Async"
 *
 * const chunks = await Async.split("# Gauges\n\nCalibrated in May.", { maxTokens: 256 })
 * ```
 *
 * @since 0.1.0
 * @category running
 */
export const split = async (
  markdown: string,
  options: Chunker.TextOptions = {}
): Promise<ReadonlyArray<DocumentChunk>> => (await import("./internal/async/split.ts")).split(markdown, options)

/**
 * Numbers of hits and tokens that are looked at, the seed of the intervals, and the call's signal.
 *
 * @since 0.1.0
 * @category models
 */
export type EvaluateOptions = AsyncEvaluations.Options

/**
 * Asks every question of a search and measures how often the hits hold the answer; see `Evaluation`. Questions are a file, CSV or JSON
 * Lines, or objects; the search is `search` of a corpus, or a function of your own. Rejects with `QuestionError` for a question that cannot
 * be used, and with the search's own error.
 *
 * ```ts
 * import * as Async from "docsluice/Async"
 *
 * const docs = await Async.open({ to: "libsql:store.db" })
 * const { levels, misses } = await Async.evaluate("questions.csv", docs.search)
 * for (const { level, measures } of levels) console.log(level, measures["hit@5"]?.value)
 * console.log(misses.length)
 * await docs.close()
 * ```
 *
 * @since 0.1.0
 * @category running
 */
export const evaluate = async (
  questions: AsyncEvaluations.Asked,
  search: AsyncEvaluations.Search,
  options: EvaluateOptions = {}
): Promise<Evaluation.Result> => (await import("./internal/async/evaluation.ts")).evaluate(questions, search, options)

/**
 * Options of a corpus: targets, embedder, chunker, state, service and model.
 *
 * @since 0.1.0
 * @category models
 */
export type OpenOptions<C = AsyncChunkers.Given> = AsyncOptions.OpenOptions<C>

/**
 * Files to ingest: a path, a glob or an address (`s3://…`, `az://…`, `sitemap:URL`, `list:FILE`, `zip:FILE`, `tar:FILE`), relative to the
 * working directory as on the command line; several of them; a root with patterns; or files of your own.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncSource = AsyncOptions.AsyncSource

/**
 * Options of one call of a corpus.
 *
 * @since 0.1.0
 * @category models
 */
export type CallOptions = AsyncOptions.CallOptions

/**
 * @since 0.1.0
 * @category models
 */
export type RetryOptions = AsyncOptions.RetryOptions

/**
 * Options of one ingestion of a corpus.
 *
 * @since 0.1.0
 * @category models
 */
export type CorpusIngestOptions = AsyncOptions.HandleIngestOptions

/**
 * Documents and the stores that hold them behind one handle. Every call is as that of `Corpus` of the same name, and rejects with
 * `CorpusClosed` after `close`. An aborted `signal` ends its own call only.
 *
 * @since 0.1.0
 * @category models
 */
export interface AsyncCorpus extends AsyncDisposable {
  /** Does only what is left to do since the previous run. Calls that write run one after another. */
  readonly ingest: (source: AsyncSource, options?: CorpusIngestOptions) => Promise<Summary>
  /**
   * Parses, splits, embeds and stores one document, an upload for instance. The same bytes under the same path cost nothing, other bytes
   * replace it. Rejects with `AddError` where the document cannot be stored.
   */
  readonly add: (file: AsyncFile, options?: CallOptions) => Promise<Corpus.Added>
  /** Best hits first, each with its citation, without those that do not fit; see `Corpus`. Rejects with `SearchError` where nothing is stored yet, or the embedder is another. */
  readonly search: (
    query: string,
    options?: Corpus.SearchOptions & CallOptions
  ) => Promise<ReadonlyArray<Corpus.CitedHit>>
  /** Whether a quote stands in the stored documents, and where; see `Verification.verify`. */
  readonly verify: (quote: string, options?: Verification.Options & CallOptions) => Promise<Verification.Verdict>
  /** The same for each sentence of a text, such as an answer; see `Verification.verifySentences`. */
  readonly verifySentences: (
    text: string,
    options?: Verification.Options & CallOptions
  ) => Promise<ReadonlyArray<Verification.Verdict>>
  /** Removes one document, by its path or id, from everywhere. */
  readonly remove: (source: string, options?: CallOptions) => Promise<Removed>
  /** Sends the failed documents again; with `empty`, those that are stored without text or in part. */
  readonly retry: (options?: RetryOptions) => Promise<Summary>
  readonly status: (options?: CallOptions) => Promise<Corpus.Status>
  /** The generations of each target that can hold a second one, the serving one first. */
  readonly generations: (options?: CallOptions) => Promise<ReadonlyArray<Corpus.StoreGeneration>>
  /** Changes over to the generation that {@link ingest} with `beside` filled. */
  readonly switch: (options?: Corpus.ChangeOptions & CallOptions) => Promise<ReadonlyArray<Corpus.StoreGeneration>>
  /** Changes back to the generation that served before the switch. */
  readonly rollback: (options?: Corpus.ChangeOptions & CallOptions) => Promise<ReadonlyArray<Corpus.StoreGeneration>>
  /** Deletes the generation that does not serve. */
  readonly drop: (options?: Corpus.ChangeOptions & CallOptions) => Promise<ReadonlyArray<Corpus.StoreGeneration>>
  /** Documents whose last attempt failed, oldest failure first. */
  readonly failures: (options?: CallOptions) => Promise<ReadonlyArray<Entry>>
  /** As {@link parse}, with the parser and the caches of the corpus. */
  readonly parse: {
    <const Options extends ParseOptions>(
      file: string | AsyncFile,
      options: CallOptions & { readonly parseOptions: Options }
    ): Promise<ParsedWith<Options>>
    (file: string | AsyncFile, options?: CallOptions): Promise<ParsedDocument>
  }
  /** The picture in a box of a page, of a chunk, a parsed document or the document with this id; see `Corpus`. Rejects with `FigureError`. */
  readonly figure: (
    of: string | Pick<DocumentChunk, "documentId" | "source">,
    box: DocumentChunk["boxes"][number],
    options?: Corpus.FigureOptions & CallOptions
  ) => Promise<Corpus.FigurePicture>
  /** As {@link extract}, with the parser and the caches of the corpus. */
  readonly extract: {
    <A, I>(
      file: string | AsyncFile,
      schema: Schema.Schema<A, I>,
      options?: AsyncOptions.ExtractCall
    ): Promise<Extraction.Extraction<A>>
    <A>(
      file: string | AsyncFile,
      schema: StandardSchemaV1<unknown, A> | SchemaPair<A>,
      options?: AsyncOptions.ExtractCall
    ): Promise<Extraction.Extraction<A>>
    (
      file: string | AsyncFile,
      schema: Extraction.JsonSchema,
      options?: AsyncOptions.ExtractCall
    ): Promise<Extraction.Extraction<unknown>>
  }
  /** The chunks of a source's documents with their vectors; stores nothing. */
  readonly chunks: (source: AsyncSource, options?: CallOptions) => AsyncIterable<DocumentChunk>
  /** As {@link tools}. */
  readonly tools: (options?: ToolOptions) => Promise<ReadonlyArray<AsyncTool>>
  /** Waits for the calls that run and closes everything. May be called again. */
  readonly close: () => Promise<void>
}

/**
 * Opens a corpus: parser, model, caches, stores and the lock of the state live as long as it does. Rejects with `LedgerError`, reason
 * `Locked`, while another one has the state open, in this process or another. Nothing is written to stdout.
 *
 * ```ts
 * import * as Async from "docsluice/Async"
 *
 * const docs = await Async.open({ to: "libsql:store.db", embedder: "hash", state: ".docsluice" })
 * await docs.ingest("handbooks")
 * await docs.add({ path: "note.html", content: new TextEncoder().encode("<h1>Gauges</h1><p>Calibrated in May.</p>") })
 * for (const { chunk, citation } of await docs.search("gauge calibration")) console.log(citation.label, chunk.text)
 * await docs.close()
 * ```
 *
 * @since 0.1.0
 * @category running
 */
export function open(options: OpenOptions<AsyncChunkers.Value>): Promise<AsyncCorpus>
export function open(options: OpenOptions): Promise<AsyncCorpus>
export async function open(options: OpenOptions): Promise<AsyncCorpus> {
  const { open } = await import("./internal/async/open.ts")
  return disposable(await open(options))
}

const disposable = (handle: Handle): AsyncCorpus => {
  function parse<const Options extends ParseOptions>(
    file: string | AsyncFile,
    options: CallOptions & { readonly parseOptions: Options }
  ): Promise<ParsedWith<Options>>
  function parse(file: string | AsyncFile, options?: CallOptions): Promise<ParsedDocument>
  async function parse(file: string | AsyncFile, options?: CallOptions): Promise<ParsedDocument> {
    return handle.parse(file, options)
  }
  function extract<A, I>(
    file: string | AsyncFile,
    schema: Schema.Schema<A, I>,
    options?: AsyncOptions.ExtractCall
  ): Promise<Extraction.Extraction<A>>
  function extract<A>(
    file: string | AsyncFile,
    schema: StandardSchemaV1<unknown, A> | SchemaPair<A>,
    options?: AsyncOptions.ExtractCall
  ): Promise<Extraction.Extraction<A>>
  function extract(
    file: string | AsyncFile,
    schema: Extraction.JsonSchema,
    options?: AsyncOptions.ExtractCall
  ): Promise<Extraction.Extraction<unknown>>
  async function extract(
    file: string | AsyncFile,
    schema: object,
    options?: AsyncOptions.ExtractCall
  ): Promise<Extraction.Extraction<unknown>> {
    return handle.extract(file, schema, options)
  }
  return { ...handle, parse, extract, [Symbol.asyncDispose]: handle.close }
}

/**
 * Options of the tools of a handle, as those of `Tools`.
 *
 * @since 0.1.0
 * @category models
 */
export type ToolOptions = AsyncTools.ToolOptions

/**
 * A tool as agent frameworks take it: a name, a description for a model, the JSON Schema of its arguments, and what carries it out.
 *
 * @since 0.1.0
 * @category models
 */
export type AsyncTool = AsyncTools.AsyncTool

/**
 * The tools of `Tools` over a handle, for the AI SDK, LangChain and Mastra: search, outline, list, read, look, verify and status, and with
 * `write` ingest and remove. What they hold ends with the handle.
 *
 * ```ts
 * import * as Async from "docsluice/Async"
 *
 * const docs = await Async.open({ to: "libsql:store.db" })
 * const [search] = await Async.tools(docs, { filter: { "metadata.audience": "public" } })
 * console.log(search?.name, await search?.execute({ query: "How often is the gauge cleaned?" }))
 * await docs.close()
 * ```
 *
 * @since 0.1.0
 * @category running
 */
export const tools = async (
  docs: Pick<AsyncCorpus, "tools">,
  options: ToolOptions = {}
): Promise<ReadonlyArray<AsyncTool>> => docs.tools(options)
