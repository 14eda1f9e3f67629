/**
 * The embedded engine: parses every file type of the service on this machine, without a network.
 *
 * @since 0.1.0
 */
import { availableParallelism } from "node:os"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Engine, type EngineError, type EngineInput } from "../service/Engine.ts"
import { type Extension, mimeTypes } from "../service/FileType.ts"
import type { Resolved } from "../service/ParseOptions.ts"
import type { Metadata, ParseData, ParseResponse } from "../service/ParseResponse.ts"
import { InternalServerError } from "../service/ServiceError.ts"
import * as ContentType from "./content/ContentType.ts"
import { version } from "./EngineVersion.ts"
import * as Failure from "./Failure.ts"
import { HtmlResult, OfficeResult, PdfResult, type HtmlJob, type Job, type OfficeJob, type PdfJob } from "./jobs.ts"
import * as LanePool from "./lanes/LanePool.ts"
import * as Transport from "./lanes/Transport.ts"
import * as PdfModule from "./PdfModule.ts"
import * as Reserved from "./Reserved.ts"
import * as Unsupported from "./Unsupported.ts"

/**
 * How many documents are parsed at once. More wait their turn, at most their own `timeout`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Worker threads, for PDFs and web pages; default as many as cores, at most 4. Each holds up to 500 MB. */
  readonly workers?: number | undefined
  /** Child processes, for office documents; default as many as cores, at most 4. Each holds up to 500 MB. */
  readonly processes?: number | undefined
}

const defaultLanes = (): number => Math.min(4, Math.max(1, availableParallelism()))

interface Pools {
  readonly workers: LanePool.LanePool
  readonly processes: LanePool.LanePool
  readonly pdfModule: Effect.Effect<PdfModule.PdfModule, InternalServerError>
  /** As many permits as lanes, for callers that wait outside of the pools. */
  readonly freeWorkers: Effect.Semaphore
  readonly freeProcesses: Effect.Semaphore
}

const makePools = ({
  processes = defaultLanes(),
  workers = defaultLanes()
}: Options): Effect.Effect<Pools, never, Scope.Scope> =>
  Effect.all({
    workers: LanePool.make({
      start: Transport.worker(Transport.entryBeside("workerEntry", import.meta.url)),
      size: workers
    }),
    processes: LanePool.make({
      start: Transport.child(Transport.entryBeside("childEntry", import.meta.url)),
      size: processes
    }),
    pdfModule: Effect.cached(PdfModule.compile),
    freeWorkers: Effect.makeSemaphore(workers),
    freeProcesses: Effect.makeSemaphore(processes)
  })

const inWorker = (extension: Extension): boolean => extension === "pdf" || Unsupported.isHtml(extension)

const decoded = <A, I>(schema: Schema.Schema<A, I>, value: unknown): Effect.Effect<A, EngineError> =>
  Effect.mapError(
    Schema.decodeUnknown(schema)(value),
    (cause) =>
      new InternalServerError({ status: 500, error: `the parser's answer has another shape: ${cause.message}` })
  )

const run = <A, I>(
  pool: LanePool.LanePool,
  job: Job,
  timeout: number,
  result: Schema.Schema<A, I>
): Effect.Effect<A, EngineError> =>
  pool.run(job, Duration.millis(timeout)).pipe(
    Effect.mapError((error) => Failure.ofLane(error, timeout)),
    Effect.flatMap((reply) => (reply._tag === "Done" ? decoded(result, reply.value) : Failure.ofReply(reply)))
  )

const answer = (data: ParseData): ParseResponse => ({ success: true, data })

const metadata = (input: EngineInput, properties: Readonly<Record<string, unknown>>, creditsUsed = 1): Metadata => ({
  ...Reserved.without(properties),
  sourceURL: input.filename,
  statusCode: 200,
  contentType: mimeTypes[input.extension],
  creditsUsed
})

const wantsMarkdown = (options: Resolved): boolean => options.formats.some(({ type }) => type === "markdown")

const parseOffice = Effect.fnUntraced(function* (
  pools: Pools,
  input: EngineInput,
  extension: OfficeJob["extension"],
  options: Resolved
) {
  const { bytes } = input
  const job: OfficeJob = { kind: "office", bytes, extension, removeBase64Images: options.removeBase64Images }
  const { markdown, properties } = yield* run(pools.processes, job, options.timeout, OfficeResult)
  return answer({ ...(wantsMarkdown(options) && { markdown }), metadata: metadata(input, properties) })
})

