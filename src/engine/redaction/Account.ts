/** Accounts: IBAN, cards, wallets, national ids, and numbers in fields of that name. */
import * as CheckDigit from "./CheckDigit.ts"
import * as Reading from "./Reading.ts"
import type { Span } from "./Span.ts"

interface Shape {
  readonly pattern: RegExp
  /** Without separators. */
  readonly valid: (plain: string) => boolean
  /** The number counts only after a word that names it, or in a field of accounts. */
  readonly named?: RegExp
}

const ibanLengths: ReadonlyMap<string, number> = new Map(
  "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SE24 SI19 SK24 SM27 TN24 TR26 UA29 VA22 VG24 XK20"
    .split(" ")
    .map((entry): [string, number] => [entry.slice(0, 2), Number(entry.slice(2))])
)

const validIban = (plain: string): boolean =>
  ibanLengths.get(plain.slice(0, 2).toUpperCase()) === plain.length && CheckDigit.iban(plain)

const issuer = /^(?:4|5[1-8]|2[2-7]|3[0-9]|6)/

const validCard = (plain: string): boolean =>
  plain.length >= 13 && plain.length <= 19 && issuer.test(plain) && CheckDigit.luhn(plain)

/** Sweden: a date and four digits, the last of which is Luhn's. */
const validPersonnummer = (plain: string): boolean =>
  /^\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{4}$/.test(plain) && CheckDigit.luhn(plain)

const shapes: ReadonlyArray<Shape> = [
  // United States: 000, 666 and 900 to 999 are never given out.
  { pattern: /(?<![\w-])(?!000|666|9)\d{3}[- ](?!00)\d{2}[- ](?!0000)\d{4}(?![\w-])/g, valid: () => true },
  { pattern: /(?<!\w)[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\w)/g, valid: CheckDigit.nir },
  { pattern: /(?<!\w)(?:\d{2}\.?\d{3}\.?\d{3}|[XYZ]-?\d{7})-?[A-HJ-NP-TV-Z](?!\w)/gi, valid: CheckDigit.nif },
  { pattern: /(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)/gi, valid: CheckDigit.codiceFiscale },
  {
    pattern: /(?<![\w-])[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\w-])/g,
    valid: (plain) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(plain)
  },
  { pattern: /(?<![\w+.-])\d{2} \d{3} \d{3} \d{3}(?![\w-])/g, valid: CheckDigit.steuerId },
  { pattern: /(?<!\w)\d{3}\.\d{3}\.\d{3}-\d{2}(?!\w)/g, valid: CheckDigit.cpf },
  { pattern: /(?<![\w-])\d{6}[-+]\d{4}(?![\w-])/g, valid: (plain) => validPersonnummer(plain.replace("+", "")) },
  {
    pattern:
      /(?<!\w)(?:[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}|[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z])(?!\w)/gi,
    valid: () => true,
    named: /\bnir\b|s[ée]curit[ée] sociale|codice fiscale|\bc\.?f\./i
  },
  { pattern: /(?<!\w)756\.?\d{4}\.?\d{4}\.?\d{2}(?!\w)/g, valid: CheckDigit.ean13 },
  { pattern: /(?<!\w)(?:bc1[a-z0-9]{25,59}|0x[0-9a-fA-F]{40})(?!\w)/g, valid: () => true },
  { pattern: /(?<![\w.-])\d{11}(?![\w-])/g, valid: CheckDigit.steuerId, named: /steuer|\bidnr|tax.?id/i },
  { pattern: /(?<![\w.-])\d{11}(?![\w-])/g, valid: CheckDigit.pesel, named: /pesel/i },
  { pattern: /(?<![\w.-])\d{3}\.?\d{3}\.?\d{3}(?![\w-])/g, valid: CheckDigit.bsn, named: /\bbsn|burgerservice|sofi/i },
  {
    pattern: /(?<!\w)[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?!\w)/g,
    valid: () => true,
    named: /\b(?:bic|swift)\b/i
  },
  { pattern: /(?<![\w-])\d{2}-\d{2}-\d{2}(?![\w-])/g, valid: () => true, named: /sort code/i },
  {
    pattern: /(?<![\w-])\d(?:[ -]?\d){5,17}(?![\w-])/g,
    valid: () => true,
    named:
      /account|konto|compte|cuenta|\bconto|rekening|routing|\bssn|social security|passport|reisepass|passeport|pasaporte|passaporto/i
  },
  {
    pattern: /(?<!\w)(?=[A-Z0-9]{0,8}\d)[A-Z0-9]{8,10}(?!\w)/g,
    valid: (plain) => plain.replace(/\D/g, "").length >= 4,
    named:
      /driver'?s? licen[cs]e|driving licen[cs]e|f[üu]hrerschein|permis de conduire|carnet de conducir|patente|rijbewijs|passport|reisepass|personalausweis|passeport|pasaporte|passaporto|paspoort|identity card/i
  }
]

