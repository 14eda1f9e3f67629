/**
 * Accessors of a parsed page's elements.
 *
 * @since 0.1.0
 */
import type { Element, ElementContent, Root, RootContent } from "hast"

/**
 * Any node with children.
 *
 * @since 0.1.0
 * @category models
 */
export type Parent = Root | Element

/**
 * @since 0.1.0
 * @category predicates
 */
export const isElement = (node: RootContent): node is Element => node.type === "element"

/**
 * Value of a property as text; lists are joined by spaces. Undefined when it is missing.
 *
 * @since 0.1.0
 * @category accessors
 */
export const attribute = (element: Element, property: string): string | undefined => {
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

/**
 * The class names and the id, in lower case.
 *
 * @since 0.1.0
 * @category accessors
 */
export const names = (element: Element): ReadonlyArray<string> => {
  const { className, id } = element.properties
  if (className === undefined && id === undefined) {
    return none
  }
  const classes = Array.isArray(className) ? className.map((name) => name.toLowerCase()) : []
  return typeof id === "string" ? [...classes, id.toLowerCase()] : classes
}

/**
 * All descendant elements.
 *
 * @yields {Element} In document order.
 * @since 0.1.0
 * @category accessors
 */
export const elements = function* (parent: Parent): Generator<Element> {
  const pending: Array<RootContent> = parent.children.toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isElement(node)) {
      yield node
      for (let at = node.children.length - 1; at >= 0; at--) {
        const child = node.children[at]
        if (child !== undefined) {
          pending.push(child)
        }
      }
    }
  }
}

/**
 * The first element with that tag name.
 *
 * @since 0.1.0
 * @category accessors
 */
export const find = (parent: Parent, tagName: string): Element | undefined => {
  for (const element of elements(parent)) {
    if (element.tagName === tagName) {
      return element
    }
  }
  return undefined
}

/**
 * All descendant text, unchanged.
 *
 * @since 0.1.0
 * @category accessors
 */
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
const solid = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    count += text.charCodeAt(at) > 32 ? 1 : 0
  }
  return count
}

/**
 * Number of characters of descendant text that are not white space, except in code, in the head and in the dropped elements.
 *
 * @since 0.1.0
 * @category accessors
 */
export const weight = (parent: Parent, dropped: ReadonlySet<Element>): number => {
  let sum = 0
  const pending: Array<RootContent> = [...parent.children]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "text") {
      sum += solid(node.value)
    } else if (isElement(node) && !silent.has(node.tagName) && !dropped.has(node)) {
      for (const child of node.children) {
        pending.push(child)
      }
    }
  }
  return sum
}

/**
 * Makes an element.
 *
 * @since 0.1.0
 * @category constructors
 */
export const element = (
  tagName: string,
  properties: Element["properties"],
  children: Array<ElementContent>
): Element => ({ type: "element", tagName, properties, children })
