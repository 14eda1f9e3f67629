/**
 * Paragraphs and list items from the lines of one column.
 *
 * @since 0.1.0
 */
import * as Box from "./Box.ts"
import type { ListMarker } from "./Draft.ts"
import { median } from "./PageItem.ts"
import type { Run, TextLine } from "./TextLine.ts"

/**
 * Lines of one paragraph or list item.
 *
 * @since 0.1.0
 * @category models
 */
export interface Paragraph {
  readonly lines: ReadonlyArray<TextLine>
  readonly marker: ListMarker | undefined
  /** Runs of the text without its list marker. */
  readonly runs: ReadonlyArray<Run>
  /** Left edge of the text after the marker. */
  readonly indent: number
}

/**
 * A column of lines, top to bottom.
 *
 * @since 0.1.0
 * @category models
 */
export interface Column {
  readonly lines: ReadonlyArray<TextLine>
  readonly left: number
  readonly right: number
  /** Usual distance between the centres of two lines, in points. */
  readonly pitch: number
  /** Usual font height on the page, in points. */
  readonly line: number
  /** Usual font height in the document, in points. */
  readonly body: number
}

/** Private-use characters at a line's start are bullets and boxes of symbol fonts. */
const bullet = /^[•▪◦‣●○■□☐☑☒·➢✓➤►▶❖\ue000-\uf8ff–*-](?:\s+(?=\S)|$)/
const ordered = /^(\d{1,3})([.)])\s+(?=\S)/
const lettered = /^(?:\(\w{1,4}\)|[a-z]\)|[a-z]\.|[ivx]{1,5}[.)])\s+(?=\S)/

/**
 * True if a line starts like a list item, with a bullet, a number or a letter.
 *
 * @since 0.1.0
 * @category predicates
 */
export const startsItem = (text: string): boolean => bullet.test(text) || ordered.test(text) || lettered.test(text)

/**
 * @since 0.1.0
 * @category constructors
 */
export const column = (
  lines: ReadonlyArray<TextLine>,
  page: { readonly line: number; readonly body: number }
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
    body: page.body
  }
}

interface Open {
  readonly lines: Array<TextLine>
  readonly listed: boolean
}

/** True if `line` begins a new paragraph after the lines of `open`. */
const breaks = (open: Open, previous: TextLine, line: TextLine, of: Column): boolean => {
  const gap = line.center - previous.center
  const spaced = gap > Math.max(of.pitch, Math.max(line.size, previous.size) * 1.15) * 1.3
  if (spaced || Math.abs(line.size - previous.size) > Math.max(1, of.body * 0.1)) return true
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

/**
 * The paragraphs of a column. `separated` tells if another block is between two lines.
 *
 * @since 0.1.0
 * @category constructors
 */
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
      (joined === undefined ? !breaks(open, previous, line, of) : joined[at - 1] === true)
    ) {
      open.lines.push(line)
    } else found.push({ lines: [line], listed: startsItem(line.text) })
  }
  return found.map((open) => finish(open.lines))
}

const finish = (lines: ReadonlyArray<TextLine>): Paragraph => {
  const runs = join(lines)
  const text = runs.map((run) => run.text).join("")
  const match = bullet.exec(text) ?? ordered.exec(text)
  const left = Math.min(...lines.map((line) => line.box.x0))
  if (match === null || match[0].length === text.length) return { lines, marker: undefined, runs, indent: left }
  const number = match[1]
  const marker = number === undefined ? { ordered: false, text: "-" } : { ordered: true, text: `${number}${match[2]}` }
  return { lines, marker, runs: dropStart(runs, match[0].length), indent: lines[0]?.box.x0 ?? left }
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

const ideograph = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3000-\u303f\uff00-\uffef]/

/**
 * Join of two lines of a paragraph: characters to cut, and the text in between, which is empty after a hyphen or between ideographs,
 * otherwise a space.
 */
const lineJoin = (above: string, below: string): { readonly cut: number; readonly gap: string } => {
  if (above.endsWith("\u00ad") || (/\p{Ll}[-\u2010]$/u.test(above) && /^\p{Ll}/u.test(below)))
    return { cut: 1, gap: "" }
  return { cut: 0, gap: ideograph.test(above.slice(-1)) && ideograph.test(below.slice(0, 1)) ? "" : " " }
}

/**
 * Joins the runs of several lines; words divided at a line's end are made whole.
 *
 * @since 0.1.0
 * @category combinators
 */
export const join = (lines: ReadonlyArray<TextLine>): ReadonlyArray<Run> => {
  const joined: Array<{ text: string; link: string | undefined }> = []
  for (const line of lines) {
    const last = joined.at(-1)
    const [head, ...rest] = line.runs
    if (head === undefined) continue
    if (last === undefined) {
      joined.push({ ...head })
    } else {
      const { cut, gap } = lineJoin(last.text, head.text)
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
