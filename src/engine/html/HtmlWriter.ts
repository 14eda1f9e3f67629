/** Writes a tree as HTML text. */
import type { Element, Root, RootContent } from "hast"

const voidNames = new Set("area base br col embed frame hr img input link meta source track wbr".split(" "))

/** Elements whose content is not escaped: a parser does not unescape it. */
const rawNames = new Set("iframe noembed noframes plaintext script style xmp".split(" "))

/** Elements after whose start tag a parser drops a line feed, so one is added. */
const lineFeedEaters = new Set(["pre", "textarea", "listing"])

const renamed: Readonly<Record<string, string>> = {
  className: "class",
  htmlFor: "for",
  httpEquiv: "http-equiv",
  acceptCharset: "accept-charset",
  xLinkHref: "xlink:href",
  xmlLang: "xml:lang"
}

const commaSeparated = new Set(["accept", "coords", "sizes", "srcSet"])

const attributeName = (property: string): string => {
  const known = renamed[property]
  if (known !== undefined) {
    return known
  }
  if (/^aria[A-Z]/.test(property)) {
    return `aria-${property.slice(4).toLowerCase()}`
  }
  return /^data[A-Z]/.test(property)
    ? property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    : property.toLowerCase()
}

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\u00a0", "&nbsp;")

const escapeValue = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("\u00a0", "&nbsp;")

const attributes = (element: Element): string => {
  let written = ""
  for (const [property, value] of Object.entries(element.properties)) {
    if (value === true) {
      written += ` ${attributeName(property)}`
    } else if (value !== undefined && value !== null && value !== false) {
      const text = Array.isArray(value) ? value.join(commaSeparated.has(property) ? ", " : " ") : String(value)
      written += ` ${attributeName(property)}="${escapeValue(text)}"`
    }
  }
  return written
}

/** Writes the tree as text that a HTML parser reads back as the same tree. Comments and the document type are left out. */
export const write = (page: Root): string => {
  const parts: Array<string> = []
  const add = (node: RootContent, raw: boolean): void => {
    if (node.type === "text") {
      parts.push(raw ? node.value : escapeText(node.value))
    } else if (node.type === "element") {
      parts.push(`<${node.tagName}${attributes(node)}>`)
      if (!voidNames.has(node.tagName)) {
        const first = node.children[0]
        if (lineFeedEaters.has(node.tagName) && first?.type === "text" && first.value.startsWith("\n")) {
          parts.push("\n")
        }
        node.children.forEach((child) => add(child, rawNames.has(node.tagName)))
        parts.push(`</${node.tagName}>`)
      }
    }
  }
  page.children.forEach((node) => add(node, false))
  return parts.join("")
}
