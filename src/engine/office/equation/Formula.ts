/**
 * Parts of LaTeX formulas: what equations of every notation are put together from.
 *
 * @since 0.1.0
 */
import * as Symbols from "./Symbols.ts"

/** One letter, one number, one command or one group. */
const atom = /^(?:[^\\{}\s^_]|\d+|\\[a-zA-Z]+|\{[^{}]*\})$/u

/** Operators whose limits stand at them. */
const limits =
  /^\\(?:lim|limsup|liminf|max|min|sup|inf|sum|prod|coprod|int|iint|iiint|oint|det|gcd|Pr|argmax|argmin|(?:over|under)brace\{[^]*\}|big[a-z]+|operatorname\*?\{[^{}]*\})$/u

const tidy = (latex: string): string => latex.replaceAll(/ {2,}/gu, " ").trim()

/** The formula as the base of a script. */
const base = (latex: string): string => {
  const own = tidy(latex)
  return atom.test(own) || limits.test(own) ? own : `{${own}}`
}

/**
 * A formula with a subscript and a superscript; an empty one is left out.
 *
 * @since 0.1.0
 * @category constructors
 */
export const scripts = (of: string, sub: string, sup: string): string => {
  const [low, high] = [tidy(sub), tidy(sup)]
  return `${base(of)}${low === "" ? "" : `_{${low}}`}${high === "" ? "" : `^{${high}}`}`
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const fraction = (numerator: string, denominator: string): string =>
  `\\frac{${tidy(numerator)}}{${tidy(denominator)}}`

/**
 * @since 0.1.0
 * @category constructors
 */
export const root = (of: string, degree = ""): string =>
  `\\sqrt${tidy(degree) === "" ? "" : `[${tidy(degree)}]`}{${tidy(of)}}`

/**
 * A formula with another one below it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const under = (of: string, below: string): string =>
  limits.test(tidy(of)) ? scripts(of, below, "") : `\\underset{${tidy(below)}}{${tidy(of)}}`

/**
 * A formula with another one above it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const over = (of: string, above: string): string =>
  limits.test(tidy(of)) ? scripts(of, "", above) : `\\overset{${tidy(above)}}{${tidy(of)}}`

/**
 * A formula with a character set over or under it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const accented = (of: string, character: string, below: boolean): string => {
  const command = Symbols.accent(character)
  if (command === undefined) return below ? under(of, Symbols.latex(character)) : over(of, Symbols.latex(character))
  const own = below && (command === "bar" || command === "overline") ? "underline" : command
  return `\\${own}{${tidy(of)}}`
}

/**
 * A named function or operator.
 *
 * @since 0.1.0
 * @category constructors
 */
export const named = (name: string): string =>
  Symbols.functionNames.has(name) ? `\\${name} ` : `\\operatorname{${Symbols.latex(name)}}`

const matrices: Readonly<Record<string, string>> = {
  "()": "pmatrix",
  "[]": "bmatrix",
  "{}": "Bmatrix",
  "||": "vmatrix",
  "∣∣": "vmatrix",
  "‖‖": "Vmatrix",
  "∥∥": "Vmatrix"
}

/** The rows of a formula in an environment. */
const environment = (name: string, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  `\\begin{${name}} ${rows.map((cells) => cells.map(tidy).join(" & ")).join(" \\\\ ")} \\end{${name}}`

/**
 * A matrix without delimiters.
 *
 * @since 0.1.0
 * @category constructors
 */
export const matrix = (rows: ReadonlyArray<ReadonlyArray<string>>): string => environment("matrix", rows)

/**
 * Equations below one another; `&` in them is where they are aligned.
 *
 * @since 0.1.0
 * @category constructors
 */
export const aligned = (lines: ReadonlyArray<string>): string =>
  environment(
    "aligned",
    lines.map((line) => [line])
  )

/** The environment that `content` is, alone; undefined for anything else. */
const whole = (content: string, name: string): string | undefined => {
  const [opening, closing] = [`\\begin{${name}}`, `\\end{${name}}`]
  return content.startsWith(opening) && content.indexOf(closing) === content.length - closing.length
    ? content.slice(opening.length, -closing.length)
    : undefined
}

/**
 * A formula between delimiters, of which an empty one is not shown.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fenced = (content: string, opening: string, closing: string): string => {
  const own = tidy(content)
  const matrixName = matrices[opening + closing]
  const cells = whole(own, "matrix")
  if (matrixName !== undefined && cells !== undefined) return `\\begin{${matrixName}}${cells}\\end{${matrixName}}`
  const lines = opening === "{" && closing === "" ? (whole(own, "aligned") ?? cells) : undefined
  if (lines !== undefined) return `\\begin{cases}${lines}\\end{cases}`
  const stacked =
    opening === "(" && closing === ")" ? /^\\genfrac\{\}\{\}\{0pt\}\{\}(\{[^{}]*\}\{[^{}]*\})$/u.exec(own) : null
  if (stacked !== null) return `\\binom${stacked[1]}`
  return `\\left${Symbols.delimiter(opening)} ${own} \\right${Symbols.delimiter(closing)}`
}

/**
 * Two formulas above one another, without a line.
 *
 * @since 0.1.0
 * @category constructors
 */
export const stack = (above: string, below: string): string => `\\genfrac{}{}{0pt}{}{${tidy(above)}}{${tidy(below)}}`

/**
 * The formula as it stands in Markdown: within a line, or as a block of its own. The empty text for an empty formula.
 *
 * @since 0.1.0
 * @category constructors
 */
export const markdown = (latex: string, display: boolean): string => {
  const own = tidy(latex)
  if (own === "") return ""
  return display ? `$$${own}$$` : `$${own}$`
}
