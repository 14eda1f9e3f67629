/** Entries of a table of contents or of an index, which look like headings where chapters are set in bold. */
import type { Draft, TextDraft } from "../Draft.ts"

/** A line that ends in the number of a page, Arabic or Roman, after its text and perhaps leaders. */
const entry = /\p{L}.*?[\s.·…](\d{1,4}|[ivxlc]{1,6})$/u

/** Ends that {@link entry} may have: most lines have others. */
const end = /[\divxlc]$/u

/** The number of a page at the end of a text. */
const numberOf = (text: string): string | undefined => (end.test(text.slice(-1)) ? entry.exec(text)?.[1] : undefined)

/** True for a text that ends in the number of a page. */
export const isEntry = (text: string): boolean => numberOf(text) !== undefined

/** Fewest lines, and least share of the lines of a page, that end in ascending numbers on a page of contents. */
const fewest = 5
const leastShare = 0.4

const textsOf = (drafts: ReadonlyArray<Draft>): ReadonlyArray<TextDraft> =>
  drafts.flatMap((draft) => (draft.kind === "text" ? [draft] : []))

/** Number of lines that end in a number that is not smaller than the one before it, and of all lines. */
const count = (texts: ReadonlyArray<TextDraft>): { readonly entries: number; readonly lines: number } => {
  const prefixes = new Set<string>()
  let entries = 0
  let lines = 0
  let last = 0
  for (const { lines: own } of texts) {
    for (const { text } of own) {
      lines++
      const number = numberOf(text)
      if (number === undefined) continue
      const value = Number(number)
      if (Number.isNaN(value) || value >= last) {
        prefixes.add(text.slice(0, -number.length))
        entries++
      }
      if (value >= 0) last = value
    }
  }
  // Exercise 1, Exercise 2 and the like are no entries.
  return { entries: prefixes.size * 2 > entries ? entries : 0, lines }
}

/** Texts on pages of contents that end in a page number. */
export const find = (pages: ReadonlyArray<{ readonly drafts: ReadonlyArray<Draft> }>): ReadonlySet<TextDraft> =>
  new Set(
    pages.flatMap(({ drafts }) => {
      const texts = textsOf(drafts)
      const { entries, lines } = count(texts)
      return entries < fewest || entries < lines * leastShare ? [] : texts.filter(({ text }) => isEntry(text))
    })
  )
