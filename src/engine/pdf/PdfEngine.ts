/**
 * Converts a PDF to Markdown, pages, blocks and metadata. Runs in a lane, whose thread it occupies while it works.
 *
 * Source: interface document, "PDF parser object", "`data.blocks` page object", "`data.metadata`"; the codes of failures are those of the
 * public service, as far as known.
 */
import { numberRanges } from "../../internal/base/numberRanges.ts"
import type { PageBlocks } from "../../internal/base/parseResponse.ts"
import type { Pages, PdfJob, PdfResult as JobResult } from "../jobs.ts"
import * as OcrPass from "../ocr/OcrPass.ts"
import type { PageOcr } from "../ocr/PageOcr.ts"
import * as Composition from "./Composition.ts"
import * as DocumentInfo from "./DocumentInfo.ts"
import * as FormNesting from "./FormNesting.ts"
import * as Outline from "./Outline.ts"
import type { PageItems } from "./PageItem.ts"
import { integer, objectsOf, type PdfObjects, reference } from "./PdfObjects.ts"
import * as PdfReader from "./PdfReader.ts"
import { PdfUpdate } from "./PdfUpdate.ts"
import * as SpanTexts from "./SpanTexts.ts"
import * as TypeSigns from "./TypeSigns.ts"
import type * as WasmModule from "./WasmModule.ts"

/** Options of a parse, in the time that the lane has for it. */
export interface PdfOptions extends Pick<PdfJob, "mode" | "pages" | "blocks" | "pageMarkers"> {
  /** Caps the pages parsed; 1 to 10000, default none. */
  readonly maxPages?: number | undefined
  /**
   * Milliseconds since the epoch at which the answer is expected: pages are read, and checked between batches, in about half of the time
   * until then, the rest is for composing them. Default none.
   */
  readonly deadline?: number | undefined
  /** Called before each part of the work with the milliseconds that it may take: a batch of pages, a page's recognition, the composition. */
  readonly beginPart?: ((within: number) => void) | undefined
  /** Called after each batch of pages, and after each page whose text was recognised. */
  readonly tellPages?: ((pages: Omit<Pages, "_tag">) => void) | undefined
}

/** Milliseconds of each part of a document without a deadline. */
const within = { batch: 60_000, recognition: 300_000, composition: 300_000 } as const

/** Share of the time for reading pages: composing them takes a third to a half of that again, and what is composed is sent. */
const readingShare = 0.55

/** Share of a part's time after which it ends by itself, before the host ends it. */
const ownShare = 0.95

/** Data that a lane loads once for all of its documents. */
export interface Runtime {
  /** Compiled once in the lane (`PdfModule`). */
  readonly module: WasmModule.WasmModule
  /** Recognises the text of pages without a sound text layer. */
  readonly ocr?: PageOcr | undefined
}

interface Fate {
  /** True if the WebAssembly instance broke: this lane must not be used again. */
  readonly fatal: boolean
}

/** A parsed document. */
export interface PdfSuccess extends Fate, Omit<Extract<JobResult, { readonly kind: "success" }>, "metadata"> {
  readonly metadata: PdfMetadata
}

export interface PdfMetadata extends DocumentInfo.DocumentInfo {
  /** Number of pages read. */
  readonly numPages: number
  /** Number of pages of the file. */
  readonly totalPages: number
  readonly contentType: "application/pdf"
}

/** A document that could not be parsed. */
export interface PdfFailure extends Fate, Extract<JobResult, { readonly kind: "failure" }> {}

export type PdfResult = PdfSuccess | PdfFailure

const noPageLimit = 100_000

const failure = (code: PdfFailure["code"], error: string, fatal = false): PdfFailure => ({
  kind: "failure",
  code,
  error,
  fatal
})

const unreadable = ({ reason, message }: PdfReader.ReadFailure): PdfFailure => {
  const texts = {
    encrypted: "The PDF is encrypted and cannot be opened without its password.",
    malformed: `The PDF is damaged and cannot be read: ${message}`,
    crashed: `The PDF engine broke on this file: ${message}`
  }
  return failure("SCRAPE_ALL_ENGINES_FAILED", texts[reason], reason === "crashed")
}

/** The bytes from the header on; all bytes when there is no header. */
const fromHeader = (bytes: Uint8Array): Uint8Array => {
  const mark = [0x25, 0x50, 0x44, 0x46, 0x2d]
  let at = bytes.indexOf(0x25)
  while (at >= 0 && !mark.every((byte, offset) => bytes[at + offset] === byte)) at = bytes.indexOf(0x25, at + 1)
  return at > 0 ? bytes.subarray(at) : bytes
}

