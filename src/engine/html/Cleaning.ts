/**
 * Cleans a page's tree: removes code, styles and invisible elements, and makes addresses absolute where possible.
 *
 * Source: interface document, "Parse response body", `html`.
 */
import type { Element, ElementContent, Root, RootContent } from "hast"
import * as Formulas from "./Formulas.ts"
import * as PageAddress from "./PageAddress.ts"
import * as Tree from "./Tree.ts"

const droppedNames = new Set(
  `script style noscript template meta head link base title svg canvas object embed applet param frame frameset noframes`.split(
    " "
  )
)

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
  const { hidden, open, role, style, type } = element.properties
  // The panels of tabs are all content, and all but one are hidden until a click.
  if (role === "tabpanel") {
    return false
  }
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
const lazyProperties = [
  "dataSrc",
  "dataLazySrc",
  "dataOriginal",
  "dataLazy",
  "dataActualsrc",
  "dataHiResSrc",
  "dataFullSrc",
  "dataImage",
  "dataUrl"
]

const lazySets = ["dataSrcSet", "dataSrcset", "dataLazySrcset", "dataOriginalSet"]

const placeholderName =
  /(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|1x1|transparent|loading|loader|lazy|grey|gray|clear)[^/]*\.(?:gif|png|svg|jpe?g|webp)(?:[?#].*)?$/i

const isPlaceholder = (source: string | undefined): boolean =>
  source === undefined || source === "" || /^(?:data:|about:blank)/i.test(source) || placeholderName.test(source)

const isAddress = (value: string | undefined): value is string =>
  value !== undefined && /^\S*[./]\S*$/.test(value) && !/^data:/i.test(value)

const attribute = (element: Element, names: ReadonlyArray<string>): string | undefined =>
  names.map((name) => Tree.attribute(element, name)).find((value) => value !== undefined && value !== "")

const largestOf = (element: Element): string | undefined =>
  PageAddress.largest(attribute(element, lazySets)) ?? PageAddress.largest(Tree.attribute(element, "srcSet"))

/** The largest version of an image that the page names, and what a script would load instead of a placeholder. */
const imageSource = (image: Element): string | undefined => {
  const largest = largestOf(image)
  if (!isPlaceholder(largest)) {
    return largest
  }
  const lazy = lazyProperties.map((name) => Tree.attribute(image, name)).find(isAddress)
  return lazy ?? Tree.attribute(image, "src") ?? largest
}

/** True for an image of one pixel, which counts visits. */
const isPixel = (image: Element): boolean =>
  ["width", "height"].every((name) => /^[01](?:px)?$/.test(Tree.attribute(image, name) ?? ""))

const set = (properties: Element["properties"], name: string, value: string | undefined): void => {
  if (value === undefined) {
    delete properties[name]
  } else {
    properties[name] = value
  }
}

/** True for an event handler, which is code too. */
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
  const image = Tree.findNear(element, "img")
  if (image === undefined) {
    return undefined
  }
  const own = imageSource(image)
  const sources = Tree.childElements(element, "source")
  const other = isPlaceholder(own) ? sources.map(largestOf).find((source) => !isPlaceholder(source)) : undefined
  const source = other ?? own
  const properties = source === undefined ? image.properties : { ...image.properties, src: source }
  return cleanElement({ ...image, properties: withoutSets(properties) }, rules)
}

const withoutSets = (properties: Element["properties"]): Element["properties"] =>
  Object.fromEntries(
    Object.entries(properties).filter(
      ([name]) => name !== "srcSet" && !lazySets.includes(name) && !lazyProperties.includes(name)
    )
  )

/**
 * Adds the image of a `noscript`: a copy of one that a script loads, which it replaces if that has no address yet.
 */
const addCopy = (noscript: Element, cleaned: Array<ElementContent>, rules: Rules): void => {
  const copy = Tree.findNear(noscript, "img")
  const image = copy === undefined || isPixel(copy) ? undefined : cleanElement(copy, rules)
  const at = cleaned.findLastIndex((node) => node.type !== "text" || node.value.trim() !== "")
  const last = cleaned[at]
  const shown = last?.type === "element" && last.tagName === "img" ? last : undefined
  if (image === undefined || (shown !== undefined && !isPlaceholder(Tree.attribute(shown, "src")))) {
    return
  }
  if (shown === undefined) {
    cleaned.push(image)
  } else {
    cleaned[at] = image
  }
}

const cleanElement = (element: Element, rules: Rules): Element | undefined => {
  if (rules.dropped.has(element)) {
    return undefined
  }
  const formula = Formulas.of(element)
  if (formula !== undefined && formula !== element) {
    return cleanElement(formula, rules)
  }
  if (droppedNames.has(element.tagName) || isHidden(element) || (element.tagName === "img" && isPixel(element))) {
    return undefined
  }
  return element.tagName === "picture"
    ? picture(element, rules)
    : Tree.element(element.tagName, properties(element, rules), cleanChildren(element.children, rules))
}

const cleanChildren = (children: ReadonlyArray<RootContent>, rules: Rules): Array<ElementContent> => {
  const cleaned: Array<ElementContent> = []
  const hasTex = children.some((child) => Tree.isElement(child) && Formulas.isTexScript(child))
  for (const child of children) {
    if (child.type === "text") {
      cleaned.push({ type: "text", value: child.value })
    } else if (Tree.isElement(child) && child.tagName === "noscript") {
      addCopy(child, cleaned, rules)
    } else if (Tree.isElement(child) && !(hasTex && Formulas.isDisplayOfScript(child))) {
      const element = cleanElement(child, rules)
      if (element !== undefined) {
        cleaned.push(element)
      }
    }
  }
  return cleaned
}

/** Makes a new tree; the dropped elements, comments, document type and positions are left out too. */
export const clean = (page: Root, rules: Rules): Root => ({
  type: "root",
  children: cleanChildren(page.children, rules)
})
