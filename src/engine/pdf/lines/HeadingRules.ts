import * as Tally from "../../Tally.ts"
/**
 * Rules for headings: large text, bold lines set apart, numbered or shouted lines. They find the headings that look unlike those that the
 * model has seen; the model has a veto.
 */
import * as Box from "../Box.ts"
import type { Draft, TextDraft } from "../Draft.ts"

interface Profile {
  /** Usual font height, in points. */
  readonly body: number
  /** Share of characters in bold paragraphs, 0 to 1. */
  readonly boldShare: number
  /** Smallest size that at most 15 % of the characters exceed; a smaller text is not large. */
  readonly large: number
}

const numbering =
  /^(?:\d{1,2}(?:\.\d{1,3})*\.?|[IVX]+\.|[A-Z]\.|(?:[Cc]hapter|CHAPTER|[Ss]ection|SECTION|[Aa]ppendix|APPENDIX|[Pp]art|PART)\s+\w+)[.:]?\s+\p{Lu}/u
const sectionNumber = /^\d{1,2}\.\d/
const onlyFigures = /^[\d\s.,$%€£()/–—-]+$/

/** Size over the usual one from which a text may be as long as the title of a paper. */
const titleSize = 1.4

/** Most characters and lines of a heading, and of a title. */
const heading = { characters: 180, lines: 3 }
const title = { characters: 300, lines: 6 }

const letterCount = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

/** True for a short text that is set apart from the block above and followed by a paragraph of regular weight. */
const isIsolated = (draft: TextDraft, before: Draft | undefined, after: Draft | undefined): boolean => {
  if (draft.text.length > 60 || draft.lines.length > 1) return false
  if (after?.kind !== "text" || after.bold || after.text.length <= 60) return false
  const gap = before === undefined ? Number.POSITIVE_INFINITY : draft.box.y0 - before.box.y1
  // Between two lines of the paragraph below: with wide spacing, a gap of that width does not set a text apart.
  const usual =
    after.lines.length > 1 ? (Box.height(after.box) - after.size) / (after.lines.length - 1) - after.size : 0
  return gap < 0 || gap > Math.max(draft.size * 0.7, usual + draft.size * 0.2)
}

/** Combines the signs of a text's appearance and position for being a heading. */
const looksLikeHeading = (draft: TextDraft, text: string, profile: Profile, isolated: boolean): boolean => {
  const count = draft.lines.length
  const most = draft.size >= profile.body * titleSize ? title : heading
  if (text.length > most.characters || count > most.lines || letterCount(text) < 2 || onlyFigures.test(text))
    return false
  if (draft.marker !== undefined && !draft.marker.ordered) return false
  const numbered = numbering.test(text)
  const sentence = /[.,;]$/.test(text) && !numbered
  if (sentence && draft.size < profile.body * 1.3) return false
  const heavy =
    draft.bold &&
    !/^(?:\p{Ll}{2}|\()/u.test(text) &&
    (draft.candidate || isolated) &&
    draft.size >= profile.body * 0.93 &&
    profile.boldShare < 0.4 &&
    count <= 2 &&
    text.length < 120 &&
    !text.endsWith(":")
  const capitals = letterCount(text) > 4 && text === text.toUpperCase() && /\p{Lu}/u.test(text)
  const shouted =
    capitals && count === 1 && text.length < 80 && draft.size >= profile.body * 0.98 && (draft.bold || numbered)
  return (
    draft.size >= profile.large ||
    heavy ||
    shouted ||
    (draft.bold && numbered && count <= 2 && (draft.candidate || sectionNumber.test(text)))
  )
}

/** Largest share of all text that counts as large. */
const largeShare = 0.15

const profileOf = (pages: ReadonlyArray<{ readonly drafts: ReadonlyArray<Draft> }>, body: number): Profile => {
  const bySize = new Map<number, number>()
  let all = 0
  let bold = 0
  for (const { drafts } of pages) {
    for (const draft of drafts) {
      if (draft.kind !== "text") continue
      const size = Math.round((draft.size / body) * 20)
      Tally.add(bySize, size, draft.text.length)
      all += draft.text.length
      if (draft.bold) bold += draft.text.length
    }
  }
  let large = Number.POSITIVE_INFINITY
  let above = 0
  for (const [size, count] of [...bySize].toSorted(([left], [right]) => right - left)) {
    above += count
    if (above > all * largeShare) break
    large = ((size - 0.5) * body) / 20
  }
  return { body, boldShare: all === 0 ? 0 : bold / all, large: Math.max(body * 1.14, large) }
}

/** Texts of a document that the rules read as headings. */
export const find = (
  pages: ReadonlyArray<{ readonly drafts: ReadonlyArray<Draft> }>,
  body: number
): ReadonlySet<TextDraft> => {
  const profile = profileOf(pages, body)
  const found = new Set<TextDraft>()
  for (const { drafts } of pages) {
    drafts.forEach((draft, at) => {
      if (draft.kind !== "text" || !draft.upright) return
      const text = draft.marker === undefined ? draft.text : `${draft.marker.text} ${draft.text}`
      if (looksLikeHeading(draft, text, profile, isIsolated(draft, drafts[at - 1], drafts[at + 1]))) found.add(draft)
    })
  }
  return found
}
