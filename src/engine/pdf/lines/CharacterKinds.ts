/** Numbers of characters of each kind in a text. */

export interface CharacterKinds {
  /** UTF-16 units other than white space. */
  readonly solid: number
  readonly upper: number
  readonly lower: number
  readonly letters: number
  readonly digits: number
  /** Signs of formulas. */
  readonly operators: number
  readonly ideographs: number
  readonly rightToLeft: number
}

const bits = {
  space: 1,
  upper: 2,
  lower: 4,
  letter: 8,
  digit: 16,
  operator: 32,
  ideograph: 64,
  rightToLeft: 128,
  known: 256
} as const

const tests: ReadonlyArray<readonly [RegExp, number]> = [
  [/\s/u, bits.space],
  [/\p{Lu}/u, bits.upper],
  [/\p{Ll}/u, bits.lower],
  [/\p{L}/u, bits.letter],
  [/\p{N}/u, bits.digit],
  [/[=+∑∫≤≥<>∈⊂→≈±×÷√∂∇∞∝⇒⇔∀∃∏]/u, bits.operator],
  [/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u, bits.ideograph],
  [/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u, bits.rightToLeft]
]

/** Kinds of each UTF-16 unit, found when it first occurs. */
const table = new Uint16Array(65_536)

const kindsOf = (code: number): number => {
  const seen = table[code] ?? 0
  if (seen !== 0) return seen
  const char = String.fromCharCode(code)
  let kinds: number = bits.known
  for (const [pattern, bit] of tests) if (pattern.test(char)) kinds |= bit
  table[code] = kinds
  return kinds
}

export const of = (text: string): CharacterKinds => {
  let solid = 0
  let upper = 0
  let lower = 0
  let letters = 0
  let digits = 0
  let operators = 0
  let ideographs = 0
  let rightToLeft = 0
  for (let at = 0; at < text.length; at++) {
    const kinds = kindsOf(text.charCodeAt(at))
    if ((kinds & bits.space) !== 0) continue
    solid++
    if ((kinds & bits.letter) !== 0) {
      letters++
      if ((kinds & bits.lower) !== 0) lower++
      else if ((kinds & bits.upper) !== 0) upper++
    } else if ((kinds & bits.digit) !== 0) digits++
    else if ((kinds & bits.operator) !== 0) operators++
    if ((kinds & bits.ideograph) !== 0) ideographs++
    if ((kinds & bits.rightToLeft) !== 0) rightToLeft++
  }
  return { solid, upper, lower, letters, digits, operators, ideographs, rightToLeft }
}
