/**
 * Prepares a cleaned page's tree for the Markdown converter: removes elements that Markdown cannot express, or replaces them by ones that
 * it can.
 */
import type { Element, ElementContent, Root, RootContent } from "hast"
import * as Base64Images from "../Base64Images.ts"
import * as RaisedText from "../RaisedText.ts"
import * as CodeBlocks from "./CodeBlocks.ts"
import * as Formulas from "./Formulas.ts"
import * as Tree from "./Tree.ts"

/** Elements without readable content. */
const silent = new Set(
  "iframe input select textarea button datalist progress meter map area audio video track source dialog".split(" ")
)

/** Blocks inside a heading, which is a single line. */
const blocks = new Set(
  "address article aside blockquote div dl figure h1 h2 h3 h4 h5 h6 hr ol p pre section table ul".split(" ")
)

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"])

const space = (): ElementContent => ({ type: "text", value: " " })

/** Property of an `img` that stands for a piece of Markdown. It is an image so that white space next to it is kept. */
export const sourceProperty = "markdownSource"

const raw = (value: string): ElementContent => Tree.element("img", { [sourceProperty]: value }, [])

const formula = (math: Element): ReadonlyArray<ElementContent> => {
  const markdown = Formulas.markdown(math)
  return markdown === undefined ? [] : [raw(markdown)]
}

const image = (element: Element): ReadonlyArray<ElementContent> => {
  const source = Tree.attribute(element, "src")
  if (source !== undefined && source !== "") {
    return [element]
  }
  const alt = Tree.attribute(element, "alt")?.trim().replaceAll(/\s+/g, " ") ?? ""
  return alt === "" ? [] : [raw(`![${alt.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${Base64Images.placeholder})`)]
}

/** True for content; stops at the first text or image. */
const holdsContent = (nodes: ReadonlyArray<ElementContent>): boolean =>
  nodes.some((node) =>
    node.type === "text"
      ? node.value.trim() !== ""
      : node.type === "element" && (node.tagName === "img" || holdsContent(node.children))
  )

