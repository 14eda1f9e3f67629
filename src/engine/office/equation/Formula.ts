/** Formulas of office documents as they stand in Markdown. */
import type { Element as Markup } from "hast"
import * as Tree from "../../html/Tree.ts"
import * as MathMl from "../../math/MathMl.ts"
import * as Element from "../markup/Element.ts"

/** A vertical bar would end the cell of a table. */
const withoutBars = (tex: string): string => tex.replaceAll(String.raw`\|`, "\\Vert ").replaceAll("|", "\\vert ")

/** TeX that some programs put next to the markup. */
const annotated = (element: Element.Element): string | undefined => {
  const semantics = Element.child(element, "semantics")
  const own =
    semantics &&
    Element.children(semantics, "annotation").find(({ attributes }) => /tex/iu.test(attributes.get("encoding") ?? ""))
  const tex = own === undefined ? "" : Element.text(own).replaceAll(/\s+/gu, " ").trim()
  return tex === "" ? undefined : tex
}

const markupOf = ({ attributes, children, name }: Element.Element): Markup =>
  Tree.element(
    name,
    Object.fromEntries(attributes),
    children.map((child) => (Element.isElement(child) ? markupOf(child) : { type: "text", value: child }))
  )

const written = (tex: string, display: boolean): string => {
  const own = withoutBars(tex)
  return own === "" ? "" : display ? `$$${own}$$` : `$${own}$`
}

/** Markdown of a formula in MathML: within a line, or as a block. Empty for an empty formula. */
export const ofMarkup = (math: Markup, display: boolean): string => written(MathMl.toTex(math), display)

/** Markdown of a `math` element of a package's part. */
export const ofElement = (element: Element.Element, display: boolean): string =>
  written(annotated(element) ?? MathMl.toTex(markupOf(element)), display)