/** The file as the engine can read it: from its header on, with forms nested no deeper than it can follow. */
export const readable = (bytes: Uint8Array): ReturnType<typeof FormNesting.bound> =>
  FormNesting.bound(fromHeader(bytes))

interface Read {
  readonly pages: ReadonlyArray<PageItems>
  readonly encrypted: boolean
  /** 1-based last page that was tried. */
  readonly reached: number
  readonly broken: PdfReader.ReadFailure | undefined
  /** True if the page tree names pages that do not exist, more than are tried. */
  readonly hollow: boolean
}

/** Number of consecutive unreadable pages after which the rest counts as missing: a damaged count may name millions. */
const mostMissing = 64

interface Steps {
  readonly begin: () => void
  readonly reached: (page: number) => void
}

const readPages = async (
  reader: PdfReader.Reader,
  deadline: number,
  { begin, reached: tell }: Steps
): Promise<Read> => {
  const pages: Array<PageItems> = []
  let encrypted = false
  let reached = 0
  while (Date.now() < deadline) {
    begin()
    // oxlint-disable-next-line no-await-in-loop -- reading one batch at a time bounds the memory
    const batch = await reader.next()
    if (batch === undefined) break
    if (PdfReader.isFailure(batch)) return { pages, encrypted, reached, broken: batch, hollow: false }
    pages.push(...batch.pages)
    encrypted ||= batch.encrypted
    reached = batch.endPage
    tell(reached)
    if (reached - (pages.at(-1)?.pageNumber ?? 0) >= mostMissing) {
      return { pages, encrypted, reached: pages.at(-1)?.pageNumber ?? reached, broken: undefined, hollow: true }
    }
  }
  return { pages, encrypted, reached, broken: undefined, hollow: false }
}

/** Number of pages that the root of the page tree states, as far as it can be read; ISO 32000-1, 7.7.3. */
const pagesOf = (objects: PdfObjects): number => {
  const [root] = objects.references("Root", 16)
  return integer(objects.text(reference(objects.text(root), "Pages")), "Count")
}

/** Opens the file with its signs and the texts of spans marked; as it is where that makes it unreadable. */
export const open = async (
  file: Uint8Array,
  maxPages: number,
  { module }: Runtime,
  objects: PdfObjects = objectsOf(file, PdfReader.mayBeEncrypted(file))
): Promise<PdfReader.Reader | PdfReader.ReadFailure> => {
  const update = new PdfUpdate(file, objects)
  TypeSigns.mark(update, objects)
  SpanTexts.mark(update, objects)
  const marked = update.applied()
  const reader = await PdfReader.open(module, marked, maxPages, pagesOf(objects))
  const failed = PdfReader.isFailure(reader) && reader.reason !== "crashed"
  return failed && marked !== file ? PdfReader.open(module, file, maxPages) : reader
}

/**
 * Parses one document. Never rejects: a document that cannot be parsed is a {@link PdfFailure}.
 *
 * Holds the bytes, their copies in the engine, one batch of complete pages and the lean form of all pages.
 */
export const parsePdf = async (bytes: Uint8Array, options: PdfOptions, runtime: Runtime): Promise<PdfResult> => {
  if (bytes.length === 0) return failure("SCRAPE_ALL_ENGINES_FAILED", "The PDF is empty: it has no bytes.")
  const begun = Date.now()
  const { beginPart = () => undefined, deadline = Number.POSITIVE_INFINITY, tellPages = () => undefined } = options
  const { bytes: file, left } = readable(bytes)
  const objects = objectsOf(file, PdfReader.mayBeEncrypted(file))
  const reader = await open(file, options.maxPages ?? noPageLimit, runtime, objects)
  if (PdfReader.isFailure(reader)) return unreadable(reader)
  try {
    const { totalPages } = reader
    const readUntil = begun + (deadline - begun) * readingShare
    const of = Math.min(totalPages, options.maxPages ?? totalPages)
    const read = await readPages(reader, readUntil, {
      begin: () => beginPart(within.batch),
      reached: (done) => tellPages({ step: "read", done, of })
    }).finally(reader.close)
    if (totalPages === 0) return failure("SCRAPE_ALL_ENGINES_FAILED", "The PDF has no pages.")
    if (read.pages.length === 0) return nothingRead(read, totalPages)
    if (options.mode === "fast" && read.pages.every((page) => page.unreadable)) {
      return failure(
        "SCRAPE_PDF_OCR_REQUIRED",
        "No page of the PDF has a text layer: its text can only be read by OCR, which mode fast leaves out."
      )
    }
    const info = DocumentInfo.read(objects)
    const untilOfPage = () => {
      beginPart(within.recognition)
      return Math.min(deadline, Date.now() + within.recognition * ownShare)
    }
    const recognised = await OcrPass.run({
      bytes: file,
      pages: read.pages,
      mode: options.mode,
      untilOfPage,
      recognised: (done, wanted) => tellPages({ step: "recognised", done, of: wanted }),
      ocr: runtime.ocr
    })
    beginPart(within.composition)
    const bookmarks = Outline.read(objects)
    return answer({ ...read, ...recognised, left, totalPages, info, bookmarks }, options)
  } catch (cause) {
    // A fault of the layout must fail this document only, not the lane.
    return failure("SCRAPE_ALL_ENGINES_FAILED", `The layout of the PDF could not be read: ${String(cause)}`)
  }
}

