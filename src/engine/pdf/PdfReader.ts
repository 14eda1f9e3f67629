/** Reads a PDF with `@llamaindex/liteparse-wasm` (PDFium), a few pages at a time, into {@link PageItems}. */
import {
  initSync,
  LiteParse,
  type LiteParseConfig,
  type PageComplexityStats,
  type ParseBatch,
  type ParsedPage
} from "@llamaindex/liteparse-wasm"
import * as FileText from "./FileText.ts"
import * as LeanPage from "./LeanPage.ts"
import type { PageItems } from "./PageItem.ts"
import * as PdfCall from "./PdfCall.ts"
import * as TextLayer from "./TextLayer.ts"
import * as WasmModule from "./WasmModule.ts"

/** Fewest pages of one call: the first pages must come soon, and each may be heavy. */
const fewest = 8

/** Most pages of one call: light pages may be followed by heavy ones. */
const most = 64

/** Most words and lines of one call; each takes some 700 bytes until its page is reduced to the lean form. */
const mostParts = 200_000

/**
 * Number of pages to read in each call of a document of `pages` pages.
 *
 * Each call loads the document and walks its page tree from the first page: a sixteenth of the pages keeps that cost to a constant share.
 */
export const batchSize = (pages: number): number => Math.max(fewest, Math.min(most, Math.ceil(pages / 16)))

/**
 * Reason why the engine could not open or read the document.
 *
 * `crashed`: the WebAssembly instance ended in a trap and must not be used again.
 */
export interface ReadFailure {
  readonly reason: "encrypted" | "malformed" | "crashed"
  /** The engine's own message. */
  readonly message: string
}

/** Some pages of the document, in order. */
export interface Batch {
  readonly pages: ReadonlyArray<PageItems>
  /** 1-based last page of the batch. */
  readonly endPage: number
  readonly encrypted: boolean
}

/** An open document: the engine holds a copy of its bytes, but no page between two batches. */
export interface Reader {
  /** Pages of the document, before `maxPages`. */
  readonly totalPages: number
  /** Reads the next pages; undefined when none are left. Pages that cannot be read are left out of their batch. */
  readonly next: () => Promise<Batch | ReadFailure | undefined>
  /** Releases the document in the engine; nothing can be read after it. */
  readonly close: () => void
}

export const isFailure = (value: Reader | Batch | ReadFailure): value is ReadFailure => "reason" in value

const failureOf = (cause: unknown): ReadFailure => {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (WasmModule.isTrap(cause)) return { reason: "crashed", message }
  return { reason: /password|encrypt|security handler/i.test(message) ? "encrypted" : "malformed", message }
}

/** A parser of the engine with a document that it has opened. */
interface Session {
  readonly totalPages: number
  readonly next: () => Promise<ParseBatch | undefined>
  readonly close: () => void
}

const openSession = async (bytes: Uint8Array, size: number, config: LiteParseConfig): Promise<Session> => {
  const parser = new LiteParse({ ...PdfCall.settings, ...config })
  const close = (): void => PdfCall.freely(() => parser.free())
  try {
    const session = await parser.openBatchSession(bytes, size)
    return {
      totalPages: session.totalPages,
      next: () => session.nextBatch(),
      close: () => {
        PdfCall.freely(() => session.free())
        close()
      }
    }
  } catch (cause) {
    close()
    throw cause
  }
}

type Verdicts = ReadonlyMap<number, PageComplexityStats>

const noVerdicts: Verdicts = new Map()

/** The engine's verdicts about the text layers of these pages, by page number. */
const judged = async (bytes: Uint8Array, pages: ReadonlyArray<ParsedPage>): Promise<Verdicts> => {
  if (pages.length === 0) return noVerdicts
  const parser = new LiteParse({ ...PdfCall.settings, targetPages: pages.map(({ pageNum }) => pageNum).join(",") })
  try {
    const found = await parser.isComplex(bytes)
    return new Map(found.map((verdict) => [verdict.pageNumber, verdict]))
  } catch (cause) {
    // The text of these pages has been read: without a verdict it counts as sound.
    if (WasmModule.isTrap(cause)) throw cause
    return noVerdicts
  } finally {
    PdfCall.freely(() => parser.free())
  }
}

