/**
 * Converts a formula of MathML, presentation or content markup, to TeX source.
 *
 * Source: MathML 3, chapters 3 (presentation), 4 (content) and 5 (semantics).
 */
import type { Element } from "hast"
import * as Tree from "../html/Tree.ts"
import * as ContentMathMl from "./ContentMathMl.ts"
import { children, nameOf } from "./MathElement.ts"
import * as MathRow from "./MathRow.ts"
import * as Tex from "./Tex.ts"
import * as TexSymbols from "./TexSymbols.ts"

type Piece = MathRow.Piece

/** Most levels of nesting that are converted; the text of deeper elements is kept without its structure. */
const maxDepth = 96

const textOf = (element: Element): string =>
  Tree.text(element)
    .replaceAll(/[\t\n\f\r ]+/g, " ")
    .trim()

const attribute = (element: Element, name: string): string | undefined =>
  Tree.attribute(element, name) ?? Tree.attribute(element, name.toLowerCase())

const operand = (tex: string, tall = false): Piece => ({ tex, role: "operand", tall })

const variants: Readonly<Record<string, string>> = {
  bold: "mathbf",
  "bold-italic": "boldsymbol",
  "double-struck": "mathbb",
  script: "mathcal",
  "bold-script": "mathcal",
  fraktur: "mathfrak",
  "bold-fraktur": "mathfrak",
  "sans-serif": "mathsf",
  "bold-sans-serif": "mathsf",
  "sans-serif-italic": "mathsf",
  monospace: "mathtt",
  normal: "mathrm"
}

const isPlainLetters = (text: string): boolean => /^[A-Za-z]+$/.test(text)

const identifier = (element: Element): Piece => {
  const text = textOf(element)
  const variant = variants[attribute(element, "mathVariant") ?? ""]
  const inner = Tex.symbols(text)
  if (variant !== undefined && !(variant === "mathrm" && !isPlainLetters(text))) {
    return variant === "mathrm" && text.length > 1 ? named(text) : operand(text === "" ? "" : `\\${variant}{${inner}}`)
  }
  return Array.from(text).length > 1 && /^[\p{L} ]+$/u.test(text) ? named(text) : operand(inner)
}

/** A name of several letters; a text of several words is no operator. */
const named = (text: string): Piece => {
  const isName = isPlainLetters(text)
  const tex = isName ? TexSymbols.named(text) : Tex.words(text)
  return { tex, role: isName ? "function" : "operand", tall: false }
}

const operator = (element: Element): Piece => {
  const text = textOf(element)
  if (isPlainLetters(text) && text.length > 1) {
    return named(text)
  }
  const form = attribute(element, "form")
  const found = TexSymbols.role(text)
  const role =
    (form === "prefix" || form === "postfix") && TexSymbols.delimiter(text) !== undefined
      ? form === "prefix"
        ? "open"
        : "close"
      : found === "binary" && form === "prefix"
        ? "operand"
        : found
  const tex = text === ":=" ? "\\coloneqq" : Tex.symbols(text)
  const isRelation = role === "operand" && /^[:<>=!]+$/.test(text) && text !== "!"
  return {
    tex,
    role: isRelation ? "relation" : role,
    tall: false,
    text,
    sized: attribute(element, "stretchy") !== "false"
  }
}

const width = /^(-?[\d.]+)\s*(em|ex|px|pt|mu)?/

const emOf: Readonly<Record<string, number>> = { em: 1, ex: 0.5, px: 0.06, pt: 0.1, mu: 1 / 18 }

const space = (element: Element): Piece => {
  if (attribute(element, "lineBreak") === "newline") {
    return { tex: "\\\\ ", role: "space", tall: false }
  }
  const match = width.exec(attribute(element, "width") ?? "")
  const ems = match === null ? 0 : Number(match[1]) * (emOf[match[2] ?? "em"] ?? 1)
  return { tex: ems >= 1.5 ? "\\qquad " : ems >= 0.8 ? "\\quad " : ems >= 0.3 ? "\\ " : "", role: "space", tall: false }
}

