/**
 * Aligns the words of a truth with the text layer of its PDF, so that every block has boxes and every line of text has a label, whatever
 * program wrote the PDF and whatever engine reads it.
 */
import * as Box from "../../src/engine/pdf/Box.ts"
import type { Item, PageItems } from "../../src/engine/pdf/PageItem.ts"
import { isRightToLeft } from "../../src/engine/pdf/PageItem.ts"
import * as Sequence from "./sequence.ts"
import * as Tokens from "./tokens.ts"
import type { Truth } from "./truth.ts"

/** A piece of text on one line of a page, in the order of the text layer. */
export interface Piece {
  /** 1-based. */
  readonly page: number
  readonly text: string
  readonly box: Box.Box
}

/** What a piece of text is part of: an index into `blocks` or `furniture` of the truth. */
export type Label = { readonly in: "blocks" | "furniture"; readonly at: number }

export interface Place {
  readonly page: number
  readonly box: Box.Box
}

export interface Alignment {
  /** Share of the truth's words that were found, 0 to 1. */
  readonly found: number
  /** Share of the text layer's words that have a label, 0 to 1. */
  readonly labelled: number
  /** For each block its boxes: one for each page and column that it is on. Empty for a block without words. */
  readonly blocks: ReadonlyArray<ReadonlyArray<Place>>
  /** For each line of the furniture its box, if it was found. */
  readonly furniture: ReadonlyArray<Place | undefined>
  /** Label of most letters of the words whose centres are in the box; undefined where none has one. */
  readonly labelOf: (page: number, box: Box.Box) => Label | undefined
}

interface Word extends Piece {
  /** Index of its piece. */
  readonly piece: number
}

/** Words of the pieces. A word's box is its share of the piece's box; signs before the first and after the last word belong to these. */
const wordsOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Word> =>
  pieces.flatMap(({ box, page, text }, piece) => {
    const step = Box.width(box) / Math.max(1, text.length)
    const rtl = isRightToLeft(text)
    const tokens = Tokens.placed(text)
    return tokens.map((token, at): Word => {
      const start = at === 0 ? 0 : token.start * step
      const end = at === tokens.length - 1 ? Box.width(box) : token.end * step
      const [x0, x1] = rtl ? [box.x1 - end, box.x1 - start] : [box.x0 + start, box.x0 + end]
      return { piece, page, text: token.text, box: { x0, x1, y0: box.y0, y1: box.y1 } }
    })
  })

/** Pieces that follow each other on one line; those from right to left in the order in which they are read. */
const inLineOrder = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  const lines: Array<Array<Piece>> = []
  for (const piece of pieces) {
    const before = lines.at(-1)?.at(-1)
    const near =
      before !== undefined &&
      Math.abs(Box.centerY(before.box) - Box.centerY(piece.box)) <
        0.5 * Math.min(Box.height(before.box), Box.height(piece.box))
    if (near) lines.at(-1)?.push(piece)
    else lines.push([piece])
  }
  return lines.flatMap((line) =>
    isRightToLeft(line.map(({ text }) => text).join(""))
      ? line.toSorted((one, other) => other.box.x1 - one.box.x1)
      : line
  )
}

/** Pieces of the text layer as the embedded engine reads it, before any layout. */
export const piecesOf = (pages: ReadonlyArray<PageItems>): ReadonlyArray<Piece> =>
  pages.flatMap(({ items, pageNumber: page }) =>
    inLineOrder(
      items.flatMap((item: Item) => {
        const words = item.words === undefined || item.words.length === 0 ? [item] : item.words
        return words.map(({ box, text }) => ({ page, text, box }))
      })
    )
  )

/** Points that a run counts as further from the edge when its piece says more: running lines stand alone. */
const shared = 30

interface PageWords {
  /** Indexes into the words, in order. */
  readonly at: Array<number>
  readonly box: Box.Box
}

