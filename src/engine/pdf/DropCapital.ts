/** Large first letters of a paragraph that hang over several of its lines. */
import * as Box from "./Box.ts"
import type { Words } from "./Hyphenation.ts"
import type { Item } from "./PageItem.ts"

/** Smallest ratio of the letter's size to that of the text next to it. */
const sizeRatio = 1.8

/** Letters that are words in some language. */
const word = /^[AIOYEÀÉ]$/u

/** The item that a letter is the first one of: the leftmost next to it in the uppermost line that begins right of it. */
const follower = (letter: Item, items: ReadonlyArray<Item>): Item | undefined => {
  let best: Item | undefined
  for (const item of items) {
    const near =
      item.box.x0 > letter.box.x0 + Box.width(letter.box) * 0.5 && item.box.x0 - letter.box.x1 < item.size * 1.2
    const beside = Box.centerY(item.box) > letter.box.y0 && Box.centerY(item.box) < letter.box.y1
    if (!near || !beside || letter.size < item.size * sizeRatio || !/^\p{L}/u.test(item.text)) continue
    if (best === undefined || item.box.y0 < best.box.y0 - item.size * 0.3) best = item
  }
  return best
}

/** True if text stands left of the letter or in line with it, as in a formula. */
const isWithinLine = (letter: Item, items: ReadonlyArray<Item>): boolean =>
  items.some(
    ({ box, size }) =>
      box.x1 <= letter.box.x0 + 1 &&
      letter.box.x0 - box.x1 < size * 2 &&
      Box.centerY(box) > letter.box.y0 &&
      Box.centerY(box) < letter.box.y1
  )

/** Largest width of a character, in font heights, of an item whose size is that of its first letter only. */
const narrowest = 0.3

/** Distance of two lines, in font heights. */
const pitch = 1.2

/** The item with its first letter joined to the word that it begins. */
const whole = (initial: string, rest: string, words: Words): string => {
  const first = /^\p{L}+/u.exec(rest)?.[0] ?? ""
  const apart = word.test(initial) && !words.has(`${initial}${first}`.toLowerCase())
  return apart ? `${initial} ${rest}` : initial + rest
}

/**
 * An item that the text layer makes of a drop capital and the first line next to it: with the size of the lines below, directly above
 * them. Undefined for any other item.
 */
const settled = (item: Item, items: ReadonlyArray<Item>, words: Words): Item | undefined => {
  const match = /^(["“„«‘]?\p{Lu}) (\p{L}.*)$/u.exec(item.text)
  if (match === null || Box.width(item.box) > item.text.length * item.size * narrowest) return undefined
  const [, initial = "", rest = ""] = match
  const below = items
    .filter(
      (other) =>
        other !== item &&
        item.size >= other.size * sizeRatio &&
        other.box.x0 > item.box.x0 + 1 &&
        other.box.x0 < item.box.x1 &&
        Box.centerY(other.box) > item.box.y0 &&
        Box.centerY(other.box) < item.box.y1
    )
    .toSorted((left, right) => left.box.y0 - right.box.y0)[0]
  if (below === undefined) return undefined
  const lift = below.size * pitch
  const box = { x0: below.box.x0, x1: item.box.x1, y0: below.box.y0 - lift, y1: below.box.y1 - lift }
  return { ...item, text: whole(initial, rest, words), size: below.size, bold: below.bold, words: undefined, box }
}

/** The items of a page, each drop capital joined to the text that it begins. */
export const join = (items: ReadonlyArray<Item>, words: Words): ReadonlyArray<Item> => {
  const joined = new Map<Item, Item | undefined>()
  for (const item of items) {
    const text = item.text.trim()
    if (!/^["“„«‘]?\p{Lu}(?: |$)/u.test(text)) continue
    const own = settled(item, items, words)
    if (own !== undefined) joined.set(item, own)
    if (text.length > 2) continue
    const next = follower(item, items)
    if (next === undefined || joined.has(next) || isWithinLine(item, items)) continue
    // Two lines at least stand next to the letter.
    if (item.box.y1 - next.box.y1 < next.size * 0.5) continue
    joined.set(item, undefined)
    joined.set(next, { ...next, text: whole(text, next.text, words), words: undefined })
  }
  return joined.size === 0 ? items : items.flatMap((item) => (joined.has(item) ? (joined.get(item) ?? []) : [item]))
}
