/**
 * Features by which two neighbouring lines of a column belong to one block. Distances are in font heights or line pitches, so that the
 * scale of a page does not matter; those along a line are taken from its start, which is at the right in right-to-left text.
 *
 * @since 0.1.0
 */
import * as Box from "../Box.ts"
import type { TextLine } from "../TextLine.ts"
import type { DocumentStyle } from "./DocumentStyle.ts"
import * as LineLook from "./LineLook.ts"
import * as TextSigns from "./TextSigns.ts"

/**
 * The column that the lines stand in.
 *
 * @since 0.1.0
 * @category models
 */
export interface Column {
  readonly lines: ReadonlyArray<TextLine>
  readonly left: number
  readonly right: number
  readonly pitch: number
  readonly line: number
}

interface Seen {
  readonly line: TextLine
  readonly look: LineLook.LineLook
  readonly signs: TextSigns.TextSigns
  /** Distances of its start and end from those of the column, in line heights. */
  readonly start: number
  readonly end: number
  /** Width of its first word, in line heights. */
  readonly firstWord: number
}

const see = (line: TextLine, of: Column, document: DocumentStyle): Seen => {
  const left = (line.box.x0 - of.left) / of.line
  const right = (of.right - line.box.x1) / of.line
  const word = line.text.search(/\s/u)
  const width = Box.width(line.box) / of.line
  return {
    line,
    look: LineLook.fromItems(line.items, document.body),
    signs: TextSigns.of(line.text),
    start: line.rtl ? right : left,
    end: line.rtl ? left : right,
    firstWord: word < 0 ? width : (width * word) / Math.max(1, line.text.length)
  }
}

/** Number of a list, or of a section: the next line has the next one. */
const numberOf = (text: string): number => Number(/^\(?(\d{1,3})(?:[.)]|\s)/u.exec(text)?.[1] ?? Number.NaN)

const own = (name: string, seen: Seen, of: Column, document: DocumentStyle): Record<string, number> => ({
  [`${name}.size`]: seen.line.size / document.body,
  [`${name}.bold`]: seen.look.bold,
  [`${name}.italic`]: seen.look.italic,
  [`${name}.mono`]: seen.look.mono,
  [`${name}.math`]: seen.look.math,
  [`${name}.mixed`]: seen.look.mixed ? 1 : 0,
  [`${name}.styleShare`]: document.styleShare(seen.look.style),
  [`${name}.otherColor`]: seen.look.color === document.color ? 0 : 1,
  [`${name}.start`]: seen.start,
  [`${name}.end`]: seen.end,
  [`${name}.center`]: Math.abs(seen.start - seen.end),
  [`${name}.width`]: Box.width(seen.line.box) / Math.max(1, of.right - of.left),
  [`${name}.length`]: seen.signs.length,
  [`${name}.words`]: seen.signs.words,
  [`${name}.letters`]: seen.signs.letters,
  [`${name}.digits`]: seen.signs.digits,
  [`${name}.operators`]: seen.signs.operators,
  [`${name}.capitals`]: seen.signs.capitals,
  [`${name}.titleCase`]: seen.signs.titleCase,
  [`${name}.begins`]: seen.signs.start,
  [`${name}.endsSentence`]: seen.signs.endsSentence,
  [`${name}.endsSoft`]: seen.signs.endsSoft,
  [`${name}.endsColon`]: seen.signs.endsColon,
  [`${name}.endsHyphen`]: seen.signs.endsHyphen,
  [`${name}.depth`]: seen.signs.depth,
  [`${name}.numberMark`]: seen.signs.numberMark,
  [`${name}.bullet`]: seen.signs.bullet,
  [`${name}.lettered`]: seen.signs.lettered,
  [`${name}.sectionWord`]: seen.signs.sectionWord,
  [`${name}.captionWord`]: seen.signs.captionWord,
  [`${name}.noteMark`]: seen.signs.noteMark,
  [`${name}.leaders`]: seen.signs.leaders,
  [`${name}.pageAtEnd`]: seen.signs.pageAtEnd,
  [`${name}.label`]: seen.signs.label,
  [`${name}.code`]: seen.signs.code,
  [`${name}.address`]: seen.signs.address
})

/** Distance of two lines' centres in pitches; not a number when one is missing. */
const pitches = (above: Seen | undefined, below: Seen | undefined, of: Column): number =>
  above === undefined || below === undefined ? Number.NaN : (below.line.center - above.line.center) / of.pitch

const pair = (seen: ReadonlyArray<Seen>, at: number, of: Column, document: DocumentStyle): Record<string, number> => {
  const above = seen[at - 1]
  const below = seen[at]
  if (above === undefined || below === undefined) return {}
  const before = seen[at - 2]
  const after = seen[at + 1]
  const size = Math.max(above.line.size, below.line.size)
  const gap = pitches(above, below, of)
  const gapBefore = pitches(before, above, of)
  const gapAfter = pitches(below, after, of)
  return {
    gap,
    gapToSize: (below.line.center - above.line.center) / size,
    space: (below.line.box.y0 - above.line.box.y1) / size,
    gapBefore,
    gapAfter,
    gapOverBefore: gap - gapBefore,
    gapOverAfter: gap - gapAfter,
    sizeRatio: below.line.size / above.line.size,
    sameStyle: above.look.style === below.look.style ? 1 : 0,
    sameFamily: above.look.family === below.look.family ? 1 : 0,
    sameColor: above.look.color === below.look.color ? 1 : 0,
    boldChange: below.look.bold - above.look.bold,
    italicChange: below.look.italic - above.look.italic,
    capitalsChange: below.signs.capitals - above.signs.capitals,
    indent: below.start - above.start,
    indentBefore: before === undefined ? Number.NaN : above.start - before.start,
    indentAfter: after === undefined ? Number.NaN : after.start - below.start,
    endChange: below.end - above.end,
    endBefore: before?.end ?? Number.NaN,
    endAfter: after?.end ?? Number.NaN,
    // Space that the line above leaves when the first word below is put there: much of it ends a paragraph.
    room: above.end - below.firstWord,
    sameBullet: above.signs.bullet * below.signs.bullet,
    nextNumber: numberOf(below.line.text) - numberOf(above.line.text),
    columnLines: Math.min(30, of.lines.length),
    columnWidth: (of.right - of.left) / of.line,
    documentBold: document.bold,
    rightToLeft: below.line.rtl ? 1 : 0,
    ideographs: below.signs.ideographs,
    afterBullet: after?.signs.bullet ?? Number.NaN,
    afterSize: after === undefined ? Number.NaN : after.line.size / below.line.size,
    afterSameStyle: after === undefined ? Number.NaN : after.look.style === below.look.style ? 1 : 0,
    beforeSameStyle: before === undefined ? Number.NaN : before.look.style === above.look.style ? 1 : 0,
    afterBegins: after?.signs.start ?? Number.NaN,
    beforeBullet: before?.signs.bullet ?? Number.NaN,
    ...own("above", above, of, document),
    ...own("below", below, of, document)
  }
}

/**
 * Features of each pair of neighbours: those of a line and of the one above it, from the second line on.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofColumn = (of: Column, document: DocumentStyle): ReadonlyArray<Readonly<Record<string, number>>> => {
  const seen = of.lines.map((line) => see(line, of, document))
  return seen.slice(1).map((_, at) => pair(seen, at + 1, of, document))
}
