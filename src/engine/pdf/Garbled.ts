/** Detects a text layer that differs from the visible text, as fonts without a proper encoding produce it. */

const scripts: ReadonlyArray<RegExp> = [
  /\p{Script=Latin}/gu,
  /\p{Script=Greek}/gu,
  /\p{Script=Cyrillic}/gu,
  /\p{Script=Arabic}/gu,
  /\p{Script=Hebrew}/gu,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu,
  /\p{Script=Devanagari}/gu,
  /\p{Script=Thai}/gu
]

/** Characters that do not occur in text: controls, private use, replacements, unassigned. */
const senseless = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/**
 * Checks the engine's verdict, which also calls pages of short labels garbled: true if most letters are of one or two common scripts and
 * at most a tenth of the characters are senseless.
 */
export const isReadable = (text: string): boolean => {
  const letters = count(text, /\p{L}/gu)
  const [first = 0, second = 0] = scripts.map((script) => count(text, script)).toSorted((left, right) => right - left)
  const body = text.replace(/\s/g, "")
  return first + second >= letters * 0.85 && count(body, senseless) <= body.length * 0.1
}
