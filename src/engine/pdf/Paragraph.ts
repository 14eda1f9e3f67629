/** Paragraphs and list items from the lines of one column. */
import * as Box from "./Box.ts"
import type { ListMarker } from "./Draft.ts"
import * as Hyphenation from "./Hyphenation.ts"
import type * as JoinFeatures from "./lines/JoinFeatures.ts"
import { median } from "./PageItem.ts"
import { runsOf } from "./runs.ts"
import { hasGap, type Run, type TextLine, textOf } from "./TextLine.ts"

/** Lines of one paragraph or list item. */
export interface Paragraph {
  readonly lines: ReadonlyArray<TextLine>
  readonly marker: ListMarker | undefined
  /** Runs of the text without its list marker. */
  readonly runs: ReadonlyArray<Run>
  /** Left edge of the text after the marker. */
  readonly indent: number
}

/** A column of lines, top to bottom. */
export interface Column extends JoinFeatures.Column {
  /** Usual font height in the document, in points. */
  readonly body: number
  readonly words: Hyphenation.Words
}

/** Private-use characters at a line's start are bullets and boxes of symbol fonts. */
const bullet = /^[•▪◦‣●○■□☐☑☒·➢✓➤►▶❖\ue000-\uf8ff–—*-](?:\s+(?=\S)|$)/
const ordered = /^(\d{1,3})([.)])\s+(?=\S)/
const lettered = /^(?:\(\w{1,4}\)|[a-z]\)|[a-z]\.|[ivx]{1,5}[.)])\s+(?=\S)/

/** True if a line starts like a list item, with a bullet, a number or a letter. */
export const startsItem = (text: string): boolean => bullet.test(text) || ordered.test(text) || lettered.test(text)

export const column = (
  lines: ReadonlyArray<TextLine>,
  page: { readonly line: number; readonly body: number; readonly words: Hyphenation.Words }
): Column => {
  const box = Box.around(lines.map((line) => line.box))
  const distances: Array<number> = []
  for (let at = 1; at < lines.length; at++) {
    const distance = (lines[at]?.center ?? 0) - (lines[at - 1]?.center ?? 0)
    if (distance > 0 && distance < page.line * 3) distances.push(distance)
  }
  const pitch = median(distances)
  return {
    lines,
    left: box.x0,
    right: box.x1,
    pitch: pitch > 0 ? pitch : page.line * 1.3,
    line: page.line,
    body: page.body,
    words: page.words
  }
}

interface Open {
  readonly lines: Array<TextLine>
  readonly listed: boolean
}

