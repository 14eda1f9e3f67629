/**
 * Converts content markup of MathML, which says what a formula means, to TeX source.
 *
 * Source: MathML 3, chapter 4.
 */
import type { Element } from "hast"
import * as Tree from "../html/Tree.ts"
import * as ContentSymbols from "./ContentSymbols.ts"
import { children, nameOf } from "./MathElement.ts"
import * as Tex from "./Tex.ts"
import * as TexSymbols from "./TexSymbols.ts"

const maxDepth = 96

const textOf = (element: Element): string => Tree.text(element).replaceAll(/\s+/g, " ").trim()

interface Content {
  readonly tex: string
  /** How tightly the outermost operator binds; 10 for what needs no parentheses. */
  readonly binds: number
}

const atom = (tex: string): Content => ({ tex, binds: 10 })

const within = (binds: number, { binds: own, tex }: Content): string => (own < binds ? `\\left( ${tex} \\right)` : tex)

/** Qualifiers of an operator, such as the bound variable and the limits of an integral. */
const qualifier = (apply: Element, name: string, depth: number): string | undefined => {
  const found = children(apply).find((child) => nameOf(child) === name)
  return found === undefined ? undefined : all(children(found), depth).join(", ")
}

const qualifiers = new Set([
  "bvar",
  "lowlimit",
  "uplimit",
  "interval",
  "condition",
  "domainofapplication",
  "degree",
  "logbase",
  "momentabout"
])

const all = (elements: ReadonlyArray<Element>, depth: number): ReadonlyArray<string> =>
  elements.map((element) => content(element, depth + 1).tex)

const limits = (apply: Element, depth: number): string => {
  const [low, high] = [qualifier(apply, "lowlimit", depth), qualifier(apply, "uplimit", depth)]
  const variable = qualifier(apply, "bvar", depth)
  const condition = qualifier(apply, "condition", depth) ?? qualifier(apply, "domainofapplication", depth)
  const below = condition ?? (low === undefined ? undefined : variable === undefined ? low : `${variable} = ${low}`)
  return (below === undefined ? "" : `_{${below}}`) + (high === undefined ? "" : `^{${high}}`)
}

const integral = (apply: Element, parts: ReadonlyArray<Content>, depth: number): string => {
  const [low, high] = [qualifier(apply, "lowlimit", depth), qualifier(apply, "uplimit", depth)]
  const [from, to] = children(children(apply).find((child) => nameOf(child) === "interval") ?? apply)
  const isInterval = low === undefined && qualifier(apply, "interval", depth) !== undefined
  const lower = isInterval && from !== undefined ? content(from, depth + 1).tex : low
  const upper = isInterval && to !== undefined ? content(to, depth + 1).tex : high
  const variable = qualifier(apply, "bvar", depth)
  return `\\int${lower === undefined ? "" : `_{${lower}}`}${upper === undefined ? "" : `^{${upper}}`} ${parts[0]?.tex ?? ""}${
    variable === undefined ? "" : ` \\, d${variable}`
  }`
}

const derivative = (sign: string, apply: Element, parts: ReadonlyArray<Content>, depth: number): string => {
  const variables = children(apply).filter((child) => nameOf(child) === "bvar")
  const names = variables.map((variable) => {
    const degree = children(variable).find((child) => nameOf(child) === "degree")
    const name = all(
      children(variable).filter((child) => child !== degree),
      depth
    ).join("")
    return [name, degree === undefined ? "" : `^{${all(children(degree), depth).join("")}}`] as const
  })
  const total = qualifier(apply, "degree", depth)
  const top =
    total === undefined
      ? names.length === 1
        ? (names[0]?.[1] ?? "")
        : names.length > 1
          ? `^${names.length}`
          : ""
      : `^{${total}}`
  const below = names.map(([name, degree]) => Tex.join([sign, name]) + degree).join(" ")
  return names.length === 0
    ? `${parts[0]?.tex ?? ""}'`
    : `\\frac{${Tex.join([`${sign}${top}`, parts[0]?.tex ?? ""])}}{${below}}`
}

