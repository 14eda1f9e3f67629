/** Answers of object stores in XML. */
import { parseXml, XmlElement } from "@rgrove/parse-xml"

/** The root element; null for a text that is no XML. */
export const rootOf = (text: string): XmlElement | null => {
  try {
    // A mark of the byte order before the declaration is none of its characters.
    return parseXml(text.replace(/^\uFEFF/, "")).root
  } catch {
    return null
  }
}

/** The children of that name. */
export const elements = (parent: XmlElement, name: string): ReadonlyArray<XmlElement> =>
  parent.children.flatMap((child) => (child instanceof XmlElement && child.name === name ? [child] : []))

/** The text of the first child of that name. */
export const textOf = (parent: XmlElement, name: string): string | undefined => elements(parent, name)[0]?.text

/** The ETag in the first child of that name; empty for none, and for one that names nothing. */
export const etagOf = (parent: XmlElement, name: string): string => {
  const etag = textOf(parent, name)?.trim() ?? ""
  return /^(?:W\/)?(?:"")?$/u.test(etag) ? "" : etag
}

/** The text without the encoding of addresses; null when it is not in that. */
export const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
