/** Small parts of an XML text as trees. */
import type * as Edits from "../../Edits.ts"
import * as XmlText from "../XmlText.ts"
import * as Tags from "./Tags.ts"

/** An element; names are without prefixes. */
export interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: ReadonlyArray<Element | string>
}

/** Deepest element that is read. */
const deepest = 100

interface Open extends Element {
  readonly children: Array<Element | string>
}

/** The element that begins at `start`, and the place after it; undefined when it has no end, or is nested more than 100 levels deep. */
export const read = (xml: string, start: number): { readonly element: Element; readonly end: number } | undefined => {
  const open: Array<Open> = []
  let from = start
  for (const tag of Tags.of(xml, start)) {
    const parent = open.at(-1)
    if (tag.start > from) parent?.children.push(XmlText.unescape(textOf(xml.slice(from, tag.start))))
    from = tag.end
    if (tag.kind === "close") {
      const element = open.pop()
      if (element === undefined) return undefined
      if (open.length === 0) return { element, end: tag.end }
    } else {
      const element: Open = { name: tag.name, attributes: Tags.attributes(xml, tag), children: [] }
      parent?.children.push(element)
      if (tag.kind === "open") open.push(element)
      else if (parent === undefined) return { element, end: tag.end }
    }
    if (open.length > deepest) return undefined
  }
  return undefined
}

/** An element at `[start, end)` of a text. */
export interface Placed {
  readonly element: Element
  readonly start: number
  readonly end: number
}

/**
 * The outermost elements with these local names, in order; undefined for one that cannot be read, which is the last.
 * @yields {Placed | undefined} the next element
 */
export const named = function* (xml: string, names: ReadonlyArray<string>): Generator<Placed | undefined, undefined> {
  let from = 0
  for (const { kind, start } of Tags.named(xml, names)) {
    if (start < from || kind !== "open") continue
    const found = read(xml, start)
    yield found && { ...found, start }
    if (found === undefined) return undefined
    from = found.end
  }
  return undefined
}

/** The edits that put a text for each of these elements; none when one of them cannot be read. An undefined text leaves its element. */
export const replacing = (
  xml: string,
  names: ReadonlyArray<string>,
  textOf: (element: Element) => string | undefined
): ReadonlyArray<Edits.Edit> => {
  const edits: Array<Edits.Edit> = []
  for (const found of named(xml, names)) {
    if (found === undefined) return []
    const text = textOf(found.element)
    if (text !== undefined) edits.push({ start: found.start, end: found.end, text })
  }
  return edits
}

/** Comments and the marks of CDATA sections are no text. */
const textOf = (content: string): string =>
  content.includes("<!") ? content.replaceAll(/<!--[^]*?-->|<!\[CDATA\[|\]\]>/gu, "") : content

export const isElement = (node: Element | string): node is Element => typeof node !== "string"

/** The child elements, by name where one is given. */
export const children = (element: Element, name?: string): ReadonlyArray<Element> =>
  element.children.filter((child): child is Element => isElement(child) && (name === undefined || child.name === name))

/** The first child element of that name. */
export const child = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((node): node is Element => isElement(node) && node.name === name)

/** All text in an element. */
export const text = (element: Element): string =>
  element.children.map((node) => (isElement(node) ? text(node) : node)).join("")