/** Operators with a special form. */
const form = (name: string, apply: Element, parts: ReadonlyArray<Content>, depth: number): Content | undefined => {
  const [first = atom(""), second = atom("")] = parts
  const body = first.tex
  switch (name) {
    case "divide":
      return atom(`\\frac{${body}}{${second.tex}}`)
    case "power":
      return {
        tex: `${first.binds < 9 || /[\^]/.test(body) ? `\\left( ${body} \\right)` : body}^{${second.tex}}`,
        binds: 9
      }
    case "root": {
      const degree = qualifier(apply, "degree", depth)
      return atom(degree === undefined || degree === "2" ? `\\sqrt{${body}}` : `\\sqrt[${degree}]{${body}}`)
    }
    case "minus":
      return parts.length === 1 ? { tex: `-${within(7, first)}`, binds: 6 } : undefined
    case "abs":
    case "card":
      return atom(`\\left| ${body} \\right|`)
    case "floor":
      return atom(`\\left\\lfloor ${body} \\right\\rfloor`)
    case "ceiling":
      return atom(`\\left\\lceil ${body} \\right\\rceil`)
    case "factorial":
      return { tex: `${within(9, first)}!`, binds: 9 }
    case "conjugate":
    case "mean":
      return atom(`\\overline{${body}}`)
    case "not":
      return { tex: `\\neg ${within(9, first)}`, binds: 8 }
    case "inverse":
      return { tex: `${within(9, first)}^{-1}`, binds: 9 }
    case "transpose":
      return { tex: `${within(9, first)}^{T}`, binds: 9 }
    case "selector":
      return {
        tex: `${body}_{${parts
          .slice(1)
          .map(({ tex }) => tex)
          .join(", ")}}`,
        binds: 9
      }
    case "quotient":
      return atom(`\\left\\lfloor ${body} / ${second.tex} \\right\\rfloor`)
    case "sum":
    case "product":
      return { tex: `\\${name === "sum" ? "sum" : "prod"}${limits(apply, depth)} ${within(7, first)}`, binds: 7 }
    case "limit":
      return { tex: `\\lim${limits(apply, depth).replace(" = ", " \\to ")} ${within(7, first)}`, binds: 7 }
    case "forall":
    case "exists": {
      const condition = qualifier(apply, "condition", depth)
      const lead = Tex.join([name === "forall" ? "\\forall" : "\\exists", qualifier(apply, "bvar", depth) ?? ""])
      return { tex: `${lead}${condition === undefined ? "" : `, ${condition}`} : ${body}`, binds: 1 }
    }
    case "int":
      return { tex: integral(apply, parts, depth), binds: 7 }
    case "diff":
      return atom(derivative("d", apply, parts, depth))
    case "partialdiff":
      return atom(derivative("\\partial", apply, parts, depth))
    case "log": {
      const base = qualifier(apply, "logbase", depth)
      return { tex: `\\log${base === undefined ? "" : `_{${base}}`} ${within(9, first)}`, binds: 8 }
    }
    default:
      return undefined
  }
}

const application = (apply: Element, depth: number): Content => {
  const [operator, ...rest] = children(apply)
  if (operator === undefined) {
    return atom("")
  }
  const name = nameOf(operator)
  const parts = rest.filter((child) => !qualifiers.has(nameOf(child))).map((child) => content(child, depth + 1))
  const own = form(name, apply, parts, depth)
  if (own !== undefined) {
    return own
  }
  const between = Object.hasOwn(ContentSymbols.infix, name) ? ContentSymbols.infix[name] : undefined
  if (between !== undefined) {
    const [tex, binds] = between
    const written = parts.map((part, at) => within(at === 0 ? binds : binds + (name === "minus" ? 1 : 0), part))
    return { tex: Tex.join(written.flatMap((part, at) => (at === 0 ? [part] : [tex, part]))), binds }
  }
  const isOperator = children(operator).length === 0 && textOf(operator) === ""
  const lead = isOperator
    ? (ContentSymbols.functionNames[name] ?? TexSymbols.named(name))
    : content(operator, depth + 1).tex
  return atom(`${lead}(${parts.map(({ tex }) => tex).join(", ")})`)
}

