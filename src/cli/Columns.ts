/** Texts measured in columns of a terminal: Chinese, Japanese and Korean characters and emoji take two. Loads nothing. */
import * as Printable from "./Printable.ts"

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

const ascii = /^[\x20-\x7e]*$/

/** Characters of two columns (Unicode, East Asian Width W and F), and those that are shown as emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u

/** Marks that take no column of their own. */
const none = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

const widthOf = (grapheme: string): number => (none.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1)

const graphemes = (text: string): ReadonlyArray<string> => Array.from(segmenter.segment(text), ({ segment }) => segment)

/** Columns of a text of one line without control characters. */
export const width = (text: string): number =>
  ascii.test(text) ? text.length : graphemes(text).reduce((sum, grapheme) => sum + widthOf(grapheme), 0)

/** The first graphemes that fit. */
const fitting = (all: ReadonlyArray<string>, columns: number): ReadonlyArray<string> => {
  let left = columns
  const over = all.findIndex((grapheme) => (left -= widthOf(grapheme)) < 0)
  return over < 0 ? all : all.slice(0, over)
}

const head = (all: ReadonlyArray<string>, columns: number): string => fitting(all, columns).join("")

const end = (all: ReadonlyArray<string>, columns: number): string =>
  fitting(all.toReversed(), columns).toReversed().join("")

/** The beginning of a text that fits; `…` marks a cut. */
export const start = (text: string, columns: number): string =>
  width(text) <= columns ? text : `${head(graphemes(text), columns - 1)}…`

/** A text that fits, with `…` for what its middle lost: of a path, the first folders and the file's name stay. */
export const middle = (text: string, columns: number): string => {
  if (width(text) <= columns) return text
  const all = graphemes(text)
  const name = width(text.slice(text.lastIndexOf("/") + 1)) + 1
  const tail = end(all, Math.min(Math.max(Math.floor((columns - 1) / 2), name), Math.max(0, columns - 5)))
  return `${head(all, columns - 1 - width(tail))}…${tail}`
}

/** The text, filled up with blanks. */
export const padEnd = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - width(text)))

export const padStart = (text: string, columns: number): string => " ".repeat(Math.max(0, columns - width(text))) + text

/** Parts of a word between which a line may end: after a slash, a comma or a vertical bar, and between wide characters. */
const parts = (word: string): ReadonlyArray<string> =>
  graphemes(word).reduce<Array<string>>((all, grapheme) => {
    const last = all.at(-1)
    const joined = last !== undefined && !/[/,|:#=?&]$/.test(last) && !wide.test(last) && !wide.test(grapheme)
    if (joined) all[all.length - 1] = last + grapheme
    else all.push(grapheme)
    return all
  }, [])

/**
 * Lines of at most `columns`, broken between words, all but the first with `indent` blanks before them. Only a word that is longer than a
 * line is broken: after a slash or a comma where it has one. Control characters are escaped. `Infinity` breaks nothing.
 */
export const wrap = (text: string, columns: number, indent: number = 0): ReadonlyArray<string> => {
  const given = Printable.line(text)
  if (width(given) <= columns) return [given]
  const lead = " ".repeat(Math.min(indent, Math.max(0, columns - 8)))
  const margin = given.slice(0, given.length - given.trimStart().length)
  const lines: Array<string> = []
  let line = margin
  let bare = true
  const push = (): void => {
    lines.push(line.trimEnd())
    line = lead
    bare = true
  }
  for (const word of given.split(" ").filter((word) => word !== "")) {
    if (!bare && width(line) + 1 + width(word) > columns && width(word) <= columns - lead.length) push()
    if (width(line) + (bare ? 0 : 1) + width(word) <= columns) {
      line += bare ? word : ` ${word}`
      bare = false
      continue
    }
    let gap = bare ? "" : " "
    for (const part of parts(word)) {
      if (width(line + gap + part) > columns && !bare) {
        push()
        gap = ""
      }
      let rest = part
      while (width(line + gap + rest) > columns) {
        const taken = head(graphemes(rest), columns - width(line + gap)) || (graphemes(rest)[0] ?? "")
        line += gap + taken
        gap = ""
        rest = rest.slice(taken.length)
        push()
      }
      line += gap + rest
      gap = ""
      bare = false
    }
  }
  if (!bare) lines.push(line.trimEnd())
  return lines
}

/** Stands for a blank at which no line may end. */
export const unbroken = "\u00a0"

/**
 * A command line as lines that can be typed or copied: each but the last ends with a backslash. A flag and its value stay together, and so
 * does what stands between quotes.
 */
export const command = (line: string, columns: number, indent: number = 2): ReadonlyArray<string> => {
  const bound = line
    .replaceAll(/"[^"]*"|'[^']*'/gu, (quoted) => quoted.replaceAll(" ", unbroken))
    .replaceAll(/(?<= )(--[\w-]+|[<>|]) (?!-)/gu, `$1${unbroken}`)
  const lines = wrap(bound, columns - 2, indent).map((part) => part.replaceAll(unbroken, " "))
  return lines.map((part, at) => (at < lines.length - 1 ? `${part} \\` : part))
}
