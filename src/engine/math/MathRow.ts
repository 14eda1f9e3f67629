/** Writes a row of a formula: spaces around operators, delimiters that grow with their content, matrices and cases. */
import * as Tex from "./Tex.ts"
import * as TexSymbols from "./TexSymbols.ts"

/** A converted part of a formula. */
export interface Piece {
  readonly tex: string
  readonly role: TexSymbols.Role | "function"
  /** Higher than a line: delimiters around it grow. */
  readonly tall: boolean
  /** Characters of an operator. */
  readonly text?: string | undefined
  /** False for an operator that must not grow. */
  readonly sized?: boolean
  /** Has a subscript or superscript, so that another one needs braces. */
  readonly scripted?: boolean
  /** Takes scripts as limits below and above. */
  readonly limits?: boolean
  /** Rows of a matrix without its environment. */
  readonly body?: string
  /** The content of the parentheses: a binomial coefficient. */
  readonly choice?: string
}

const environments: Readonly<Record<string, string>> = {
  "()": "pmatrix",
  "[]": "bmatrix",
  "{}": "Bmatrix",
  "||": "vmatrix",
  "‖‖": "Vmatrix",
  "{": "cases"
}

/** A matrix or a binomial coefficient that is all there is between two delimiters. */
const special = (open: string, inside: ReadonlyArray<Piece>, close: string): string | undefined => {
  const [only, ...more] = inside.filter(({ role, tex }) => role !== "space" || tex.trim() !== "")
  if (only === undefined || more.length > 0) {
    return undefined
  }
  if (only.choice !== undefined && open === "(" && close === ")") {
    return only.choice
  }
  const environment = environments[open + close]
  return only.body === undefined || environment === undefined
    ? undefined
    : `\\begin{${environment}} ${only.body} \\end{${environment}}`
}

const isTall = (pieces: ReadonlyArray<Piece>): boolean => pieces.some(({ tall }) => tall)

/** Content between two delimiters; the delimiters grow if it is higher than a line. */
const between = (open: Piece, inside: ReadonlyArray<Piece>, close: Piece | undefined): Piece => {
  const [left, right] = [open.text ?? open.tex, close?.text ?? ""]
  const known = special(left, inside, right)
  if (known !== undefined) {
    return { tex: known, role: "operand", tall: true }
  }
  const tall = isTall(inside)
  const inner = line(inside)
  const grows = tall && open.sized !== false
  const [before, after] = [TexSymbols.delimiter(left), TexSymbols.delimiter(right)]
  // A delimiter with a script is no longer one for `\left`; its TeX is written as it is.
  if (!grows || before === undefined || after === undefined || (close !== undefined && close.text === undefined)) {
    return { tex: Tex.join([open.tex, inner, close?.tex ?? ""]), role: "operand", tall }
  }
  return { tex: `\\left${before} ${inner} \\right${after}`, role: "operand", tall: true }
}

/** Most levels of open delimiters; further ones are plain signs. */
const maxOpen = 64

/** The pieces with each pair of delimiters, and what is between them, as one piece. A delimiter may lack its partner. */
const grouped = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  const levels: Array<{ readonly open: Piece | undefined; readonly inside: Array<Piece> }> = [
    { open: undefined, inside: [] }
  ]
  const top = () => levels.at(-1)
  for (const piece of pieces) {
    if (piece.role === "open" && levels.length < maxOpen) {
      levels.push({ open: piece, inside: [] })
    } else if (piece.role === "close" && levels.length > 1) {
      const level = levels.pop()
      if (level?.open !== undefined) {
        top()?.inside.push(between(level.open, level.inside, piece))
      }
    } else {
      top()?.inside.push(piece)
    }
  }
  while (levels.length > 1) {
    const level = levels.pop()
    if (level?.open !== undefined) {
      top()?.inside.push(between(level.open, level.inside, undefined))
    }
  }
  return top()?.inside ?? []
}

/** Bars around the whole of a row are delimiters although they do not say so. */
const withBars = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  const bars = pieces.filter(({ role }) => role === "bar")
  const [first, last] = [pieces[0], pieces.at(-1)]
  return pieces.length > 2 &&
    bars.length === 2 &&
    first?.role === "bar" &&
    last?.role === "bar" &&
    first.text === last.text
    ? [{ ...first, role: "open" }, ...pieces.slice(1, -1), { ...last, role: "close" }]
    : pieces
}

const isOperand = (piece: Piece | undefined): boolean =>
  piece !== undefined && (piece.role === "operand" || piece.role === "close" || piece.role === "bar")

/** The pieces with spaces around relations, and around signs between two operands. */
const line = (pieces: ReadonlyArray<Piece>): string => {
  const parts: Array<string> = []
  const shown = pieces.filter(({ tex }) => tex !== "")
  shown.forEach((piece, at) => {
    const before = shown[at - 1]
    const after = shown[at + 1]
    if (piece.role === "relation" || (piece.role === "binary" && isOperand(before) && after !== undefined)) {
      parts.push(`${before === undefined ? "" : " "}${piece.tex}${after === undefined ? "" : " "}`)
    } else if (piece.role === "function") {
      const applied = after !== undefined && after.role === "operand" && !/^[([{\\]/.test(after.tex)
      parts.push(`${isOperand(before) ? " " : ""}${piece.tex}${applied ? " " : ""}`)
    } else if (piece.role === "large") {
      parts.push(`${piece.tex} `)
    } else {
      parts.push(piece.tex === "," || piece.tex === ";" ? `${piece.tex} ` : piece.tex)
    }
  })
  return Tex.join(parts).replaceAll(/ {2,}/g, " ")
}

/** One piece of a row. */
export const write = (pieces: ReadonlyArray<Piece>): Piece => {
  const inside = grouped(withBars(pieces))
  const only = inside.length === 1 ? inside[0] : undefined
  return only ?? { tex: line(inside), role: "operand", tall: isTall(inside) }
}