const fraction = (element: Element, above: Piece, below: Piece): Piece => {
  const line = attribute(element, "lineThickness")
  if (line !== undefined && /^0(?:\D|$)/.test(line)) {
    return { ...operand(`{${above.tex} \\atop ${below.tex}}`, true), choice: `\\binom{${above.tex}}{${below.tex}}` }
  }
  return attribute(element, "bevelled") === "true"
    ? operand(`${above.tex}/${below.tex}`)
    : operand(`\\frac{${above.tex}}{${below.tex}}`, true)
}

/** Bases that need no braces: a letter, a number, a command with its argument, a group in delimiters. */
const compact =
  /^(?:[^\\{}^_]|\d+|\\[A-Za-z]+|\\(?:math[a-z]+|text|operatorname|boldsymbol|left|begin)\b.*|\(.*\)|\[.*\])?$/su

const base = ({ limits, role, scripted, tex }: Piece): string => {
  const needsBraces = scripted === true || (limits !== true && role === "operand" && !compact.test(tex))
  return needsBraces || tex === "" ? Tex.group(tex) : tex
}

const isPrimes = (tex: string): boolean => /^'+$/.test(tex)

const scripts = (of: Piece, below: string | undefined, above: string | undefined): Piece => {
  const lower = below === undefined || below === "" ? "" : Tex.script("_", below)
  const upper = above === undefined || above === "" ? "" : isPrimes(above) ? above : Tex.script("^", above)
  if (lower === "" && upper === "") {
    return of
  }
  // Primes come before the subscript's mark only by habit; TeX takes both orders.
  return {
    tex: base(of) + (isPrimes(upper) ? upper + lower : lower + upper),
    role:
      of.role === "large" || of.role === "function" || of.role === "close" || of.role === "relation"
        ? of.role
        : "operand",
    tall: of.tall || of.role === "large",
    scripted: isPrimes(upper) || upper !== "" || lower !== ""
  }
}

const isOne = (tex: string): boolean => /^(?:[^\\{}]|\\[A-Za-z]+|\\[A-Za-z]+\{[^{}]\})$/u.test(tex)

/** Empty, or space only, as some writers put it above and below arrows to make them longer. */
const isBlank = ({ tex }: Piece): boolean => /^(?:\\?\s|\\q?quad\b)*$/.test(tex)

const label = (tex: string): string => tex.replaceAll(/^(?:\\ |\s)+|(?:\\ |\s)+$/g, "")

/** Something above or below a base: limits, an accent, a label of an arrow, or just stacked. */
const stacked = (of: Piece, place: "over" | "under", mark: Piece): Piece => {
  const takesLimits = of.role === "large" || TexSymbols.takesLimits(of.tex) || of.limits === true
  if (isBlank(mark)) {
    return of
  }
  const text = mark.text ?? mark.tex
  const accent = takesLimits && place === "over" ? undefined : TexSymbols.accent(text, place, !isOne(of.tex))
  if (accent !== undefined) {
    return { ...operand(`\\${accent}{${of.tex}}`), limits: /brace|bracket|paren/.test(accent) }
  }
  if (takesLimits) {
    return {
      ...scripts(of, place === "under" ? mark.tex : undefined, place === "over" ? mark.tex : undefined),
      limits: true,
      scripted: false
    }
  }
  const arrow = TexSymbols.labelledArrow(of.text ?? "")
  if (arrow !== undefined) {
    return {
      ...of,
      tex: place === "over" ? `\\${arrow}{${label(mark.tex)}}` : `\\${arrow}[${label(mark.tex)}]{}`,
      tall: true,
      text: undefined
    }
  }
  const command = place === "over" ? "overset" : "underset"
  return {
    tex: `\\${command}{${mark.tex}}{${of.tex}}`,
    role: of.role === "relation" ? "relation" : "operand",
    tall: true
  }
}

const closings: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "|": "|" }

