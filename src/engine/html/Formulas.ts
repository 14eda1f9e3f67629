/**
 * Finds formulas in the forms that pages have them: MathML, scripts with TeX, images with TeX as their alternative text, TeX between
 * delimiters, and what MathJax, KaTeX and MediaWiki make of them. Each becomes one `math` element.
 */
import type { Element, ElementContent } from "hast"
import * as MathMl from "../math/MathMl.ts"
import * as Tree from "./Tree.ts"

const classes = (element: Element): ReadonlyArray<string> => {
  const { className } = element.properties
  return Array.isArray(className) ? className.map(String) : []
}

/** A `math` element with TeX source. */
const ofTex = (tex: string, isBlock: boolean): Element =>
  Tree.element("math", isBlock ? { display: "block" } : {}, [
    Tree.element("semantics", {}, [
      Tree.element("annotation", { encoding: "application/x-tex" }, [{ type: "text", value: tex }])
    ])
  ])

const asBlock = (math: Element, isBlock: boolean): Element =>
  isBlock ? { ...math, properties: { ...math.properties, display: "block" } } : math

/** True for a script whose text is TeX, as MathJax reads it. */
export const isTexScript = (element: Element): boolean =>
  element.tagName === "script" && /^math\/(?:tex|latex)/i.test(Tree.attribute(element, "type") ?? "")

/** True for what MathJax shows next to a script with TeX. */
export const isDisplayOfScript = (element: Element): boolean =>
  classes(element).some((name) => /^MathJax(?:_|$)/.test(name))

const delimited = /^\s*(?:\\\(([^]*)\\\)|\\\[([^]*)\\\]|\$\$([^]*)\$\$|\$([^]*)\$)\s*$/

const ofDelimited = (text: string, isBlock: boolean): Element | undefined => {
  const match = delimited.exec(text)
  const tex = match?.slice(1).find((part) => part !== undefined)
  return tex === undefined
    ? undefined
    : ofTex(tex.trim(), isBlock || match?.[2] !== undefined || match?.[3] !== undefined)
}

const texClass = /^(?:math|tex|latex|arithmatex|mwe-math-.*)$/i

const ofImage = (image: Element): Element | undefined => {
  const alt = Tree.attribute(image, "alt")?.trim() ?? ""
  const isTex = classes(image).some((name) => texClass.test(name))
  if (alt === "" || !(isTex || /^\$[^$]+\$$/.test(alt))) {
    return undefined
  }
  return (
    ofDelimited(alt, false) ??
    ofTex(
      alt,
      classes(image).some((name) => /-(?:display|block)$/.test(name))
    )
  )
}

/** The `math` element that an element stands for; undefined for one that is no formula. */
export const of = (element: Element): Element | undefined => {
  if (element.tagName === "img") {
    return ofImage(element)
  }
  if (isTexScript(element)) {
    return ofTex(Tree.text(element).trim(), /mode\s*=\s*display/i.test(Tree.attribute(element, "type") ?? ""))
  }
  if (element.tagName === "mjx-container") {
    const math = Tree.findNear(element, "math")
    return math && asBlock(math, Tree.attribute(element, "display") !== undefined)
  }
  const names = classes(element)
  if (names.length === 0 || (element.tagName !== "span" && element.tagName !== "div")) {
    return undefined
  }
  const isBlock =
    names.some((name) => /(?:^|-)(?:display|block)$|^MathJax_Display$/.test(name)) || element.tagName === "div"
  if (
    names.some((name) =>
      /^(?:katex|katex-display|mwe-math-element|mwe-math-element-(?:block|inline)|MathJax|MathJax_Display)$/.test(name)
    )
  ) {
    const math = Tree.findNear(element, "math")
    const image = math === undefined ? Tree.findNear(element, "img") : undefined
    return math === undefined ? image && ofImage(image) : asBlock(math, isBlock)
  }
  return names.some((name) => texClass.test(name)) && element.children.every((child) => child.type === "text")
    ? ofDelimited(Tree.text(element), isBlock)
    : undefined
}

