import * as Tally from "../../Tally.ts"
/** Statistics of the text of a document that its lines are compared with: sizes, styles, weights. */
import type { PageItems } from "../PageItem.ts"
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
  const characters = new Map<string, number>()
  const items = new Map<string, number>()
  const families = new Map<string, number>()
  const colors = new Map<string, number>()
  const sizes = new Map<number, number>()
  let all = 0
  let bold = 0
  let italic = 0
  let mono = 0
  for (const page of pages) {
    for (const item of page.items) {
      const length = item.text.length
      const style = LineLook.styleOf(item, body)
      all += length
      Tally.add(characters, style, length)
      Tally.add(items, style, 1)
      Tally.add(families, LineLook.familyOf(item.font), length)
      Tally.add(colors, item.color, length)
      const size = Math.round((item.size / body) * 20)
      Tally.add(sizes, size, length)
      if (item.bold) bold += length
      if (item.italic) italic += length
      if (item.mono) mono += length
    }
  }
  const n = Math.max(1, all)
  // A size of few characters is an initial or a sign.
  const used = [...sizes].filter(([, count]) => count >= 3).map(([size]) => size)
  return {
    body,
    pages: pages.length,
    bold: bold / n,
    italic: italic / n,
    mono: mono / n,
    style: Tally.most(characters, ""),
    family: Tally.most(families, ""),
    color: Tally.most(colors, ""),
    styleShare: (style) => (characters.get(style) ?? 0) / n,
    styleCount: (style) => items.get(style) ?? 0,
    larger: (size) => {
      const own = Math.round((size / body) * 20)
      let above = 0
      for (const [each, count] of sizes) if (each > own) above += count
      return above / n
    },
    sizesAbove: (size) => used.filter((each) => each > Math.round((size / body) * 20)).length
  }
}

/** Style of a document without text. */
export const blank: DocumentStyle = fromPages([], 10)
