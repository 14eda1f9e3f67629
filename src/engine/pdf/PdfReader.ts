/**
 * Reads a PDF with `@llamaindex/liteparse-wasm` (PDFium), a few pages at a time, into {@link PageItems}.
 *
 * @since 0.1.0
 */
import { initSync, LiteParse, type ParsedPage, type StructureTreeElement } from "@llamaindex/liteparse-wasm"
import * as Box from "./Box.ts"
import * as FloatingAccents from "./FloatingAccents.ts"
import * as Garbled from "./Garbled.ts"
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
import * as WasmModule from "./WasmModule.ts"

/** Pages of each of the first calls: the first pages must come soon, and each may be heavy. */
const fewest = 8

/** Most pages of one call: light pages may be followed by heavy ones. */
const most = 256

/** Most words and lines of one call; each takes some 700 bytes until its page is reduced to the lean form. */
const mostParts = 200_000

/**
 * Number of pages to read in the next call, after `read` pages, when the heaviest page so far had `heaviest` words and lines.
 *
 * Each call opens the document and walks its page tree from the first page, so calls of a constant size would take quadratic time: a
 * sixteenth of the pages read so far keeps that cost to a constant share.
 *
 * @since 0.1.0
 * @category constructors
 */
export const batchSize = (read: number, heaviest: number): number =>
  Math.max(fewest, Math.min(most, Math.floor(read / 16), Math.floor(mostParts / Math.max(1, heaviest))))

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
  /** Set with the first batch only. */
  readonly encrypted: boolean
  /** Words and lines of the batch's heaviest page. */
  readonly heaviest: number
}

/**
 * An open document. Between two batches it holds nothing in the engine.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reader {
  /** Pages of the document, before `maxPages`. */
  readonly totalPages: number
  /** Reads the next pages; undefined when none are left. Pages that cannot be read are left out of their batch. */
  readonly next: () => Promise<Batch | ReadFailure | undefined>
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
  extractVectorGraphics: true,
  includeComplexity: true
} as const

/** Frees an object of the engine. After a trap nothing can be freed: the lane is discarded with its memory. */
const freely = (free: () => void): void => {
  try {
    free()
  } catch {
    // A trap: nothing can be freed.
  }
}

/** Number of pages of the document, without reading any. */
const countPages = async (bytes: Uint8Array): Promise<number> => {
  const parser = new LiteParse(settings)
  try {
    const session = await parser.openBatchSession(bytes, fewest)
    const { totalPages } = session
    freely(() => session.free())
    return totalPages
  } finally {
    freely(() => parser.free())
  }
}

/** Reads the pages `first` to `last`, both included. Only the first requests the metadata, which reads the whole file. */
const readBatch = async (bytes: Uint8Array, first: number, last: number): Promise<Batch> => {
  const parser = new LiteParse({
    ...settings,
    targetPages: `${first}-${last}`,
    extractDocumentMetadata: first === 1
  })
  try {
    const { docMeta, pages } = await parser.parse(bytes)
    return {
      pages: pages.map(lean),
      endPage: last,
      encrypted: docMeta?.isEncrypted === true,
      heaviest: pages.reduce((parts, page) => Math.max(parts, partsOf(page)), 0)
    }
  } finally {
    freely(() => parser.free())
  }
}

const partsOf = ({ textItems, vectorGraphics }: ParsedPage): number =>
  textItems.reduce((sum, { words }) => sum + 1 + (words?.length ?? 0), 0) +
  (vectorGraphics?.lines.length ?? 0) +
  (vectorGraphics?.shapes.length ?? 0)

/**
 * Opens a document; at most its first `maxPages` pages are read. Never rejects.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = async (
  module: WasmModule.WasmModule,
  bytes: Uint8Array,
  maxPages: number
): Promise<Reader | ReadFailure> => {
  try {
    initSync({ module })
    return reader(bytes, await countPages(bytes), maxPages)
  } catch (cause) {
    return failureOf(cause)
  }
}

const reader = (bytes: Uint8Array, totalPages: number, maxPages: number): Reader => {
  const end = Math.min(totalPages, maxPages)
  let read = 0
  let heaviest = 0
  return {
    totalPages,
    next: async () => {
      if (read >= end) return undefined
      try {
        const batch = await readBatch(bytes, read + 1, Math.min(end, read + batchSize(read, heaviest)))
        read = batch.endPage
        heaviest = Math.max(heaviest, batch.heaviest)
        return batch
      } catch (cause) {
        return failureOf(cause)
      }
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

const headingLevel = /^H(?:eading)?([1-6])?$/i

/** Heading levels by marked content, from the heading elements of the structure tree; `Title` counts as level 1. */
const taggedHeadings = (page: ParsedPage): ReadonlyMap<number, number> => {
  const levels = new Map<number, number>()
  const visit = (element: StructureTreeElement, inherited: number | undefined): void => {
    const match = headingLevel.exec(element.type)
    const level = element.type === "Title" ? 1 : match === null ? inherited : Number(match[1] ?? "1")
    if (level !== undefined) for (const id of element.markedContentIds) levels.set(id, level)
    for (const child of element.children) visit(child, level)
  }
  for (const root of page.structureTree?.roots ?? []) visit(root, undefined)
  return levels
}

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

const lean = (page: ParsedPage): PageItems => {
  const items = itemsOf(page)
  const turn = mainTurn(items)
  const size = PageTurn.uprightSize(page, turn)
  const letters = items.reduce((sum, { item }) => sum + item.text.trim().length, 0)
  const reasons = page.complexity?.reasons ?? []
  const scanned =
    reasons.includes("scanned") ||
    (reasons.includes("no-text") && letters < fewLetters && page.complexity?.hasSubstantialImages === true)
  const garbled =
    page.complexity?.isGarbled === true && !Garbled.isReadable(items.map(({ item }) => item.text).join(" "))
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
    tagged: taggedHeadings(page),
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
  const parser = new LiteParse({
    ocrEnabled: false,
    quiet: true,
    targetPages: `${pageNumber}`,
    extractScreenshots: true,
    dpi
  })
  try {
    const { screenshots } = await parser.parse(bytes)
    const [picture] = screenshots
    if (picture === undefined) throw new RangeError(`page ${pageNumber} cannot be drawn`)
    return Uint8Array.from(picture.imageBytes)
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
  const parser = new LiteParse({
    ...settings,
    includeComplexity: false,
    ocrEnabled: true,
    // One pixel is one point.
    dpi: 72,
    ocrEngine: {
      recognize: () =>
        Promise.resolve(words.map(({ box, text }) => ({ text, bbox: [box.x0, box.y0, box.x1, box.y1], confidence: 1 })))
    }
  })
  try {
    const { pages } = await parser.parse(sheet)
    const [page] = pages
    if (page === undefined) throw new RangeError("the recognised words cannot be laid out")
    return lean(page)
  } finally {
    freely(() => parser.free())
  }
}
