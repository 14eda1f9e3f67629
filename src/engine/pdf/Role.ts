/**
 * Roles of the texts of a document: title, heading with its level, caption, formula, or plain text. Determined for the whole document,
 * since a size is large only in comparison.
 *
 * @since 0.1.0
 */
import * as Box from "./Box.ts"
import type { Draft, TextDraft } from "./Draft.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Role =
  | { readonly type: "title" | "section_header"; readonly level: number }
  | { readonly type: "caption" | "formula" | "text" }

/**
 * The blocks of one page.
 *
 * @since 0.1.0
 * @category models
 */
export interface Page {
  readonly pageNumber: number
  readonly height: number
  readonly drafts: ReadonlyArray<Draft>
}

interface Profile {
  /** Usual font height, in points. */
  readonly body: number
  /** Share of characters in bold paragraphs, 0 to 1. */
  readonly boldShare: number
  /** Smallest size that at most 15 % of the characters exceed; a smaller text is not large. */
  readonly large: number
}

const captionStart =
  /^(?:table|figure|fig\.|abb\.|abbildung|tab\.|tabelle|tabla|tableau|figura|tabela|quadro|図|表|图|chart|exhibit|graph|scheme)\s*\.?\s*[\dIVX]+/i
const numbering =
  /^(?:\d{1,2}(?:\.\d{1,3})*\.?|[IVX]+\.|[A-Z]\.|(?:[Cc]hapter|CHAPTER|[Ss]ection|SECTION|[Aa]ppendix|APPENDIX|[Pp]art|PART)\s+\w+)[.:]?\s+\p{Lu}/u
const sectionNumber = /^\d{1,2}\.\d/
const onlyFigures = /^[\d\s.,$%€£()/-]+$/
const mathSign = /[=+∑∫≤≥<>∈⊂→]/

const isCaption = (draft: TextDraft, before: Draft | undefined, after: Draft | undefined): boolean => {
  if (draft.text.length >= 400 || !captionStart.test(draft.text)) return false
  const isFloat = (other: Draft | undefined) => other?.kind === "table" || other?.kind === "figure"
  return isFloat(before) || isFloat(after) || /^\S+\s*\d+[.:]/.test(draft.text)
}

const isFormula = (draft: TextDraft): boolean =>
  draft.math > 0.35 && draft.text.length < 200 && mathSign.test(draft.text)

const letterCount = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

/** True for a short text that is set apart from the block above and followed by a paragraph of regular weight. */
const isIsolated = (draft: TextDraft, before: Draft | undefined, after: Draft | undefined): boolean => {
  if (draft.text.length > 60 || draft.lines.length > 1) return false
  if (after?.kind !== "text" || after.bold || after.text.length <= 60) return false
  const gap = before === undefined ? Number.POSITIVE_INFINITY : draft.box.y0 - before.box.y1
  // Between two lines of the paragraph below: with wide spacing, a gap of that width does not set a text apart.
  const usual = after.lines.length > 1 ? (Box.height(after.box) - after.size) / (after.lines.length - 1) - after.size : 0
  return gap < 0 || gap > Math.max(draft.size * 0.7, usual + draft.size * 0.2)
}

