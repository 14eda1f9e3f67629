import * as RaisedText from "../RaisedText.ts"
/**
 * Superscripts and subscripts on their lines: small items next to larger ones, over or under their base line, and words that the
 * engine has put on one line with the rest of their item.
 */
import * as Tally from "../Tally.ts"
import * as Box from "./Box.ts"
import type { Item } from "./PageItem.ts"

/** Largest and smallest size of a script, as a share of that of the text next to it. */
const largest = 0.82
const smallest = 0.45

/** Distances of the base line of a script from that of its text, as shares of its size: over it, and under it. */
const raise = { from: 0.18, to: 0.75 } as const
const drop = { from: 0.09, to: 0.5 } as const

/** Widest gap between a text and its script, as a share of its size. */
const widest = 0.25

/** Most characters of a script: longer small items are separate texts. */
const longest = 6

const descending = /[gjpqyQ,;()[\]{}|/@$ςφψρμηβγζξ§]/u

/** Part of the size below the base line. */
const depth = 0.21

/** Height of a box, as a share of the size, from which on it holds more than its characters need. */
const loose = 0.93

/** y of the base line: boxes end there, or below it by what their characters or their font needs. */
const baseLine = ({ box, size, text }: Item): number =>
  descending.test(text) || Box.height(box) >= size * loose ? box.y1 - size * depth : box.y1

interface Piece {
  readonly script: RaisedText.Script
  readonly text: string
}

interface Base {
  readonly item: Item
  readonly line: number
  readonly pieces: Array<Piece>
  /** Right edge with the scripts so far. */
  end: number
}

const scriptBeside = ({ end, item, line }: Base, small: Item): RaisedText.Script | undefined => {
  const { size } = item
  if (small.size > size * largest || small.size < size * smallest) return undefined
  // Over and under one another, scripts begin at the same place.
  if (small.box.x0 < item.box.x1 - size * widest || small.box.x0 > end + size * widest) return undefined
  const over = (line - baseLine(small)) / size
  if (over >= raise.from && over <= raise.to) return "sup"
  return -over >= drop.from && -over <= drop.to ? "sub" : undefined
}

/** The pieces as text, neighbours of one script together. */
const written = (pieces: ReadonlyArray<Piece>): string => {
  const joined: Array<Piece> = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (last?.script === piece.script) joined[joined.length - 1] = { ...last, text: last.text + piece.text }
    else joined.push(piece)
  }
  return joined.map(({ script, text }) => RaisedText.plain(text, script)).join("")
}

const withScripts = ({ end, item, pieces }: Base): Item => {
  if (pieces.length === 0) return item
  const scripts = written(pieces)
  const last = item.words?.at(-1)
  return {
    ...item,
    text: item.text.trimEnd() + scripts,
    box: { ...item.box, x1: Math.max(item.box.x1, end) },
    words:
      last === undefined
        ? item.words
        : item.words?.with(-1, {
            ...last,
            text: last.text + scripts,
            box: { ...last.box, x1: Math.max(last.box.x1, end) }
          })
  }
}

/** Height of the bands in which the base of a script is looked for; larger text has no scripts. */
const band = 40

const bandOf = (item: Item): number => Math.floor(Box.centerY(item.box) / band)

const mayBeScript = ({ mono, text }: Item): boolean => !mono && text.trim() !== "" && text.trim().length <= longest

