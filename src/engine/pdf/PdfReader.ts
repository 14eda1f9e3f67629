/**
 * Reads a PDF with `@llamaindex/liteparse-wasm` (PDFium), a few pages at a time, into {@link PageItems}.
 *
 * @since 0.1.0
 */
import {
  initSync,
  LiteParse,
  type ParsedPage,
  type ParseSession,
  type StructureTreeElement
} from "@llamaindex/liteparse-wasm"
import * as Box from "./Box.ts"
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
import * as WasmModule from "./WasmModule.ts"

/**
 * Pages that are read in one call. Word boxes of hundreds of pages at once take gigabytes; of 8 pages a few megabytes.
 *
 * @since 0.1.0
 * @category constants
 */
export const batchSize = 8

/**
 * Why the engine could not open or read the document.
 *
 * `crashed`: the WebAssembly instance ended in a trap; nothing may be read with it any more.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadFailure {
  readonly reason: "encrypted" | "malformed" | "crashed"
  /** The engine's own words. */
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
 * An open document.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reader {
  /** Pages of the document, before `maxPages`. */
  readonly totalPages: number
  /** The next pages; undefined when there are none left. Pages that cannot be read are left out of their batch. */
  readonly next: () => Promise<Batch | ReadFailure | undefined>
  /** Gives the memory back; once. */
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

/**
 * Opens a document. Never rejects.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = async (
  module: WasmModule.WasmModule,
  bytes: Uint8Array,
  maxPages: number
): Promise<Reader | ReadFailure> => {
  let parser: LiteParse | undefined
  try {
    initSync({ module })
    parser = new LiteParse({
      ocrEnabled: false,
      preserveVerySmallText: true,
      quiet: true,
      maxPages,
      continueOnPageError: true,
      keepHeadersFooters: true,
      emitWordBoxes: true,
      extractAnnotations: true,
      extractBlocks: true,
      extractContentBounds: true,
      extractDocumentMetadata: true,
      extractLinks: false,
      extractStructureTree: true,
      extractTextMetadata: true,
      extractVectorGraphics: true,
      includeComplexity: true
    })
    return reader(parser, await parser.openBatchSession(bytes, batchSize))
  } catch (cause) {
    const failure = failureOf(cause)
    if (failure.reason !== "crashed") parser?.free()
    return failure
  }
}

const reader = (parser: LiteParse, session: ParseSession): Reader => ({
  totalPages: session.totalPages,
  next: async () => {
    try {
      const batch = await session.nextBatch()
      return batch === undefined
        ? undefined
        : {
            pages: batch.result.pages.map(lean),
            endPage: batch.endPage,
            encrypted: batch.result.docMeta?.isEncrypted === true
          }
    } catch (cause) {
      return failureOf(cause)
    }
  },
  close: () => {
    try {
      session.free()
      parser.free()
    } catch {
      // After a trap nothing can be freed; the worker is thrown away with its memory.
    }
  }
})

/** What PDFium calls text but shows nothing. */
const isBlank = (text: string): boolean => text.trim() === ""

const linksOf = (page: ParsedPage): ReadonlyArray<{ readonly box: Box.Box; readonly uri: string }> =>
  (page.annotations ?? []).flatMap((annotation) => {
    const uri = annotation.uri
    if (uri === undefined || !/^(https?|mailto|tel|ftp):/i.test(uri)) return []
    const rects = annotation.quadpointRects.length > 0 ? annotation.quadpointRects : [annotation.rect]
    return rects.flatMap((rect) => (rect === undefined ? [] : [{ box: Box.fromRect(rect), uri }]))
  })

const headingLevel = /^H(?:eading)?([1-6])?$/i

/** Levels of the marked contents below heading elements; `Title` counts as level 1. */
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
  const walls = rulesOf(page, 0).filter((rule) => !rule.horizontal)
  const crosses = (box: Box.Box) => {
    const middle = Box.centerY(box)
    return walls.some((wall) => wall.at > box.x0 && wall.at < box.x1 && wall.from < middle && wall.to > middle)
  }
  return page.textItems.flatMap((raw) => {
    if (isBlank(raw.text) || raw.y >= page.height || raw.y + raw.height <= 0) return []
    const box = Box.fromRect(raw)
    const linked = links.filter((link) => Box.shared(link.box, box) > 0)
    const apart =
      linked.length > 0 ||
      isRightToLeft(raw.text) ||
      tables.some((table) => Box.shared(table.box, box) > 0) ||
      crosses(box)
    const words = apart
      ? raw.words?.map((word): Word => {
          const own = Box.fromRect(word)
          return { text: word.text, box: own, link: linked.find((link) => Box.centerWithin(own, link.box, 1))?.uri }
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

/** The turn that most characters have. */
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

/** Letters below which a page with a raster or garbled text counts as one without a text layer. */
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
