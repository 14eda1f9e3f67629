/** Phone numbers, valid in some country. */
import { parsePhoneNumber } from "awesome-phonenumber"
import * as Language from "./Language.ts"
import * as Reading from "./Reading.ts"
import type { Span } from "./Span.ts"

/** Digits with at most two separators between them; `+49 (0)30` has three. Longer than a number: several may be joined. */
const digits = String.raw`(?:\+ ?|00)?\(?\d(?:[ \u00A0()./–-]{0,3}\d){5,45}(?![\p{L}\p{N}_@])`

const candidate = new RegExp(String.raw`(?<![\p{L}\p{N}_+.@/#-])${digits}`, "gu")

/** After a number that was found. */
const joined = new RegExp(String.raw`[ \u00A0]{0,2}\/[ \u00A0]{0,2}(${digits})`, "uy")

const date = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2})(?![./-]?\d)/

const address = /^\d{1,3}(?:\.\d{1,3}){3}(?![.\d])/

const amount = /^[1-9]\d{0,2}(?:[. ]\d{3}){2,}$/

const word =
  /(?<!\p{L})(?:phone|tel|mobile?|cell|fax|call(?:ed|ing)?|ring|dial|text|sms|whatsapp|hotline|reach\p{L}*|handy\p{L}*|mobil\p{L}*|festnetz|rufnummer|fon|anruf\p{L}*|ruf|erreich\p{L}*|portable|joindre|jointe?|appel\p{L}*|m[óo]vil|celular|ll[aá]m\p{L}*|cellulare|chiam\p{L}*|recapito|mobiel|gsm|bel(?:len)?|telem[óo]vel|ligue|kom[óo]rka|tlf|puhelin)(?!\p{L})|t[ée]l[ée](?:ph?|f)[oó]+n\p{L}*|phone\p{L}*|☎|📞/iu

/** Separators of a number as people write it, which ids have less often. */
const written =
  /^(?:\(?0\d{1,5}\)?[ \u00A0./–-]{1,2}\d|\(\d{3}\) ?\d{3}-\d{4}$|\d{3}[-. ]\d{3}[-. ]\d{4}$|[679]\d{2} \d{3} \d{3}$|[679]\d{2} \d{2} \d{2} \d{2}$|[679]\d \d{3} \d{2} \d{2}$|3\d{2} \d{6,7}$)/

const otherNumber =
  /(?:#|n[°ºr]\.?|no\.|num(?:ber|ero|éro|mer)?|order|ref(?:erence)?|isbn|issn|ean|id|code|ticket|version|invoice|tracking|contract|[\p{L}-]*(?:nummer|nr)|dossier|pedido|expediente|ordine|pratica|commande|auftrag|bestelling|bestellung|vorgang|job)[ \t:.#-]{0,3}$/iu

interface Checks {
  /** Valid in one of the countries. */
  readonly national: (number: string, countries: ReadonlyArray<string>) => boolean
  readonly international: (number: string) => boolean
}

/** Most numbers that are remembered. */
const mostKnown = 10_000

/** Checks of one text, which repeats many of its numbers: each is looked up once. */
const makeChecks = (): Checks => {
  const known = new Map<string, boolean>()
  const once = (key: string, check: () => boolean): boolean => {
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= mostKnown) known.clear()
    const now = check()
    known.set(key, now)
    return now
  }
  return {
    national: (number, countries) =>
      countries.some((regionCode) =>
        once(`${regionCode} ${number}`, () => parsePhoneNumber(number, { regionCode }).valid)
      ),
    international: (number) =>
      once(number, () => parsePhoneNumber(number.replace(/^00/, "+").replace(/^\+ /, "+")).valid)
  }
}

/** The candidate and its beginnings that end before a separator: a second number may follow the first. */
const beginnings = (text: string): ReadonlyArray<string> => {
  const all = [text]
  for (let at = text.length - 1; at > 6 && all.length < 5; at--) {
    if (/[ \u00A0/]/.test(text[at] ?? "") && /\d$/.test(text.slice(0, at))) all.push(text.slice(0, at))
  }
  return all
}

/** The text up to its fifteenth digit, whole where it has no more; cut before a separator. */
const shortened = (text: string): string => {
  const most = /^(?:\D*\d){15}/u.exec(text)?.[0] ?? text
  return /^\d/.test(text.slice(most.length)) ? most.replace(/[^\d][\d]*$/u, "") : most
}

const balanced = (text: string): boolean => text.split("(").length === text.split(")").length

/** Digits between 7 and 15, and no date or address of a machine. */
const plausible = (text: string): boolean => {
  const digits = text.replace(/\D/g, "").length
  return digits >= 7 && digits <= 15 && !date.test(text) && balanced(text) && !address.test(text)
}

/** True if words around the number tell that it is a phone's; false that it is not; undefined when they tell nothing. */
const told = (reading: Reading.Reading, at: number): boolean | undefined => {
  if (Reading.labelledAs(reading, at, "PHONE") === true) return true
  const before = Reading.before(reading, at, 40)
  if (otherNumber.test(before) && !word.test(before.slice(-22))) return false
  if (word.test(before)) return true
  const field = reading.fieldAt(at)
  return field?.label !== undefined && field.start === at ? false : undefined
}

interface Place {
  /** As {@link told} says. */
  readonly hint: boolean | undefined
  /** Countries whose national numbers are tried. */
  readonly countries: ReadonlyArray<string>
  readonly eager: boolean
}

const accepts = ({ international, national }: Checks, number: string, { countries, eager, hint }: Place): boolean => {
  if (/^(?:\+|00)/.test(number)) return international(number)
  if (hint === false) return false
  if (hint === true) return national(number, countries) || (eager && /^\(?0/.test(number))
  return written.test(number) && !amount.test(number) && national(number, countries)
}

/**
 * International numbers wherever they stand; national ones after a word for a phone, in a field of that name, or where they are written
 * with the separators of a country whose language the text has. Linear: at most ten numbers are tried at a place.
 */
export const find = (reading: Reading.Reading): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  const checks = makeChecks()
  const countries = Language.countries(reading.languages)
  const everywhere = Language.countries([])
  /** The number at `at`, where `text` begins with it. */
  const numberIn = (whole: string, hint: boolean | undefined): string | undefined => {
    const text = shortened(whole)
    if (!plausible(text) && !text.startsWith("+")) return undefined
    const tried = hint === true ? [...countries, ...everywhere.slice(0, 12)] : countries
    // A slash stands between two numbers if what is before it is one.
    const all = beginnings(text).toSorted((left, right) => left.split("/").length - right.split("/").length)
    const of = (eager: boolean) => all.find((number) => accepts(checks, number, { hint, countries: tried, eager }))
    return of(false) ?? (reading.eager ? of(true) : undefined)
  }
  /** Takes the number, and those joined to it, which are phones as well. */
  const take = (start: number, number: string): void => {
    for (let at = start, next: string | undefined = number; next !== undefined;) {
      const end: number = at + next.length
      found.push({ entity: "PHONE", start: at, end })
      candidate.lastIndex = end
      joined.lastIndex = end
      const [whole = "", other = ""] = joined.exec(reading.text) ?? []
      at = end + whole.length - other.length
      next = numberIn(other, true)
    }
  }
  candidate.lastIndex = 0
  for (let match = candidate.exec(reading.text); match !== null; match = candidate.exec(reading.text)) {
    const number = numberIn(match[0], told(reading, match.index))
    if (number !== undefined) take(match.index, number)
  }
  return found
}
