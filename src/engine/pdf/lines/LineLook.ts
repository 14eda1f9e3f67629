/** The look of a line: its style and the signs in its text that headings, items, captions and notes have. */
import type { Item } from "../PageItem.ts"
import type { TextLine } from "../TextLine.ts"
import * as Weighted from "../Weighted.ts"

/** Shares are 0 to 1, of the characters other than white space unless said otherwise. */
export interface LineLook {
  /** Style of most characters: see {@link styleOf}. */
  readonly style: string
  /** Family of most characters: the name of the font up to its first hyphen or comma. */
  readonly family: string
  readonly color: string
  readonly bold: number
  readonly italic: number
  readonly mono: number
  readonly math: number
  /** The first and the last item differ in weight or slope: a heading that runs into its paragraph. */
  readonly mixed: boolean
  /** Characters, white space included. */
  readonly length: number
}

/** Style of an item: size to a twentieth of the document's usual `body`, weight, slope, font and colour. */
export const styleOf = (item: Item, body: number): string =>
  `${Math.round((item.size / body) * 20)}${item.bold ? "b" : ""}${item.italic ? "i" : ""} ${familyOf(item.font)} ${item.color}`

/** Name of a font up to its first hyphen or comma. */
export const familyOf = (font: string): string => /^[^-,]*/.exec(font)?.[0] ?? ""

/** The value of most characters. */
const prevailing = (items: ReadonlyArray<Item>, of: (item: Item) => string): string => {
  const [first] = items
  if (first === undefined) return ""
  if (items.length === 1) return of(first)
  const counts = new Map<string, number>()
  let best = of(first)
  for (const item of items) {
    const value = of(item)
    const count = (counts.get(value) ?? 0) + item.text.length
    counts.set(value, count)
    if (count > (counts.get(best) ?? 0)) best = value
  }
  return best
}

export const fromItems = (items: ReadonlyArray<Item>, body: number): LineLook => {
  const first = items[0]
  const last = items.at(-1)
  return {
    style: prevailing(items, (item) => styleOf(item, body)),
    family: prevailing(items, (item) => familyOf(item.font)),
    color: prevailing(items, (item) => item.color),
    bold: Weighted.share(items, ({ bold }) => bold),
    italic: Weighted.share(items, ({ italic }) => italic),
    mono: Weighted.share(items, ({ mono }) => mono),
    math: Weighted.share(items, ({ math }) => math),
    mixed: first !== undefined && last !== undefined && (first.bold !== last.bold || first.italic !== last.italic),
    length: Weighted.characters(items)
  }
}

/** The look of several lines together. */
export const fromLines = (lines: ReadonlyArray<TextLine>, body: number): LineLook =>
  fromItems(
    lines.flatMap((line) => line.items),
    body
  )
