/** Stems of Arabic and Hebrew, whose prepositions, articles and conjunctions are written as one with the word. */

/** Fewest letters that are left of a word whose prefix may be a letter of its root. */
const root = 3

const article = /^[وف]?(?:ال|بال|كال|لل)(?=..)/u

const arabicEndings = /(?:ها|ان|ات|ون|ين|يه|هم|ه|ي)$/u

/** Light stemming: the article and one ending go, broken plurals stay. */
const light = (word: string): string => {
  const bare = word.replace(article, "")
  const cut = bare.replace(arabicEndings, "")
  return cut.length < 2 ? bare : cut
}

/** Stems of a folded Arabic word. A first `و` is the word "and", or a letter of the root: both stems are given. */
export const arabic = (word: string): ReadonlyArray<string> =>
  word.startsWith("و") && !article.test(word) && word.length > root
    ? [light(word), light(word.slice(1))]
    : [light(word)]

/** "And", then "that" or "when", then a preposition, then the article, each of which may be missing. */
const prefixes = /^(ו?)((?:לכש|כש|מש|ש)?)([בכלמ]?)(ה?)/u

const finals: Readonly<Record<string, string>> = { ך: "כ", ם: "מ", ן: "נ", ף: "פ", ץ: "צ" }

const hebrewEndings = /(?:ים|ות|ה|ת)$/u

const withoutEnding = (word: string): string => {
  const cut = word.replace(hebrewEndings, "")
  return (cut.length < root ? word : cut).replace(/[ךםןףץ]$/u, (letter) => finals[letter] ?? letter)
}

/** Stems of a folded Hebrew word: without each beginning that may be a prefix, since it may be the beginning of the root as well. */
export const hebrew = (word: string): ReadonlyArray<string> => {
  const [, ...found] = prefixes.exec(word) ?? []
  const starts = new Set([0])
  let start = 0
  for (const prefix of found) {
    start += prefix.length
    if (word.length - start >= root) starts.add(start)
  }
  return [...new Set([...starts].map((from) => withoutEnding(word.slice(from))))]
}
