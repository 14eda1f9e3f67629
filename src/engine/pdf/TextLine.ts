/** Lines of text: items next to each other, in reading order, joined by spaces according to their distances. */
import * as Box from "./Box.ts"
import * as Characters from "./Characters.ts"
import { isRightToLeft, type Item, type Word } from "./PageItem.ts"
import * as RightToLeft from "./RightToLeft.ts"
import * as Weighted from "./Weighted.ts"

/** White space, in font heights, from which on two pieces of text are two words. */
export const wordGap = 0.12

/** A part of a line under at most one link. */
export interface Run {
  readonly text: string
  readonly link: string | undefined
}

/** The whole text of runs. */
export const textOf = (runs: ReadonlyArray<Run>): string => runs.map((run) => run.text).join("")

/** One line. The concatenated texts of its runs are `text`. */
export interface TextLine {
  readonly runs: ReadonlyArray<Run>
  /** Text without white space at the ends and with single spaces inside. */
  readonly text: string
  readonly box: Box.Box
  readonly center: number
  /** Mean font height in points, weighted by characters. */
  readonly size: number
  /** More than 85 % of the characters are bold. */
  readonly bold: boolean
  /** More than 85 % of the characters are of one width. */
  readonly mono: boolean
  /** Share of characters in a font for formulas, 0 to 1. */
  readonly math: number
  readonly rtl: boolean
  readonly items: ReadonlyArray<Item>
}

/** Collects runs, with at most one space between two texts. */
class RunBuilder {
  private readonly runs: Array<{ text: string; link: string | undefined }> = []

  add(text: string, link: string | undefined, space: boolean): void {
    const clean = text.replace(/\s{2,}|[^\S ]/g, " ")
    const last = this.runs.at(-1)
    const body = last === undefined || last.text.endsWith(" ") ? clean.trimStart() : clean
    if (body === "") return
    const gap = space && last !== undefined && !last.text.endsWith(" ") && !body.startsWith(" ") ? " " : ""
    if (last !== undefined && last.link === link) {
      last.text = Characters.joined(last.text, gap + body)
    } else {
      if (last !== undefined && gap !== "") {
        if (last.link === undefined) last.text += gap
        else if (link !== undefined) this.runs.push({ text: gap, link: undefined })
      }
      const own = last !== undefined && gap !== "" && last.link !== undefined && link === undefined ? gap + body : body
      this.runs.push({ text: own, link })
    }
  }

  done(): ReadonlyArray<Run> {
    const last = this.runs.at(-1)
    if (last !== undefined) last.text = last.text.trimEnd()
    return this.runs.filter((run) => run.text !== "")
  }
}

const wordsOf = (item: Item): ReadonlyArray<Word> =>
  item.words !== undefined && item.words.length > 0 ? item.words : [{ text: item.text, box: item.box, link: undefined }]

const leftToRight = (items: ReadonlyArray<Item>): ReadonlyArray<Run> => {
  const runs = new RunBuilder()
  let end: number | undefined
  for (const item of items) {
    const linked = item.words?.some((word) => word.link !== undefined) === true
    const parts = linked ? wordsOf(item) : [{ text: item.text, box: item.box, link: undefined }]
    for (const part of parts) {
      runs.add(part.text, part.link, end !== undefined && part.box.x0 - end > item.size * wordGap)
      end = part.box.x1
    }
  }
  return runs.done()
}

/** Words from left to right; parts of one number, which touch, are joined. */
const joined = (words: ReadonlyArray<Word>, size: number): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  for (const word of words.toSorted((left, right) => left.box.x1 - right.box.x1)) {
    const last = found.at(-1)
    const touches = last !== undefined && word.box.x0 - last.box.x1 < size * 0.05 && word.link === last.link
    if (touches && RightToLeft.isLeftToRight(last.text) && RightToLeft.isLeftToRight(word.text)) {
      found[found.length - 1] = { text: last.text + word.text, box: Box.around([last.box, word.box]), link: word.link }
    } else found.push(word)
  }
  return found
}

/** Runs from right to left; sequences of Latin words and numbers keep their own order. */
const rightToLeft = (items: ReadonlyArray<Item>): ReadonlyArray<Run> => {
  const size = Math.max(1, ...items.map((item) => item.size))
  const words = joined(items.flatMap(wordsOf), size).toReversed()
  const runs = new RunBuilder()
  let start: number | undefined
  let held: Array<Word> = []
  const release = () => {
    const [first] = held
    let end: number | undefined
    for (const word of held.toReversed()) {
      const before = end === undefined && start !== undefined && first !== undefined ? start - first.box.x1 : undefined
      const gap = before ?? (end === undefined ? 0 : word.box.x0 - end)
      runs.add(held.length > 1 ? word.text : RightToLeft.word(word.text), word.link, gap > size * wordGap)
      end = word.box.x1
    }
    start = held.at(-1)?.box.x0 ?? start
    held = []
  }
  for (const word of words) {
    if (RightToLeft.isLeftToRight(word.text)) {
      held.push(word)
      continue
    }
    release()
    runs.add(RightToLeft.word(word.text), word.link, start !== undefined && start - word.box.x1 > size * wordGap)
    start = word.box.x0
  }
  release()
  const found = runs.done()
  return found.length === 1 ? found.map(({ text, link }) => ({ text: RightToLeft.line(text), link })) : found
}

/** Forms a line from items. */
export const fromItems = (unsorted: ReadonlyArray<Item>): TextLine => {
  const items = unsorted.toSorted((left, right) => left.box.x0 - right.box.x0)
  const rtl = isRightToLeft(items.map((item) => item.text).join(""))
  const runs = rtl ? rightToLeft(items) : leftToRight(items)
  const box = Box.around(items.map((item) => item.box))
  return {
    runs,
    text: textOf(runs),
    box,
    center: Box.centerY(box),
    size: Weighted.mean(items, ({ size }) => size),
    bold: Weighted.share(items, ({ bold }) => bold) > 0.85,
    mono: Weighted.share(items, ({ mono }) => mono) > 0.85,
    math: Weighted.share(items, ({ math }) => math),
    rtl,
    items
  }
}

/** The items of each line, top to bottom: on one line, centres differ by less than 0.55 of the smaller height. */
export const clusters = (items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> => {
  const sorted = items.toSorted(
    (left, right) => Box.centerY(left.box) - Box.centerY(right.box) || left.box.x0 - right.box.x0
  )
  const found: Array<ReadonlyArray<Item>> = []
  let open: Array<Item> = []
  let center = 0
  let tallest = 0
  for (const item of sorted) {
    const middle = Box.centerY(item.box)
    const height = Box.height(item.box)
    if (open.length > 0 && Math.abs(middle - center) < Math.min(height, tallest) * 0.55) {
      open.push(item)
      tallest = Math.max(tallest, height)
    } else {
      open = [item]
      found.push(open)
      center = middle
      tallest = height
    }
  }
  return found
}

/** Lines of such items; those without text are left out. */
export const fromClusters = (all: ReadonlyArray<ReadonlyArray<Item>>): ReadonlyArray<TextLine> =>
  all.map(fromItems).filter(({ text }) => text !== "")

/** Groups items into lines, top to bottom, as {@link clusters} does. */
export const group = (items: ReadonlyArray<Item>): ReadonlyArray<TextLine> => fromClusters(clusters(items))

/** True if two neighbouring items of a line are further apart than `widest` points. */
export const hasGap = ({ items }: Pick<TextLine, "items">, widest: number): boolean =>
  items.some((item, at) => {
    const before = items[at - 1]
    return before !== undefined && item.box.x0 - before.box.x1 > widest
  })
