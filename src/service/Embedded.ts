/**
 * The client without sockets: calls an engine in this process. Nothing leaves the machine and no key is needed.
 *
 * @since 0.1.0
 */
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AutoChunker from "../AutoChunker.ts"
import type { Chunker, ChunkingError } from "../Chunker.ts"
import * as DocumentAgent from "../engine/agent/DocumentAgent.ts"
import * as LocalClient from "../engine/agent/LocalClient.ts"
import * as MemoryIndex from "../engine/agent/MemoryIndex.ts"
import * as ModelEngine from "../engine/model/ModelEngine.ts"
import * as ModelRedactor from "../engine/model/ModelRedactor.ts"
import * as NativeEngine from "../engine/NativeEngine.ts"
import * as OcrInstall from "../engine/ocr/OcrInstall.ts"
import { OcrLanguages } from "../engine/ocr/OcrLanguages.ts"
import * as OcrPackages from "../engine/ocr/OcrPackages.ts"
import * as SchemaCheck from "../engine/SchemaCheck.ts"
import { AgentRunner } from "../internal/agent/runner.ts"
import * as FileType from "../internal/base/fileType.ts"
import * as Limits from "../internal/base/limits.ts"
import { OptionError } from "../internal/base/optionError.ts"
import { sha256 } from "../internal/base/sha256.ts"
import { faultOf } from "../internal/client/fileValues.ts"
import { CurrentRun, type RunState } from "../internal/client/runState.ts"
import { engineCall } from "../internal/server/engineCall.ts"
import { refusal } from "../internal/server/refusedOptions.ts"
import type { ReadOnlyCorpus } from "../internal/target/readOnlyCorpus.ts"
import { type Attempt, attempted } from "../internal/telemetry/attempt.ts"
import type { ParsedDocument } from "../ParsedDocument.ts"
import * as SourceFile from "../SourceFile.ts"
import * as Tokenizer from "../Tokenizer.ts"
import { AgentClient } from "./AgentClient.ts"
import { AgentJobs } from "./AgentJobs.ts"
import { Client } from "./Client.ts"
import { Engine } from "./Engine.ts"
import * as ParseOptions from "./ParseOptions.ts"
import type { BadRequest } from "./ServiceError.ts"

export {
  layer as layerOpenAiModel,
  layerConfig as layerOpenAiModelConfig,
  type Options as OpenAiModelOptions
} from "../internal/model/openAiModel.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Largest file in bytes that is parsed; default 52428800, as over HTTP. */
  readonly maxBytes?: number | undefined
}

/** Checks that need only name and size, before a byte is read. */
const checked = (file: SourceFile.SourceFile, maxBytes: number) =>
  Effect.gen(function* () {
    const fault = faultOf(file)
    if (fault !== null) return yield* fault
    if (file.size === 0) return yield* new SourceFile.FileUnreadable({ path: file.path, reason: "Empty" })
    if (file.size > maxBytes) {
      return yield* new SourceFile.FileTooLarge({ path: file.path, bytes: file.size, maxBytes })
    }
    return yield* Effect.mapError(
      FileType.fromName(file.path),
      () => new SourceFile.UnsupportedFile({ path: file.path, extension: FileType.extensionOf(file.path) })
    )
  })

/** Without a caller's `timeout`, the time bounds each part of a document instead of the whole. */
const resolved = (
  engine: Engine.Service,
  options: ParseOptions.ParseOptions
): Effect.Effect<ParseOptions.Resolved, BadRequest> =>
  Effect.mapBoth(ParseOptions.validate(options), {
    onSuccess: (valid) =>
      valid.timeout === undefined && engine.abilities?.includes("parts") === true
        ? { ...ParseOptions.resolve(valid), timeout: Limits.maxTimeout, inParts: true }
        : ParseOptions.resolve(valid),
    onFailure: refusal
  })

const goesOn = (run: RunState | null) => Effect.suspend(() => run?.stopped() ?? Effect.void)

const sent = (run: RunState | null, bytes: number) => {
  if (run === null) return
  run.counters.requests += 1
  run.counters.uploaded += bytes
}

