/** The embedded engine: parses every file type of the service on this machine, without a network. */
import { availableParallelism, totalmem } from "node:os"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { type Extension, mimeTypes } from "../internal/base/fileType.ts"
import * as Limits from "../internal/base/limits.ts"
import type { Metadata, ParseData, ParseResponse } from "../internal/base/parseResponse.ts"
import { compact } from "../internal/base/tolerant.ts"
import { Engine, type EngineError, type EngineFile } from "../service/Engine.ts"
import type { Resolved } from "../service/ParseOptions.ts"
import { InternalServerError } from "../service/ServiceError.ts"
import * as ContentType from "./content/ContentType.ts"
import { version } from "./EngineVersion.ts"
import * as Failure from "./Failure.ts"
import {
  type Content,
  type HtmlJob,
  HtmlResult,
  type OfficeJob,
  OfficeResult,
  type PdfJob,
  PdfResult,
  RedactResult,
  type Sent,
  type TreeOptions
} from "./jobs.ts"
import type * as LanePool from "./lanes/LanePool.ts"
import * as OcrLanguages from "./ocr/OcrLanguages.ts"
import type { OcrSettings } from "./ocr/PageOcr.ts"
import * as OcrTurns from "./OcrTurns.ts"
import * as OneAtATime from "./OneAtATime.ts"
import * as PageProgress from "./PageProgress.ts"
import * as ParserPool from "./ParserPool.ts"
import * as RedactedAnswer from "./redaction/RedactedAnswer.ts"
import type { Redactor } from "./redaction/Redactor.ts"
import * as Reserved from "./Reserved.ts"
import * as Unsupported from "./Unsupported.ts"

/** Number of documents that are parsed at the same time. Further ones wait, each at most its own `timeout`. */
export interface Options {
  /**
   * Child processes; default one per core, at most 4, and one per 2 GiB that this process may use. Each holds at most 1 GiB of JavaScript
   * heap and 1.5 GiB in all, and at most 500 MiB between two documents. As many more recognise the pages of scans, that many at a time.
   */
  readonly lanes?: number | undefined
  /** Recognises text in pictures of pages; default: in the languages of `OcrLanguages`, if the packages are installed. `none`: never. */
  readonly ocr?: OcrSettings | "none" | undefined
  /** Finds personal data for the modes `accurate` and `aggressive` of `redactPII`; default none: rules find it. */
  readonly redactor?: Redactor | undefined
}

const memoryOfLane = 2 * 1024 ** 3

/** Memory in bytes that this process may use: that of its container if it has a limit, otherwise the machine's. */
const memory = (): number => {
  // Without a limit, older versions of Node return nothing or 0, and some return more than there is.
  const bound = process.constrainedMemory?.() ?? 0
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem()
}

const defaultLanes = (): number => Math.max(1, Math.min(4, availableParallelism(), Math.floor(memory() / memoryOfLane)))

/** A document, as it is sent to a lane. */
interface Document {
  readonly filename: string
  readonly extension: Extension
  readonly bytes: Content
}

interface Lanes {
  readonly size: number
  readonly pool: LanePool.LanePool
  /** One permit per lane, for callers that wait outside the pool. */
  readonly free: Effect.Semaphore
  readonly alone: OneAtATime.OneAtATime
  readonly redactor: Redactor | undefined
  readonly ocr: Ocr | undefined
}

/**
 * Lanes that recognise text: a document with scans waits for one of these, and keeps no other from being parsed. Together they have as
 * many threads as there are lanes, which bounds the memory.
 */
interface Ocr {
  readonly settings: OcrSettings
  readonly pool: LanePool.LanePool
  readonly turns: OcrTurns.OcrTurns
}

/** Size in bytes above which a document in a file waits until no other such one is parsed: each may fill its lane's memory. */
const veryLarge = 16 * 1024 * 1024

const makeLanes = (
  lanes: number,
  redactor: Redactor | undefined,
  settings: OcrSettings | undefined
): Effect.Effect<Lanes, never, Scope.Scope> =>
  Effect.all({
    size: Effect.succeed(lanes),
    pool: ParserPool.make(lanes),
    free: Effect.makeSemaphore(lanes),
    alone: OneAtATime.make,
    redactor: Effect.succeed(redactor),
    ocr:
      settings === undefined
        ? Effect.succeed(undefined)
        : Effect.all({
            settings: Effect.succeed(settings),
            pool: ParserPool.make(lanes),
            turns: OcrTurns.make(lanes)
          })
  })