/** Reads the pages `first` to `last`, both included, without a session. */
const readRange = async (bytes: Uint8Array, first: number, last: number): Promise<ReadonlyArray<ParsedPage>> => {
  const { pages } = await PdfCall.parsed(bytes, { ...PdfCall.settings, targetPages: `${first}-${last}` })
  return pages
}

const leanPages = async (bytes: Uint8Array, pages: ReadonlyArray<ParsedPage>): Promise<ReadonlyArray<PageItems>> => {
  const verdicts = await judged(
    bytes,
    pages.filter(({ textItems }) => TextLayer.isDoubtful(textItems))
  )
  return pages.map((page) => LeanPage.fromParsed(page, verdicts.get(page.pageNum)))
}

/** True if the file may be encrypted: the engine reads the whole file to tell it. The dictionary that says so is never compressed. */
export const mayBeEncrypted = (bytes: Uint8Array): boolean => FileText.of(bytes).indexOf("/Encrypt") >= 0

const partsOf = ({ textItems, vectorGraphics }: ParsedPage): number =>
  textItems.reduce((sum, { words }) => sum + 1 + (words?.length ?? 0), 0) +
  (vectorGraphics?.lines.length ?? 0) +
  (vectorGraphics?.shapes.length ?? 0)

/** Mean number of parts of the last pages of a batch. */
const usualParts = (pages: ReadonlyArray<ParsedPage>): number => {
  const last = pages.slice(-fewest)
  return last.reduce((sum, page) => sum + partsOf(page), 0) / Math.max(1, last.length)
}

/**
 * Opens a document; at most its first `maxPages` pages are read. `expected` is the number of its pages as far as it is known: with another
 * one it is opened twice, which walks through its bookmarks. Never rejects. The caller has to `close` the reader.
 */
export const open = async (
  module: WasmModule.WasmModule,
  bytes: Uint8Array,
  maxPages: number,
  expected = 0
): Promise<Reader | ReadFailure> => {
  const config = { maxPages, extractDocumentMetadata: mayBeEncrypted(bytes) }
  const opened = batchSize(Math.min(expected, maxPages))
  try {
    initSync({ module })
    const session = await openSession(bytes, opened, config)
    const size = batchSize(Math.min(session.totalPages, maxPages))
    if (size === opened) return reader(bytes, session, size, maxPages)
    session.close()
    return reader(bytes, await openSession(bytes, size, config), size, maxPages)
  } catch (cause) {
    return failureOf(cause)
  }
}

const reader = (bytes: Uint8Array, session: Session, size: number, maxPages: number): Reader => {
  const { totalPages } = session
  const end = Math.min(totalPages, maxPages)
  let read = 0
  let usual = 0
  let encrypted = false
  /** Undefined once closed, also for pages too heavy for its batches, which are then read in smaller ones, each of which opens the document. */
  let open: Session | undefined = session
  const close = (): void => {
    open?.close()
    open = undefined
  }
  const nextPages = async (): Promise<ReadonlyArray<ParsedPage>> => {
    if (open === undefined) {
      const first = read + 1
      read = Math.min(end, read + Math.max(1, Math.min(size, Math.floor(mostParts / usual))))
      return readRange(bytes, first, read)
    }
    const batch = await open.next()
    read = batch?.endPage ?? end
    encrypted = batch?.result.docMeta?.isEncrypted === true
    return batch?.result.pages ?? []
  }
  return {
    totalPages,
    next: async () => {
      if (read >= end) return undefined
      try {
        const pages = await nextPages()
        // The next pages are taken to be like the last ones; one heavy page among light ones is none of them.
        usual = Math.max(usualParts(pages), usual / 2)
        if (usual * size > mostParts) close()
        return { pages: await leanPages(bytes, pages), endPage: read, encrypted }
      } catch (cause) {
        return failureOf(cause)
      }
    },
    close: () => {
      read = end
      close()
    }
  }
}