/** Place in `open` of the run of words that says `wanted`, the nearest to the top or bottom of the page; -1 if there is none. */
const edgeRun = (
  words: ReadonlyArray<Word>,
  open: ReadonlyArray<number>,
  page: Box.Box,
  wanted: ReadonlyArray<string>
): number => {
  let best = -1
  let nearest = Number.POSITIVE_INFINITY
  open.forEach((at, start) => {
    const first = words[at]
    if (first === undefined || !wanted.every((word, step) => words[open[start + step] ?? -1]?.text === word)) return
    const last = open[start + wanted.length - 1] ?? at
    const alone = words[at - 1]?.piece !== first.piece && words[last + 1]?.piece !== words[last]?.piece
    const distance = Math.min(first.box.y0 - page.y0, page.y1 - first.box.y1) + (alone ? 0 : shared)
    if (distance < nearest) {
      nearest = distance
      best = start
    }
  })
  return best
}

/** For each word the index of the line of the furniture that it is part of, or -1. */
const furnitureOf = (words: ReadonlyArray<Word>, { furniture }: Truth): Int32Array => {
  const lines = new Int32Array(words.length).fill(-1)
  const byPage = new Map<number, PageWords>()
  words.forEach(({ box, page }, at) => {
    const own = byPage.get(page)
    byPage.set(page, own === undefined ? { at: [at], box } : { at: own.at, box: Box.around([own.box, box]) })
    own?.at.push(at)
  })
  furniture.forEach(({ page, text }, line) => {
    const wanted = Tokens.of(text)
    const own = byPage.get(page)
    if (own === undefined || wanted.length === 0) return
    const open = own.at.filter((at) => lines[at] === -1)
    const start = edgeRun(words, open, own.box, wanted)
    if (start >= 0) for (const at of open.slice(start, start + wanted.length)) lines[at] = line
  })
  return lines
}

interface TruthWord {
  readonly text: string
  readonly block: number
}

const truthWords = ({ blocks }: Truth): ReadonlyArray<TruthWord> =>
  blocks.flatMap(({ marker, text }, block) => [
    ...Tokens.of(marker ?? "").map((word) => ({ text: word, block })),
    ...Tokens.of(text).map((word) => ({ text: word, block }))
  ])

/** Some fonts have the letters of a word from right to left in the order in which they are drawn: both orders are the same word here. */
const eitherWay = (word: string): string => {
  if (!isRightToLeft(word)) return word
  const back = Array.from(word).toReversed().join("")
  return back < word ? back : word
}

const none: Label = { in: "blocks", at: -1 }

/** A block continues on the page in another column where its text goes up to a place apart from what it has. */
const continues = (held: Box.Box, next: Box.Box): boolean =>
  next.y1 < held.y1 - 2 * Box.height(next) && (next.x0 >= held.x1 || next.x1 <= held.x0)

/** Pieces without words, such as bullets, have the label of the nearest piece in their line. */
const withBullets = (pieces: ReadonlyArray<Piece>, labels: ReadonlyArray<Label>): ReadonlyArray<Label> =>
  labels.map((label, at) => {
    const piece = pieces[at]
    if (label !== none || piece === undefined || Tokens.of(piece.text).length > 0) return label
    let best = none
    let nearest = 40
    for (let other = Math.max(0, at - 6); other < Math.min(pieces.length, at + 7); other++) {
      const near = pieces[other]
      if (near === undefined || labels[other] === none || near.page !== piece.page) continue
      const middle = Box.centerY(piece.box)
      if (middle < near.box.y0 - 2 || middle > near.box.y1 + 2) continue
      const distance = Math.max(near.box.x0 - piece.box.x1, piece.box.x0 - near.box.x1, 0)
      if (distance < nearest) {
        nearest = distance
        best = labels[other] ?? none
      }
    }
    return best
  })