/** TeX without the `\displaystyle` that MediaWiki puts around each formula. */
const bare = (tex: string): string => /^\{\\(?:display|text)style\s+([^]*)\}$/.exec(tex)?.[1]?.trim() ?? tex

const annotation = (math: Element): string | undefined => {
  for (const element of Tree.elements(math)) {
    if (element.tagName === "annotation" && /tex/i.test(Tree.attribute(element, "encoding") ?? "")) {
      return Tree.text(element).trim()
    }
  }
  return undefined
}

/** True for an alternative text in TeX; others describe the formula in words. */
const isTex = (text: string): boolean => /[\\^_{}=]/.test(text) || !/\s/.test(text)

const texOf = (math: Element): string => {
  const own = annotation(math)
  if (own !== undefined && own !== "") {
    return bare(own)
  }
  const alternative = Tree.attribute(math, "alttext")?.trim() ?? ""
  return alternative !== "" && isTex(alternative) ? bare(alternative) : MathMl.toTex(math)
}

/** Markdown of a `math` element: its TeX on one line between `$`, or between `$$` for a block. Undefined for one without content. */
export const markdown = (math: Element): string | undefined => {
  const tex = texOf(math).replaceAll(/\s+/g, " ").trim()
  const mark = Tree.attribute(math, "display") === "block" || Tree.attribute(math, "mode") === "display" ? "$$" : "$"
  return tex === "" ? undefined : `${mark}${tex}${mark}`
}

interface Delimiters {
  readonly open: string
  readonly close: string
  readonly mark: "$" | "$$"
}

const openings: ReadonlyArray<Delimiters> = [
  { open: "\\(", close: "\\)", mark: "$" },
  { open: "\\[", close: "\\]", mark: "$$" },
  { open: "$$", close: "$$", mark: "$$" }
]

/** The next delimiters of which both are there. `starts` keeps what was found for each kind, so that no part of a text is searched twice. */
const nextOpening = (
  text: string,
  from: number,
  starts: Array<number>
): readonly [delimiters: Delimiters, start: number] | undefined => {
  let found: readonly [Delimiters, number] | undefined
  openings.forEach((delimiters, kind) => {
    const { close, open } = delimiters
    let start = starts[kind] ?? -1
    if (start < from) {
      start = text.indexOf(open, from)
      start = start < 0 || text.indexOf(close, start + open.length) < 0 ? Number.POSITIVE_INFINITY : start
      starts[kind] = start
    }
    if (start !== Number.POSITIVE_INFINITY && start < (found?.[1] ?? Number.POSITIVE_INFINITY)) {
      found = [delimiters, start]
    }
  })
  return found
}

/** Splits a text at TeX between delimiters; the formulas are passed to `formula` as Markdown. Linear in the length of the text. */
export const split = (text: string, formula: (markdown: string) => ElementContent): ReadonlyArray<ElementContent> => {
  if (!text.includes("\\(") && !text.includes("\\[") && !text.includes("$$")) {
    return [{ type: "text", value: text }]
  }
  const parts: Array<ElementContent> = []
  const starts = openings.map(() => -1)
  let at = 0
  for (;;) {
    const next = nextOpening(text, at, starts)
    if (next === undefined) break
    const [{ close, mark, open }, start] = next
    const end = text.indexOf(close, start + open.length)
    const tex = text
      .slice(start + open.length, end)
      .replaceAll(/\s+/g, " ")
      .trim()
    const stop = end + close.length
    if (tex !== "" && (open !== "$$" || /[\\^_{}=]/.test(tex))) {
      parts.push({ type: "text", value: text.slice(at, start) }, formula(mark + tex + mark))
    } else {
      parts.push({ type: "text", value: text.slice(at, stop) })
    }
    at = stop
  }
  parts.push({ type: "text", value: text.slice(at) })
  return parts
}