const attemptOf = ({ path }: SourceFile.SourceFile, error: Attempt["error"]): Attempt => ({
  path,
  number: 1,
  error,
  until: null,
  gate: null
})

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const make = (engine: Engine.Service, maxBytes: number): Client.Service => ({
  identity: `embedded ${engine.version}`,
  free: true,
  abilities: engine.abilities,
  parse: Effect.fnUntraced(function* (file, options, keep = () => Effect.void) {
    const run = yield* CurrentRun
    yield* goesOn(run)
    const extension = yield* checked(file, maxBytes)
    const settled = yield* resolved(engine, options).pipe(
      Effect.tapError((error) => Effect.sync(() => run?.failed(error)))
    )
    const asked = Effect.gen(function* () {
      yield* goesOn(run)
      const bytes = yield* SourceFile.bytes(file)
      // Before the engine gets the bytes: a custom engine may transfer the buffer to a thread.
      const contentHash = sha256(bytes)
      run?.hashed?.(contentHash)
      sent(run, bytes.length)
      const call = engineCall(engine, { filename: baseName(file.path), extension, bytes }, settled)
      return yield* Effect.map(call, ({ data }) => ({ data, contentHash })).pipe(
        Effect.tapError((error) => Effect.sync(() => run?.failed(error))),
        Effect.tapBoth({
          onSuccess: () => attempted(attemptOf(file, null)),
          onFailure: (error) => attempted(attemptOf(file, error))
        })
      )
    })
    const free = engine.whenFree === undefined ? asked : engine.whenFree(extension, asked)
    // The parser is free for the next document while the answer is kept.
    const answer = yield* Effect.uninterruptibleMask((restore) => Effect.tap(restore(free), keep))
    run?.succeeded()
    return answer
  })
})

/**
 * A `Client` over the `Engine`. Makes one attempt: an engine that cannot parse now could not a second later either. Waits for a free
 * parser without a limit; holds one file's bytes while it is parsed.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerEngine = (options: Options = {}): Layer.Layer<Client, never, Engine> =>
  Layer.effect(
    Client,
    Effect.map(Engine, (engine) => make(engine, options.maxBytes ?? Limits.uploadBytes))
  )

/**
 * The engine that parses every file type on this machine, without a network, in child processes: as many as cores, at most 4, and one
 * for every 2 GiB of memory. Each is bounded by 1.5 GiB and by the deadline of its document, starts with the first document that needs
 * it, and ends after a minute without one and with the layer. Where `tesseract.js` and language data are installed, as many further ones
 * recognise the text of scans. For {@link layerEngine} and for `Server`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerNative: Layer.Layer<Engine> = Layer.suspend(() =>
  Layer.scoped(
    Engine,
    Effect.map(NativeEngine.make(), (native) => ModelEngine.make(native, undefined))
  )
)

/**
 * The languages in which {@link layerNative} and {@link layerNativeWithModel} recognise the text of scans, for the layers that it is provided to:
 * codes of packages `@tesseract.js-data/CODE`, such as `deu`. Of several, each document gets the one in which its first scan is recognised
 * best; `eng+deu` is one entry for text in both. Without it, all installed languages are tried. Fails with an `OptionError` that names
 * the command to run when the packages are not installed.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerOcrLanguages = (languages: ReadonlyArray<string>): Layer.Layer<never, OptionError> =>
  Layer.unwrapEffect(
    Effect.suspend(() => {
      const missing = OcrPackages.missing(OcrPackages.find(import.meta.url), languages)
      if (missing.length === 0) return Effect.succeed(Layer.succeed(OcrLanguages, languages))
      const problem = `${missing.join(", ")} cannot be recognised; run: ${OcrInstall.command(missing)}`
      return new OptionError({ option: "ocrLanguages", problem })
    })
  )

/**
 * A language model for the engine.
 *
 * @since 0.1.0
 * @category models
 */
export interface ModelOptions {
  /** Name and address of the model, without credentials; part of the engine's version, so that no cache mixes two models. */
  readonly identity: string
  /** Tokens that a request and its answer may hold together; longer documents are read in parts. Default 8192. */
  readonly contextTokens?: number | undefined
  /** True when the model may be sent documents with `zeroDataRetention`, as one on this machine. Default false. */
  readonly zeroDataRetention?: boolean | undefined
}

/**
 * {@link layerNative} with a language model, which writes `summary` and `json`, and finds personal data in the mode `accurate` of redaction. Without one, `summary` is made of the document's own sentences,
 * and `json` is refused.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerNativeWithModel = (options: ModelOptions): Layer.Layer<Engine, never, LanguageModel.LanguageModel> =>
  Layer.scoped(
    Engine,
    Effect.flatMap(LanguageModel.LanguageModel, (service) => {
      const model = {
        service,
        identity: options.identity,
        contextTokens: options.contextTokens ?? 8192,
        zeroDataRetention: options.zeroDataRetention ?? false
      }
      return Effect.zipWith(
        NativeEngine.make({ redactor: ModelRedactor.make(model) }),
        SchemaCheck.make,
        (native, schemas) => ModelEngine.make(native, { model, schemas })
      )
    })
  )

/**
 * The corpus and the model of {@link layerAgentRunner}.
 *
 * @since 0.1.0
 * @category models
 */
