/** `.xml`: the text as it is written, with the names of the elements above a text as its headings. */
import { parseXml, XmlElement, XmlError, XmlText } from "@rgrove/parse-xml"
import type { FormatReader, Reading } from "./contract.ts"
import { blocksOf, deepest, labelOf, type Part } from "./keyed.ts"
import { reading as plain } from "./plain.ts"

/** An element with direct text is not taken apart: the elements in it are marks of that text. */
const isText = ({ children }: XmlElement): boolean =>
  children.some((child) => child instanceof XmlText && child.text.trim() !== "")

const elementsOf = ({ children }: Pick<XmlElement, "children">): ReadonlyArray<XmlElement> =>
  children.filter((child): child is XmlElement => child instanceof XmlElement)

/** Value of an attribute, else text of the child of that name. */
const valueOf = ({ attributes, children }: XmlElement, name: string): string | undefined =>
  attributes[name] ??
  (name === "id" ? attributes["xml:id"] : undefined) ??
  children.find((child): child is XmlElement => child instanceof XmlElement && child.name === name)?.text

const partsOf = (elements: ReadonlyArray<XmlElement>, depth = 0): ReadonlyArray<Part> => {
  const totals = new Map<string, number>()
  for (const { name } of elements) totals.set(name, (totals.get(name) ?? 0) + 1)
  const places = new Map<string, number>()
  return elements.map((element) => {
    const { end, name, start } = element
    const place = (places.get(name) ?? 0) + 1
    places.set(name, place)
    const repeated = (totals.get(name) ?? 0) > 1
    return {
      key: repeated ? `${name}[${place}]` : name,
      // A chapter has a title, a row of data has none.
      item: repeated && valueOf(element, "title") === undefined,
      label: () => labelOf(([name, ...more]) => (more.length === 0 ? valueOf(element, name) : undefined)),
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

/** The encoding that the declaration names, as in `<?xml version="1.0" encoding="ISO-8859-1"?>`. */
const encodingOf = (start: string): string | undefined =>
  /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/u.exec(start)?.[1]

export const xml: FormatReader = { ofText: read, encodingOf }