const decoded = <A, I>(schema: Schema.Schema<A, I>, value: unknown): Effect.Effect<A, EngineError> =>
  Effect.mapError(
    Schema.decodeUnknown(schema)(value),
    (cause) =>
      new InternalServerError({ status: 500, error: `the parser's answer has another shape: ${cause.message}` })
  )

interface Work<A, I> {
  readonly job: Sent
  readonly result: Schema.Schema<A, I>
  /** True when `timeout` is that of each part; default false. */
  readonly inParts?: boolean
}

const run = <A, I>(
  { pool }: Pick<Lanes, "pool">,
  { inParts, job, result }: Work<A, I>,
  timeout: number
): Effect.Effect<A, EngineError> =>
  pool.run(job, Duration.millis(timeout), inParts).pipe(
    Effect.mapError((error) => Failure.ofLane(error, timeout)),
    Effect.flatMap((reply) => (reply._tag === "Done" ? decoded(result, reply.value) : Failure.ofReply(reply)))
  )

const answer = (data: ParseData): ParseResponse => ({ success: true, data })

const metadata = (input: Document, properties: Readonly<Record<string, unknown>>, creditsUsed = 1): Metadata => ({
  ...Reserved.without(properties),
  sourceURL: input.filename,
  statusCode: 200,
  contentType: mimeTypes[input.extension],
  creditsUsed
})

const wantsMarkdown = (options: Resolved): boolean => options.formats.some(({ type }) => type === "markdown")

const treeMembers = ["html", "rawHtml", "links", "images"] as const

const treeOptions = (options: Resolved): TreeOptions => ({
  members: treeMembers.filter((member) => options.formats.some(({ type }) => type === member)),
  onlyMainContent: options.onlyMainContent,
  includeTags: options.includeTags,
  excludeTags: options.excludeTags,
  removeBase64Images: options.removeBase64Images,
  blockAds: options.blockAds
})

const parseOffice = Effect.fnUntraced(function* (
  lanes: Lanes,
  input: Document,
  extension: OfficeJob["extension"],
  options: Resolved
) {
  const { bytes } = input
  const job: Sent<OfficeJob> = { kind: "office", bytes, extension, ...treeOptions(options), pages: options.pdf.pages }
  const { markdown, properties, ...members } = yield* run(lanes, { job, result: OfficeResult }, timeOf(input, options))
  return answer({ ...(wantsMarkdown(options) && { markdown }), ...members, metadata: metadata(input, properties) })
})

const parseHtml = Effect.fnUntraced(function* (
  lanes: Lanes,
  input: Document,
  extension: HtmlJob["extension"],
  options: Resolved
) {
  const tree = treeOptions(options)
  const members = wantsMarkdown(options) ? (["markdown", ...tree.members] as const) : tree.members
  const job: Sent<HtmlJob> = { kind: "html", bytes: input.bytes, extension, ...tree, members }
  const { properties, ...written } = yield* run(lanes, { job, result: HtmlResult }, timeOf(input, options))
  return answer({ ...written, metadata: metadata(input, properties) })
})

/** Share of the time budget for the work of a lane; the rest is for sending the answer. */
const workShare = 0.9

/** Milliseconds for a document that has no parts, or for the first of them; more for large ones. */
const firstPart = ({ length }: { readonly length: number }): number =>
  Math.min(Limits.maxTimeout, 60_000 + (length / 1_048_576) * 5_000)

/** Milliseconds that a lane has for a document. */
const timeOf = (input: Document, options: Resolved): number =>
  options.inParts === true ? firstPart(input.bytes) : options.timeout

type PdfSuccess = Extract<PdfResult, { readonly kind: "success" }>

const read = (lanes: Pick<Lanes, "pool">, job: Sent<PdfJob>, timeout: number): Effect.Effect<PdfSuccess, EngineError> =>
  Effect.flatMap(
    run(lanes, { job, result: PdfResult, inParts: job.budget === undefined }, timeout),
    (result): Effect.Effect<PdfSuccess, EngineError> => {
      if (result.kind === "success") return Effect.succeed(result)
      return result.code === "SCRAPE_TIMEOUT" ? Failure.tooSlow(timeout) : Failure.unparsable(result.error, result.code)
    }
  )