export const align = (truth: Truth, pieces: ReadonlyArray<Piece>): Alignment => {
  const words = wordsOf(pieces)
  const wanted = truthWords(truth)
  const lines = furnitureOf(words, truth)
  const { found, rightToLeft } = Sequence.match(
    wanted.map(({ text }) => eitherWay(text)),
    words.map(({ text }) => eitherWay(text)),
    (at) => lines[at] !== -1
  )
  const labels = words.map((_, at): Label => {
    const line = lines[at] ?? -1
    if (line >= 0) return { in: "furniture", at: line }
    const own = wanted[rightToLeft[at] ?? -1]
    return own === undefined ? none : { in: "blocks", at: own.block }
  })
  const blocks: Array<Array<Place>> = truth.blocks.map(() => [])
  const furniture: Array<Place | undefined> = truth.furniture.map(() => undefined)
  const add = ({ at, in: list }: Label, { box, page }: Piece): void => {
    if (at < 0) return
    if (list === "furniture") {
      furniture[at] = { page, box: Box.around([...(furniture[at] === undefined ? [] : [furniture[at].box]), box]) }
      return
    }
    const places = blocks[at] ?? []
    const last = places.findLast((place) => place.page === page)
    const tabular = truth.blocks[at]?.type === "table"
    if (last === undefined || (!tabular && continues(last.box, box))) places.push({ page, box })
    else places[places.indexOf(last)] = { page, box: Box.around([last.box, box]) }
  }
  const inTruthOrder = words
    .map((_, at) => at)
    .toSorted((one, other) => (rightToLeft[one] ?? 0) - (rightToLeft[other] ?? 0))
  for (const at of inTruthOrder) {
    const word = words[at]
    const label = labels[at]
    if (word !== undefined && label !== undefined) add(label, word)
  }
  const marks = bulletsOf(pieces, words, labels)
  for (const { label, piece } of marks) add(label, piece)
  return {
    found: share(
      found.reduce((sum, one) => sum + one, 0),
      wanted.length
    ),
    labelled: share(labels.filter(({ at }) => at >= 0).length, words.length),
    blocks,
    furniture,
    labelOf: labeller(words, labels, marks)
  }
}

interface Mark {
  readonly piece: Piece
  readonly label: Label
}

const bulletsOf = (
  pieces: ReadonlyArray<Piece>,
  words: ReadonlyArray<Word>,
  labels: ReadonlyArray<Label>
): ReadonlyArray<Mark> => {
  const first: Array<Label> = pieces.map(() => none)
  words.forEach(({ piece }, at) => {
    if (first[piece] === none) first[piece] = labels[at] ?? none
  })
  return withBullets(pieces, first).flatMap((label, at) => {
    const piece = pieces[at]
    return piece === undefined || label === none || first[at] !== none ? [] : [{ piece, label }]
  })
}

const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole)

const labeller = (
  words: ReadonlyArray<Word>,
  labels: ReadonlyArray<Label>,
  marks: ReadonlyArray<Mark>
): Alignment["labelOf"] => {
  const byPage = new Map<number, Array<{ readonly box: Box.Box; readonly letters: number; readonly label: Label }>>()
  const put = ({ box, page, text }: Piece, label: Label): void => {
    const own = byPage.get(page) ?? []
    own.push({ box, label, letters: text.length })
    byPage.set(page, own)
  }
  words.forEach((word, at) => put(word, labels[at] ?? none))
  for (const { label, piece } of marks) put(piece, label)
  return (page, box) => {
    const votes = new Map<string, { readonly label: Label; letters: number }>()
    for (const word of byPage.get(page) ?? []) {
      if (word.label === none || !Box.centerWithin(word.box, box)) continue
      const key = `${word.label.in} ${word.label.at}`
      const vote = votes.get(key) ?? { label: word.label, letters: 0 }
      vote.letters += word.letters
      votes.set(key, vote)
    }
    return [...votes.values()].toSorted((one, other) => other.letters - one.letters)[0]?.label
  }
}
