/** Statistics of the text of a document that its lines are compared with: sizes, styles, weights. */
import * as Tally from "../../Tally.ts"
import type { PageItems } from "../PageItem.ts"
import * as Weighted from "../Weighted.ts"
import * as LineLook from "./LineLook.ts"

export interface DocumentStyle {
  /** Usual font height, in points. */
  readonly body: number
  readonly pages: number
  /** Shares of the characters that are bold, italic, of one width. */
  readonly bold: number
  readonly italic: number
  readonly mono: number
  /** Style, family and colour of most characters. */
  readonly style: string
  readonly family: string
  readonly color: string
  /** Share of the characters in a style. */
  readonly styleShare: (style: string) => number
  /** Items in a style. */
  readonly styleCount: (style: string) => number
  /** Share of the characters that are larger than a size, in steps of a twentieth of `body`. */
  readonly larger: (size: number) => number
  /** Different sizes that are larger than a size, in the same steps. */
  readonly sizesAbove: (size: number) => number
}

export const fromPages = (pages: ReadonlyArray<PageItems>, body: number): DocumentStyle => {
  const items = pages.flatMap((page) => page.items)
  const characters = new Map<string, number>()
  const counts = new Map<string, number>()
  const families = new Map<string, number>()
  const colors = new Map<string, number>()
  const sizes = new Map<number, number>()
  const step = (size: number): number => Math.round((size / body) * 20)
  for (const item of items) {
    const { length } = item.text
    const style = LineLook.styleOf(item, body)
    Tally.add(characters, style, length)
    Tally.add(counts, style)
    Tally.add(families, LineLook.familyOf(item.font), length)
    Tally.add(colors, item.color, length)
    Tally.add(sizes, step(item.size), length)
  }
  const n = Math.max(1, Weighted.characters(items))
  // A size of few characters is an initial or a sign.
  const used = [...sizes].filter(([, count]) => count >= 3).map(([size]) => size)
  return {
    body,
    pages: pages.length,
    bold: Weighted.share(items, ({ bold }) => bold),
    italic: Weighted.share(items, ({ italic }) => italic),
    mono: Weighted.share(items, ({ mono }) => mono),
    style: Tally.most(characters, ""),
    family: Tally.most(families, ""),
    color: Tally.most(colors, ""),
    styleShare: (style) => (characters.get(style) ?? 0) / n,
    styleCount: (style) => counts.get(style) ?? 0,
    larger: (size) => {
      const own = step(size)
      let above = 0
      for (const [each, count] of sizes) if (each > own) above += count
      return above / n
    },
    sizesAbove: (size) => used.filter((each) => each > step(size)).length
  }
}

/** Style of a document without text. */
export const blank: DocumentStyle = fromPages([], 10)
