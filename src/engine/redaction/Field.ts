/** Values with a label: `label: value`, `label = value`, cells below a header. */
import * as Label from "./Label.ts"

export interface Field {
  /** Undefined when the words name no bucket. */
  readonly label: Label.Label | undefined
  /** `[start, end)` of the value, without quotes and white space around it. */
  readonly start: number
  readonly end: number
}

interface Cell {
  readonly start: number
  readonly end: number
}

const labelled =
  /^[\s>*•\-–[{(]{0,20}(?:export )?["']?([\p{L}][\p{L}\d .,'’()&°_/-]{0,60}?)["']?\s{0,4}(?:[:：](?!\/\/)|=)/u

/** Members of JSON that share a line. */
const member = /"([\w .-]{1,40})"\s{0,2}:\s{0,2}"([^"\n]{1,200})"/g

const skipped = /[\s"'“”„«»*|,;]/

const trimmed = (text: string, start: number, end: number): Cell => {
  let from = start
  let to = end
  while (from < to && skipped.test(text[from] ?? "")) from += 1
  while (to > from && skipped.test(text[to - 1] ?? "")) to -= 1
  return { start: from, end: to }
}

/** Cells of a line between `mark`s. */
const cells = (text: string, start: number, end: number, mark: string): ReadonlyArray<Cell> => {
  const found: Array<Cell> = []
  let from = start
  let quoted = false
  for (let at = start; at <= end; at++) {
    if (text[at] === '"' && mark !== "|") quoted = !quoted
    if (at < end && (quoted || text[at] !== mark)) continue
    found.push(trimmed(text, from, at))
    from = at + 1
  }
  return found
}

/** Separators of tables, in the order in which they are tried. */
const marks = ["|", ";", "\t", ","]

const rule = /^[\s|:-]+$/

interface Table {
  readonly mark: string
  readonly labels: ReadonlyArray<Label.Label | undefined>
}

/** A header: at least two cells of at most 40 characters, at least one label of a bucket, two without pipes. */
const headerOf = (text: string, start: number, end: number): Table | undefined => {
  if (end - start > 4000) return undefined
  for (const mark of marks) {
    const row = cells(text, start, end, mark)
    if (row.length < 2 || row.some((cell) => cell.end - cell.start > 40)) continue
    const labels = row.map((cell) => Label.of(text.slice(cell.start, cell.end)))
    const known = labels.filter((label) => label !== undefined).length
    const wordy = row.every((cell) => !/[@\d]{3}/.test(text.slice(cell.start, cell.end)))
    if (wordy && known >= (mark === "|" ? 1 : 2)) return { mark, labels }
  }
  return undefined
}

const members = (text: string, start: number, end: number): ReadonlyArray<Field> =>
  Array.from(text.slice(start, end).matchAll(member), (match) => {
    const [whole, words = "", value = ""] = match
    const to = start + match.index + whole.length - 1
    return { label: Label.of(words), start: to - value.length, end: to }
  })

const labelledIn = (text: string, start: number, end: number): ReadonlyArray<Field> => {
  const match = labelled.exec(text.slice(start, Math.min(end, start + 120)))
  if (match === null) return []
  const [whole, words = ""] = match
  const value = trimmed(text, start + whole.length, end)
  return value.end > value.start ? [{ label: Label.of(words), ...value }] : []
}

/** The fields of a text in its order. A header ends with the first line that has fewer than half of its cells. Linear. */
export const all = (text: string): ReadonlyArray<Field> => {
  const found: Array<Field> = []
  let table: Table | undefined
  let start = 0
  while (start < text.length) {
    const feed = text.indexOf("\n", start)
    const end = feed < 0 ? text.length : feed
    const row = table === undefined ? [] : cells(text, start, end, table.mark)
    if (table !== undefined && row.length * 2 > table.labels.length && row.length > 1) {
      if (!rule.test(text.slice(start, Math.min(end, start + 200)))) {
        row.forEach((cell, column) => {
          if (cell.end > cell.start) found.push({ label: table?.labels[column], ...cell })
        })
      }
    } else {
      const json = /^\s{0,40}[[{"]/.test(text.slice(start, start + 42))
      table = json ? undefined : headerOf(text, start, end)
      if (json) found.push(...members(text, start, end))
      else if (table === undefined) found.push(...labelledIn(text, start, end))
    }
    start = end + 1
  }
  return found
}
