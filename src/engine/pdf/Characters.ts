/**
 * Characters that fonts show and text does not use: presentation forms, radicals, and accents apart from their letters.
 *
 * Sources: Unicode 15.0, normalization form KC (UAX #15) and the property `Equivalent_Unified_Ideograph`.
 */

/** Latin ligatures, Hebrew and Arabic presentation forms, and Kangxi radicals. */
const forms = /[\ufb00-\ufb06\ufb1d-\ufb4f\ufb50-\ufdff\ufe70-\ufefc\u2f00-\u2fd5]/g

const radicals = /[\u2e80-\u2ef3]/g

/** Ideographs of the CJK radicals supplement, U+2E80 to U+2EF3; a radical without one stands for itself. */
const ideographs = Array.from(
  "⺀厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵⺚旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿" +
    "肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟"
)

/**
 * Text in letters instead of the forms in which a font shows them: `ﬁ` becomes `fi`, a shaped Arabic letter its base letter, a radical its
 * ideograph. Full-width forms stay. Idempotent.
 */
export const plain = (text: string): string =>
  text
    .replace(forms, (form) => {
      const letters = form.normalize("NFKC")
      return letters.includes(" ") ? form : letters
    })
    .replace(radicals, (radical) => ideographs[radical.charCodeAt(0) - 0x2e80] ?? radical)

/** Combining marks by their spacing forms, which TeX prints before the letter. */
const marks: ReadonlyMap<string, string> = new Map([
  ["\u00b4", "\u0301"],
  ["`", "\u0300"],
  ["\u00a8", "\u0308"],
  ["\u02c6", "\u0302"],
  ["\u02dc", "\u0303"],
  ["\u02d9", "\u0307"],
  ["\u02da", "\u030a"],
  ["\u00b8", "\u0327"],
  ["\u02db", "\u0328"],
  ["\u02c7", "\u030c"],
  ["\u02dd", "\u030b"],
  ["\u02d8", "\u0306"],
  ["\u00af", "\u0304"]
])

/** The letter under an accent in its spacing form; undefined if Unicode has no character for both, or `accent` is not an accent. */
export const accented = (accent: string, letter: string): string | undefined => {
  const mark = marks.get(accent)
  if (mark === undefined || !/^\p{L}$/u.test(letter)) return undefined
  const base = letter === "\u0131" ? "i" : letter === "\u0237" ? "j" : letter
  const both = (base + mark).normalize("NFC")
  return Array.from(both).length === 1 ? both : undefined
}

/** An accent between two letters or at an end. */
const apart = /(\p{L}?)([\u00b4`\u00a8\u02c6\u02dc\u02d9\u02da\u00b8\u02db\u02c7\u02dd\u02d8\u00af~])(\p{L}?)/gu

/** Accents below the letter, which some fonts print after it. */
const below = /[\u00b8\u02db]/

/** True if grave accents are quotation marks or code. */
const quotes = (text: string): boolean => /`[^aeiouAEIOU\u0131]|`$|'|`[^`]*`/.test(text)

/** Signs of code, of addresses and of TeX's source, in which a tilde is itself. */
const technical = /[\\{}$_=<>@/]/

/**
 * Text with the accents that stand before a letter put on it, as TeX prints them: `na¨ıve` becomes `naïve`. A grave accent and a tilde of
 * ASCII count in words of `prose` only, before the letters that have them. Idempotent.
 */
export const withAccents = (text: string, prose = true): string => {
  const grave = prose && !quotes(text)
  const tilde = prose && !technical.test(text)
  const settled = text.replace(apart, (found, before: string, accent: string, after: string) => {
    if (accent === "`" && !(grave || (prose && before !== "" && /[aeiou\u0131]/.test(after)))) return found
    if (accent === "~")
      return tilde && before !== "" && /[anoANO]/.test(after) ? `${before}${after}\u0303`.normalize("NFC") : found
    const next = accented(accent, after)
    if (next !== undefined) return before + next
    const last = below.test(accent) ? accented(accent, before) : undefined
    return last === undefined ? found : last + after
  })
  // A letter may have two accents; none has more than three, so this ends soon.
  return settled === text ? text : withAccents(settled, prose)
}

/** Two texts without a space between them, with an accent at the end of the first on the letter that the second begins with. */
export const joined = (before: string, after: string): string => {
  const accent = before.at(-1) ?? ""
  const letter = accent === "`" ? undefined : accented(accent, after.charAt(0))
  return letter === undefined ? before + after : before.slice(0, -1) + letter + after.slice(1)
}
