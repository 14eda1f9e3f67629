/** Lines of a page as segments between wide gaps, and the blocks of them that may be tables. */
import * as Tally from "../Tally.ts"
import * as Box from "./Box.ts"
import { type Item, wordItems } from "./PageItem.ts"
import type * as TextLine from "./TextLine.ts"

/** Pieces of one line without a wide gap between them. */
export interface Segment {
  readonly box: Box.Box
  readonly pieces: ReadonlyArray<Item>
}

export interface Line {
  readonly box: Box.Box
  readonly size: number
  readonly segments: ReadonlyArray<Segment>
  readonly items: ReadonlyArray<Item>
  readonly math: number
  readonly mono: boolean
}

/** Width of the gap between two columns, in font heights. */
const columnGap = 0.8

/** Most lines within a table that have one segment only, in sequence. */
const mostSingles = 3

/** Pieces from left to right, apart where the gap between them is wider than `gap` points. */
export const segmentsOf = (pieces: ReadonlyArray<Item>, gap: number): ReadonlyArray<Segment> => {
  const found: Array<Array<Item>> = []
  let end = Number.NEGATIVE_INFINITY
  for (const piece of pieces.toSorted((left, right) => left.box.x0 - right.box.x0)) {
    if (piece.box.x0 - end > gap || found.length === 0) found.push([piece])
    else found.at(-1)?.push(piece)
    end = Math.max(end, piece.box.x1)
  }
  return found.map((each) => ({ pieces: each, box: Box.around(each.map((piece) => piece.box)) }))
}

/** A line of a page as segments. */
export const lineOf = (line: TextLine.TextLine): Line => {
  const pieces = line.items.flatMap(wordItems)
  return {
    box: line.box,
    size: line.size,
    segments: segmentsOf(pieces, line.size * columnGap),
    items: line.items,
    math: line.math,
    mono: line.mono
  }
}

/** True for a line with several segments. */
export const isMulti = (line: Line): boolean => line.segments.length > 1

const textOf = (segment: Segment): string => segment.pieces.map((piece) => piece.text).join(" ")

/** True for a line of running text: one segment over most of the width. */
const isProse = (line: Line, width: number): boolean => {
  const [only, other] = line.segments
  return only !== undefined && other === undefined && Box.width(only.box) > width * 0.6 && textOf(only).length > 45
}

/** Ratio to the font height of the line above from which a line of one segment is the heading of what follows. */
const headingShare = 1.14

const isHeading = (line: Line, above: Line): boolean => !isMulti(line) && line.size > above.size * headingShare

/** Runs of lines with several segments that may be a table, with the line before and the one after, and no running text between. */
const runsOf = (lines: ReadonlyArray<Line>, width: number): ReadonlyArray<ReadonlyArray<Line>> => {
  const found: Array<Array<Line>> = []
  let open: Array<Line> = []
  const close = () => {
    const last = open.findLastIndex(isMulti)
    if (last > 0) found.push(open.slice(0, last + 2))
    open = []
  }
  let singles = 0
  for (const [at, line] of lines.entries()) {
    const above = open.at(-1)
    if (above !== undefined) {
      const apart = line.box.y0 - above.box.y1 > Math.max(line.size, above.size) * 2.4
      const ends = apart || isProse(line, width) || isHeading(line, above)
      if (ends || (!isMulti(line) && singles >= mostSingles)) close()
    }
    if (isMulti(line)) singles = 0
    else singles++
    if (open.length > 0) open.push(line)
    else if (isMulti(line)) {
      const before = lines[at - 1]
      if (before !== undefined && isNear(before, line) && !isProse(before, width)) open.push(before)
      open.push(line)
    }
  }
  close()
  return found
}

/** True for lines as close as those of one cell. */
export const isNear = (above: Line, below: Line): boolean =>
  Box.centerY(below.box) - Box.centerY(above.box) < Math.min(above.size, below.size) * 1.5

/** Text of a line by its segments. */
export const keyOf = (line: Line): string => line.segments.map(textOf).join("\t")

/** Lines of words in several segments that occur more than once: heads of tables that stand below each other. */
export const repeatedHeads = (lines: ReadonlyArray<Line>): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const line of lines) {
    if (isMulti(line) && line.segments.every((segment) => /^[^\d]*\p{L}[^\d]*$/u.test(textOf(segment))))
      Tally.add(counts, keyOf(line), 1)
  }
  return new Set(Array.from(counts).flatMap(([key, count]) => (count > 1 ? [key] : [])))
}

/** Divides a block before each such head, and before the lines of one segment above it, which are its title, from their widest gap on. */
const atHeads = (lines: ReadonlyArray<Line>, heads: ReadonlySet<string>): ReadonlyArray<ReadonlyArray<Line>> => {
  const gapAbove = (at: number): number => (lines[at]?.box.y0 ?? 0) - (lines[at - 1]?.box.y1 ?? 0)
  let from = 0
  const parts: Array<ReadonlyArray<Line>> = []
  for (const [at, line] of lines.entries()) {
    if (at === from || !heads.has(keyOf(line))) continue
    let cut = at
    for (let above = at - 1; above > from && lines.slice(above, at).every((each) => !isMulti(each)); above--)
      if (gapAbove(above) > gapAbove(cut)) cut = above
    if (cut === at || cut === from) continue
    parts.push(lines.slice(from, cut))
    from = cut
  }
  return [...parts, lines.slice(from)]
}

/** Blocks of lines that may be a table each: those of one of `heads` begin with it, or with its title. */
export const blocksOf = (lines: ReadonlyArray<Line>, heads: ReadonlySet<string>): ReadonlyArray<ReadonlyArray<Line>> =>
  runsOf(lines, Box.width(Box.around(lines.map(({ box }) => box)))).flatMap((block) => atHeads(block, heads))