/** Text of a link that leads to where it stands, or back from a note to its mark. */
const permalink = /^(?:[¶#§⚓∞↩↵↑⤴🔗]|\[link\]|\[#\])?$/u

/** Characters without a glyph. */
const shapeless = /[\s\p{Cf}\p{Mn}]+/gu

const permalinkNames = new Set([
  "headerlink",
  "anchorjs-link",
  "hash-link",
  "header-anchor",
  "heading-anchor",
  "footnote-backref",
  "anchor-link"
])

/** True for a link in the page that is only a sign; an image, or a named one with words, counts where its class says so. */
const isPermalink = (element: Element): boolean =>
  /^[^?]*#/.test(Tree.attribute(element, "href") ?? "") &&
  ((permalink.test(Tree.text(element).replaceAll(shapeless, "")) && Tree.find(element, "img") === undefined) ||
    (Tree.names(element).some((name) => permalinkNames.has(name)) && !/[\p{L}\p{N}]{2}/u.test(Tree.text(element))) ||
    Tree.attribute(element, "role") === "doc-backlink")

/** A link; without an address or content only its content. */
const link = (element: Element, children: Array<ElementContent>): ReadonlyArray<ElementContent> =>
  isPermalink(element)
    ? []
    : Tree.attribute(element, "href") !== undefined && holdsContent(children)
      ? [Tree.element(element.tagName, element.properties, children)]
      : children

/** Superscript or subscript; a raised or lowered number would otherwise read as part of the number before it. */
const script = (element: Element, name: RaisedText.Script, children: Array<ElementContent>): Array<ElementContent> => {
  const text = Tree.text(element)
  const markdown = RaisedText.markdown(text, name)
  if (markdown === text) return children
  const isText = children.every((child) => child.type === "text")
  if (!markdown.includes("<")) return isText ? [{ type: "text", value: markdown }] : raisedTexts(children, name)
  return [raw(`<${name}>`), ...children, raw(`</${name}>`)]
}

const raisedTexts = (nodes: ReadonlyArray<ElementContent>, name: RaisedText.Script): Array<ElementContent> =>
  nodes.map((node) =>
    node.type === "text"
      ? { type: "text", value: RaisedText.markdown(node.value, name) }
      : node.type === "element" && node.tagName !== "img"
        ? Tree.element(node.tagName, node.properties, raisedTexts(node.children, name))
        : node
  )

const inlineMarks = new Set(["b", "strong", "i", "em", "del", "s", "strike"])

/** Marks have to touch the text: white space at their inner edges moves outside. Marks without content are dropped. */
const marked = (element: Element, children: Array<ElementContent>): ReadonlyArray<ElementContent> => {
  const first = children[0]
  const last = children.at(-1)
  if (!holdsContent(children)) {
    return children
  }
  const leads = first?.type === "text" && /^\s/.test(first.value)
  const trails = last?.type === "text" && /\s$/.test(last.value)
  if (!leads && !trails) {
    return [Tree.element(element.tagName, element.properties, children)]
  }
  const inner = children.map((child) => (child.type === "text" ? { ...child } : child))
  const [head, tail] = [inner[0], inner.at(-1)]
  if (leads && head?.type === "text") {
    head.value = head.value.trimStart()
  }
  if (trails && tail?.type === "text") {
    tail.value = tail.value.trimEnd()
  }
  return [...(leads ? [space()] : []), { ...element, children: inner }, ...(trails ? [space()] : [])]
}

/** Base texts with their readings in parentheses, also where the page does not write them. */
const ruby = (element: Element, place: Place): ReadonlyArray<ElementContent> =>
  element.children.flatMap((child): ReadonlyArray<ElementContent> => {
    if (child.type !== "element") return child.type === "text" ? [{ type: "text", value: child.value.trim() }] : []
    if (child.tagName === "rp") return []
    const own = convertAll(child.children, place)
    const isReading = (child.tagName === "rt" || child.tagName === "rtc") && holdsContent(own)
    return isReading ? [{ type: "text", value: "(" }, ...own, { type: "text", value: ")" }] : own
  })

const checkbox = (element: Element): boolean => element.tagName === "input" && element.properties["type"] === "checkbox"

/** Elements without a meaning in Markdown; they are unwrapped, since they divide texts and make the conversion slow. */
const transparent = new Set(
  "abbr acronym bdi bdo big center data dfn font label nobr output small span time u wbr".split(" ")
)

const nested = new Set(["blockquote", "ol", "ul"])

/** Nesting limit of lists and quotes; deeper ones become lines of the level above, since their indentation would outgrow the text. */
const maxLevel = 16

interface Place {
  readonly inHeading: boolean
  readonly level: number
  /** Language that an element around states for the code in it. */
  readonly language?: string | undefined
}

const inside = ({ tagName }: Element, place: Place): Place => {
  const isHeading = headings.has(tagName)
  return isHeading || nested.has(tagName)
    ? { ...place, inHeading: place.inHeading || isHeading, level: place.level + (isHeading ? 0 : 1) }
    : place
}

/** Elements that are converted; all others are kept, except in headings and deep lists. */
const special = new Set([
  ...silent,
  ...transparent,
  ...headings,
  ...inlineMarks,
  ...nested,
  "math",
  "img",
  "a",
  "ruby",
  "sup",
  "sub"
])

/** Elements that may be blocks of code, or state the language of those in them. */
const coding = new Set(["pre", "table", "div", "figure", "section"])

const element = (node: Element, around: Place): ReadonlyArray<ElementContent> => {
  const language = coding.has(node.tagName) ? CodeBlocks.languageOf(node) : undefined
  const place = language === undefined ? around : { ...around, language }
  const code = coding.has(node.tagName) && !place.inHeading ? CodeBlocks.of(node, place.language) : undefined
  if (code !== undefined) {
    return [code]
  }
  if (!special.has(node.tagName) && !place.inHeading && place.level < maxLevel) {
    return [Tree.element(node.tagName, node.properties, convertAll(node.children, place))]
  }
  if (silent.has(node.tagName)) {
    return checkbox(node) ? [node] : []
  }
  if (node.tagName === "math") {
    return formula(node)
  }
  if (node.tagName === "img") {
    return image(node)
  }
  const children = convertAll(node.children, inside(node, place))
  if (transparent.has(node.tagName)) {
    return children
  }
  if (headings.has(node.tagName) && !holdsContent(children)) {
    return []
  }
  if (node.tagName === "a") {
    return link(node, children)
  }
  if (node.tagName === "ruby") {
    return ruby(node, place)
  }
  if (node.tagName === "sup" || node.tagName === "sub") {
    return script(node, node.tagName, children)
  }
  if (inlineMarks.has(node.tagName)) {
    return marked(node, children)
  }
  if (place.inHeading && (blocks.has(node.tagName) || node.tagName === "br")) {
    return [space(), ...children, space()]
  }
  if (place.level >= maxLevel && (nested.has(node.tagName) || node.tagName === "li")) {
    return [{ ...node, tagName: "div", children }]
  }
  return [Tree.element(node.tagName, node.properties, children)]
}

/** Converts nodes; neighbouring texts are joined. */
const convertAll = (nodes: ReadonlyArray<RootContent>, place: Place): Array<ElementContent> => {
  const converted: Array<ElementContent> = []
  let texts: Array<string> = []
  const endText = (): void => {
    if (texts.length > 0) {
      converted.push({ type: "text", value: texts.join("") })
      texts = []
    }
  }
  const add = (node: ElementContent): void => {
    if (node.type === "text") {
      texts.push(node.value)
    } else {
      endText()
      converted.push(node)
    }
  }
  for (const node of nodes) {
    if (node.type === "text") {
      Formulas.split(node.value, raw).forEach(add)
    } else if (Tree.isElement(node)) {
      element(node, place).forEach(add)
    }
  }
  endText()
  return converted
}

/** Makes a new tree. An image without an address becomes a placeholder with its alternative text, a formula its TeX. */
export const from = (page: Root): Root => ({
  type: "root",
  children: convertAll(page.children, { inHeading: false, level: 0 })
})
