/**
 * Features by which two neighbouring lines of a column belong to one block. Distances are in font heights or line pitches, so that the
 * scale of a page does not matter; those along a line are taken from its start, which is at the right in right-to-left text.
 */
import * as Box from "../Box.ts"
import * as TextLine from "../TextLine.ts"
import { blank, type DocumentStyle } from "./DocumentStyle.ts"
import * as LineLook from "./LineLook.ts"
import * as TextSigns from "./TextSigns.ts"

/** The column that the lines stand in. */
export interface Column {
  readonly lines: ReadonlyArray<TextLine.TextLine>
  readonly left: number
  readonly right: number
  /** Usual distance between the centres of two lines, in points. */
  readonly pitch: number
  /** Usual font height on the page, in points. */
  readonly line: number
}

interface Seen {
  readonly line: TextLine.TextLine
  readonly look: LineLook.LineLook
  readonly signs: TextSigns.TextSigns
  /** Distances of its start and end from those of the column, in line heights. */
  readonly start: number
  readonly end: number
  /** Width of its first word, in line heights. */
  readonly firstWord: number
}

const see = (line: TextLine.TextLine, of: Column, document: DocumentStyle): Seen => {
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

const own = (seen: Seen, of: Column, document: DocumentStyle) => ({
  size: seen.line.size / document.body,
  bold: seen.look.bold,
  italic: seen.look.italic,
  mono: seen.look.mono,
  math: seen.look.math,
  mixed: seen.look.mixed ? 1 : 0,
  styleShare: document.styleShare(seen.look.style),
  otherColor: seen.look.color === document.color ? 0 : 1,
  start: seen.start,
  end: seen.end,
  center: Math.abs(seen.start - seen.end),
  width: Box.width(seen.line.box) / Math.max(1, of.right - of.left),
  length: seen.signs.length,
  words: seen.signs.words,
  letters: seen.signs.letters,
  digits: seen.signs.digits,
  operators: seen.signs.operators,
  capitals: seen.signs.capitals,
  titleCase: seen.signs.titleCase,
  begins: seen.signs.start,
  endsSentence: seen.signs.endsSentence,
  endsSoft: seen.signs.endsSoft,
  endsColon: seen.signs.endsColon,
  endsHyphen: seen.signs.endsHyphen,
  depth: seen.signs.depth,
  numberMark: seen.signs.numberMark,
  bullet: seen.signs.bullet,
  lettered: seen.signs.lettered,
  sectionWord: seen.signs.sectionWord,
  captionWord: seen.signs.captionWord,
  noteMark: seen.signs.noteMark,
  leaders: seen.signs.leaders,
  pageAtEnd: seen.signs.pageAtEnd,
  label: seen.signs.label,
  code: seen.signs.code,
  address: seen.signs.address
})

/** Distance of two lines' centres in pitches; not a number when one is missing. */
const pitches = (above: Seen | undefined, below: Seen | undefined, of: Column): number =>
  above === undefined || below === undefined ? Number.NaN : (below.line.center - above.line.center) / of.pitch

/** Two neighbouring lines with those around them. */
interface Pair {
  readonly before: Seen | undefined
  readonly above: Seen
  readonly below: Seen
  readonly after: Seen | undefined
}

const pair = ({ above, after, before, below }: Pair, of: Column, document: DocumentStyle) => {
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
    beforeBullet: before?.signs.bullet ?? Number.NaN
  }
}

const nowhere: Column = { lines: [], left: 0, right: 1, pitch: 1, line: 1 }
const empty = see(TextLine.fromItems([]), nowhere, blank)
const keysOfLine = Object.keys(own(empty, nowhere, blank))

/** Names of the features, in the order of their values: of the pair, then of the line above and of the line below. */
export const names: ReadonlyArray<string> = [
  ...Object.keys(pair({ before: empty, above: empty, below: empty, after: empty }, nowhere, blank)),
  ...keysOfLine.map((key) => `above.${key}`),
  ...keysOfLine.map((key) => `below.${key}`)
]

/** Features of each pair of neighbours: those of a line and of the one above it, from the second line on. */
export const ofColumn = (of: Column, document: DocumentStyle): ReadonlyArray<Float64Array> => {
  const seen = of.lines.map((line) => see(line, of, document))
  const lines = seen.map((each) => Object.values(own(each, of, document)))
  const rows: Array<Float64Array> = []
  seen.forEach((below, at) => {
    const above = seen[at - 1]
    if (above === undefined) return
    const row = new Float64Array(names.length)
    const both = Object.values(pair({ before: seen[at - 2], above, below, after: seen[at + 1] }, of, document))
    row.set(both)
    row.set(lines[at - 1] ?? [], both.length)
    row.set(lines[at] ?? [], both.length + keysOfLine.length)
    rows.push(row)
  })
  return rows
}