const htmlMembers = ["markdown", "html", "rawHtml", "links", "images"] as const

const parseHtml = Effect.fnUntraced(function* (
  pools: Pools,
  input: EngineInput,
  extension: HtmlJob["extension"],
  options: Resolved
) {
  const job: HtmlJob = {
    kind: "html",
    bytes: input.bytes,
    extension,
    members: htmlMembers.filter((member) => options.formats.some(({ type }) => type === member)),
    onlyMainContent: options.onlyMainContent,
    includeTags: options.includeTags,
    excludeTags: options.excludeTags,
    removeBase64Images: options.removeBase64Images,
    blockAds: options.blockAds
  }
  const { properties, ...members } = yield* run(pools.workers, job, options.timeout, HtmlResult)
  return answer({ ...members, metadata: metadata(input, properties) })
})

/** Share of the time in which pages are read; the rest is for putting them together and for the way back. */
const readingShare = 0.9

const parsePdf = Effect.fnUntraced(function* (pools: Pools, input: EngineInput, options: Resolved) {
  const { blocks, maxPages, mode, pageMarkers, pages } = options.pdf
  const job: PdfJob = {
    kind: "pdf",
    bytes: input.bytes,
    mode: mode === "fast" ? "fast" : "auto",
    maxPages,
    pages,
    blocks,
    pageMarkers,
    budget: Math.floor(options.timeout * readingShare),
    module: yield* pools.pdfModule
  }
  const result = yield* run(pools.workers, job, options.timeout, PdfResult)
  if (result.kind === "failure") {
    return yield* result.code === "SCRAPE_TIMEOUT"
      ? Failure.tooSlow(options.timeout)
      : Failure.unparsable(result.error, result.code)
  }
  const { numPages, totalPages, ...properties } = result.metadata
  return answer({
    ...(wantsMarkdown(options) && { markdown: result.markdown }),
    ...(pages && { pages: result.pages ?? [] }),
    ...(blocks && { blocks: result.blocks ?? [] }),
    ...(result.warning !== undefined && { warning: result.warning }),
    metadata: { ...metadata(input, properties, Math.max(1, numPages)), numPages, totalPages }
  })
})

const dispatch = (pools: Pools, input: EngineInput, options: Resolved): Effect.Effect<ParseResponse, EngineError> => {
  const { extension } = input
  if (extension === "pdf") {
    return parsePdf(pools, input, options)
  }
  return Unsupported.isHtml(extension)
    ? parseHtml(pools, input, extension, options)
    : parseOffice(pools, input, extension, options)
}

/** The answer with this warning before its own. */
const withWarning =
  (warning: string | undefined) =>
  (response: ParseResponse): ParseResponse =>
    warning === undefined
      ? response
      : { ...response, data: { ...response.data, warning: [warning, response.data.warning ?? ""].join(" ").trim() } }

/**
 * Builds the engine. Threads and processes start with the first document that needs them and end with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Effect.Effect<Engine.Service, never, Scope.Scope> =>
  Effect.map(makePools(options), (pools): Engine.Service => ({
    version,
    whenFree: (extension, call) => (inWorker(extension) ? pools.freeWorkers : pools.freeProcesses).withPermits(1)(call),
    parse: (input, resolved) =>
      Effect.suspend((): Effect.Effect<ParseResponse, EngineError> => {
        if (input.bytes.length === 0) {
          return Unsupported.check(input.extension, resolved) ?? Failure.unparsable("the file is empty")
        }
        const content = ContentType.detect(input.bytes, input.extension)
        if (content._tag === "Unsupported") {
          return Failure.unparsable(ContentType.refusal(input.extension, content.what), "SCRAPE_UNSUPPORTED_FILE_ERROR")
        }
        const { extension } = content
        return (
          Unsupported.check(extension, resolved) ??
          Effect.map(
            dispatch(pools, { ...input, extension }, resolved),
            withWarning(ContentType.warning(input.extension, extension))
          )
        )
      })
  }))

/**
 * The engine as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<Engine> => Layer.scoped(Engine, make(options))