/** Combines the signs of a text's appearance and position for being a heading. */
const looksLikeHeading = (draft: TextDraft, text: string, profile: Profile, isolated: boolean): boolean => {
  const letters = letterCount(text)
  if (letters < 2 || text.length > 180 || draft.lines.length > 3 || onlyFigures.test(text)) return false
  if (draft.marker !== undefined && !draft.marker.ordered) return false
  const numbered = numbering.test(text)
  const sentence = /[.,;]$/.test(text) && !numbered
  if (sentence && draft.size < profile.body * 1.3) return false
  const large = draft.size >= profile.large
  const heavy =
    draft.bold &&
    !/^(?:\p{Ll}{2}|\()/u.test(text) &&
    (draft.candidate || isolated) &&
    draft.size >= profile.body * 0.93 &&
    profile.boldShare < 0.4 &&
    draft.lines.length <= 2 &&
    text.length < 120 &&
    !text.endsWith(":")
  const capitals = letters > 4 && text === text.toUpperCase() && /\p{Lu}/u.test(text)
  const shouted =
    capitals && draft.lines.length === 1 && text.length < 80 && draft.size >= profile.body * 0.98 && (draft.bold || numbered)
  return (
    large ||
    heavy ||
    shouted ||
    (draft.bold && numbered && draft.lines.length <= 2 && (draft.candidate || sectionNumber.test(text)))
  )
}

/** Text with its list marker, which is the number of a heading if the text is one. */
export const wholeText = (draft: TextDraft): string =>
  draft.marker === undefined ? draft.text : `${draft.marker.text} ${draft.text}`

const isHeading = (
  draft: TextDraft,
  profile: Profile,
  before: Draft | undefined,
  after: Draft | undefined
): boolean => {
  const text = wholeText(draft)
  if (!draft.upright) return false
  if (draft.tagged !== undefined && text.length <= 250) return true
  return looksLikeHeading(draft, text, profile, isIsolated(draft, before, after))
}

/** Largest share of all text that counts as large. */
const largeShare = 0.15

const profileOf = (pages: ReadonlyArray<Page>, body: number): Profile => {
  const bySize = new Map<number, number>()
  let all = 0
  let bold = 0
  for (const page of pages) {
    for (const draft of page.drafts) {
      if (draft.kind !== "text") continue
      const size = Math.round(draft.size * 2) / 2
      bySize.set(size, (bySize.get(size) ?? 0) + draft.text.length)
      all += draft.text.length
      if (draft.bold) bold += draft.text.length
    }
  }
  let large = Number.POSITIVE_INFINITY
  let above = 0
  for (const [size, count] of [...bySize].toSorted(([left], [right]) => right - left)) {
    above += count
    if (above > all * largeShare) break
    large = size
  }
  return { body, boldShare: all === 0 ? 0 : bold / all, large: Math.max(body * 1.14, large - 0.25) }
}

/** Rank by half points of size; bold ranks above regular of the same size. */
const rankOf = (draft: TextDraft): number => Math.round(draft.size * 2) / 2 + (draft.bold ? 0.2 : 0)

const levelOf = (draft: TextDraft, ranks: ReadonlyArray<number>): number => {
  if (draft.tagged !== undefined) return draft.tagged
  const bySize = ranks.indexOf(rankOf(draft)) + 1
  const number = /^(\d+(?:\.\d+)*)\.?\s/.exec(wholeText(draft))
  const byNumber = number !== null && ranks.length > 1 ? (number[1] ?? "").split(".").length : 0
  return Math.min(6, Math.max(1, bySize, byNumber))
}

/**
 * Role of every text of the document. At most one is the title: the first heading of the highest rank in the upper half of the first
 * page. Levels are 1 to 6, by the rank of size and weight, by numbering, or from the tags.
 *
 * @since 0.1.0
 * @category constructors
 */
export const assign = (pages: ReadonlyArray<Page>, body: number): ReadonlyMap<TextDraft, Role> => {
  const profile = profileOf(pages, body)
  const roles = new Map<TextDraft, Role>()
  const headings: Array<{ readonly draft: TextDraft; readonly page: Page }> = []
  for (const page of pages) {
    page.drafts.forEach((draft, at) => {
      if (draft.kind !== "text") return
      const before = page.drafts[at - 1]
      const after = page.drafts[at + 1]
      if (isCaption(draft, before, after)) roles.set(draft, { type: "caption" })
      else if (isFormula(draft)) roles.set(draft, { type: "formula" })
      else if (isHeading(draft, profile, before, after)) headings.push({ draft, page })
      else roles.set(draft, { type: "text" })
    })
  }
  const ranks = [...new Set(headings.map(({ draft }) => rankOf(draft)))].toSorted((left, right) => right - left)
  const first = pages[0]?.pageNumber
  let titled = false
  for (const { draft, page } of headings) {
    const level = levelOf(draft, ranks)
    const isTitle =
      !titled &&
      level === 1 &&
      page.pageNumber === first &&
      (draft.tagged !== undefined || draft.size >= body * 1.14) &&
      rankOf(draft) === ranks[0] &&
      draft.box.y0 < page.height / 2
    if (isTitle) titled = true
    roles.set(draft, { type: isTitle ? "title" : "section_header", level })
  }
  return roles
}
