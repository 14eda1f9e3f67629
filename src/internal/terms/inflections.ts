/** Stems of version 2: those of Snowball where they are enough, and what is done before and after it where they are not. */
import { fold } from "./fold.ts"
import { simplified } from "./han.ts"
import { irregular } from "./irregular.ts"
import { arabic, hebrew } from "./semitic.ts"
import { stem } from "./stemmers.ts"

/** Replacements, in order. */
type Rules = ReadonlyArray<readonly [RegExp, string]>

const apply = (rules: Rules | undefined, word: string): string =>
  rules === undefined ? word : rules.reduce((text, [from, to]) => text.replace(from, to), word)

/** Of a word in lower case. */
const before: Readonly<Record<string, Rules>> = {
  // `ae` is how `ä` is written without its key; not in `neue`, `Steuer`, `Quelle`.
  de: [
    [/ae/gu, "ä"],
    [/oe/gu, "ö"],
    [/(?<![aeiouäöüq])ue/gu, "ü"]
  ],
  da: [[/aa/gu, "å"]],
  no: [[/aa/gu, "å"]],
  nl: [[/heden$/u, "heid"]],
  pt: [
    [/(?:ões|ães)$/u, "ão"],
    [/(?<=..)ais$/u, "al"],
    [/éis$/u, "el"],
    [/óis$/u, "ol"],
    [/(?<=..)ens$/u, "em"]
  ],
  hy: [
    [/(?<=....)[ըն]$/u, ""],
    [/(?<=...)(?:ներ|եր)$/u, ""]
  ],
  tr: [[/\u0307/gu, ""]]
}

/** Of a stem. */
const after: Readonly<Record<string, Rules>> = {
  nl: [
    [/z$/u, "s"],
    [/v$/u, "f"]
  ],
  es: [[/z$/u, "c"]],
  hu: [[/(?<=..)[aeáé]$/u, ""]],
  it: [[/(?<=[cg])h$/u, ""]],
  el: [[/(?<=...)ι$/u, ""]],
  // Consonants that change with the case: `kaupunki`, `kaupungin`; `katu`, `kadun`.
  fi: [
    [/ng$/u, "nk"],
    [/d(?=[aeiouyäö]$)/u, "t"]
  ],
  // `договір`, `договору`.
  uk: [[/і(?=[^аеиіоуюяєї]+$)/u, "о"]]
}

/**
 * The Turkish stemmer takes another ending of some of its stems, as of `çalışan`, and none where the vowels of a word do not agree, as in
 * `işiklar`: that is `IŞIKLAR` in lower case by the rules of other languages.
 */
const turkish = (word: string): string => {
  const stemmed = stem(word, "tr")
  if (stemmed !== word) return stemmed.length < 2 ? word : again(stemmed)
  const dotless = word.replaceAll("i", "ı")
  const other = stem(dotless, "tr")
  return other === dotless ? word : again(other)
}

/** Short stems are not cut again: `ada` is none of `adam`. */
const again = (stemmed: string): string => {
  const next = stem(stemmed, "tr")
  return next === stemmed || next.length < 4 ? stemmed : again(next)
}

/** Particles of one syllable after a word that they cannot be a part of, of two syllables, and after words of two and more. */
const particles = /(?<=.)(?:[을를은는]|에서|에게|에는|으로|까지|부터)$|(?<=..)[이가의에와과도로만]$/u

const letters = /^[\p{L}\p{M}]+$/u

/** Shortest word that has a stem; in English those of two letters are function words. */
const shortest = (language: string): number => (language === "en" ? 3 : 2)

/** A stem with its language: the same word of another language has another one. */
const marked = (stems: ReadonlyArray<string>, language: string): ReadonlyArray<string> =>
  stems.map((one) => `${one}\u00A6${language}`)

/**
 * Terms of a word besides its folded form, by which its other forms are found: stems with their language, or another spelling, which
 * needs none. None for numbers and where there is no other form.
 */
export const keys = (lower: string, language: string): ReadonlyArray<string> => {
  const folded = fold(lower, 2)
  const other = (spelling: string): ReadonlyArray<string> => (spelling === folded ? [] : [spelling])
  if (language === "zh") return other(simplified(folded))
  if (language === "ja") return other(folded.replace(/(?<=[\p{Script=Katakana}ー]{2})ー$/u, ""))
  if (language === "ko") return other(folded.replace(particles, ""))
  if (!letters.test(lower) || lower.length < shortest(language)) return []
  if (language === "ar") return marked(arabic(folded), language)
  if (language === "he") return marked(hebrew(irregularOf(folded, language)), language)
  const word = apply(before[language], irregularOf(lower, language))
  const stemmed = language === "tr" ? turkish(word) : stem(word, language)
  return marked([fold(apply(after[language], stemmed), 2)], language)
}

const irregularOf = (word: string, language: string): string => irregular.get(language)?.get(word) ?? word