const separators = /[ .-]/g

/** Separators between the groups of a number: one sign, or a line break, also of Markdown. */
const gap = String.raw`(?:[ \u00A0]{0,2}\\?\n[ \u00A0>]{0,4}|[ \u00A0-])`

const groups = new RegExp(String.raw`${gap}?[A-Za-z0-9]`, "y")

/** The longest beginning of an IBAN in `text`, which begins with its country: groups may be parted by single spaces. */
const ibanAt = (text: string, at: number): number | undefined => {
  const length = ibanLengths.get(text.slice(at, at + 2).toUpperCase()) ?? 0
  let plain = ""
  let end = at
  while (plain.length < length && end < text.length) {
    groups.lastIndex = end
    const next = groups.exec(text)?.[0]
    if (next === undefined) return undefined
    plain += next.slice(-1)
    end += next.length
  }
  return validIban(plain) && !/\w/.test(text[end] ?? "") ? end : undefined
}

const ibans = (text: string): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  const start = new RegExp(String.raw`(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}${gap}?[A-Za-z0-9]{4}`, "g")
  for (const match of text.matchAll(start)) {
    const end = ibanAt(text, match.index)
    if (end !== undefined) found.push({ entity: "FINANCIAL", start: match.index, end })
  }
  return found
}

const cards = (reading: Reading.Reading): ReadonlyArray<Span> => {
  const found: Array<Span> = []
  for (const match of reading.text.matchAll(/(?<![\w.+-])\d{4}(?:[ -]?\d){9,15}(?![\w-])/g)) {
    const [text] = match
    const plain = text.replace(separators, "")
    // A number of 13 to 19 digits passes the check by chance once in ten: a field of another name tells.
    const grouped = /^(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19})$/.test(text)
    if (grouped && validCard(plain) && !other(reading, match.index)) {
      found.push({ entity: "FINANCIAL", start: match.index, end: match.index + text.length })
    }
  }
  return found
}

const otherNumber =
  /(?:order|invoice|tracking|reference|ref|isbn|ean|serial|ticket|contract|bestell\p{L}*|auftrag\p{L}*|rechnung\p{L}*|sendung\p{L}*|artikel\p{L}*|vertrag\p{L}*|kunden\p{L}*|commande|facture|suivi|dossier|pedido|factura|seguimiento|expediente|ordine|fattura|spedizione|pratica|bestelling|factuur|contractnummer)(?:[ .:#-]|n[°ºr]|no|num\p{L}*|id|code){0,6}$/iu

/** True if the number at `at` is called something that is no account. */
const other = (reading: Reading.Reading, at: number): boolean => {
  const field = reading.fieldAt(at)
  const alone = field !== undefined && field.start === at && field.label?.entity !== "FINANCIAL"
  return (alone && field.label === undefined) || otherNumber.test(Reading.before(reading, at, 40))
}

/** Numbers whose check digits are right, and numbers called an account. Linear. */
export const find = (reading: Reading.Reading): ReadonlyArray<Span> => {
  const found = [...ibans(reading.text), ...cards(reading)]
  for (const { named, pattern, valid } of shapes) {
    for (const match of reading.text.matchAll(pattern)) {
      if (!valid(match[0].replace(separators, ""))) continue
      const called = named === undefined ? !other(reading, match.index) : isNamed(reading, match.index, named)
      if (called) found.push({ entity: "FINANCIAL", start: match.index, end: match.index + match[0].length })
    }
  }
  return found
}

const isbn = /^97[89][- ]/

/** True if the number is in a field of accounts, or a word of `named` stands in its clause, at most 40 characters before it. */
const isNamed = (reading: Reading.Reading, at: number, named: RegExp): boolean => {
  const label = reading.fieldAt(at)?.label
  if (isbn.test(reading.text.slice(at, at + 4)) || otherNumber.test(Reading.before(reading, at, 40))) return false
  const clause =
    Reading.before(reading, at, 40)
      .split(/;\s|\.\s(?=\p{Lu}\p{Ll})/u)
      .at(-1) ?? ""
  const labelled = label?.entity === "FINANCIAL" && label.sure && /\d/.test(reading.text[at] ?? "")
  return labelled || named.test(clause)
}
