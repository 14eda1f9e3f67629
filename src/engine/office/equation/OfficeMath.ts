/**
 * Equations of Office Open XML as MathML.
 *
 * Source: ECMA-376 part 1, 22.1 ("Math"); MathML 3, chapter 3.
 */
import type { Element as Markup } from "hast"
import * as Tree from "../../html/Tree.ts"
import * as Element from "../markup/Element.ts"
import * as Formula from "./Formula.ts"

type Node = Element.Element

type Nodes = ReadonlyArray<Markup>

type Writer = (element: Node) => Nodes

const make = (name: string, children: Nodes, properties: Markup["properties"] = {}): Markup =>
  Tree.element(name, properties, [...children])

const token = (name: "mi" | "mn" | "mo" | "mtext", value: string, properties: Markup["properties"] = {}): Markup =>
  Tree.element(name, properties, [{ type: "text", value }])

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

const row = (children: Nodes): Markup => {
  const [only, ...more] = children
  return only !== undefined && more.length === 0 ? only : make("mrow", children)
}

const partOf = (element: Node, name: string): Nodes => {
  const own = Element.child(element, name)
  return own === undefined ? [] : content(own)
}

const part = (element: Node, name: string): Markup => row(partOf(element, name))

const styles: Readonly<Record<string, string>> = { b: "bold", bi: "bold-italic" }

/** Alphabets have the same names in both notations, but for the plain one. */
const variantOf = (element: Node): Markup["properties"] => {
  const alphabet = property(element, "scr")
  const own = alphabet === undefined || alphabet === "roman" ? styles[property(element, "sty") ?? ""] : alphabet
  return own === undefined ? {} : { mathVariant: own }
}

/** Numbers, upright words, and every other character by itself. */
const tokens = /\d+(?:[.,]\d+)*|\p{L}\p{M}*|\S/gu

const functions =
  /^(?:arc)?(?:cos|sin|tan|cot|sec|csc)h?$|^(?:arg|deg|det|dim|exp|gcd|inf|ker|lg|lim|ln|log|max|min|sup)$/u

const textOf = (element: Node): string => Element.children(element, "t").map(Element.text).join("")

const run: Writer = (element) => {
  const text = textOf(element)
  if (isOn(element, "nor")) return [token("mtext", text)]
  const word = text.trim()
  const upright = property(element, "sty") === "p" && /^[a-z]{2,}$/iu.test(word)
  if (upright || functions.test(word)) return [token("mi", word)]
  const variant = variantOf(element)
  return Array.from(text.matchAll(tokens), ([own]) =>
    /^\d/u.test(own) ? token("mn", own) : /^\p{L}/u.test(own) ? token("mi", own, variant) : token("mo", own)
  )
}

/** A base with its scripts; empty ones are left out. */
const scripts = (of: Markup, below: Nodes, above: Nodes, limits: boolean): Markup => {
  const [low, high] = [row(below), row(above)]
  if (below.length === 0 && above.length === 0) return of
  if (above.length === 0) return make(limits ? "munder" : "msub", [of, low])
  if (below.length === 0) return make(limits ? "mover" : "msup", [of, high])
  return make(limits ? "munderover" : "msubsup", [of, low, high])
}

const fence = (character: string, form: "prefix" | "postfix"): Nodes =>
  character === "" ? [] : [token("mo", character, { form })]

/** Lines of an equation array: `&` in them is where they are aligned, and every second one where a column ends. */
const lines: Writer = (element) => {
  const rows = Element.children(element, "e").map((line) => {
    const cells: Array<Array<Markup>> = [[]]
    for (const node of content(line)) {
      if (node.tagName === "mo" && Tree.text(node) === "&") cells.push([])
      else cells.at(-1)?.push(node)
    }
    return make(
      "mtr",
      cells.map((cell) => make("mtd", cell))
    )
  })
  const aligned = rows.some(({ children }) => children.length > 1)
  return [make("mtable", rows, aligned ? { columnAlign: "right left" } : {})]
}