const number = (element: Element, depth: number): Content => {
  const parts = element.children.map((child) =>
    child.type === "text"
      ? child.value.trim()
      : Tree.isElement(child) && nameOf(child) === "sep"
        ? "\0"
        : Tree.isElement(child)
          ? content(child, depth + 1).tex
          : ""
  )
  const [first = "", second = ""] = parts.join("").split("\0")
  switch (Tree.attribute(element, "type")) {
    case "rational":
      return atom(`\\frac{${first}}{${second}}`)
    case "e-notation":
      return { tex: `${first} \\times 10^{${second}}`, binds: 7 }
    case "complex-cartesian":
      return { tex: `${first} + ${second} i`, binds: 6 }
    case "complex-polar":
      return { tex: `${first} e^{i ${second}}`, binds: 7 }
    default: {
      const base = Tree.attribute(element, "base")
      return atom(base === undefined || base === "10" ? Tex.symbols(first) : `${first}_{${base}}`)
    }
  }
}

const identifier = (element: Element, depth: number): Content => {
  const inner = children(element)
  if (inner.length > 0) {
    return atom(Tex.join(all(inner, depth)))
  }
  const text = textOf(element)
  const isWord = /^[A-Za-z]{2,}$/.test(text)
  return atom(
    isWord
      ? TexSymbols.named(text).startsWith("\\mathrm")
        ? `\\mathit{${text}}`
        : TexSymbols.named(text)
      : Tex.symbols(text)
  )
}

const list = (element: Element, depth: number): string => all(children(element), depth).join(", ")

const rows = (element: Element, depth: number): string =>
  children(element)
    .map((row) => all(children(row), depth).join(" & "))
    .join(" \\\\ ")

const content = (element: Element, depth: number): Content => {
  const name = nameOf(element)
  if (depth > maxDepth) {
    return atom(Tex.words(textOf(element)))
  }
  switch (name) {
    case "apply":
    case "reln":
    case "bind":
      return application(element, depth)
    case "cn":
      return number(element, depth)
    case "ci":
    case "csymbol":
      return identifier(element, depth)
    case "vector":
      return atom(`\\begin{pmatrix} ${all(children(element), depth).join(" \\\\ ")} \\end{pmatrix}`)
    case "matrix":
      return atom(`\\begin{pmatrix} ${rows(element, depth)} \\end{pmatrix}`)
    case "set":
      return atom(`\\{${list(element, depth)}\\}`)
    case "list":
      return atom(`[${list(element, depth)}]`)
    case "interval": {
      const [open, close] = ContentSymbols.intervals[Tree.attribute(element, "closure") ?? "closed"] ?? ["[", "]"]
      return atom(`${open}${list(element, depth)}${close}`)
    }
    case "piecewise": {
      const lines = children(element).map((piece) =>
        all(children(piece), depth).join(nameOf(piece) === "otherwise" ? "" : " & \\text{if } ")
      )
      return atom(`\\begin{cases} ${lines.join(" \\\\ ")} \\end{cases}`)
    }
    case "lambda": {
      const variables = children(element)
        .filter((child) => nameOf(child) === "bvar")
        .map((child) => all(children(child), depth).join(""))
      const body = children(element).filter((child) => nameOf(child) !== "bvar")
      return { tex: `${variables.join(", ")} \\mapsto ${all(body, depth).join(" ")}`, binds: 1 }
    }
    case "semantics": {
      const [first] = children(element)
      return first === undefined ? atom("") : content(first, depth + 1)
    }
    default:
      if (Object.hasOwn(ContentSymbols.constants, name)) {
        return atom(ContentSymbols.constants[name] ?? "")
      }
      if (children(element).length > 0) {
        return atom(Tex.join(all(children(element), depth)))
      }
      return atom(
        textOf(element) === ""
          ? (ContentSymbols.infix[name]?.[0].trim() ?? ContentSymbols.functionNames[name] ?? TexSymbols.named(name))
          : Tex.symbols(textOf(element))
      )
  }
}

const roots = new Set([
  "apply",
  "reln",
  "bind",
  "cn",
  "ci",
  "csymbol",
  "vector",
  "matrix",
  "set",
  "list",
  "interval",
  "piecewise",
  "lambda",
  ...Object.keys(ContentSymbols.constants)
])

/** True for the names of content markup that hold a whole formula. */
export const isContent = (name: string): boolean => roots.has(name)

/** TeX of an element of content markup; names may have a prefix. Never fails: an unknown operator is written as a function. */
export const convert = (element: Element): string => content(element, 0).tex
