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

const add = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

const most = (counts: ReadonlyMap<string, number>): string => {
  let best = ""
  let highest = 0
  for (const [key, value] of counts) {
    if (value > highest) {
      best = key
      highest = value
    }
  }
  return best
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
      add(characters, style, length)
      add(items, style, 1)
      add(families, LineLook.familyOf(item.font), length)
      add(colors, item.color, length)
      const size = Math.round((item.size / body) * 20)
      sizes.set(size, (sizes.get(size) ?? 0) + length)
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
    style: most(characters),
    family: most(families),
    color: most(colors),
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