/** The name of a function, which may have limits. */
const functionName = (element: Node | undefined): Nodes => {
  if (element === undefined) return []
  const parts = Element.children(element).filter(({ name }) => !name.endsWith("Pr"))
  const name = parts.map(textOf).join("").trim()
  return parts.every((own) => own.name === "r") && /^[a-z]{2,}$/iu.test(name) ? [token("mi", name)] : content(element)
}

const writers: Readonly<Record<string, Writer>> = {
  r: run,
  f: (element) => {
    const parts = [part(element, "num"), part(element, "den")]
    const type = property(element, "type")
    return [
      make(
        "mfrac",
        parts,
        type === "noBar" ? { lineThickness: "0" } : type === "lin" || type === "skw" ? { bevelled: "true" } : {}
      )
    ]
  },
  sSup: (element) => [scripts(part(element, "e"), [], partOf(element, "sup"), false)],
  sSub: (element) => [scripts(part(element, "e"), partOf(element, "sub"), [], false)],
  sSubSup: (element) => [scripts(part(element, "e"), partOf(element, "sub"), partOf(element, "sup"), false)],
  sPre: (element) => [
    make("mmultiscripts", [part(element, "e"), make("mprescripts", []), part(element, "sub"), part(element, "sup")])
  ],
  nary: (element) => [
    scripts(
      token("mo", property(element, "chr") ?? "∫"),
      isOn(element, "subHide") ? [] : partOf(element, "sub"),
      isOn(element, "supHide") ? [] : partOf(element, "sup"),
      property(element, "limLoc") === "undOvr"
    ),
    ...partOf(element, "e")
  ],
  d: (element) => {
    const separator = property(element, "sepChr") ?? "|"
    const inner: Array<Markup> = []
    for (const own of Element.children(element, "e")) {
      if (inner.length > 0 && separator !== "") inner.push(token("mo", separator))
      inner.push(...content(own))
    }
    return [
      make("mrow", [
        ...fence(property(element, "begChr") ?? "(", "prefix"),
        ...inner,
        ...fence(property(element, "endChr") ?? ")", "postfix")
      ])
    ]
  },
  rad: (element) => {
    const degree = isOn(element, "degHide") ? [] : partOf(element, "deg")
    return degree.length === 0
      ? [make("msqrt", partOf(element, "e"))]
      : [make("mroot", [part(element, "e"), row(degree)])]
  },
  func: (element) => [...functionName(Element.child(element, "fName")), ...partOf(element, "e")],
  acc: (element) => [
    make("mover", [part(element, "e"), token("mo", property(element, "chr") ?? "\u0302")], { accent: "true" })
  ],
  bar: (element) => [
    make(property(element, "pos") === "top" ? "mover" : "munder", [part(element, "e"), token("mo", "¯")])
  ],
  groupChr: (element) => [
    make(property(element, "pos") === "top" ? "mover" : "munder", [
      part(element, "e"),
      token("mo", property(element, "chr") ?? "⏟")
    ])
  ],
  limLow: (element) => [make("munder", [part(element, "e"), part(element, "lim")])],
  limUpp: (element) => [make("mover", [part(element, "e"), part(element, "lim")])],
  m: (element) => [
    make(
      "mtable",
      Element.children(element, "mr").map((line) =>
        make(
          "mtr",
          Element.children(line, "e").map((cell) => make("mtd", content(cell)))
        )
      )
    )
  ],
  eqArr: lines,
  borderBox: (element) => [make("menclose", partOf(element, "e"), { notation: "box" })],
  /** Text that tracked changes deleted or moved away. */
  del: () => [],
  moveFrom: () => []
}

const content: Writer = (element) =>
  Element.children(element)
    .filter(({ name }) => !name.endsWith("Pr"))
    .flatMap((child) => (writers[child.name] ?? content)(child))

/** Markdown of an `oMath` or `oMathPara` element: the former stands within a line, the latter on separate lines. */
export const markdown = (element: Element.Element): string =>
  element.name === "oMathPara"
    ? Element.children(element, "oMath")
        .map((formula) => Formula.ofMarkup(make("math", content(formula)), true))
        .filter((formula) => formula !== "")
        .join(" ")
    : Formula.ofMarkup(make("math", content(element)), false)
