/** Quotations: the forms in which a quote and the text that it is from are compared. */
import { at } from "../base/at.ts"
import { exact } from "./compare.ts"
import { differs, form, perhaps, type Way, wordsOf } from "./form.ts"
import * as Markup from "./markup.ts"

/**
 * The text as it is compared: in one line, with single blanks, plain quotation marks, apostrophes and hyphens, without ligatures, invisible
 * characters and wide forms. A hyphen at the end of a line within a word is taken out. Numbers, names, negations, signs and capital letters
 * stay as they are.
 */
export const normalised = (text: string): string => form(text).replaceAll(perhaps, "")

/** The words of a text as one of several readers sees them. */
export type Reading = ReadonlyArray<string>

const plain: Way = { suspended: false, narrow: false }

const ways: ReadonlyArray<Way> = [plain, { suspended: true, narrow: false }, { suspended: false, narrow: true }]

/** Number of the readings of every document. */
export const count = ways.length + 1

/**
 * The readings of a document: its Markdown without its markup in every way, the first of which is the one to show, then as it is. One that
 * says the same as another is the same value.
 */
export const readings = (text: string): ReadonlyArray<Reading> => {
  const words = Markup.ofDocument(text)
  const all = inAllWays(words)
  return [...all, words === text ? at(all, 0) : wordsOf(form(text, plain))]
}

const inAllWays = (text: string): ReadonlyArray<Reading> => {
  const first = wordsOf(form(text, plain))
  return differs(text) ? ways.map((way) => (way === plain ? first : wordsOf(form(text, way)))) : ways.map(() => first)
}

/** Quotation marks around a quote, which may not be in the document. */
const enclosed = /^\s*["“„«‹'‘](.*)["”“»›'’]\s*$/su

/** The readings of a quote, each once, without empty ones; the first is the one to show. */
export const ofQuote = (quote: string): ReadonlyArray<Reading> => {
  const inner = enclosed.exec(quote)?.[1]
  const texts = [quote, ...(inner === undefined ? [] : [inner])].flatMap((text) => [Markup.ofQuote(text), text])
  const all = new Map(texts.flatMap(inAllWays).map((words) => [words.join(" "), words]))
  return [...all.values()].filter((words) => words.some((word) => /[\p{L}\p{N}\p{S}]/u.test(word)))
}

/** True if one of the readings of a document has the quote. An empty quote stands nowhere. */
export const holds = (document: ReadonlyArray<Reading>, quote: string): boolean =>
  ofQuote(quote).some((words) => document.some((reading) => exact(reading, words).length > 0))
