/**
 * Equations of Office Open XML as LaTeX.
 *
 * Source: ECMA-376 part 1, 22.1 ("Math").
 *
 * @since 0.1.0
 */
import * as Element from "../markup/Element.ts"
import * as Formula from "./Formula.ts"
import * as Symbols from "./Symbols.ts"

type Node = Element.Element

type Writer = (element: Node) => string

/** Value of a property of an element: `<m:dPr><m:begChr m:val="["/></m:dPr>`. */
const property = (element: Node, name: string): string | undefined => {
  const own = Element.child(Element.child(element, `${element.name}Pr`), name)
  return own === undefined ? undefined : (own.attributes.get("val") ?? "")
}

/** A switch without a value is on. */
const isOn = (element: Node, name: string): boolean => {
  const value = property(element, name)
  return value !== undefined && !["0", "off", "false"].includes(value)
}

const part = (element: Node, name: string): string => {
  const own = Element.child(element, name)
  return own === undefined ? "" : content(own)
}

const alphabets: Readonly<Record<string, string>> = {
  "double-struck": "mathbb",
  script: "mathcal",
  fraktur: "mathfrak",
  "sans-serif": "mathsf",
  monospace: "mathtt"
}

const run: Writer = (element) => {
  const text = Element.children(element, "t").map(Element.text).join("")
  if (isOn(element, "nor")) return text.trim() === "" ? "\\ " : Symbols.words(text)
  const style = property(element, "sty")
  const letters = /^\p{L}+$/u.test(text)
  const alphabet = alphabets[property(element, "scr") ?? ""]
  if (alphabet !== undefined && letters) return `\\${alphabet}{${Symbols.latex(text)}}`
  if (style === "b" && text.trim() !== "") return `\\mathbf{${Symbols.latex(text)}}`
  if (style === "bi" && text.trim() !== "") return `\\boldsymbol{${Symbols.latex(text)}}`
  if (Symbols.functionNames.has(text.trim())) return Formula.named(text.trim())
  return style === "p" && /^[a-z]{2,}$/iu.test(text) ? `\\mathrm{${text}}` : Symbols.latex(text)
}

/** The name of a function, which may have limits. */
const functionName = (name: Node | undefined): string => {
  if (name === undefined) return ""
  const [only, ...more] = Element.children(name).filter((child) => !child.name.endsWith("Pr"))
  const text =
    only?.name === "r" && more.length === 0 ? Element.children(only, "t").map(Element.text).join("").trim() : ""
  return /^[a-z]{2,}$/iu.test(text) ? Formula.named(text) : content(name)
}

const writers: Readonly<Record<string, Writer>> = {
  r: run,
  f: (element) => {
    const [above, below] = [part(element, "num"), part(element, "den")]
    const type = property(element, "type")
    if (type === "noBar") return Formula.stack(above, below)
    return type === "lin" || type === "skw" ? `{${above}}/{${below}}` : Formula.fraction(above, below)
  },
  sSup: (element) => Formula.scripts(part(element, "e"), "", part(element, "sup")),
  sSub: (element) => Formula.scripts(part(element, "e"), part(element, "sub"), ""),
  sSubSup: (element) => Formula.scripts(part(element, "e"), part(element, "sub"), part(element, "sup")),
  sPre: (element) => `${Formula.scripts("{}", part(element, "sub"), part(element, "sup"))}${part(element, "e")}`,
  nary: (element) => {
    const sign = Symbols.latex(property(element, "chr") ?? "∫")
    return `${Formula.scripts(sign, part(element, "sub"), part(element, "sup"))} ${part(element, "e")}`
  },
  d: (element) => {
    const separator = Symbols.delimiter(property(element, "sepChr") ?? "|")
    const inner = Element.children(element, "e").map(content)
    return Formula.fenced(
      inner.join(separator === "." ? " " : separator),
      property(element, "begChr") ?? "(",
      property(element, "endChr") ?? ")"
    )
  },
  rad: (element) => Formula.root(part(element, "e"), isOn(element, "degHide") ? "" : part(element, "deg")),
  func: (element) => `${functionName(Element.child(element, "fName"))} ${part(element, "e")}`,
  acc: (element) => Formula.accented(part(element, "e"), property(element, "chr") ?? "\u0302", false),
  bar: (element) => `\\${property(element, "pos") === "top" ? "overline" : "underline"}{${part(element, "e")}}`,
  groupChr: (element) =>
    Formula.accented(part(element, "e"), property(element, "chr") ?? "⏟", property(element, "pos") !== "top"),
  limLow: (element) => Formula.under(part(element, "e"), part(element, "lim")),
  limUpp: (element) => Formula.over(part(element, "e"), part(element, "lim")),
  m: (element) => Formula.matrix(Element.children(element, "mr").map((row) => Element.children(row, "e").map(content))),
  eqArr: (element) =>
    Formula.aligned(Element.children(element, "e").map((line) => content(line).replaceAll("\\&", "&"))),
  borderBox: (element) => `\\boxed{${part(element, "e")}}`,
  /** Deleted text of a tracked change, in both notations. */
  del: () => "",
  moveFrom: () => ""
}

const content: Writer = (element) =>
  Element.children(element)
    .filter(({ name }) => !name.endsWith("Pr"))
    .map((child) => (writers[child.name] ?? content)(child))
    .join("")

/**
 * Markdown of an `oMath` or `oMathPara` element: the former stands within a line, the latter in lines of its own.
 *
 * @since 0.1.0
 * @category transformations
 */
export const markdown = (element: Element.Element): string =>
  element.name === "oMathPara"
    ? Element.children(element, "oMath")
        .map((formula) => Formula.markdown(content(formula), true))
        .filter((formula) => formula !== "")
        .join(" ")
    : Formula.markdown(content(element), false)