/** Scripts of `mmultiscripts`, after the base: pairs, and those before the base after `mprescripts`. */
const multiscripts = (element: Element, depth: number): Piece => {
  const [first, ...rest] = children(element)
  const at = rest.findIndex((child) => nameOf(child) === "mprescripts")
  const pairs = (list: ReadonlyArray<Element>, mark: 0 | 1): string =>
    Tex.join(
      list
        .filter((child, index) => index % 2 === mark && nameOf(child) !== "none")
        .map((child) => convert(child, depth).tex)
    )
  const after = at < 0 ? rest : rest.slice(0, at)
  const before = at < 0 ? [] : rest.slice(at + 1)
  const of = first === undefined ? operand("") : convert(first, depth)
  const lead = scripts(operand(""), pairs(before, 0), pairs(before, 1)).tex
  return {
    ...scripts(of, pairs(after, 0), pairs(after, 1)),
    ...(lead !== "" && { tex: `${lead}${scripts(of, pairs(after, 0), pairs(after, 1)).tex}` }),
    scripted: true
  }
}

const fenced = (element: Element, depth: number): Piece => {
  const open = attribute(element, "open") ?? "("
  const close = attribute(element, "close") ?? closings[open] ?? ")"
  const separators = Array.from((attribute(element, "separators") ?? ",").replaceAll(/\s/g, ""))
  const inner = children(element).flatMap((child, index): ReadonlyArray<Piece> => {
    const mark = separators[Math.min(index - 1, separators.length - 1)]
    const piece = convert(child, depth)
    return index === 0 || mark === undefined ? [piece] : [operand(`${Tex.symbols(mark)} `), piece]
  })
  return MathRow.write([
    { tex: Tex.symbols(open), text: open, role: "open", tall: false },
    ...inner,
    { tex: Tex.symbols(close), text: close, role: "close", tall: false }
  ])
}

const rowsOf = (table: Element): ReadonlyArray<Element> =>
  children(table).filter((child) => nameOf(child) === "mtr" || nameOf(child) === "mlabeledtr")

/** Alignments of the columns, of which the first row's cells may each have their own. */
const columnsOf = (element: Element): string => {
  const own = attribute(element, "columnAlign")
  const [first] = rowsOf(element)
  return (
    own?.trim() ??
    (first === undefined ? [] : children(first))
      .map(
        (cell) =>
          attribute(cell, "columnAlign") ?? /text-align:\s*(\w+)/.exec(attribute(cell, "style") ?? "")?.[1] ?? "center"
      )
      .join(" ")
  )
}

const table = (element: Element, depth: number): Piece => {
  const rows = rowsOf(element).map((row) => {
    const cells = children(row).slice(nameOf(row) === "mlabeledtr" ? 1 : 0)
    return cells.map((cell) => rowPiece(cell, depth).tex).join(" & ")
  })
  const body = rows.join(" \\\\ ")
  const isAligned = /^right\s+left\b/.test(columnsOf(element))
  const environment = isAligned ? "aligned" : "matrix"
  return { ...operand(`\\begin{${environment}} ${body} \\end{${environment}}`, true), body }
}

/** Elementary arithmetic, one line below the other. */
const lines = (element: Element, depth: number): Piece => {
  const rows = children(element)
    .map((child) => convert(child, depth).tex)
    .filter((tex) => tex !== "")
  return operand(`\\begin{array}{r} ${rows.join(" \\\\ ")} \\end{array}`, true)
}

const notations: Readonly<Record<string, string>> = {
  box: "boxed",
  updiagonalstrike: "cancel",
  downdiagonalstrike: "bcancel",
  horizontalstrike: "cancel",
  top: "overline",
  bottom: "underline",
  radical: "sqrt"
}

const enclosed = (element: Element, inner: Piece): Piece => {
  const names = (attribute(element, "notation") ?? "").split(/\s+/)
  return names.reduce((piece, name) => {
    const command = notations[name]
    return command === undefined ? piece : operand(`\\${command}{${piece.tex}}`, true)
  }, inner)
}

const rowPiece = (element: Element, depth: number): Piece =>
  MathRow.write(children(element).map((child) => convert(child, depth)))