const sentenceEnd = /[.!?:;。！？：；]["'”’»)\]]*$/u

/** Share of a column's width within which a line that runs on ends before the right edge. */
const raggedShare = 0.15

/** Start of a line within a sentence: in lower case, or with a sign that names in code and formulas begin with. */
const withinSentence = /^(?:\p{Ll}|[.,;)(_"“'‘’/\\&=+<>~$%](?=\S))/u

interface Edges {
  readonly left: number
  readonly right: number
}

/** True if a line ends near the right edge of its column. */
const fills = (line: TextLine, of: Edges): boolean => line.box.x1 > of.right - (of.right - of.left) * raggedShare

/**
 * True if the sentence of a line continues in the next line: the upper line fills its column and does not end a sentence, the lower one
 * starts within one.
 */
export const runsOn = (above: TextLine, below: TextLine, of: Edges): boolean =>
  fills(above, of) && !sentenceEnd.test(above.text) && withinSentence.test(below.text) && !startsItem(below.text)

/** True if the text of some lines may go on elsewhere: the last one fills its column and does not end a sentence. */
export const isOpen = (lines: ReadonlyArray<TextLine>, of: Edges): boolean => {
  const last = lines.at(-1)
  return last !== undefined && fills(last, of) && !sentenceEnd.test(last.text)
}

/** Largest ratio between the sizes of two lines of one sentence: a line may be in a smaller font for the most part, as names in code are. */
const mixedSizes = 1.4

/** Dots that lead to the page number of an entry of a table of contents. */
const leaders = /(?:\s?[.…]){4,}\s*\S{1,6}$/

/** White space within a line, in font heights, that divides two columns of it. */
const innerGap = 2

/** True for a line that is a separate entry: a text and, far from it, its page number or explanation. */
const isEntry = (line: TextLine): boolean => leaders.test(line.text) || hasGap(line, line.size * innerGap)

/** True if `line` is the entry after `previous`, not a continuation of its explanation, which hangs. */
const isNextEntry = (previous: TextLine, line: TextLine): boolean =>
  isEntry(previous) &&
  !line.rtl &&
  line.box.x0 < previous.box.x0 + line.size * 4 &&
  (isEntry(line) || line.box.x0 < previous.box.x0 + line.size * 0.5)

/** True if the gap between two lines is wider than within a paragraph. */
const isSpaced = (previous: TextLine, line: TextLine, of: Column): boolean =>
  line.center - previous.center > Math.max(of.pitch, Math.max(line.size, previous.size) * 1.15) * 1.3

/**
 * True if `line` surely begins a new paragraph, and false if it surely continues the lines of `open`: their sentence, or their list of
 * entries. Undefined where other signs decide.
 */
const surely = (open: Open, previous: TextLine, line: TextLine, of: Column): boolean | undefined => {
  if (isSpaced(previous, line, of)) return undefined
  const ratio = Math.max(line.size, previous.size) / Math.min(line.size, previous.size)
  if (runsOn(previous, line, of) && ratio < mixedSizes) return false
  if (line.rtl || ratio > 1.1 || line.bold !== previous.bold || startsItem(line.text)) return undefined
  if (isNextEntry(previous, line)) return false
  return isOutdented(open, line, of) && (sentenceEnd.test(previous.text) || !fills(previous, of)) ? true : undefined
}

/** True if `line` begins a new paragraph after the lines of `open`, by its distance, size, weight, marker and edges. */
const breaks = (open: Open, previous: TextLine, line: TextLine, of: Column): boolean => {
  if (isSpaced(previous, line, of)) return true
  if (Math.abs(line.size - previous.size) > Math.max(1, of.body * 0.1)) return true
  const gap = line.center - previous.center
  const weight = line.bold !== previous.bold && (open.lines.length === 1 || gap > of.pitch * 1.05 || line.bold)
  if (weight) return true
  if (startsItem(line.text) && line.box.x0 <= previous.box.x0 + of.line * 3) return true
  if (line.rtl) return false
  const indented =
    line.box.x0 - of.left > of.line * 0.8 &&
    line.box.x0 - previous.box.x0 > of.line * 0.8 &&
    previous.box.x0 - of.left < of.line * 0.5 &&
    !open.listed
  const endsShort = previous.box.x1 < of.right - (of.right - of.left) * 0.25 && /[.!?:]$/.test(previous.text)
  return indented || (endsShort && of.lines.length > 2)
}

/** True for a line that starts where the first line of `open` did, after lines that hang from it: the next entry of such a list. */
const isOutdented = (open: Open, line: TextLine, of: Column): boolean => {
  const [first, ...rest] = open.lines
  if (first === undefined || rest.length === 0 || line.rtl) return false
  const hang = Math.min(...rest.map((each) => each.box.x0)) - first.box.x0
  return hang > of.line * 0.8 && Math.abs(line.box.x0 - first.box.x0) < of.line * 0.5
}

/** The paragraphs of a column. `separated` tells if another block is between two lines. */
export const split = (
  of: Column,
  separated: (above: TextLine, below: TextLine) => boolean,
  joined: ReadonlyArray<boolean> | undefined
): ReadonlyArray<Paragraph> => {
  const found: Array<Open> = []
  for (const [at, line] of of.lines.entries()) {
    const open = found.at(-1)
    const previous = open?.lines.at(-1)
    if (
      open !== undefined &&
      previous !== undefined &&
      !separated(previous, line) &&
      !(
        surely(open, previous, line, of) ??
        (joined === undefined ? breaks(open, previous, line, of) : joined[at - 1] !== true)
      )
    ) {
      open.lines.push(line)
    } else found.push({ lines: [line], listed: startsItem(line.text) })
  }
  return found.map((open) => finish(open.lines, of.words))
}

const finish = (lines: ReadonlyArray<TextLine>, words: Hyphenation.Words): Paragraph => {
  const runs = joinEntries(lines, words)
  const text = textOf(runs)
  const match = bullet.exec(text) ?? ordered.exec(text)
  const left = Math.min(...lines.map((line) => line.box.x0))
  if (match === null || match[0].length === text.length) return { lines, marker: undefined, runs, indent: left }
  const number = match[1]
  const marker = number === undefined ? { ordered: false, text: "-" } : { ordered: true, text: `${number}${match[2]}` }
  return { lines, marker, runs: dropStart(runs, match[0].length), indent: lines[0]?.box.x0 ?? left }
}

/** A line break of Markdown. */
const lineBreak = "  \n"

/** Joins lines like {@link join}, with a line break after each entry. */
const joinEntries = (lines: ReadonlyArray<TextLine>, words: Hyphenation.Words): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  for (const entry of runsOf(lines, (_, previous, line) => !isNextEntry(previous, line))) {
    if (runs.length > 0) runs.push({ text: lineBreak, link: undefined })
    runs.push(...join(entry, words))
  }
  return runs
}

const dropStart = (runs: ReadonlyArray<Run>, count: number): ReadonlyArray<Run> => {
  const kept: Array<Run> = []
  let left = count
  for (const run of runs) {
    const text = run.text.slice(Math.min(left, run.text.length))
    left -= run.text.length - text.length
    if (text !== "") kept.push({ text, link: run.link })
  }
  return kept
}

const noWords = new Hyphenation.Words([])

/** Joins the runs of several lines; words divided at a line's end are made whole, compounds by the words of the document. */
export const join = (lines: ReadonlyArray<TextLine>, words: Hyphenation.Words = noWords): ReadonlyArray<Run> => {
  const joined: Array<{ text: string; link: string | undefined }> = []
  for (const line of lines) {
    const last = joined.at(-1)
    const [head, ...rest] = line.runs
    if (head === undefined) continue
    if (last === undefined) {
      joined.push({ ...head })
    } else {
      const { cut, gap } = Hyphenation.lineJoin(last.text, head.text, words)
      if (cut > 0) last.text = last.text.slice(0, -cut)
      if (last.link === head.link) last.text += gap + head.text
      else if (last.link === undefined) {
        last.text += gap
        joined.push({ ...head })
      } else if (head.link === undefined) joined.push({ text: gap + head.text, link: undefined })
      else joined.push({ text: gap, link: undefined }, { ...head })
    }
    for (const run of rest) joined.push({ ...run })
  }
  return joined.filter((run) => run.text !== "")
}
