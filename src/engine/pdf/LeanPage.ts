/** Reduces a page of the engine to the data of its text layer that layout needs: {@link PageItems}. */
import type { PageComplexityStats, ParsedPage } from "@llamaindex/liteparse-wasm"
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
import * as RaisedItems from "./RaisedItems.ts"
import * as SpacedRows from "./SpacedRows.ts"
import * as SwallowedSpaces from "./SwallowedSpaces.ts"
import * as TextLine from "./TextLine.ts"
import * as TypeSigns from "./TypeSigns.ts"
import * as VerticalLines from "./VerticalLines.ts"

/** True for text of PDFium's that is not visible. */
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
    return [
      {
        box: Box.fromRect(block.bbox),
        rows: rows.map((row) => row.map((cell) => readable(TypeSigns.restored(cell.text, false), "")))
      }
    ]
  })

const boxesOf = (page: ParsedPage, kind: string, turn: PageTurn.Turn): ReadonlyArray<Box.Box> =>
  (page.blocks ?? []).flatMap((block) =>
    block.kind === kind && block.bbox !== undefined ? [PageTurn.upright(Box.fromRect(block.bbox), page, turn)] : []
  )

interface Turned {
  readonly item: Item
  readonly turn: PageTurn.Turn | undefined
}

/** Words of the scripts whose letters have spaces between words; the engine takes letters of large or turned text for words. */
const letterByLetter = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u

/** True if most words of an item are single letters. */
const isDivided = (words: ReadonlyArray<{ readonly text: string }>): boolean =>
  words.length > 2 && words.filter(({ text }) => letterByLetter.test(text)).length * 2 > words.length

/** Words by the distances of those that the engine gives, which may end between any two letters. */
const wholeWords = (words: ReadonlyArray<Word>, size: number): ReadonlyArray<Word> => {
  const whole: Array<Word> = []
  for (const word of words.toSorted((left, right) => left.box.x0 - right.box.x0)) {
    const last = whole.at(-1)
    if (last === undefined || word.link !== last.link || word.box.x0 - last.box.x1 > size * TextLine.wordGap)
      whole.push(word)
    else whole.splice(-1, 1, { ...last, text: last.text + word.text, box: Box.around([last.box, word.box]) })
  }
  return whole
}

const withWholeWords = (item: Item): Item => {
  if (item.words === undefined || item.words.length === 0 || isRightToLeft(item.text)) return item
  const words = wholeWords(item.words, item.size)
  return { ...item, text: words.map(({ text }) => text).join(" "), words }
}

const itemsOf = (page: ParsedPage): ReadonlyArray<Turned> => {
  const links = linksOf(page)
  const tables = tablesOf(page)
  const textItems = FloatingAccents.settle(VerticalLines.join(page.textItems).map(SwallowedSpaces.restore)).map(
    RaisedItems.inWords
  )
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
    const turn = PageTurn.fromAngle(raw.rotation)
    const divided = isDivided(raw.words ?? [])
    const apart =
      spaced.has(raw) ||
      turn !== 0 ||
      divided ||
      linked.length > 0 ||
      isRightToLeft(raw.text) ||
      tables.some((table) => Box.shared(table.box, box) > 0) ||
      crosses(box)
    const traits = fontTraits(raw.fontName ?? "", raw.fontWeight)
    const shown = (text: string): string => readable(TypeSigns.restored(text, traits.mono), raw.fontName ?? "")
    const words = apart
      ? raw.words?.map((word): Word => {
          const own = Box.fromRect(word)
          return {
            text: shown(word.text),
            box: own,
            link: linked.find((link) => Box.centerWithin(own, link.box, 1))?.uri
          }
        })
      : undefined
    const item: Item = {
      text: shown(raw.text),
      box,
      size: raw.fontHeight ?? (raw.height > 0 ? raw.height : 10),
      font: (raw.fontName ?? "").replace(/^[A-Z]{6}\+/, ""),
      color: raw.fillColor ?? "",
      ...traits,
      mcid: raw.mcid,
      words
    }
    return [{ item: divided && turn === 0 ? withWholeWords(item) : item, turn }]
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
    : withWholeWords({
        ...item,
        box: PageTurn.upright(item.box, page, turn),
        words: item.words?.map((word) => ({ ...word, box: PageTurn.upright(word.box, page, turn) }))
      })

const turns: ReadonlyArray<PageTurn.Turn | undefined> = [0, 90, 180, 270, undefined]

const sidewaysOf = (items: ReadonlyArray<Turned>, page: PageTurn.Size, main: PageTurn.Turn): ReadonlyArray<Sideways> =>
  turns.flatMap((turn) => {
    const own = items.filter((each) => each.turn === turn && turn !== main)
    return own.length === 0 ? [] : [{ turn, items: own.map(({ item }) => turned(item, page, turn ?? 0)) }]
  })

/** Number of letters below which a page with a raster image or garbled text counts as one without a text layer. */
const fewLetters = 16

/** The page, with the engine's verdict about its text layer where it was asked for one. */
export const fromParsed = (page: ParsedPage, verdict: PageComplexityStats | undefined): PageItems => {
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
    items: garbled
      ? []
      : RaisedItems.join(items.filter((each) => each.turn === turn).map(({ item }) => turned(item, page, turn))),
    sideways: garbled ? [] : sidewaysOf(items, page, turn),
    tables: turn === 0 ? tablesOf(page) : [],
    figures: boxesOf(page, "figure", turn),
    headings: boxesOf(page, "heading", turn),
    tagged: StructureTags.fromTree(page.structureTree?.roots ?? []),
    rules: rulesOf(page, turn),
    unreadable: garbled || scanned || (letters === 0 && page.contentBounds !== undefined)
  }
}
