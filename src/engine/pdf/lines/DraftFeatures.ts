/**
 * Features by which a paragraph is a title, a heading, a caption, a formula, a list item, a note or plain text. Distances are in font
 * heights or shares of the page and the column, so that the scale of a page does not matter.
 *
 * @since 0.1.0
 */
import * as Box from "../Box.ts"
import type { Draft, TextDraft } from "../Draft.ts"
import { median, type PageItems } from "../PageItem.ts"
import type { DocumentStyle } from "./DocumentStyle.ts"
import * as LineLook from "./LineLook.ts"
import * as TextSigns from "./TextSigns.ts"

/**
 * A page with its blocks in reading order.
 *
 * @since 0.1.0
 * @category models
 */
export interface Page {
  readonly page: PageItems
  readonly drafts: ReadonlyArray<Draft>
}

interface Seen {
  readonly draft: TextDraft
  readonly look: LineLook.LineLook
  readonly signs: TextSigns.TextSigns
  /** Distance of the lines' centres over the font height; not a number for a single line. */
  readonly leading: number
}

const textOf = (draft: TextDraft): string =>
  draft.marker === undefined ? draft.text : `${draft.marker.ordered ? draft.marker.text : "•"} ${draft.text}`

const see = (draft: TextDraft, document: DocumentStyle): Seen => {
  const first = draft.lines[0]
  const last = draft.lines.at(-1)
  const count = draft.lines.length
  return {
    draft,
    look: LineLook.fromLines(draft.lines, document.body),
    signs: TextSigns.of(textOf(draft)),
    leading:
      first === undefined || last === undefined || count < 2
        ? Number.NaN
        : (last.center - first.center) / (count - 1) / Math.max(1, draft.size)
  }
}

const kinds = ["text", "table", "figure", "code", "page_header", "page_footer", "page_number"]

/** The next draft in a direction that is not furniture. */
const neighbour = (drafts: ReadonlyArray<Draft>, at: number, step: number): Draft | undefined => {
  for (let other = at + step; other >= 0 && other < drafts.length; other += step) {
    const draft = drafts[other]
    if (draft !== undefined && !draft.kind.startsWith("page_")) return draft
  }
  return undefined
}

const signs = (name: string, all: TextSigns.TextSigns): Record<string, number> =>
  Object.fromEntries(Object.entries(all).map(([key, value]: [string, number]) => [`${name}${key}`, value]))

/** Features of the block above or below, in relation to the text. */
const beside = (
  name: string,
  self: Seen,
  other: Draft | undefined,
  seen: Seen | undefined,
  document: DocumentStyle
): Record<string, number> => {
  const height = Math.max(1, self.draft.size)
  const overlap =
    other === undefined
      ? Number.NaN
      : Math.min(other.box.x1, self.draft.box.x1) - Math.max(other.box.x0, self.draft.box.x0)
  const gap =
    other === undefined
      ? Number.NaN
      : name === "above"
        ? self.draft.box.y0 - other.box.y1
        : other.box.y0 - self.draft.box.y1
  return {
    [`${name}.kind`]: other === undefined ? -1 : kinds.indexOf(other.kind),
    [`${name}.gap`]: gap / height,
    [`${name}.overlap`]: overlap / height,
    [`${name}.indent`]: other === undefined ? Number.NaN : (other.box.x0 - self.draft.box.x0) / height,
    [`${name}.size`]: seen === undefined ? Number.NaN : seen.draft.size / self.draft.size,
    [`${name}.bold`]: seen?.look.bold ?? Number.NaN,
    [`${name}.sameStyle`]: seen === undefined ? Number.NaN : seen.look.style === self.look.style ? 1 : 0,
    [`${name}.styleShare`]: seen === undefined ? Number.NaN : document.styleShare(seen.look.style),
    [`${name}.lines`]: seen === undefined ? Number.NaN : Math.min(12, seen.draft.lines.length),
    [`${name}.length`]: seen?.signs.length ?? Number.NaN,
    [`${name}.begins`]: seen?.signs.start ?? Number.NaN,
    [`${name}.endsSentence`]: seen?.signs.endsSentence ?? Number.NaN,
    [`${name}.endsColon`]: seen?.signs.endsColon ?? Number.NaN,
    [`${name}.depth`]: seen?.signs.depth ?? Number.NaN,
    [`${name}.bullet`]: seen?.signs.bullet ?? Number.NaN,
    [`${name}.captionWord`]: seen?.signs.captionWord ?? Number.NaN,
    [`${name}.digits`]: seen?.signs.digits ?? Number.NaN,
    [`${name}.leaders`]: seen?.signs.leaders ?? Number.NaN,
    [`${name}.width`]:
      seen === undefined ? Number.NaN : Box.width(seen.draft.box) / Math.max(1, Box.width(self.draft.box))
  }
}

/** Distance in font heights to the next horizontal rule above or below a box, within three heights. */
const ruleDistance = (page: PageItems, draft: TextDraft, above: boolean): number => {
  let nearest = 3
  for (const rule of page.rules) {
    if (!rule.horizontal || rule.to < draft.box.x0 || rule.from > draft.box.x1) continue
    const distance = (above ? draft.box.y0 - rule.at : rule.at - draft.box.y1) / Math.max(1, draft.size)
    if (distance > -0.5 && distance < nearest) nearest = distance
  }
  return nearest
}

const keyOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}]+/gu, "")

/** Pages on which each text occurs, digits and signs left out. */
const repetitions = (pages: ReadonlyArray<Page>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { drafts } of pages) {
    const here = new Set(drafts.flatMap((draft) => (draft.kind === "text" ? [keyOf(draft.text.slice(0, 200))] : [])))
    for (const key of here) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

interface PageStyle {
  readonly page: PageItems
  readonly line: number
  readonly bold: number
  readonly leaders: number
  readonly drafts: number
  readonly left: number
  readonly right: number
}

const pageStyle = (page: PageItems, seen: ReadonlyArray<Seen>): PageStyle => {
  let characters = 0
  let bold = 0
  let leaders = 0
  for (const { look, signs: own } of seen) {
    characters += look.length
    bold += look.bold * look.length
    leaders += own.leaders
  }
  const box = Box.around(seen.map(({ draft }) => draft.box))
  return {
    page,
    line: median(page.items.map((item) => item.size)) || 10,
    bold: bold / Math.max(1, characters),
    leaders: leaders / Math.max(1, seen.length),
    drafts: seen.length,
    left: box.x0,
    right: box.x1
  }
}

const ofDraft = (
  self: Seen,
  order: number,
  of: PageStyle,
  around: { readonly first: boolean; readonly repeated: number; readonly place: number },
  document: DocumentStyle
): Record<string, number> => {
  const { draft, look } = self
  const { page } = of
  const height = Math.max(1, draft.size)
  const [left, right] = draft.column
  const wide = Math.max(1, right - left)
  const first = draft.lines[0]
  const last = draft.lines.at(-1)
  return {
    size: draft.size / document.body,
    sizeToPage: draft.size / of.line,
    larger: document.larger(draft.size),
    sizesAbove: document.sizesAbove(draft.size),
    bold: look.bold,
    italic: look.italic,
    mono: look.mono,
    math: look.math,
    mixed: look.mixed ? 1 : 0,
    otherFamily: look.family === document.family ? 0 : 1,
    otherColor: look.color === document.color ? 0 : 1,
    mainStyle: look.style === document.style ? 1 : 0,
    styleShare: document.styleShare(look.style),
    styleCount: Math.log(1 + document.styleCount(look.style)),
    stylePerPage: document.styleCount(look.style) / Math.max(1, document.pages),
    documentBold: document.bold,
    documentMono: document.mono,
    documentItalic: document.italic,
    pages: Math.log(1 + document.pages),
    pageBold: of.bold,
    pageLeaders: of.leaders,
    pageDrafts: Math.log(1 + of.drafts),
    lines: Math.min(12, draft.lines.length),
    leading: self.leading,
    width: Box.width(draft.box) / wide,
    widthToPage: Box.width(draft.box) / page.width,
    columnToPage: wide / page.width,
    firstWidth: first === undefined ? Number.NaN : Box.width(first.box) / wide,
    lastWidth: last === undefined ? Number.NaN : Box.width(last.box) / wide,
    start: (draft.box.x0 - left) / height,
    end: (right - draft.box.x1) / height,
    center: Math.abs(draft.box.x0 - left - (right - draft.box.x1)) / wide,
    pageCenter: Math.abs((draft.box.x0 + draft.box.x1) / 2 - (of.left + of.right) / 2) / page.width,
    pageStart: (draft.box.x0 - of.left) / page.width,
    top: draft.box.y0 / page.height,
    bottom: draft.box.y1 / page.height,
    order: Math.min(20, order),
    fromEnd: Math.min(20, of.drafts - 1 - order),
    firstPage: around.first ? 1 : 0,
    place: around.place,
    repeated: around.repeated / Math.max(1, document.pages),
    repeatedPages: Math.min(10, around.repeated),
    ruleAbove: ruleDistance(page, draft, true),
    ruleBelow: ruleDistance(page, draft, false),
    upright: draft.upright ? 1 : 0,
    orderedMarker: draft.marker?.ordered === true ? 1 : 0,
    rightToLeftLine: first?.rtl === true ? 1 : 0,
    ...signs("", self.signs)
  }
}

/**
 * Features of every text of a document.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofDocument = (
  pages: ReadonlyArray<Page>,
  document: DocumentStyle
): ReadonlyMap<TextDraft, Readonly<Record<string, number>>> => {
  const found = new Map<TextDraft, Readonly<Record<string, number>>>()
  const repeated = repetitions(pages)
  pages.forEach(({ page, drafts }, number) => {
    const seen = new Map<Draft, Seen>()
    for (const draft of drafts) if (draft.kind === "text") seen.set(draft, see(draft, document))
    const style = pageStyle(page, [...seen.values()])
    let order = 0
    drafts.forEach((draft, at) => {
      const self = seen.get(draft)
      if (self === undefined) return
      const above = neighbour(drafts, at, -1)
      const below = neighbour(drafts, at, 1)
      const around = {
        first: number === 0,
        place: number / Math.max(1, pages.length),
        repeated: repeated.get(keyOf(self.draft.text.slice(0, 200))) ?? 0
      }
      found.set(self.draft, {
        ...ofDraft(self, order++, style, around, document),
        ...beside("above", self, above, above === undefined ? undefined : seen.get(above), document),
        ...beside("below", self, below, below === undefined ? undefined : seen.get(below), document)
      })
    })
  })
  return found
}