/**
 * The document as its text layer has it; then, where pages have none, once more with the text of their pictures. When the recognition
 * ends its lane, the first answer stands.
 */
const readWithOcr = Effect.fnUntraced(function* (lanes: Lanes, job: Sent<PdfJob>, timeout: number) {
  const { ocr } = lanes
  if (ocr === undefined || job.mode === "fast") return yield* read(lanes, job, timeout)
  const wait = job.budget === undefined ? Number.POSITIVE_INFINITY : timeout
  const recognised = (pages: number, budget: number | undefined) =>
    ocr.turns(pages, (threads) => read(ocr, { ...job, ocr: { ...ocr.settings, threads }, budget }, timeout), wait)
  if (job.mode === "ocr") return yield* recognised(Number.POSITIVE_INFINITY, job.budget)
  const begun = yield* Clock.currentTimeMillis
  const first = yield* read(lanes, { ...job, ocr: "later" }, timeout)
  if (first.unrecognised === 0) return first
  const spent = (yield* Clock.currentTimeMillis) - begun
  const pages = first.unrecognised === 1 ? "1 page has" : `${first.unrecognised} pages have`
  const unread = (why: string, late: boolean) =>
    Effect.succeed({ ...first, late, unrecognised: 0, warning: `${pages} no text layer, and OCR failed: ${why}.` })
  return yield* recognised(
    first.unrecognised,
    job.budget === undefined ? undefined : Math.max(0, job.budget - spent)
  ).pipe(
    Effect.catchTag("DocumentUnparsable", ({ error }) => unread(error, false)),
    Effect.catchTag("RequestTimeout", (error) =>
      error.code === "CONCURRENCY_QUEUE_TIMEOUT" ? error : unread("the time ran out", true)
    )
  )
})

/** Parts that a later parse could add: see `Engine.Service.parse`. */
const lackedBy = ({ late, unrecognised }: PdfSuccess, options: Resolved): ReadonlyArray<string> => [
  ...(unrecognised > 0 ? ["ocr"] : []),
  ...(late ? [`time ${options.timeout}`] : [])
]

const parsePdf = Effect.fnUntraced(function* (lanes: Lanes, input: Document, options: Resolved) {
  const { blocks, maxPages, mode, pageMarkers, pages } = options.pdf
  const job: Sent<PdfJob> = {
    kind: "pdf",
    bytes: input.bytes,
    ...treeOptions(options),
    mode,
    ocr: undefined,
    maxPages,
    pages,
    blocks,
    pageMarkers,
    budget: options.inParts === true ? undefined : Math.floor(options.timeout * workShare),
    tellsPages: (yield* FiberRef.get(PageProgress.listener)) !== undefined
  }
  const result = yield* readWithOcr(lanes, job, timeOf(input, options))
  const lacked = lackedBy(result, options)
  const { numPages, totalPages, ...properties } = result.metadata
  return answer({
    ...(wantsMarkdown(options) && { markdown: result.markdown }),
    ...(pages && { pages: result.pages ?? [] }),
    ...(blocks && { blocks: result.blocks ?? [] }),
    ...compact({ html: result.html, rawHtml: result.rawHtml, links: result.links, images: result.images }),
    ...(result.warning !== undefined && { warning: result.warning }),
    metadata: {
      ...metadata(input, properties, Math.max(1, numPages)),
      numPages,
      totalPages,
      ...(lacked.length > 0 && { lacked })
    }
  })
})

const dispatch = (lanes: Lanes, input: Document, options: Resolved): Effect.Effect<ParseResponse, EngineError> => {
  const { extension } = input
  if (extension === "pdf") {
    return parsePdf(lanes, input, options)
  }
  return Unsupported.isHtml(extension)
    ? parseHtml(lanes, input, extension, options)
    : parseOffice(lanes, input, extension, options)
}