/**
 * Number of pages of a document, without reading any; null when it cannot be opened, `fatal` when the WebAssembly instance broke. Never
 * rejects.
 */
export const countPages = async (bytes: Uint8Array, runtime: Runtime): Promise<number | null | "fatal"> => {
  const reader = await PdfReader.open(runtime.module, fromHeader(bytes), 1)
  if (PdfReader.isFailure(reader)) return reader.reason === "crashed" ? "fatal" : null
  reader.close()
  return reader.totalPages
}

const nothingRead = (read: Read, totalPages: number): PdfFailure => {
  if (read.broken !== undefined) return unreadable(read.broken)
  return read.reached === 0
    ? failure("SCRAPE_TIMEOUT", "Request Timeout: the time ran out before the first page of the PDF was read.")
    : failure("SCRAPE_ALL_ENGINES_FAILED", `None of the ${totalPages} pages of the PDF can be read.`)
}

interface Bounded extends Read, OcrPass.OcrPass {
  /** Number of pages of the file. */
  readonly totalPages: number
  readonly info: DocumentInfo.DocumentInfo
  readonly bookmarks: ReadonlyArray<Outline.Bookmark>
  /** Number of forms that were left out. */
  readonly left: number
}

const warningOf = (read: Bounded, wanted: number, failed: ReadonlyArray<number>): string | undefined => {
  const parts: Array<string> = []
  for (const { pages, textLayer, why } of read.unread) {
    const numbers = numberRanges(pages)
    parts.push(
      textLayer
        ? `Page ${numbers} has the text of its text layer, which was not recognised: ${why}.`
        : `No readable text layer on page ${numbers}: ${why}.`
    )
  }
  const late = unreached(read, failed)
  const damaged = failed.filter((page) => page <= read.reached)
  if (damaged.length > 0) parts.push(`Page ${numberRanges(damaged)} cannot be read.`)
  if (read.left > 0) parts.push(`Left out ${read.left} drawings that draw themselves or each other without end.`)
  if (read.hollow) parts.push(`The PDF names more pages than it has: nothing follows page ${wanted}.`)
  if (late.length > 0) {
    const why = read.broken === undefined ? "the time ran out" : `the engine stopped: ${read.broken.message}`
    parts.push(`Page ${numberRanges(late)} of ${wanted} not read: ${why}.`)
  }
  return parts.length === 0 ? undefined : parts.join(" ")
}

/** Pages after the last one that was tried. */
const unreached = ({ reached }: Read, failed: ReadonlyArray<number>): ReadonlyArray<number> =>
  failed.filter((page) => page > reached)

const answer = (read: Bounded, options: PdfOptions): PdfSuccess => {
  const { bookmarks, info, totalPages } = read
  const { markdown, pages, blocks } = Composition.compose(read.pages, options.pageMarkers, bookmarks)
  const wanted = read.hollow ? read.reached : Math.min(totalPages, options.maxPages ?? totalPages)
  const present = new Set(pages.map((page) => page.pageNumber))
  const failed = Array.from({ length: wanted }, (_, at) => at + 1).filter((page) => !present.has(page))
  return {
    kind: "success",
    markdown,
    pages: options.pages ? pages : undefined,
    blocks: options.blocks
      ? [...blocks, ...failed.map(failedPage)].toSorted((left, right) => left.pageNumber - right.pageNumber)
      : undefined,
    metadata: {
      ...info,
      numPages: pages.length,
      totalPages: read.hollow ? wanted : totalPages,
      contentType: "application/pdf"
    },
    warning: warningOf(read, wanted, failed),
    unrecognised: read.unrecognised,
    late: read.late || (read.broken === undefined && unreached(read, failed).length > 0),
    fatal: read.fatal || read.broken?.reason === "crashed"
  }
}

const failedPage = (pageNumber: number): PageBlocks => ({
  pageNumber,
  width: null,
  height: null,
  status: "failed",
  items: []
})
