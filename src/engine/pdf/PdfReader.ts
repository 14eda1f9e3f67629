/**
 * Reads a PDF with `@llamaindex/liteparse-wasm` (PDFium), a few pages at a time, into {@link PageItems}.
 *
 * @since 0.1.0
 */
import { Buffer } from "node:buffer"
import {
  initSync,
  LiteParse,
  type LiteParseConfig,
  type OcrResult,
  type PageComplexityStats,
  type ParseBatch,
  type ParsedPage
} from "@llamaindex/liteparse-wasm"
import * as Box from "./Box.ts"
import * as FloatingAccents from "./FloatingAccents.ts"
import * as Garbled from "./Garbled.ts"
import * as StructureTags from "./lines/StructureTags.ts"
import {
  fontTraits,
  isRightToLeft,
  readable,
  type Item,
  type PageItems,
  type Rule,
  type Sideways,
  type TableCandidate,
  type Word
} from "./PageItem.ts"
import * as PageTurn from "./PageTurn.ts"
import * as SpacedRows from "./SpacedRows.ts"
import * as TextLayer from "./TextLayer.ts"
import * as WasmModule from "./WasmModule.ts"

/** Fewest pages of one call: the first pages must come soon, and each may be heavy. */
const fewest = 8

/** Most pages of one call: light pages may be followed by heavy ones. */
const most = 64

/** Most words and lines of one call; each takes some 700 bytes until its page is reduced to the lean form. */
const mostParts = 200_000

/**
 * Number of pages to read in each call, of a document of that many.
 *
 * Each call loads the document and walks its page tree from the first page: a sixteenth of the pages keeps that cost to a constant share.
 *
 * @since 0.1.0
 * @category constructors
 */
export const batchSize = (pages: number): number => Math.max(fewest, Math.min(most, Math.ceil(pages / 16)))

/**
 * Reason why the engine could not open or read the document.
 *
 * `crashed`: the WebAssembly instance ended in a trap and must not be used again.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadFailure {
  readonly reason: "encrypted" | "malformed" | "crashed"
  /** The engine's own message. */
  readonly message: string
}

/**
 * Some pages of the document, in order.
 *
 * @since 0.1.0
 * @category models
 */
export interface Batch {
  readonly pages: ReadonlyArray<PageItems>
  /** 1-based last page of the batch. */
  readonly endPage: number
  readonly encrypted: boolean
}

/**
 * An open document: the engine holds a copy of its bytes, but no page between two batches.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reader {
  /** Pages of the document, before `maxPages`. */
  readonly totalPages: number
  /** Reads the next pages; undefined when none are left. Pages that cannot be read are left out of their batch. */
  readonly next: () => Promise<Batch | ReadFailure | undefined>
  /** Releases the document in the engine; nothing can be read after it. */
  readonly close: () => void
}

/**
 * @since 0.1.0
 * @category predicates
 */
export const isFailure = (value: Reader | Batch | ReadFailure): value is ReadFailure => "reason" in value

const failureOf = (cause: unknown): ReadFailure => {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (WasmModule.isTrap(cause)) return { reason: "crashed", message }
  return { reason: /password|encrypt|security handler/i.test(message) ? "encrypted" : "malformed", message }
}

const settings = {
  ocrEnabled: false,
  preserveVerySmallText: true,
  quiet: true,
  continueOnPageError: true,
  keepHeadersFooters: true,
  emitWordBoxes: true,
  extractAnnotations: true,
  extractBlocks: true,
  extractContentBounds: true,
  extractLinks: false,
  extractStructureTree: true,
  extractTextMetadata: true,
  extractVectorGraphics: true
} as const

/** Frees an object of the engine. After a trap nothing can be freed: the lane is discarded with its memory. */
const freely = (free: () => void): void => {
  try {
    free()
  } catch {
    // A trap: nothing can be freed.
  }
}

/** A parser of the engine with a document that it has opened. */
interface Session {
  readonly totalPages: number
  readonly next: () => Promise<ParseBatch | undefined>
  readonly close: () => void
}