/** The items, with each script appended to its base. */
export const join = (items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const bands = new Map<number, Array<Base>>()
  const bases = new Map<Item, Base>()
  for (const item of items) {
    if (item.mono || item.size > band) continue
    const base: Base = { item, line: baseLine(item), pieces: [], end: item.box.x1 }
    bases.set(item, base)
    Tally.gather(bands, bandOf(item), base)
  }
  const taken = new Set<Item>()
  for (const small of items.filter(mayBeScript).toSorted((left, right) => left.box.x0 - right.box.x0)) {
    const near = [-1, 0, 1].flatMap((step) => bands.get(bandOf(small) + step) ?? [])
    for (const base of near) {
      const script = taken.has(base.item) || base.item === small ? undefined : scriptBeside(base, small)
      if (script === undefined) continue
      base.pieces.push({ script, text: small.text.trim() })
      base.end = Math.max(base.end, small.box.x1)
      taken.add(small)
      break
    }
  }
  return taken.size === 0
    ? items
    : items.flatMap((item) => {
        const base = bases.get(item)
        return taken.has(item) ? [] : [base === undefined ? item : withScripts(base)]
      })
}

interface GivenWord extends Box.Rect {
  readonly text: string
}

interface GivenItem extends GivenWord {
  readonly rotation: number
  readonly fontHeight?: number
  readonly fontAscent?: number
  readonly fontDescent?: number
  readonly words?: ReadonlyArray<GivenWord>
}

/** Share of the font size by which a box must exceed its neighbours to hold a script. */
const excess = 0.04

/** Share of a word's height under which the whole word is a script. */
const low = 0.85

/** A word without signs of code that ends with a raised number, after a letter or a bracket with or without a stop, or a ten. */
const raisedEnd = /^(?!.*[\\{}<>=_|])(.*[\p{L})\]”’"'][.,;:]?|(?:.*[^\d.,])?10)([-\u2212\u2013+]?\d{1,3})([.,;:)\]]*)$/u

const loweredDigits = /(?<=\p{L})\d{1,3}(?!\d)/gu

/** The text of a word with its script in Unicode; the same text where its box has none. `top` and `bottom` are those of other words. */
const scripted = (word: GivenWord, top: number, bottom: number, size: number): string => {
  const over = top - word.y > size * excess
  const under = word.y + word.height - bottom > size * excess
  if (over === under) return word.text
  const script = over ? "sup" : "sub"
  if (word.height < (bottom - top) * low)
    return word.text.length > longest ? word.text : RaisedText.plain(word.text, script)
  if (!over) return word.text.replaceAll(loweredDigits, (digits) => RaisedText.plain(digits, script))
  const [, text, number = "", sign = ""] = raisedEnd.exec(word.text) ?? []
  return text === undefined ? word.text : text + RaisedText.plain(number, script) + sign
}

/**
 * An item of the engine with the scripts of its words, known by boxes that are higher or lower than those of words without one. Only
 * in fonts whose boxes do not depend on the letters, and next to a word without a script.
 */
export const inWords = <T extends GivenItem>(item: T): T => {
  const { fontAscent, fontDescent, fontHeight: size, words = [] } = item
  if (item.rotation !== 0 || size === undefined || fontAscent === undefined || fontDescent === undefined) return item
  const height = fontAscent - fontDescent
  const usual = words.find((word) => Math.abs(word.height - height) < size * excess && /[\p{L}\p{N}]/u.test(word.text))
  if (usual === undefined) return item
  const bottom = usual.y + height
  const written = words.map((word) => scripted(word, usual.y, bottom, size))
  if (written.every((text, at) => text === words[at]?.text)) return item
  let { text } = item
  let from = 0
  for (const [at, word] of words.entries()) {
    const own = written[at] ?? word.text
    const start = text.indexOf(word.text, from)
    if (start < 0) return item
    const before = words[at - 1]
    const touches =
      own !== word.text &&
      word.height < height * low &&
      before !== undefined &&
      word.x - before.x - before.width < size * widest
    const head = touches ? text.slice(0, start).trimEnd() : text.slice(0, start)
    text = head + own + text.slice(start + word.text.length)
    from = head.length + own.length
  }
  return {
    ...item,
    text,
    words: words.map(({ height: h, width, x, y, ...word }, at) => ({
      text: written[at] ?? word.text,
      x,
      y,
      width,
      height: h
    }))
  }
}
