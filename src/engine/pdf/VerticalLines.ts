/**
 * Lines that are written from top to bottom, whose signs the engine gives one by one, or in rows across the lines. Put together they are
 * turned text: a page of them is read in the frame in which such lines lie.
 */
import type * as Box from "./Box.ts"
import * as TextLine from "./TextLine.ts"

interface Word extends Box.Rect {
  readonly text: string
}

interface GivenItem extends Word {
  readonly rotation: number
  readonly fontHeight?: number
  readonly words?: ReadonlyArray<Word>
}

/** A word with the item that it is of. */
interface Cell<T> {
  readonly word: Word
  readonly item: T
  readonly size: number
  /** Middle, in points. */
  readonly x: number
  readonly y: number
}

const sign = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]$/u

/** Largest distance of the middles of two signs that follow one another, and how far off their line they may be, in font heights. */
const pitch = { most: 1.8, aside: 0.3 }

/** Number of signs on a page from which on they tell how its lines run. */
const fewest = 20

/** How many times as many signs have their next one below them than have it to their right, and by how much it is nearer. */
const clearly = 3
const nearer = 0.95

const cellsOf = <T extends GivenItem>(
  items: ReadonlyArray<T>,
  divided: (word: Word, size: number) => ReadonlyArray<Word>
): ReadonlyArray<Cell<T>> =>
  items.flatMap((item) => {
    const size = item.fontHeight ?? Math.min(item.width, item.height)
    const words = (item.words ?? [item]).flatMap((word) => divided(word, size))
    return words.map((word) => ({ word, item, size, x: word.x + word.width / 2, y: word.y + word.height / 2 }))
  })

/** True if the signs follow one another from top to bottom. */
const runDown = (signs: ReadonlyArray<Cell<unknown>>): boolean => {
  const strips = new Map<number, Array<Cell<unknown>>>()
  for (const cell of signs) {
    const strip = Math.floor(cell.y / cell.size)
    strips.set(strip, [...(strips.get(strip) ?? []), cell])
  }
  const near = ({ size, y }: Cell<unknown>) =>
    [0, 1, 2, -1].flatMap((by) => strips.get(Math.floor(y / size) + by) ?? [])
  let down = 0
  let across = 0
  for (const cell of signs) {
    let below = cell.size * pitch.most
    let right = below
    for (const { x, y } of near(cell)) {
      const aside = [x - cell.x, y - cell.y].map((by) => Math.abs(by) < cell.size * pitch.aside)
      if (aside[0] === true && y > cell.y) below = Math.min(below, y - cell.y)
      if (aside[1] === true && x > cell.x) right = Math.min(right, x - cell.x)
    }
    if (below < right * nearer) down++
    if (right < below * nearer) across++
  }
  return down > signs.length / 2 && down > across * clearly
}

/** Largest width of what stands in a vertical line, in font heights: a sign, or a number of two figures. */
const widest = 1.4

/** Largest gap between two signs of a line, and how far they may overlap, in font heights. */
const gap = { most: 1.2, least: -0.4 }

/** How far the middle of a sign may be from that of its line, in font heights: a full stop stands in a corner of its place. */
const offLine = 0.6

interface Line<T> {
  readonly x: number
  readonly cells: Array<Cell<T>>
}

const linesOf = <T>(cells: ReadonlyArray<Cell<T>>): ReadonlyArray<Line<T>> => {
  const lines: Array<Line<T>> = []
  const open: Array<Line<T>> = []
  for (const cell of cells.toSorted((one, other) => one.word.y - other.word.y)) {
    const own = open
      .filter(({ cells: [first, ...rest], x }) => {
        const last = rest.at(-1) ?? first
        const free = last === undefined ? 0 : (cell.word.y - last.word.y - last.word.height) / cell.size
        return Math.abs(x - cell.x) < cell.size * offLine && free > gap.least && free < gap.most
      })
      .toSorted((one, other) => Math.abs(one.x - cell.x) - Math.abs(other.x - cell.x))[0]
    if (own === undefined) {
      const line = { x: cell.x, cells: [cell] }
      lines.push(line)
      open.push(line)
    } else own.cells.push(cell)
  }
  return lines
}

const isWestern = (text: string): boolean => /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u.test(text)

const textOf = (cells: ReadonlyArray<Cell<unknown>>): string =>
  cells.reduce((text, { size, word }, at) => {
    const above = cells[at - 1]?.word
    const apart =
      above !== undefined &&
      word.y - above.y - above.height > size * TextLine.wordGap &&
      isWestern(above.text) &&
      isWestern(word.text)
    return `${text}${apart ? " " : ""}${word.text}`
  }, "")

const alone = <T>({ item, word }: Cell<T>): T => ({ ...item, ...word, words: [word] })

const joined = <T extends GivenItem>({ cells }: Line<T>): ReadonlyArray<T> => {
  const [first] = cells
  if (first === undefined) return []
  if (cells.every(({ item, word }) => item.rotation === 0 && !sign.test(word.text))) return cells.map(alone)
  const words = cells.map(({ word }) => word)
  const x = Math.min(...words.map((word) => word.x))
  const y = Math.min(...words.map((word) => word.y))
  const width = Math.max(...words.map((word) => word.x + word.width)) - x
  const height = Math.max(...words.map((word) => word.y + word.height)) - y
  return [{ ...first.item, text: textOf(cells), rotation: 90, x, y, width, height, words: [] }]
}

/** The signs of a word that the engine made of those of neighbouring lines, which are at even distances. */
const signsOf = (word: Word, size: number): ReadonlyArray<Word> => {
  const signs = Array.from(word.text)
  if (word.width < size * widest || signs.length < 2 || !signs.every((each) => sign.test(each))) return [word]
  const step = (word.width - size) / (signs.length - 1)
  return signs.map((text, at) => ({ text, x: word.x + at * step, y: word.y, width: size, height: word.height }))
}

/** The items of a page; where its lines run from top to bottom, one for each line, turned by 90 degrees, and the others as they are. */
export const join = <T extends GivenItem>(items: ReadonlyArray<T>): ReadonlyArray<T> => {
  const cells = cellsOf(items, (word) => [word])
  const signs = cells.filter(({ word }) => sign.test(word.text))
  if (signs.length < fewest || signs.length * 2 < cells.length || !runDown(signs)) return items
  const inLine = ({ item, size, word }: Cell<T>): boolean =>
    item.rotation === 90 || (item.rotation === 0 && word.width < size * widest)
  const written = cellsOf(items, signsOf)
  const lines = linesOf(written.filter(inLine)).flatMap(joined)
  return [...lines, ...written.filter((cell) => !inLine(cell)).map(alone)]
}
