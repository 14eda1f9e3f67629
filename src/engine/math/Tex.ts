/** Pieces of TeX source: texts of formulas, groups, scripts, and their joining. */
import * as TexSymbols from "./TexSymbols.ts"

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** True for a command of letters at the end, which a letter after it would lengthen. */
const endsInCommand = (tex: string): boolean => {
  let at = tex.length - 1
  while (at >= 0 && isLetter(tex.charCodeAt(at))) {
    at -= 1
  }
  return at >= 0 && at < tex.length - 1 && tex.charAt(at) === "\\"
}

/** Two pieces one after the other, with a space where a command would swallow a letter. */
export const append = (left: string, right: string): string =>
  right !== "" && isLetter(right.charCodeAt(0)) && endsInCommand(left) ? `${left} ${right}` : left + right

export const join = (pieces: ReadonlyArray<string>): string => {
  const parts: Array<string> = []
  let last = ""
  for (const piece of pieces) {
    if (piece !== "") {
      parts.push(append(last, piece).slice(last.length))
      last = piece
    }
  }
  return parts.join("")
}

/** A piece in braces. */
export const group = (tex: string): string => `{${tex}}`

const single = /^(?:[^\\{}^_&#%~$]|\\[A-Za-z]+)$/u

/** A subscript or superscript: braces only around more than one letter or command. */
export const script = (mark: "_" | "^", tex: string): string => mark + (single.test(tex) ? tex : group(tex))

/** Words in a formula. */
export const words = (text: string): string =>
  `\\text{${text.replaceAll(/[\\{}$%#&_^~]/g, (character) => escapes[character] ?? `\\${character}`)}}`

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}"
}

/** Styled alphabets of Unicode: first code point, command, and the letters or digits that follow one another there. */
const upperLower = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const greek = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ"
const digits = "0123456789"

const alphabets: ReadonlyArray<readonly [start: number, command: string, letters: string]> = [
  [0x1d400, "mathbf", upperLower],
  [0x1d434, "", upperLower],
  [0x1d468, "boldsymbol", upperLower],
  [0x1d49c, "mathcal", upperLower],
  [0x1d4d0, "mathcal", upperLower],
  [0x1d504, "mathfrak", upperLower],
  [0x1d538, "mathbb", upperLower],
  [0x1d56c, "mathfrak", upperLower],
  [0x1d5a0, "mathsf", upperLower],
  [0x1d5d4, "mathsf", upperLower],
  [0x1d608, "mathsf", upperLower],
  [0x1d63c, "mathsf", upperLower],
  [0x1d670, "mathtt", upperLower],
  [0x1d6a8, "boldsymbol", greek],
  [0x1d6e2, "", greek],
  [0x1d71c, "boldsymbol", greek],
  [0x1d756, "boldsymbol", greek],
  [0x1d790, "boldsymbol", greek],
  [0x1d7ce, "mathbf", digits],
  [0x1d7d8, "mathbb", digits],
  [0x1d7e2, "mathsf", digits],
  [0x1d7ec, "mathsf", digits],
  [0x1d7f6, "mathtt", digits]
]

const styled = (character: string): string => {
  const point = character.codePointAt(0) ?? 0
  if (point < 0x1d400 || point > 0x1d7ff) {
    return TexSymbols.command(character)
  }
  const alphabet = alphabets.findLast(([start]) => start <= point)
  const [start, command, letters] = alphabet ?? [point, "", ""]
  const letter = Array.from(letters)[point - start] ?? character
  const plain = TexSymbols.command(letter)
  return command === "" ? plain : `\\${command}{${plain}}`
}

/** Letters, digits and signs of a formula, each as TeX: `αx` as `\alpha x`, `𝐯` as `\mathbf{v}`. */
export const symbols = (text: string): string =>
  join(Array.from(text.replaceAll(/[\t\n\f\r ]+/g, " "), (character) => styled(character)))
