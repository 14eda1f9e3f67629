/** `.xml`: the text as it is written, with the names of the elements above a text as its headings. */
import { parseXml, XmlElement, XmlError, XmlText } from "@rgrove/parse-xml"
import type { Format, Reading } from "./contract.ts"
import { blocksOf, deepest, type Part } from "./keyed.ts"
import { reading as plain } from "./plain.ts"

/** An element with text of its own is not taken apart: the elements in it are marks of that text. */
const isText = ({ children }: XmlElement): boolean =>
  children.some((child) => child instanceof XmlText && child.text.trim() !== "")

const elementsOf = ({ children }: Pick<XmlElement, "children">): ReadonlyArray<XmlElement> =>
  children.filter((child): child is XmlElement => child instanceof XmlElement)

const partsOf = (elements: ReadonlyArray<XmlElement>, depth = 0): ReadonlyArray<Part> => {
  const totals = new Map<string, number>()
  for (const { name } of elements) totals.set(name, (totals.get(name) ?? 0) + 1)
  const places = new Map<string, number>()
  return elements.map((element) => {
    const { end, name, start } = element
    const place = (places.get(name) ?? 0) + 1
    places.set(name, place)
    const item = (totals.get(name) ?? 0) > 1
    return {
      key: item ? `${name}[${place}]` : name,
      item,
      start,
      end,
      parts: depth > deepest || isText(element) ? [] : partsOf(elementsOf(element), depth + 1)
    }
  })
}

const problemOf = (cause: unknown): string => {
  if (cause instanceof RangeError) return "it is nested too deeply; its elements are no headings"
  if (!(cause instanceof XmlError)) throw cause
  return `it is no well-formed XML, its elements are no headings: ${cause.message.split("\n", 1)[0] ?? ""}`
}

/** Nothing outside of the text is read: entities that are not XML's own stay as they are written. */
const read = (text: string): Reading => {
  try {
    const { root } = parseXml(text, { includeOffsets: true, ignoreUndefinedEntities: true })
    const parts = root === null ? [] : partsOf([root])
    const blocks = blocksOf(text, parts)
    return { markdown: text, blocks: blocks.length > 0 ? blocks : plain(text, "lines").blocks }
  } catch (cause) {
    return { ...plain(text, "lines"), warnings: [problemOf(cause)] }
  }
}

export const xml: Format = { extensions: ["xml"], mimeType: "application/xml", ofText: read }
