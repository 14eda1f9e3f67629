/** Sentences that run from one column into the next: the second half follows the first, and floats and footnotes in between come later. */
import type { Draft, TextDraft } from "./Draft.ts"
import * as Hyphenation from "./Hyphenation.ts"
import { type Run, textOf } from "./TextLine.ts"

/** Fewest characters of a text that may continue: shorter ones are labels. */
const shortest = 25

/** Largest difference, in points, between the sizes of both halves. */
const sizeTolerance = 0.6

const startsWithin = /^[\p{Ll}\p{Lo}]/u

/** A figure within a sentence. */
const figure = /^[(“"]?\p{N}[\p{N}.,:%–-]*\)? \p{Ll}/u

/** A comma, or a word too short to end a sentence, which is no number of a page. */
const needsMore = /(?:,|\s(?![ivxlc]+$)\p{Ll}{1,3})$/u

/** True for lines that go on with a figure or a name elsewhere, which does not begin a paragraph by its indent. */
const runsOver = (above: TextDraft, below: TextDraft): boolean => {
  const [first, second] = below.lines
  return (
    above.lines.length > 1 &&
    ((/[\p{L},]$/u.test(above.text) && figure.test(below.text)) ||
      (needsMore.test(above.text) && /^\p{Lu}/u.test(below.text))) &&
    first !== undefined &&
    second !== undefined &&
    Math.abs(first.box.x0 - second.box.x0) < below.size / 2
  )
}

/** True if the sentence of a text is continued by another one elsewhere, by their words, sizes and weights. */
export const continues = (above: TextDraft, below: TextDraft): boolean =>
  above.open &&
  below.marker === undefined &&
  above.text.length >= shortest &&
  (startsWithin.test(below.text) || runsOver(above, below)) &&
  above.upright === below.upright &&
  above.bold === below.bold &&
  Math.abs(above.size - below.size) <= sizeTolerance

const shortened = (runs: ReadonlyArray<Run>, cut: number): ReadonlyArray<Run> => {
  const last = runs.at(-1)
  return last === undefined
    ? runs
    : [...runs.slice(0, -1), { ...last, text: last.text.slice(0, last.text.length - cut) }]
}

const withRuns = (draft: TextDraft, runs: ReadonlyArray<Run>): TextDraft => ({ ...draft, runs, text: textOf(runs) })

/**
 * Both halves of a text, with a word that is divided between them whole in the first one. Undefined if no word is divided, or nothing
 * would be left of the second half.
 */
export const wholeWord = (
  above: TextDraft,
  below: TextDraft,
  words: Hyphenation.Words
): readonly [TextDraft, TextDraft] | undefined => {
  const { cut, gap } = Hyphenation.lineJoin(above.text, below.text, words)
  const [first, ...rest] = below.runs
  const rem = first === undefined ? null : /^(\S+)\s+/.exec(first.text)
  if (first === undefined || rem === null || gap !== "" || !/[-\u2010\u00ad]$/.test(above.text)) return undefined
  const head = shortened(above.runs, cut)
  const last = head.at(-1)
  const joined = [...head.slice(0, -1), { text: (last?.text ?? "") + (rem[1] ?? ""), link: last?.link }]
  return [withRuns(above, joined), withRuns(below, [{ ...first, text: first.text.slice(rem[0].length) }, ...rest])]
}

const isFloat = (draft: Draft): boolean => draft.kind !== "text" && draft.kind !== "code"

const captionStart = /^\p{L}+\.?\s*\d+\s*[.:]/u

/** Index of the first text of a column after floats and their captions at its top; -1 if there is none. */
const firstText = (column: ReadonlyArray<Draft>): number => {
  const at = column.findIndex((draft) => !isFloat(draft) && !(draft.kind === "text" && captionStart.test(draft.text)))
  return column[at]?.kind === "text" ? at : -1
}

/** Index of the last text of a column before its footnotes, which are smaller; -1 if there is none. */
const lastText = (drafts: ReadonlyArray<Draft>): number => {
  let at = drafts.length - 1
  const end = drafts[at]
  if (end?.kind !== "text" || end.open) return end?.kind === "text" ? at : -1
  for (; at >= 0; at--) {
    const draft = drafts[at]
    if (draft?.kind !== "text") return -1
    if (draft.size > end.size + sizeTolerance) return at
  }
  return -1
}

/**
 * The drafts of the columns of a page in reading order. The continuation of a sentence directly follows its first half; floats at the top
 * of its column come after it, and footnotes below the first half after both columns.
 */
export const join = (columns: ReadonlyArray<ReadonlyArray<Draft>>, words: Hyphenation.Words): Array<Draft> => {
  const placed: Array<Draft> = []
  let notes: ReadonlyArray<Draft> = []
  for (const column of columns) {
    const from = lastText(placed)
    const to = firstText(column)
    const above = placed[from]
    const below = column[to]
    if (above?.kind !== "text" || below?.kind !== "text" || !continues(above, below)) {
      placed.push(...notes, ...column)
      notes = []
      continue
    }
    const [first, second] = wholeWord(above, below, words) ?? [above, below]
    notes = [...notes, ...placed.splice(from + 1)]
    placed[from] = first
    placed.push({ ...second, continues: true }, ...column.slice(0, to), ...column.slice(to + 1))
  }
  placed.push(...notes)
  return placed
}

/** True for what the text of a page consists of: turned text stands beside it. */
const isWritten = (draft: Draft): boolean =>
  draft.kind === "text" ? draft.upright : draft.kind === "code" || draft.kind === "table"

/**
 * The drafts of two consecutive pages, with a word that is divided between them whole on the first one. The halves of a sentence stay on
 * their pages.
 */
export const joinPages = (
  upper: ReadonlyArray<Draft>,
  lower: ReadonlyArray<Draft>,
  words: Hyphenation.Words
): readonly [ReadonlyArray<Draft>, ReadonlyArray<Draft>] => {
  const writtenAbove = upper.filter(isWritten)
  const writtenBelow = lower.filter(isWritten)
  const above = writtenAbove[lastText(writtenAbove)]
  const below = writtenBelow[firstText(writtenBelow)]
  if (above?.kind !== "text" || below?.kind !== "text" || !continues(above, below)) return [upper, lower]
  const whole = wholeWord(above, below, words)
  if (whole === undefined) return [upper, lower]
  const [first, second] = whole
  return [
    upper.map((draft) => (draft === above ? first : draft)),
    lower.map((draft) => (draft === below ? second : draft))
  ]
}
