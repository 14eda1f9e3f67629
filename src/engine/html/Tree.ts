/** Accessors of a parsed page's elements. */
import type { Element, ElementContent, Root, RootContent } from "hast"

/** Any node with children. */
export type Parent = Root | Element

export const isElement = (node: RootContent): node is Element => node.type === "element"

/** Value of a property as text; lists are joined by spaces. Undefined when it is missing. */
export const attribute = (element: Pick<Element, "properties">, property: string): string | undefined => {
  const value = element.properties[property]
  if (value === undefined || value === null || value === false) {
    return undefined
  }
  if (Array.isArray(value)) {
    return value.join(" ")
  }
  return value === true ? "" : String(value)
}

const none: ReadonlyArray<string> = []

/** The class names and the id, in lower case. */
export const names = (element: Element): ReadonlyArray<string> => {
  const { className, id } = element.properties
  if (className === undefined && id === undefined) {
    return none
  }
  const classes = Array.isArray(className) ? className.map((name) => name.toLowerCase()) : []
  return typeof id === "string" ? [...classes, id.toLowerCase()] : classes
}

/** All descendant elements in document order. */
export const elements = (parent: Parent): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  const visit = (nodes: ReadonlyArray<RootContent>): void => {
    for (const node of nodes) {
      if (isElement(node)) {
        found.push(node)
        visit(node.children)
      }
    }
  }
  visit(parent.children)
  return found
}

/** Child elements, all or those with one of the tag names. */
export const childElements = ({ children }: Element, ...tagNames: ReadonlyArray<string>): ReadonlyArray<Element> =>
  children.filter(isElement).filter(({ tagName }) => tagNames.length === 0 || tagNames.includes(tagName))

/** A set of the names in a text, between white space. */
export const namesIn = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** The first element with that tag name. */
export const find = (parent: Parent, tagName: string): Element | undefined =>
  findAmong(parent, tagName, Number.POSITIVE_INFINITY)

/**
 * The first element with that tag name among the first thousand descendants, so that a search from each of many nested elements stays
 * linear.
 */
export const findNear = (parent: Parent, tagName: string): Element | undefined => findAmong(parent, tagName, 1000)

const findAmong = (parent: Parent, tagName: string, most: number): Element | undefined => {
  let left = most
  const visit = (nodes: ReadonlyArray<RootContent>): Element | undefined => {
    for (const node of nodes) {
      if (!isElement(node)) continue
      left -= 1
      if (left < 0) return undefined
      const found = node.tagName === tagName ? node : visit(node.children)
      if (found !== undefined) return found
    }
    return undefined
  }
  return visit(parent.children)
}

/** All descendant text, unchanged. */
export const text = (parent: Parent): string => {
  const parts: Array<string> = []
  const add = (node: RootContent): void => {
    if (node.type === "text") {
      parts.push(node.value)
    } else if (isElement(node)) {
      node.children.forEach(add)
    }
  }
  parent.children.forEach(add)
  return parts.join("")
}

/** Elements whose text a reader does not see. */
const silent = new Set(["head", "noscript", "script", "style", "template", "title"])

/** Number of characters that are not ASCII white space. */
export const solid = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    count += text.charCodeAt(at) > 32 ? 1 : 0
  }
  return count
}

/** Number of characters of a page that are not white space, except in code and in the head: all, and those outside of some elements. */
export interface Weights {
  readonly whole: number
  /** Without the first elements. */
  readonly withoutFirst: number
  /** Without the first and the second elements. */
  readonly withoutBoth: number
}

/** Weighs a page in one walk; `dropped` elements count nowhere. */
export const weights = (
  page: Parent,
  dropped: ReadonlySet<Element>,
  first: ReadonlySet<Element>,
  second: ReadonlySet<Element>
): Weights => {
  let [whole, withoutFirst, withoutBoth] = [0, 0, 0]
  const visit = (nodes: ReadonlyArray<RootContent>, inFirst: boolean, inSecond: boolean): void => {
    for (const node of nodes) {
      if (node.type === "text") {
        const own = solid(node.value)
        whole += own
        withoutFirst += inFirst ? 0 : own
        withoutBoth += inFirst || inSecond ? 0 : own
      } else if (isElement(node) && !silent.has(node.tagName) && !dropped.has(node)) {
        visit(node.children, inFirst || first.has(node), inSecond || second.has(node))
      }
    }
  }
  visit(page.children, false, false)
  return { whole, withoutFirst, withoutBoth }
}

/** Makes an element. */
export const element = (
  tagName: string,
  properties: Element["properties"],
  children: Array<ElementContent>
): Element => ({ type: "element", tagName, properties, children })
