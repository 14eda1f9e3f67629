/** Types of blocks: their colour, their words, and which of them are page furniture. */

/** Degrees of the colour circle; a type that is not here gets one by its name. */
const hues: Readonly<Record<string, number>> = {
  title: 340,
  section_header: 282,
  text: 212,
  list_item: 232,
  table: 152,
  formula: 48,
  figure: 28,
  caption: 12,
  page_header: 200,
  page_footer: 200,
  page_number: 200
}

const furniture: ReadonlySet<string> = new Set(["page_header", "page_footer", "page_number"])

/** True for headers, footers and page numbers. */
export const isFurniture = (type: string): boolean => furniture.has(type)

/** Classes for unknown types, so that no style has to be written into an element. */
const others = 6

const sum = (text: string): number => Array.from(text).reduce((all, letter) => all + (letter.codePointAt(0) ?? 0), 0)

/** CSS class of a type. */
export const typeClass = (type: string): string =>
  Object.hasOwn(hues, type) ? `t-${type.replaceAll("_", "-")}` : `t-other-${sum(type) % others}`

/** The type in words. */
export const typeName = (type: string): string => type.replaceAll("_", " ")

/** Rules for every class: `--h`, the hue. */
export const typeColours: string = [
  ...Object.entries(hues).map(([type, hue]) => `.${typeClass(type)}{--h:${hue}}`),
  ...Array.from({ length: others }, (_, at) => `.t-other-${at}{--h:${60 + at * 50}}`)
].join("")
