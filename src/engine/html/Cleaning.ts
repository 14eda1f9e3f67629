/**
 * Cleans a page's tree: removes code, styles and invisible elements, and makes addresses absolute where possible.
 *
 * Source: interface document, "Parse response body", `html`.
 *
 * @since 0.1.0
 */
import type { Element, ElementContent, Root, RootContent } from "hast"
import * as PageAddress from "./PageAddress.ts"
import * as Tree from "./Tree.ts"

const droppedNames = new Set(
  `script style noscript template meta head link base title svg canvas object embed applet param frame frameset noframes`.split(
    " "
  )
)

/**
 * @since 0.1.0
 * @category models
 */
export interface Rules {
  /** Base of relative addresses. */
  readonly base: PageAddress.Base
  /** Elements to leave out, in addition to those that are never shown. */
  readonly dropped: ReadonlySet<Element>
  /** Leave out addresses of images that contain their data; the alternative texts stay. */
  readonly withoutData: boolean
}

/** Elements that never count as hidden as a whole: pages reveal them by script. */
const shown = new Set(["html", "body", "main"])

const hiding = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i

const isHidden = (element: Element): boolean => {
  if (shown.has(element.tagName)) {
    return false
  }
  const { hidden, open, style, type } = element.properties
  return (
    hidden === true ||
    (typeof style === "string" && hiding.test(style)) ||
    (element.tagName === "input" && type === "hidden") ||
    (element.tagName === "dialog" && open !== true)
  )
}

const linkProperties = ["href", "action", "formAction", "cite", "longDesc"]

const mediumProperties = ["src", "poster", "background", "data"]

/** Properties with the address of an image that a script loads later. */
const lazyProperties = ["dataSrc", "dataLazySrc", "dataOriginal"]

const isPlaceholder = (source: string | undefined): boolean => source === undefined || /^data:/i.test(source)

const imageSource = (image: Element): string | undefined => {
  const lazySet = PageAddress.largest(
    Tree.attribute(image, "srcSet") ?? Tree.attribute(image, "dataSrcSet") ?? Tree.attribute(image, "dataSrcset")
  )
  const source = lazySet ?? Tree.attribute(image, "src")
  const lazy = lazyProperties.map((name) => Tree.attribute(image, name)).find((value) => value !== undefined)
  return isPlaceholder(source) ? (lazy ?? source) : source
}

const set = (properties: Element["properties"], name: string, value: string | undefined): void => {
  if (value === undefined) {
    delete properties[name]
  } else {
    properties[name] = value
  }
}

/** Tests for an event handler, which is code too. */
const isHandler = (name: string): boolean => name.startsWith("on") && /^on(?:[A-Z]|[a-z]+$)/.test(name)

const properties = (element: Element, { base, withoutData }: Rules): Element["properties"] => {
  const cleaned: Element["properties"] = {}
  const names = Object.keys(element.properties)
  if (names.length === 0) {
    return cleaned
  }
  for (const name of names) {
    if (!isHandler(name)) {
      cleaned[name] = element.properties[name]
    }
  }
  if (element.tagName === "img") {
    set(cleaned, "src", imageSource(element))
    set(cleaned, "srcSet", undefined)
    set(cleaned, "sizes", undefined)
  }
  const result = { properties: cleaned }
  for (const name of linkProperties) {
    if (name in cleaned) set(cleaned, name, PageAddress.link(Tree.attribute(result, name), base))
  }
  for (const name of mediumProperties) {
    if (name in cleaned) set(cleaned, name, PageAddress.medium(Tree.attribute(result, name), base))
  }
  if (withoutData && element.tagName === "img" && Tree.attribute(result, "src")?.startsWith("data:")) {
    set(cleaned, "src", undefined)
  }
  return cleaned
}

/** Replaces a `picture` by its image, which takes the address of a source if it has none. */
const picture = (element: Element, rules: Rules): Element | undefined => {
  const image = Tree.find(element, "img")
  const source = Tree.find(element, "source")
  if (image === undefined) {
    return undefined
  }
  const own = imageSource(image) ?? PageAddress.largest(source === undefined ? "" : Tree.attribute(source, "srcSet"))
  const properties = own === undefined ? image.properties : { ...image.properties, src: own }
  return cleanElement({ ...image, properties: { ...properties, srcSet: undefined } }, rules)
}

const cleanElement = (element: Element, rules: Rules): Element | undefined => {
  if (rules.dropped.has(element) || droppedNames.has(element.tagName) || isHidden(element)) {
    return undefined
  }
  return element.tagName === "picture"
    ? picture(element, rules)
    : Tree.element(element.tagName, properties(element, rules), cleanChildren(element.children, rules))
}

const cleanChildren = (children: ReadonlyArray<RootContent>, rules: Rules): Array<ElementContent> => {
  const cleaned: Array<ElementContent> = []
  for (const child of children) {
    if (child.type === "text") {
      cleaned.push({ type: "text", value: child.value })
    } else if (Tree.isElement(child)) {
      const element = cleanElement(child, rules)
      if (element !== undefined) {
        cleaned.push(element)
      }
    }
  }
  return cleaned
}

/**
 * Makes a new tree; the dropped elements, comments, document type and positions are left out too.
 *
 * @since 0.1.0
 * @category transformations
 */
export const clean = (page: Root, rules: Rules): Root => ({
  type: "root",
  children: cleanChildren(page.children, rules)
})