/** The answer without personal data, as the options say, in what is left of the time since `begun`. */
const redacted = Effect.fnUntraced(function* (lanes: Lanes, response: ParseResponse, options: Resolved, begun: number) {
  const { redactor } = lanes
  const settings = RedactedAnswer.settings(options)
  if (settings === undefined) return response
  const job = yield* RedactedAnswer.job(response.data, options, settings, redactor)
  const spent = options.inParts === true ? 0 : (yield* Clock.currentTimeMillis) - begun
  const left = options.timeout - spent
  if (left <= 0) return yield* Failure.tooSlow(options.timeout)
  const data = yield* run(lanes, { job, result: RedactResult }, left).pipe(
    Effect.catchTag("DocumentUnparsable", ({ error }) => Failure.unredacted(error)),
    Effect.catchTag("RequestTimeout", () => Failure.tooSlow(options.timeout))
  )
  return withWarning(RedactedAnswer.warning(settings, redactor))(answer(data))
})

/** Prepends a warning to the answer's own. */
const withWarning =
  (warning: string | undefined) =>
  (response: ParseResponse): ParseResponse =>
    warning === undefined
      ? response
      : { ...response, data: { ...response.data, warning: [warning, response.data.warning ?? ""].join(" ").trim() } }

/** The answer to a document whose content is looked at by `look`. */
const parseDocument = (
  lanes: Lanes,
  look: ContentType.Document,
  input: Document,
  resolved: Resolved
): Effect.Effect<ParseResponse, EngineError> => {
  if (look.length === 0) {
    return (
      Unsupported.check(input.extension, resolved, lanes.ocr !== undefined) ?? Failure.unparsable("the file is empty")
    )
  }
  const content = ContentType.detect(look, input.extension)
  if (content._tag === "Unsupported") {
    return Failure.unparsable(ContentType.refusal(input.extension, content.what), "SCRAPE_UNSUPPORTED_FILE_ERROR")
  }
  const { extension } = content
  return (
    Unsupported.check(extension, resolved, lanes.ocr !== undefined) ??
    Effect.flatMap(Clock.currentTimeMillis, (begun) =>
      dispatch(lanes, { ...input, extension }, resolved).pipe(
        Effect.map(withWarning(ContentType.warning(input.extension, extension))),
        Effect.flatMap((response) => redacted(lanes, response, resolved, begun))
      )
    )
  )
}

const parseFile = (
  lanes: Lanes,
  { content, extension, filename }: EngineFile,
  resolved: Resolved
): Effect.Effect<ParseResponse, EngineError> => {
  const { length, slice } = content
  const look = { length, read: (most: number) => slice(0, most) }
  const call = Effect.suspend(() => parseDocument(lanes, look, { filename, extension, bytes: content }, resolved))
  return length > veryLarge ? lanes.alone(call, resolved.timeout) : call
}

/** Names everything that changes answers. */
const versionWith = (redactor: Redactor | undefined, ocr: OcrSettings | undefined): string =>
  [
    version,
    ...(ocr === undefined ? [] : [`ocr tesseract.js@${ocr.packages.version} ${ocr.languages.join(",")}`]),
    ...(redactor === undefined ? [] : [`redactor ${redactor.name}`])
  ].join(" ")

/** Builds the engine. Processes start with the first documents; each ends after a minute without one, and with the scope. */
export const make = (options: Options = {}): Effect.Effect<Engine.Service, never, Scope.Scope> =>
  Effect.flatMap(OcrLanguages.OcrLanguages, (languages) => {
    const { lanes: size = defaultLanes(), ocr = OcrLanguages.settings(languages), redactor } = options
    const settings = ocr === "none" ? undefined : ocr
    return Effect.map(makeLanes(size, redactor, settings), (lanes) => service(lanes, settings))
  })

const service = (lanes: Lanes, ocr: OcrSettings | undefined): Engine.Service => ({
  parsers: lanes.size,
  abilities: ocr === undefined ? ["parts"] : ["parts", "ocr"],
  version: versionWith(lanes.redactor, ocr),
  whenFree: (_, call) => lanes.free.withPermits(1)(call),
  parse: (input, resolved) =>
    Effect.suspend(() => parseDocument(lanes, ContentType.inMemory(input.bytes), input, resolved)),
  parseFile: (input, resolved) => parseFile(lanes, input, resolved)
})

/** The engine as a layer. */
export const layer = (options: Options = {}): Layer.Layer<Engine> => Layer.scoped(Engine, make(options))
