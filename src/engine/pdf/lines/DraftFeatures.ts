import * as Tally from "../../Tally.ts"
/**
 * Features by which a paragraph is a title, a heading, a caption, a formula, a list item, a note or plain text. Distances are in font
 * heights or shares of the page and the column, so that the scale of a page does not matter.
 */
import * as Box from "../Box.ts"
import type { Draft, TextDraft } from "../Draft.ts"
import { median, type PageItems } from "../PageItem.ts"
import { blank, type DocumentStyle } from "./DocumentStyle.ts"
import * as LineLook from "./LineLook.ts"
import * as TextSigns from "./TextSigns.ts"

/** A page with its blocks in reading order. */
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

/** The block above or below a text. */
interface Beside {
  readonly side: "above" | "below"
  readonly draft: Draft | undefined
  /** Its features, when it is a text. */
  readonly seen: Seen | undefined
}

/** Features of the block above or below, in relation to the text. */
const beside = (self: Seen, { draft: other, seen, side }: Beside, document: DocumentStyle) => {
  const height = Math.max(1, self.draft.size)
  const overlap =
    other === undefined
      ? Number.NaN
      : Math.min(other.box.x1, self.draft.box.x1) - Math.max(other.box.x0, self.draft.box.x0)
  const gap =
    other === undefined
      ? Number.NaN
      : side === "above"
        ? self.draft.box.y0 - other.box.y1
        : other.box.y0 - self.draft.box.y1
  return {
    kind: other === undefined ? -1 : kinds.indexOf(other.kind),
    gap: gap / height,
    overlap: overlap / height,
    indent: other === undefined ? Number.NaN : (other.box.x0 - self.draft.box.x0) / height,
    size: seen === undefined ? Number.NaN : seen.draft.size / self.draft.size,
    bold: seen?.look.bold ?? Number.NaN,
    sameStyle: seen === undefined ? Number.NaN : seen.look.style === self.look.style ? 1 : 0,
    styleShare: seen === undefined ? Number.NaN : document.styleShare(seen.look.style),
    lines: seen === undefined ? Number.NaN : Math.min(12, seen.draft.lines.length),
    length: seen?.signs.length ?? Number.NaN,
    begins: seen?.signs.start ?? Number.NaN,
    endsSentence: seen?.signs.endsSentence ?? Number.NaN,
    endsColon: seen?.signs.endsColon ?? Number.NaN,
    depth: seen?.signs.depth ?? Number.NaN,
    bullet: seen?.signs.bullet ?? Number.NaN,
    captionWord: seen?.signs.captionWord ?? Number.NaN,
    digits: seen?.signs.digits ?? Number.NaN,
    leaders: seen?.signs.leaders ?? Number.NaN,
    width: seen === undefined ? Number.NaN : Box.width(seen.draft.box) / Math.max(1, Box.width(self.draft.box))
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
    for (const key of here) Tally.add(counts, key)
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

/** Where a text stands in its document. */
interface Around {
  /** True on the first page. */
  readonly first: boolean
  /** Number of the text on its page. */
  readonly order: number
  /** Pages on which the same text occurs. */
  readonly repeated: number
  /** Share of the pages before its own. */
  readonly place: number
}

const ofDraft = (self: Seen, of: PageStyle, around: Around, document: DocumentStyle) => {
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
    order: Math.min(20, around.order),
    fromEnd: Math.min(20, of.drafts - 1 - around.order),
    firstPage: around.first ? 1 : 0,
    place: around.place,
    repeated: around.repeated / Math.max(1, document.pages),
    repeatedPages: Math.min(10, around.repeated),
    ruleAbove: ruleDistance(page, draft, true),
    ruleBelow: ruleDistance(page, draft, false),
    upright: draft.upright ? 1 : 0,
    orderedMarker: draft.marker?.ordered === true ? 1 : 0,
    rightToLeftLine: first?.rtl === true ? 1 : 0
  }
}

const nowhere: TextDraft = {
  kind: "text",
  box: { x0: 0, y0: 0, x1: 1, y1: 1 },
  runs: [],
  text: "",
  indent: 0,
  marker: undefined,
  lines: [],
  size: 1,
  bold: false,
  math: 0,
  column: [0, 1],
  upright: true,
  candidate: false,
  open: false,
  continues: false,
  tagged: undefined
}
const empty = see(nowhere, blank)
const emptyPage: PageItems = {
  pageNumber: 1,
  width: 1,
  height: 1,
  turn: 0,
  items: [],
  sideways: [],
  tables: [],
  figures: [],
  headings: [],
  tagged: new Map(),
  rules: [],
  unreadable: false
}
const keysBeside = Object.keys(beside(empty, { side: "above", draft: nowhere, seen: empty }, blank))

/** Names of the features, in the order of their values: of the text, of its signs, of the block above and of the block below. */
export const names: ReadonlyArray<string> = [
  ...Object.keys(ofDraft(empty, pageStyle(emptyPage, []), { first: true, order: 0, repeated: 0, place: 0 }, blank)),
  ...Object.keys(empty.signs),
  ...keysBeside.map((key) => `above.${key}`),
  ...keysBeside.map((key) => `below.${key}`)
]

/** Features of every text of a document. */
export const ofDocument = (
  pages: ReadonlyArray<Page>,
  document: DocumentStyle
): ReadonlyMap<TextDraft, Float64Array> => {
  const found = new Map<TextDraft, Float64Array>()
  const repeated = repetitions(pages)
  pages.forEach(({ page, drafts }, number) => {
    const seen = new Map<Draft, Seen>()
    for (const draft of drafts) if (draft.kind === "text") seen.set(draft, see(draft, document))
    const style = pageStyle(page, [...seen.values()])
    let order = 0
    drafts.forEach((draft, at) => {
      const self = seen.get(draft)
      if (self === undefined) return
      const around = {
        first: number === 0,
        order: order++,
        place: number / Math.max(1, pages.length),
        repeated: repeated.get(keyOf(self.draft.text.slice(0, 200))) ?? 0
      }
      const neighbourOn = (side: Beside["side"]): Beside => {
        const other = neighbour(drafts, at, side === "above" ? -1 : 1)
        return { side, draft: other, seen: other && seen.get(other) }
      }
      found.set(
        self.draft,
        Float64Array.from([
          ...Object.values(ofDraft(self, style, around, document)),
          ...Object.values(self.signs),
          ...Object.values(beside(self, neighbourOn("above"), document)),
          ...Object.values(beside(self, neighbourOn("below"), document))
        ])
      )
    })
  })
  return found
}
