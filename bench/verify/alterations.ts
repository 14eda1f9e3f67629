/** What a quotation may suffer: another typography, which says the same, and another number, name, sign or negation, which does not. */

type Random = () => number

const pick = <A>(random: Random, all: ReadonlyArray<A>): A | undefined => all[Math.floor(random() * all.length)]

/** Replaces each match with that probability. */
const some = (random: Random, text: string, pattern: RegExp, share: number, by: (match: string) => string): string =>
  text.replaceAll(pattern, (match) => (random() < share ? by(match) : match))

/** Lines of other lengths, some of which end within a word. */
const reflowed = (random: Random, text: string): string =>
  some(
    random,
    some(random, text, / /gu, 0.15, () => "\n"),
    /(?<=\p{L}{3})\p{Ll}{2}(?=\p{Ll}{3})/gu,
    0.06,
    (two) => {
      const hyphen = pick(random, ["-\n", "\u2010\n", "\u00AD", "\u00AD\n", "- \n"]) ?? ""
      return `${two}${hyphen}`
    }
  )

const ligatures: Readonly<Record<string, string>> = { ffi: "ﬃ", ffl: "ﬄ", ff: "ﬀ", fi: "ﬁ", fl: "ﬂ" }

const changes: ReadonlyArray<(random: Random, text: string) => string> = [
  reflowed,
  (random, text) => some(random, text, /(?<=\p{L})-(?=\p{Ll})/gu, 0.5, () => "-\n"),
  (random, text) => some(random, text, /ffi|ffl|ff|fi|fl/gu, 0.7, (letters) => ligatures[letters] ?? letters),
  (_, text) => text.replaceAll(/[“”]/gu, '"').replaceAll(/[‘’]/gu, "'"),
  (_, text) =>
    text
      .replaceAll(/(?<=^|[\s(])"/gu, "“")
      .replaceAll('"', "”")
      .replaceAll(/(?<=\p{L})'/gu, "’"),
  (_, text) => text.replaceAll(/(?<=\d)-(?=\d)/gu, "–").replaceAll(/(?<=\p{L})-(?=\p{L})/gu, "‑"),
  (_, text) => text.replaceAll("–", "-").replaceAll("—", " – ").replaceAll("−", "-"),
  (random, text) =>
    some(random, text, / /gu, 0.2, () => pick(random, ["\u00A0", "  ", "\t", "\u2009", "\u202F"]) ?? " "),
  (_, text) => text.normalize("NFD"),
  (random, text) => some(random, text, / /gu, 0.05, () => " \u200B"),
  (random, text) => (random() < 0.3 ? `“${text}”` : text)
]

/** The same words in another typography. */
export const typeset = (random: Random, text: string): string =>
  changes.reduce((before, change) => (random() < 0.35 ? change(random, before) : before), text)

/** Replaces one match, which neither begins nor ends the text; undefined where there is none or nothing changes. */
const one = (random: Random, text: string, pattern: RegExp, by: (match: string) => string): string | undefined => {
  const found = pick(
    random,
    [...text.matchAll(pattern)].filter(({ 0: match, index }) => index > 0 && index + match.length < text.length - 1)
  )
  if (found === undefined) return undefined
  const { 0: match, index } = found
  const changed = `${text.slice(0, index)}${by(match)}${text.slice(index + match.length)}`
  return changed === text ? undefined : changed
}

export type Kind = "number" | "name" | "negation" | "sign"

export const kinds: ReadonlyArray<Kind> = ["number", "name", "negation", "sign"]

const otherDigit = (random: Random, digit: string): string =>
  String((Number(digit) + 1 + Math.floor(random() * 9)) % 10)

const numbers: ReadonlyArray<(random: Random, text: string) => string | undefined> = [
  (random, text) => one(random, text, /\d/gu, (digit) => otherDigit(random, digit)),
  (random, text) => one(random, text, /(?<=\d)[.,](?=\d)/gu, () => ""),
  (random, text) => one(random, text, /(?<=\d)[-–](?=\d)/gu, () => ""),
  (random, text) => one(random, text, /(?<!\d)\d{2,}(?!\d)/gu, (digits) => `${digits.slice(1)}${digits.slice(0, 1)}`),
  (random, text) => one(random, text, /(?<!\d)\d{2,}(?!\d)/gu, (digits) => digits.slice(0, -1)),
  (random, text) => one(random, text, /(?<=\s)\d+(?=\s)/gu, (digits) => `${digits}²`),
  (random, text) =>
    one(random, text, /\b(?:two|three|four|five|ten|hundred)\b/gu, (word) => (word === "ten" ? "six" : "ten"))
]

const negations: ReadonlyArray<(random: Random, text: string) => string | undefined> = [
  (random, text) =>
    one(
      random,
      text,
      /\b(?:is|are|was|were|can|will|has|have|may|should|must|does|do|did)\b/gu,
      (word) => `${word} not`
    ),
  (random, text) => one(random, text, /\s(?:not|no|never)(?=\s)/gu, () => ""),
  (random, text) => one(random, text, /\b(?:with)\b/gu, () => "without"),
  (random, text) => one(random, text, /(?<=\s)un(?=\p{Ll}{4})/gu, () => ""),
  (random, text) => one(random, text, /(?<=\s)non-/gu, () => "")
]

const signs: ReadonlyArray<(random: Random, text: string) => string | undefined> = [
  (random, text) => one(random, text, /(?<=\d)\s?%/gu, () => ""),
  (random, text) => one(random, text, /(?<=\s)(?=\d)/gu, () => "-"),
  (random, text) => one(random, text, /[<>≤≥]\s?(?=\d)/gu, () => ""),
  (random, text) => one(random, text, /(?<=\d)(?=[\s,])/gu, () => "%")
]

/** The text with one thing changed that matters; undefined where it has nothing of that kind. */
export const altered = (random: Random, text: string, kind: Kind, names: ReadonlyArray<string>): string | undefined => {
  const byName = () =>
    one(random, text, /(?<=\p{Ll},? )\p{Lu}\p{Ll}{2,}(?=[\s,.])/gu, (name) => pick(random, names) ?? name)
  const ways = { number: numbers, negation: negations, sign: signs, name: [byName] }[kind]
  const start = Math.floor(random() * ways.length)
  for (let at = 0; at < ways.length; at++) {
    const changed = ways[(start + at) % ways.length]?.(random, text)
    if (changed !== undefined) return changed
  }
  return undefined
}

/** Words that may be names in some texts. */
export const namesOf = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(texts.flatMap((text) => text.match(/(?<=\p{Ll},? )\p{Lu}\p{Ll}{2,}(?=[\s,.])/gu) ?? []))
]
