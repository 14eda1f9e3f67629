/** Numbers at the ends of a line that may be its page's. */

const digits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }

const roman = /^m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/i

/** Value of a Roman numeral; undefined for another text. */
export const fromRoman = (text: string): number | undefined => {
  if (text === "" || !roman.test(text)) return undefined
  let value = 0
  let highest = 0
  for (const letter of text.toLowerCase().split("").toReversed()) {
    const own = digits[letter] ?? 0
    value += own < highest ? -own : own
    highest = Math.max(highest, own)
  }
  return value
}

/** Ornaments around a page number. */
const ornaments = /^[-–—|•·([]+|[-–—|•·)\].,:]+$/g

const valueOf = (token: string): number | undefined => {
  const bare = token.replace(ornaments, "")
  // A chapter or an appendix may precede the number, as in 3-12 and A.4.
  const number = /^(?:(?:\d{1,2}|\p{Lu})[-–.])?(\d{1,4})$/u.exec(bare)
  return number === null ? fromRoman(bare) : Number(number[1])
}

const ofTotal = /(\d{1,4})\s*(?:of|\/|von|de|sur|di|из)\s*\d{1,4}$/i

/** Values of the numbers, Arabic or Roman, with which a line begins or ends; the first one of `3 of 9`. */
export const candidates = (text: string): ReadonlyArray<number> => {
  const tokens = text.trim().split(/\s+/)
  const inTotal = ofTotal.exec(text.trim())
  const ends = [tokens[0] ?? "", tokens.at(-1) ?? ""].map(valueOf)
  return [...new Set([...ends, inTotal === null ? undefined : Number(inTotal[1])])].flatMap((each) => each ?? [])
}

const word = String.raw`(?:page|seite|página|pagina|pág\.|p\.|s\.|стр\.|страница)`
const total = String.raw`(?:\s*(?:of|\/|von|de|sur|di|из)\s*\d{1,4})`

const alone = new RegExp(String.raw`^[-–—\s|([]*${word}?\s*(\d{1,4}|[ivxlc]{1,6})${total}?[-–—\s|)\]]*$`, "i")

/** True if a line is a page number, such as `12`, `- iv -` or `Page 3 of 9`, and nothing else. */
export const isAlone = (text: string): boolean => {
  const value = alone.exec(text)?.[1]
  return value !== undefined && valueOf(value) !== undefined
}

const named = new RegExp(String.raw`^${word}\s*\d{1,4}${total}?(?=\s|$)|(?<=\s)${word}\s*\d{1,4}${total}?$`, "i")

/** True if a line begins or ends with a page number that is called one, such as `Page 3`. */
export const isNamed = (text: string): boolean => named.test(text.trim())
