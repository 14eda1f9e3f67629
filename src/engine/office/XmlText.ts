/**
 * Texts of leaf elements in small, flat XML files, found by local name.
 *
 * Not an XML parser: document properties are flat, and a file of another shape has no properties.
 */

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const codePoint = (entity: string): number =>
  entity.startsWith("#x") || entity.startsWith("#X") ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))

/** Resolves the five named and all numeric character references. */
export const unescape = (text: string): string =>
  text.replaceAll(/&(#[xX][0-9a-fA-F]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/g, (reference, entity: string) => {
    const known = named[entity]
    if (known !== undefined) {
      return known
    }
    const point = codePoint(entity)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : reference
  })

/** The text as it stands in an element or an attribute. */
export const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** Texts of all elements with that local name and without child elements: trimmed, in document order, without empty ones. */
export const texts = (xml: string, localName: string): ReadonlyArray<string> => {
  const pattern = new RegExp(`<(?:[\\w.-]+:)?${localName}(?:\\s[^<>]*)?>(?:<!\\[CDATA\\[)?([^<]*)`, "g")
  return Array.from(xml.matchAll(pattern), (match) => unescape(match[1] ?? "").trim()).filter((text) => text !== "")
}

/** First value of an attribute of an element with that local name. */
export const attribute = (xml: string, localName: string, name: string): string | undefined => {
  const tag = new RegExp(`<(?:[\\w.-]+:)?${localName}\\s([^<>]*)`).exec(xml)?.[1]
  const value = tag === undefined ? undefined : new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1]
  return value === undefined ? undefined : unescape(value)
}
