/**
 * Tags of an XML text with their places, so that parts of it can be replaced and the rest stays as it is.
 *
 * Comments, CDATA sections, declarations and instructions are passed over; entities are never expanded. Linear in the text: after a
 * tag without an end there is no further one.
 */
import * as XmlText from "../XmlText.ts"

/** A tag at `[start, end)`. */
export interface Tag {
  /** Name without the prefix. */
  readonly name: string
  readonly kind: "open" | "close" | "empty"
  readonly start: number
  readonly end: number
}

const quote = 0x22
const apostrophe = 0x27
const greater = 0x3e

/** End of the tag that begins before `from`; -1 when it has none. */
const endOfTag = (xml: string, from: number): number => {
  for (let at = from; at < xml.length; at++) {
    const code = xml.charCodeAt(at)
    if (code === greater) return at + 1
    if (code === quote || code === apostrophe) {
      at = xml.indexOf(code === quote ? '"' : "'", at + 1)
      if (at < 0) return -1
    }
  }
  return -1
}

/** Starts of what is no tag, with their ends. */
const passed = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!", ">"]
] as const

const nameAt = /\/?(?:[\w.-]+:)?([\w.-]+)/uy

/**
 * The tags from an offset on, in order.
 *
 * @yields {Tag} the next tag
 */
export const of = function* (xml: string, from = 0): Generator<Tag, undefined> {
  for (let start = xml.indexOf("<", from); start >= 0;) {
    const other = passed.find(([opening]) => xml.startsWith(opening, start))
    const end = other === undefined ? endOfTag(xml, start + 1) : after(xml, other[1], start)
    if (end < 0) return undefined
    if (other === undefined) {
      nameAt.lastIndex = start + 1
      const name = nameAt.exec(xml)?.[1]
      const kind = xml[start + 1] === "/" ? "close" : xml[end - 2] === "/" ? "empty" : "open"
      if (name !== undefined) yield { name, kind, start, end }
    }
    start = xml.indexOf("<", end)
  }
  return undefined
}

/**
 * The tags with these local names, in order: several times as fast as all tags.
 *
 * @yields {Tag} the next tag
 */
export const named = function* (xml: string, names: ReadonlyArray<string>): Generator<Tag, undefined> {
  const candidate = new RegExp(`<(?:!|\\?|(/?)(?:[\\w.-]+:)?(${names.join("|")})(?=[\\s/>]))`, "gu")
  for (let found = candidate.exec(xml); found !== null; found = candidate.exec(xml)) {
    const start = found.index
    const [, slash, name] = found
    const other = name === undefined ? passed.find(([opening]) => xml.startsWith(opening, start)) : undefined
    const end = other === undefined ? endOfTag(xml, start + 1) : after(xml, other[1], start)
    if (end < 0) return undefined
    if (name !== undefined)
      yield { name, kind: slash === "/" ? "close" : xml[end - 2] === "/" ? "empty" : "open", start, end }
    candidate.lastIndex = end
  }
  return undefined
}

/** False if no element of that local name is in the text, which is found out in a hundredth of the time that its tags take. */
export const mayHave = (xml: string, name: string): boolean => xml.includes(`<${name}`) || xml.includes(`:${name}`)

const after = (xml: string, closing: string, from: number): number => {
  const at = xml.indexOf(closing, from)
  return at < 0 ? -1 : at + closing.length
}

/** Attributes of a tag by local name. */
export const attributes = (xml: string, { end, start }: Tag): ReadonlyMap<string, string> =>
  new Map(
    Array.from(
      xml.slice(start, end).matchAll(/\s(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gu),
      ({ 1: name = "", 2: quoted, 3: single }) => [name, XmlText.unescape(quoted ?? single ?? "")]
    )
  )
