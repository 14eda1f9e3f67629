/**
 * MathML as LaTeX.
 *
 * Source: MathML 3.0, chapter 3 ("Presentation Markup").
 *
 * @since 0.1.0
 */
import * as Element from "../markup/Element.ts"
import * as Formula from "./Formula.ts"
import * as Symbols from "./Symbols.ts"

type Node = Element.Element

type Writer = (element: Node) => string

const write: Writer = (element) => (writers[element.name] ?? row)(element)

const parts = (element: Node): ReadonlyArray<string> => Element.children(element).map(write)

const at = (element: Node, index: number): string => {
  const own = Element.children(element)[index]
  return own === undefined ? "" : write(own)
}

/** Text of an element as it is shown: white space is folded. */
const shown = (element: Node): string => Element.text(element).replaceAll(/\s+/gu, " ").trim()

const fences = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["|", "|"],
  ["‖", "‖"],
  ["⟨", "⟩"],
  ["⌈", "⌉"],
  ["⌊", "⌋"]
])

const operator = (element: Node | undefined): string | undefined =>
  element?.name === "mo" ? shown(element) : undefined

/** Content between two fences, and other content one after another. */
const row: Writer = (element) => {
  const children = Element.children(element)
  const [opening, closing] = [operator(children[0]), operator(children.at(-1))]
  const inner = children.slice(1, -1)
  const alone = inner.every((child) => !fences.has(operator(child) ?? "") && operator(child) !== closing)
  if (opening !== undefined && closing !== undefined && alone && children.length > 2 && fences.get(opening) === closing)
    return Formula.fenced(inner.map(write).join(""), opening, closing)
  const [first, only, ...more] = children
  if (operator(first) === "{" && only?.name === "mtable" && more.length === 0)
    return Formula.fenced(write(only), "{", "")
  return children.map(write).join("")
}

const identifier: Writer = (element) => {
  const text = shown(element)
  if (Symbols.functionNames.has(text)) return Formula.named(text)
  const variant = element.attributes.get("mathvariant")
  if (variant === "bold" || variant === "bold-italic") return `\\mathbf{${Symbols.latex(text)}}`
  if (variant === "double-struck") return `\\mathbb{${Symbols.latex(text)}}`
  return /^[a-z]{2,}$/iu.test(text) ? `\\mathrm{${text}}` : Symbols.latex(text)
}

/** Character that a script element sets over or under its base; undefined for a formula. */
const mark = (element: Node, index: number): string | undefined => {
  const own = Element.children(element)[index]
  const text = own === undefined ? "" : shown(own)
  return Symbols.accent(text) === undefined ? undefined : text
}

const writers: Readonly<Record<string, Writer>> = {
  mi: identifier,
  mn: (element) => Symbols.latex(shown(element)),
  mo: (element) =>
    Symbols.functionNames.has(shown(element)) ? Formula.named(shown(element)) : Symbols.latex(shown(element)),
  mtext: (element) => (shown(element) === "" ? "\\ " : Symbols.words(Element.text(element).replaceAll(/\s+/gu, " "))),
  ms: (element) => Symbols.words(shown(element)),
  mspace: () => " ",
  mphantom: () => "",
  annotation: () => "",
  "annotation-xml": () => "",
  semantics: (element) => at(element, 0),
  mfrac: (element) =>
    /^0(?:\D|$)/u.test(element.attributes.get("linethickness") ?? "")
      ? Formula.stack(at(element, 0), at(element, 1))
      : Formula.fraction(at(element, 0), at(element, 1)),
  msqrt: (element) => Formula.root(row(element)),
  mroot: (element) => Formula.root(at(element, 0), at(element, 1)),
  msub: (element) => Formula.scripts(at(element, 0), at(element, 1), ""),
  msup: (element) => Formula.scripts(at(element, 0), "", at(element, 1)),
  msubsup: (element) => Formula.scripts(at(element, 0), at(element, 1), at(element, 2)),
  munder: (element) => {
    const own = mark(element, 1)
    return own === undefined
      ? Formula.under(at(element, 0), at(element, 1))
      : Formula.accented(at(element, 0), own, true)
  },
  mover: (element) => {
    const own = mark(element, 1)
    return own === undefined
      ? Formula.over(at(element, 0), at(element, 1))
      : Formula.accented(at(element, 0), own, false)
  },
  munderover: (element) => Formula.scripts(at(element, 0), at(element, 1), at(element, 2)),
  mfenced: (element) => {
    const separator = (element.attributes.get("separators") ?? ",").trim().slice(0, 1)
    return Formula.fenced(
      parts(element).join(Symbols.latex(separator)),
      element.attributes.get("open") ?? "(",
      element.attributes.get("close") ?? ")"
    )
  },
  mtable: (element) =>
    Formula.matrix(Element.children(element, "mtr").map((line) => Element.children(line, "mtd").map(row))),
  menclose: (element) => `\\boxed{${row(element)}}`
}

/** The formula in LaTeX that some programs put next to the markup. */
const annotated = (element: Node): string | undefined => {
  const semantics = Element.child(element, "semantics")
  const own =
    semantics &&
    Element.children(semantics, "annotation").find(({ attributes }) => /tex/iu.test(attributes.get("encoding") ?? ""))
  const latex = own === undefined ? "" : shown(own)
  return latex === "" ? undefined : latex.replaceAll("|", "\\vert ")
}

/**
 * Markdown of a `math` element.
 *
 * @since 0.1.0
 * @category transformations
 */
export const markdown = (element: Element.Element, display: boolean): string =>
  Formula.markdown(annotated(element) ?? row(element), display)