export interface CorpusAgentOptions extends Omit<ModelOptions, "zeroDataRetention"> {
  readonly documents?: undefined
  /** Its documents are searched, listed and read: a `Corpus`, or one's own. */
  readonly corpus: ReadOnlyCorpus
}

/**
 * Documents given directly, and the model of {@link layerAgentRunner}.
 *
 * @since 0.1.0
 * @category models
 */
export interface DocumentsAgentOptions extends Omit<ModelOptions, "zeroDataRetention"> {
  readonly corpus?: undefined
  /** Split and held in memory, and searched by words. */
  readonly documents: ReadonlyArray<ParsedDocument>
  /** Splits them; default `AutoChunker` with its defaults. Tokens are counted as `o200k_base`. */
  readonly chunker?: Chunker | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export type AgentOptions = CorpusAgentOptions | DocumentsAgentOptions

const corpusOf = (options: AgentOptions): Effect.Effect<ReadOnlyCorpus, ChunkingError> => {
  if (options.documents === undefined) return Effect.succeed(options.corpus)
  const { chunker = AutoChunker.make(), documents } = options
  return Effect.forEach(documents, (document) => chunker.chunk(document)).pipe(
    Effect.map((chunked) => MemoryIndex.make(chunked.flatMap(({ chunks }) => chunks))),
    Effect.provide(Tokenizer.layerO200k)
  )
}

/**
 * The agent runner for `AgentJobs`: answers prompts from the documents of a corpus, or from documents given directly, with the tools of
 * `Tools` that give texts, and with citations of passages that it has read. Without a schema the result is `{ answer, citations }`, each
 * citation with document, chunk id, pages, boxes and quote; with one it is what the schema describes, and the citations are the artifact
 * `citations`. One credit is 1000 tokens of a request and its answer, rounded up.
 *
 * @since 0.1.0
 * @category layers
 */
export function layerAgentRunner(
  options: CorpusAgentOptions
): Layer.Layer<AgentRunner, never, LanguageModel.LanguageModel>
export function layerAgentRunner(
  options: DocumentsAgentOptions
): Layer.Layer<AgentRunner, ChunkingError, LanguageModel.LanguageModel>
export function layerAgentRunner(
  options: AgentOptions
): Layer.Layer<AgentRunner, ChunkingError, LanguageModel.LanguageModel> {
  const { contextTokens = 8192, identity } = options
  return Layer.scoped(
    AgentRunner,
    Effect.gen(function* () {
      const service = yield* LanguageModel.LanguageModel
      const corpus = yield* corpusOf(options)
      const schemas = yield* SchemaCheck.make
      return yield* DocumentAgent.make({ service, identity, contextTokens, zeroDataRetention: false }, corpus, schemas)
    })
  )
}

/**
 * A client of agent jobs that calls `AgentJobs` in this process, for one owner: `Agent.run`, `Agent.events` and `Agent.artifacts` work
 * over it as over HTTP.
 *
 * ```ts
 * import { Agent, Embedded, type ParsedDocument, UndiciHttpClient } from "docsluice"
 * import * as AgentJobs from "docsluice/service/AgentJobs"
 * import { Effect, Layer } from "effect"
 *
 * const answered = (documents: ReadonlyArray<ParsedDocument.ParsedDocument>) => {
 *   const model = Embedded.layerOpenAiModel({ model: "qwen3", baseUrl: "http://127.0.0.1:11434/v1" })
 *   const client = Embedded.layerAgentClient().pipe(
 *     Layer.provide(AgentJobs.layerMemory()),
 *     Layer.provide(Embedded.layerAgentRunner({ documents, identity: "qwen3" })),
 *     Layer.provide(model),
 *     Layer.provide(UndiciHttpClient.layer())
 *   )
 *   return Effect.provide(Agent.result({ prompt: "Which invoices are overdue?" }), client)
 * }
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layerAgentClient = (
  options: {
    /** Owner of the jobs; default `local`. */
    readonly owner?: string | undefined
  } = {}
): Layer.Layer<AgentClient, never, AgentJobs> =>
  Layer.effect(
    AgentClient,
    Effect.map(AgentJobs, (jobs) => LocalClient.make(jobs, { owner: options.owner ?? "local" }))
  )

/**
 * The service in this process: {@link layerEngine} over {@link layerNative}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<Client> => Layer.provide(layerEngine(options), layerNative)
