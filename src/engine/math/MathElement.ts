/** Elements of MathML in a tree of HTML, in which names may have prefixes and capitals. */
import type { Element } from "hast"
import * as Tree from "../html/Tree.ts"

/** Name without its prefix, in lower case. */
export const nameOf = ({ tagName }: Element): string => tagName.slice(tagName.indexOf(":") + 1).toLowerCase()

export const children = (element: Element): ReadonlyArray<Element> => Tree.childElements(element)