const openSession = async (bytes: Uint8Array, size: number, config: LiteParseConfig): Promise<Session> => {
  const parser = new LiteParse({ ...settings, ...config })
  const close = (): void => freely(() => parser.free())
  try {
    const session = await parser.openBatchSession(bytes, size)
    return {
      totalPages: session.totalPages,
      next: () => session.nextBatch(),
      close: () => {
        freely(() => session.free())
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
  const parser = new LiteParse({ ...settings, targetPages: pages.map(({ pageNum }) => pageNum).join(",") })
  try {
    const found = await parser.isComplex(bytes)
    return new Map(found.map((verdict) => [verdict.pageNumber, verdict]))
  } catch (cause) {
    // The text of these pages has been read: without a verdict it counts as sound.
    if (WasmModule.isTrap(cause)) throw cause
    return noVerdicts
  } finally {
    freely(() => parser.free())
  }
}

/** Reads the pages `first` to `last`, both included, without a session. */
const readRange = async (bytes: Uint8Array, first: number, last: number): Promise<ReadonlyArray<ParsedPage>> => {
  const { pages } = await parsed(bytes, { ...settings, targetPages: `${first}-${last}` })
  return pages
}

const leanPages = async (bytes: Uint8Array, pages: ReadonlyArray<ParsedPage>): Promise<ReadonlyArray<PageItems>> => {
  const verdicts = await judged(
    bytes,
    pages.filter(({ textItems }) => TextLayer.isDoubtful(textItems))
  )
  return pages.map((page) => lean(page, verdicts.get(page.pageNum)))
}

/** True if the file may be encrypted: the engine reads the whole file to tell it. The dictionary that says so is never compressed. */
const mayBeEncrypted = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("/Encrypt", 0, "latin1")

const partsOf = ({ textItems, vectorGraphics }: ParsedPage): number =>
  textItems.reduce((sum, { words }) => sum + 1 + (words?.length ?? 0), 0) +
  (vectorGraphics?.lines.length ?? 0) +
  (vectorGraphics?.shapes.length ?? 0)

/**
 * Opens a document; at most its first `maxPages` pages are read. Never rejects. The caller has to `close` the reader.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = async (
  module: WasmModule.WasmModule,
  bytes: Uint8Array,
  maxPages: number
): Promise<Reader | ReadFailure> => {
  const config = { maxPages, extractDocumentMetadata: mayBeEncrypted(bytes) }
  try {
    initSync({ module })
    const session = await openSession(bytes, fewest, config)
    const size = batchSize(Math.min(session.totalPages, maxPages))
    if (size === fewest) return reader(bytes, session, size, maxPages)
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
  let heaviest = 0
  let encrypted = false
  /** Undefined once closed, also for pages too heavy for its batches, which are then read in smaller ones. */
  let open: Session | undefined = session
  const close = (): void => {
    open?.close()
    open = undefined
  }
  const nextPages = async (): Promise<ReadonlyArray<ParsedPage>> => {
    if (open === undefined) {
      const first = read + 1
      read = Math.min(end, read + Math.max(1, Math.min(size, Math.floor(mostParts / heaviest))))
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
        heaviest = pages.reduce((parts, page) => Math.max(parts, partsOf(page)), heaviest)
        if (heaviest * size > mostParts) close()
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

/** Tests for text of PDFium's that is not visible. */
const isBlank = (text: string): boolean => text.trim() === ""

const linksOf = (page: ParsedPage): ReadonlyArray<{ readonly box: Box.Box; readonly uri: string }> =>
  (page.annotations ?? []).flatMap((annotation) => {
    const uri = annotation.uri
    if (uri === undefined || !/^(https?|mailto|tel|ftp):/i.test(uri)) return []
    const rects = annotation.quadpointRects.length > 0 ? annotation.quadpointRects : [annotation.rect]
    return rects.flatMap((rect) => (rect === undefined ? [] : [{ box: Box.fromRect(rect), uri }]))
  })

const rulesOf = (page: ParsedPage, turn: PageTurn.Turn): ReadonlyArray<Rule> =>
  (page.vectorGraphics?.lines ?? []).flatMap((line): ReadonlyArray<Rule> => {
    const box = PageTurn.upright(
      {
        x0: Math.min(line.x1, line.x2),
        y0: Math.min(line.y1, line.y2),
        x1: Math.max(line.x1, line.x2),
        y1: Math.max(line.y1, line.y2)
      },
      page,
      turn
    )
    const width = Box.width(box)
    const height = Box.height(box)
    if (Math.max(width, height) < 4 || Math.min(width, height) > 1.5) return []
    return width > height
      ? [{ horizontal: true, at: Box.centerY(box), from: box.x0, to: box.x1 }]
      : [{ horizontal: false, at: Box.centerX(box), from: box.y0, to: box.y1 }]
  })

const tablesOf = (page: ParsedPage): ReadonlyArray<TableCandidate> =>
  (page.blocks ?? []).flatMap((block) => {
    if (block.kind !== "table" || block.bbox === undefined) return []
    const rows = [block.header ?? [], ...(block.rows ?? [])].filter((row) => row.length > 0)
    return [{ box: Box.fromRect(block.bbox), rows: rows.map((row) => row.map((cell) => cell.text)) }]
  })

const boxesOf = (page: ParsedPage, kind: string, turn: PageTurn.Turn): ReadonlyArray<Box.Box> =>
  (page.blocks ?? []).flatMap((block) =>
    block.kind === kind && block.bbox !== undefined ? [PageTurn.upright(Box.fromRect(block.bbox), page, turn)] : []
  )

interface Turned {
  readonly item: Item
  readonly turn: PageTurn.Turn | undefined
}

const itemsOf = (page: ParsedPage): ReadonlyArray<Turned> => {
  const links = linksOf(page)
  const tables = tablesOf(page)
  const textItems = FloatingAccents.settle(page.textItems)
  const spaced = SpacedRows.find(textItems)
  const walls = rulesOf(page, 0).filter((rule) => !rule.horizontal)
  const crosses = (box: Box.Box) => {
    const middle = Box.centerY(box)
    return walls.some((wall) => wall.at > box.x0 && wall.at < box.x1 && wall.from < middle && wall.to > middle)
  }
  return textItems.flatMap((raw) => {
    if (isBlank(raw.text) || raw.y >= page.height || raw.y + raw.height <= 0) return []
    const box = Box.fromRect(raw)
    const linked = links.filter((link) => Box.shared(link.box, box) > 0)
    const apart =
      spaced.has(raw) ||
      PageTurn.fromAngle(raw.rotation) !== 0 ||
      linked.length > 0 ||
      isRightToLeft(raw.text) ||
      tables.some((table) => Box.shared(table.box, box) > 0) ||
      crosses(box)
    const words = apart
      ? raw.words?.map((word): Word => {
          const own = Box.fromRect(word)
          return {
            text: readable(word.text, raw.fontName ?? ""),
            box: own,
            link: linked.find((link) => Box.centerWithin(own, link.box, 1))?.uri
          }
        })
      : undefined
    const item: Item = {
      text: readable(raw.text, raw.fontName ?? ""),
      box,
      size: raw.fontHeight ?? (raw.height > 0 ? raw.height : 10),
      font: (raw.fontName ?? "").replace(/^[A-Z]{6}\+/, ""),
      color: raw.fillColor ?? "",
      ...fontTraits(raw.fontName ?? "", raw.fontWeight),
      mcid: raw.mcid,
      words
    }
    return [{ item, turn: PageTurn.fromAngle(raw.rotation) }]
  })
}

/** The turn of most characters. */
const mainTurn = (items: ReadonlyArray<Turned>): PageTurn.Turn => {
  const characters = new Map<PageTurn.Turn, number>()
  for (const { item, turn } of items) {
    if (turn !== undefined) characters.set(turn, (characters.get(turn) ?? 0) + item.text.length)
  }
  let best: PageTurn.Turn = 0
  for (const [turn, count] of characters) if (count > (characters.get(best) ?? 0)) best = turn
  return best
}

const turned = (item: Item, page: PageTurn.Size, turn: PageTurn.Turn): Item =>
  turn === 0
    ? item
    : {
        ...item,
        box: PageTurn.upright(item.box, page, turn),
        words: item.words?.map((word) => ({ ...word, box: PageTurn.upright(word.box, page, turn) }))
      }

const turns: ReadonlyArray<PageTurn.Turn | undefined> = [0, 90, 180, 270, undefined]

const sidewaysOf = (items: ReadonlyArray<Turned>, page: PageTurn.Size, main: PageTurn.Turn): ReadonlyArray<Sideways> =>
  turns.flatMap((turn) => {
    const own = items.filter((each) => each.turn === turn && turn !== main)
    return own.length === 0 ? [] : [{ turn, items: own.map(({ item }) => turned(item, page, turn ?? 0)) }]
  })

/** Number of letters below which a page with a raster image or garbled text counts as one without a text layer. */
const fewLetters = 16

const lean = (page: ParsedPage, verdict: PageComplexityStats | undefined): PageItems => {
  const items = itemsOf(page)
  const turn = mainTurn(items)
  const size = PageTurn.uprightSize(page, turn)
  const letters = items.reduce((sum, { item }) => sum + item.text.trim().length, 0)
  const reasons = verdict?.reasons ?? []
  const scanned =
    reasons.includes("scanned") ||
    (reasons.includes("no-text") && letters < fewLetters && verdict?.hasSubstantialImages === true)
  const garbled = verdict?.isGarbled === true && !Garbled.isReadable(items.map(({ item }) => item.text).join(" "))
  return {
    pageNumber: page.pageNum,
    width: size.width,
    height: size.height,
    turn,
    items: garbled ? [] : items.filter((each) => each.turn === turn).map(({ item }) => turned(item, page, turn)),
    sideways: garbled ? [] : sidewaysOf(items, page, turn),
    tables: turn === 0 ? tablesOf(page) : [],
    figures: boxesOf(page, "figure", turn),
    headings: boxesOf(page, "heading", turn),
    tagged: StructureTags.fromTree(page.structureTree?.roots ?? []),
    rules: rulesOf(page, turn),
    unreadable: garbled || scanned || (letters === 0 && page.contentBounds !== undefined)
  }
}

/**
 * Draws a page as it is shown, as a PNG of that many dots to the inch. Rejects when the page cannot be drawn.
 *
 * @since 0.1.0
 * @category conversions
 */
export const draw = async (bytes: Uint8Array, pageNumber: number, dpi: number): Promise<Uint8Array> => {
  let drawn: Uint8Array | undefined
  const page = { quiet: true, targetPages: `${pageNumber}`, dpi }
  const recognize = (picture: Uint8Array) => {
    drawn = picture.slice()
    return Promise.resolve([])
  }
  // The picture for a recogniser takes a fifth of the time of a screenshot, but there is none of a page with text.
  await parsed(bytes, { ...page, ocrEnabled: true, ocrEngine: { recognize } })
  if (drawn !== undefined) return drawn
  const { screenshots } = await parsed(bytes, { ...page, ocrEnabled: false, extractScreenshots: true })
  const [picture] = screenshots
  if (picture === undefined) throw new RangeError(`page ${pageNumber} cannot be drawn`)
  return Uint8Array.from(picture.imageBytes)
}

const parsed = async (bytes: Uint8Array, options: ConstructorParameters<typeof LiteParse>[0]) => {
  const parser = new LiteParse(options)
  try {
    return await parser.parse(bytes)
  } finally {
    freely(() => parser.free())
  }
}

/**
 * Reads a page without text, with words laid on it in points from its left upper corner: each is text as high as its box.
 *
 * @since 0.1.0
 * @category conversions
 */
export const readSheet = async (
  sheet: Uint8Array,
  words: ReadonlyArray<{ readonly text: string; readonly box: Box.Box }>
): Promise<PageItems> => {
  const recognize = () =>
    Promise.resolve(
      words.map(({ box, text }): OcrResult => ({ text, bbox: [box.x0, box.y0, box.x1, box.y1], confidence: 1 }))
    )
  // One pixel is one point.
  const ocr = { ocrEnabled: true, dpi: 72, ocrEngine: { recognize } }
  const { pages } = await parsed(sheet, { ...settings, ...ocr })
  const [page] = pages
  if (page === undefined) throw new RangeError("the recognised words cannot be laid out")
  return lean(page, undefined)
}
