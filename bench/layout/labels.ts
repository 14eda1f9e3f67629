/** Labels of words: the part of the truth that each belongs to. */
import * as Box from "../../src/engine/pdf/Box.ts"
import type { Alignment } from "./align.ts"
import * as Tokens from "./tokens.ts"

/** A piece of text on one line of a page, in the order of the text layer. */
export interface Piece {
  /** 1-based. */
  readonly page: number
  readonly text: string
  readonly box: Box.Box
}

/** What a piece of text is part of: an index into `blocks` or `furniture` of the truth. */
export type Label = { readonly in: "blocks" | "furniture"; readonly at: number }

export interface Word extends Piece {
  /** Index of its piece. */
  readonly piece: number
}

export const none: Label = { in: "blocks", at: -1 }

/** Most letters of a word that may have been matched by chance. */
const short = 4

/** Labels of the words; short ones in a piece that is mostly something else are that, too. */
export const byMajority = (words: ReadonlyArray<Word>, label: (at: number) => Label): ReadonlyArray<Label> => {
  const labels = words.map((_, at) => label(at))
  const votes = new Map<number, Map<string, { readonly label: Label; letters: number }>>()
  words.forEach(({ piece, text }, at) => {
    const own = labels[at] ?? none
    const key = `${own.in} ${own.at}`
    const all = votes.get(piece) ?? new Map<string, { readonly label: Label; letters: number }>()
    const vote = all.get(key) ?? { label: own, letters: 0 }
    vote.letters += text.length
    votes.set(piece, all.set(key, vote))
  })
  return words.map(({ piece, text }, at) => {
    const own = labels[at] ?? none
    const all = [...(votes.get(piece)?.values() ?? [])].toSorted((one, other) => other.letters - one.letters)
    const letters = all.reduce((sum, vote) => sum + vote.letters, 0)
    const [most] = all
    const other = most !== undefined && most.label !== none && most.letters >= letters * 0.6
    return other && text.length <= short && own.in !== "furniture" ? most.label : own
  })
}

/** Points between two words of a table, across and down; further ones are words of something else. */
const reach = { across: 90, down: 60 } as const

const near = (one: Box.Box, other: Box.Box): boolean =>
  one.x0 - other.x1 < reach.across &&
  other.x0 - one.x1 < reach.across &&
  one.y0 - other.y1 < reach.down &&
  other.y0 - one.y1 < reach.down

/** Groups of indexes whose words are near each other, on one page. */
const clusters = (words: ReadonlyArray<Word>, own: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> => {
  let groups: Array<Array<number>> = []
  for (const at of own) {
    const word = words[at]
    const touches = (other: number): boolean => {
      const held = words[other]
      return word !== undefined && held !== undefined && held.page === word.page && near(word.box, held.box)
    }
    const joined = groups.filter((group) => group.some(touches))
    groups = [...groups.filter((group) => !joined.includes(group)), [...joined.flat(), at]]
  }
  return groups
}

/**
 * Labels in which a table has no stray words: numbers and short words are easily found elsewhere. Words without a label amid those of a
 * table are the table's, since the lines of its cells may be drawn in any order.
 */
export const withWholeTables = (
  words: ReadonlyArray<Word>,
  labels: ReadonlyArray<Label>,
  isTable: (block: number) => boolean
): ReadonlyArray<Label> => {
  const settled = [...labels]
  const byTable = new Map<number, Array<number>>()
  labels.forEach((label, at) => {
    if (label.in !== "blocks" || label.at < 0 || !isTable(label.at)) return
    const own = byTable.get(label.at)
    if (own === undefined) byTable.set(label.at, [at])
    else own.push(at)
  })
  for (const [table, own] of byTable) {
    const label: Label = { in: "blocks", at: table }
    for (const group of clusters(words, own)) {
      if (group.length < own.length * 0.15) for (const at of group) settled[at] = none
      else {
        const places = group.flatMap((at) => words[at] ?? [])
        const box = Box.around(places.map((word) => word.box))
        words.forEach((word, at) => {
          if (settled[at] === none && word.page === places[0]?.page && Box.centerWithin(word.box, box))
            settled[at] = label
        })
      }
    }
  }
  return settled
}

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

export interface Mark {
  readonly piece: Piece
  readonly label: Label
}

export const bulletsOf = (
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

export const labeller = (
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