const semantics = (element: Element, depth: number): Piece => {
  const all = children(element)
  const first = all.find((child) => !nameOf(child).startsWith("annotation"))
  const presented = all.find((child) => /MathML-Presentation/i.test(attribute(child, "encoding") ?? ""))
  const chosen =
    first === undefined || (ContentMathMl.isContent(nameOf(first)) && presented !== undefined) ? presented : first
  return chosen === undefined ? operand("") : chosen === presented ? rowPiece(chosen, depth) : convert(chosen, depth)
}

const at = (element: Element, index: number, depth: number): Piece => {
  const child = children(element)[index]
  return child === undefined ? operand("") : convert(child, depth)
}

type Convert = (element: Element, depth: number) => Piece

const converters: Readonly<Record<string, Convert>> = {
  mi: identifier,
  mn: (element) => operand(Tex.symbols(textOf(element))),
  mo: operator,
  mtext: (element) => {
    const text = Tree.text(element).replaceAll(/[\s\u00A0]+/g, " ")
    return text.trim() === "" ? { tex: text === "" ? "" : "\\ ", role: "space", tall: false } : operand(Tex.words(text))
  },
  ms: (element) =>
    operand(Tex.words((attribute(element, "lquote") ?? '"') + textOf(element) + (attribute(element, "rquote") ?? '"'))),
  mspace: space,
  mglyph: (element) => operand(Tex.words(attribute(element, "alt") ?? "")),
  mfrac: (element, depth) => fraction(element, at(element, 0, depth), at(element, 1, depth)),
  msqrt: (element, depth) => operand(`\\sqrt{${rowPiece(element, depth).tex}}`, true),
  mroot: (element, depth) => operand(`\\sqrt[${at(element, 1, depth).tex}]{${at(element, 0, depth).tex}}`, true),
  msub: (element, depth) => scripts(at(element, 0, depth), at(element, 1, depth).tex, undefined),
  msup: (element, depth) => scripts(at(element, 0, depth), undefined, at(element, 1, depth).tex),
  msubsup: (element, depth) => scripts(at(element, 0, depth), at(element, 1, depth).tex, at(element, 2, depth).tex),
  munder: (element, depth) => stacked(at(element, 0, depth), "under", at(element, 1, depth)),
  mover: (element, depth) => stacked(at(element, 0, depth), "over", at(element, 1, depth)),
  munderover: (element, depth) => {
    const of = at(element, 0, depth)
    const [below, above] = [at(element, 1, depth), at(element, 2, depth)]
    return of.role === "large" || TexSymbols.takesLimits(of.tex)
      ? { ...scripts(of, below.tex, above.tex), scripted: false }
      : stacked(stacked(of, "under", below), "over", above)
  },
  mmultiscripts: multiscripts,
  mfenced: fenced,
  mtable: table,
  mstack: (element, depth) => lines(element, depth),
  mlongdiv: (element, depth) => lines(element, depth),
  msgroup: (element, depth) => lines(element, depth),
  mphantom: () => operand(""),
  menclose: (element, depth) => enclosed(element, rowPiece(element, depth)),
  maction: (element, depth) => at(element, Number(attribute(element, "selection") ?? 1) - 1, depth),
  semantics,
  annotation: () => operand(""),
  "annotation-xml": () => operand(""),
  none: () => operand(""),
  mprescripts: () => operand("")
}

const convert: Convert = (element, depth) => {
  const name = nameOf(element)
  if (depth >= maxDepth) {
    return operand(Tex.words(textOf(element)))
  }
  const own = Object.hasOwn(converters, name) ? converters[name] : undefined
  if (own !== undefined) {
    return own(element, depth + 1)
  }
  if (ContentMathMl.isContent(name)) {
    return operand(ContentMathMl.convert(element))
  }
  const inner = children(element)
  const only = inner.length === 1 ? inner[0] : undefined
  if (inner.length === 0) {
    return operand(Tex.symbols(textOf(element)))
  }
  return only === undefined ? rowPiece(element, depth + 1) : convert(only, depth + 1)
}

/**
 * TeX of a `math` element, or of any element of MathML, without marks around it and on one line. Names may have a prefix. Never fails:
 * unknown elements give their children, and the text of elements nested deeper than 96 levels stays.
 */
export const toTex = (element: Element): string => convert(element, 0).tex.replaceAll(/\s+/g, " ").trim()
