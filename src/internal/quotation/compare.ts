/** A quote in a text, both as words: where it stands word for word, and where it stands nearly. */
import { at } from "../base/at.ts"
import { fits, perhaps, same } from "./form.ts"

/** Words of a text from one to another, the end not included. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** Where the quote stands word for word, in order. */
export const exact = (text: ReadonlyArray<string>, quote: ReadonlyArray<string>): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  const { length } = quote
  if (length === 0) return found
  const last = length - 1
  for (let start = 0; start + length <= text.length; start++) {
    // The second word first: marks around the first one do not count.
    if (last > 1 && !same(at(quote, 1), at(text, start + 1))) continue
    let to = 0
    while (to < length && fits(at(quote, to), at(text, start + to), to === 0, to === last)) to++
    if (to === length) found.push({ start, end: start + length })
  }
  return found
}

/** Words of a quote and of a text that stand in each other's place. */
export interface Difference {
  readonly quote: ReadonlyArray<string>
  readonly text: ReadonlyArray<string>
}

export interface Near extends Stretch {
  /** Words that differ. */
  readonly distance: number
  readonly differences: ReadonlyArray<Difference>
}

/** Most pairs of words that are compared for one quote and one text. */
const mostPairs = 4_000_000

/** Words of a quote that may differ for it to stand nearly: a third, and in a short one that of its end as well. */
const tolerated = (words: number): number => (words < 4 ? Math.min(1, words - 1) : 1 + Math.floor(words / 3))

/**
 * The place where the quote stands with the fewest words that differ, the first of several; undefined where more differ than may.
 * It is the alignment of Sellers, whose time is the product of the numbers of words.
 */
export const near = (text: ReadonlyArray<string>, quote: ReadonlyArray<string>): Near | undefined => {
  const [rows, columns] = [quote.length, text.length]
  const most = tolerated(rows)
  if (most === 0 || rows * columns > mostPairs) return undefined
  const width = columns + 1
  const costs = new Uint16Array((rows + 1) * width)
  const open = text.map((word) => word.includes(perhaps))
  for (let row = 1; row <= rows; row++) {
    const quoted = at(quote, row - 1)
    const plain = row > 1 && row < rows && !quoted.includes(perhaps)
    const isEqual = (column: number): boolean =>
      plain && !at(open, column) ? quoted === at(text, column) : fits(quoted, at(text, column), row === 1, row === rows)
    costs[row * width] = row
    for (let column = 1; column <= columns; column++) {
      const above = (row - 1) * width + column
      const change = isEqual(column - 1) ? 0 : 1
      const own = row * width + column
      costs[own] = Math.min((costs[above - 1] ?? 0) + change, (costs[above] ?? 0) + 1, (costs[own - 1] ?? 0) + 1)
    }
  }
  let end = 0
  for (let column = 1; column <= columns; column++) {
    if ((costs[rows * width + column] ?? 0) < (costs[rows * width + end] ?? 0)) end = column
  }
  const distance = costs[rows * width + end] ?? 0
  // Rather another word at the end than one that is not there.
  const swaps = distance > 0 && end < columns && costs[rows * width + end + 1] === distance
  if (swaps && (costs[(rows - 1) * width + end] ?? 0) + 1 === distance) end += 1
  return distance > most ? undefined : traced(costs, text, quote, end)
}

/** The way back from the end of an alignment. */
const traced = (costs: Uint16Array, text: ReadonlyArray<string>, quote: ReadonlyArray<string>, end: number): Near => {
  const width = text.length + 1
  const costAt = (row: number, column: number) => costs[row * width + column] ?? 0
  const differences: Array<{ quote: Array<string>; text: Array<string> }> = []
  let [row, column, open] = [quote.length, end, false]
  while (row > 0) {
    const cost = costAt(row, column)
    const both = column > 0 ? costAt(row - 1, column - 1) : Infinity
    const equal =
      column > 0 && both === cost && fits(at(quote, row - 1), at(text, column - 1), row === 1, row === quote.length)
    if (equal) {
      row -= 1
      column -= 1
      open = false
      continue
    }
    if (!open) differences.unshift({ quote: [], text: [] })
    open = true
    const [quoted, word] = [quote[row - 1] ?? "", text[column - 1] ?? ""]
    const swapped = both + 1 === cost
    const added = !swapped && costAt(row - 1, column) + 1 === cost
    if (swapped || added) {
      differences[0]?.quote.unshift(quoted)
      row -= 1
    }
    if (!added) {
      differences[0]?.text.unshift(word)
      column -= 1
    }
  }
  return { start: column, end, distance: costAt(quote.length, end), differences }
}
