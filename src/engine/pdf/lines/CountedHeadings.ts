/**
 * Headings that count up through a document: sections in capitals under Roman numerals, with subsections under letters, as journals set
 * them. Their order tells them, whatever they look like.
 */
import * as Box from "../Box.ts"
import type { Draft, TextDraft } from "../Draft.ts"
import * as PageNumber from "../PageNumber.ts"

/** Fewest sections that count up. */
const fewest = 3

/** Most characters and lines of a heading. */
const longest = 120
const mostLines = 3

interface Page {
  readonly drafts: ReadonlyArray<Draft>
}

const wholeText = ({ marker, text }: TextDraft): string => (marker === undefined ? text : `${marker.text} ${text}`)

const isShouted = (text: string): boolean => !/\p{Ll}/u.test(text) && /\p{Lu}{3}/u.test(text)

/** The Roman number of a text in capitals; undefined for any other text. */
const romanOf = (text: string): number | undefined => {
  const [, numeral = "", title = ""] = /^([IVX]{1,6})\.\s+(\S.*)$/u.exec(text) ?? []
  return isShouted(title) ? PageNumber.fromRoman(numeral) : undefined
}

/** The place of the letter of a text in the alphabet, from 1 on; undefined for any other text. */
const letterOf = (text: string): number | undefined => {
  const letter = /^([A-Z])\.\s+[\p{Lu}\p{N}]/u.exec(text)?.[1]
  return letter === undefined || /[.,;:]$/u.test(text) ? undefined : letter.charCodeAt(0) - 64
}

const mayBeHeading = (draft: Draft): draft is TextDraft =>
  draft.kind === "text" && draft.upright && draft.lines.length <= mostLines && wholeText(draft).length <= longest

/** Texts in their order whose numbers count up from 1. */
const countedBy = (
  drafts: ReadonlyArray<TextDraft>,
  numberOf: (text: string) => number | undefined
): ReadonlyArray<TextDraft> => {
  const counted: Array<TextDraft> = []
  for (const draft of drafts) if (numberOf(wholeText(draft)) === counted.length + 1) counted.push(draft)
  return counted
}

const looksLike = (draft: TextDraft, other: TextDraft): boolean =>
  draft.bold === other.bold && Math.abs(draft.size - other.size) < 0.04 * other.size

const isCentered = ({ box, column: [left, right] }: TextDraft): boolean => {
  const width = right - left
  return Math.abs(Box.centerX(box) - (left + right) / 2) < width * 0.03 && Box.width(box) < width * 0.9
}

/** Such headings by their level: 1 for sections, those without a number that look the same included, 2 for subsections. */
export const find = (pages: ReadonlyArray<Page>): ReadonlyMap<TextDraft, number> => {
  const levels = new Map<TextDraft, number>()
  const candidates = pages.flatMap(({ drafts }) => drafts.filter(mayBeHeading))
  const sections = countedBy(candidates, romanOf)
  const [first] = sections
  if (first === undefined || sections.length < fewest) return levels
  for (const section of sections) levels.set(section, 1)
  const places = sections.map((section) => candidates.indexOf(section))
  const subsections = places.map((from, at) => countedBy(candidates.slice(from + 1, places[at + 1]), letterOf))
  const pattern = subsections.find(({ length }) => length > 1)?.[0]
  for (const counted of subsections) {
    const sure = counted.length > 1 || (pattern !== undefined && counted.some((draft) => looksLike(draft, pattern)))
    if (sure) for (const draft of counted) levels.set(draft, 2)
  }
  for (const draft of candidates.slice(places[0])) {
    const unnumbered = draft.lines.length === 1 && isShouted(draft.text) && !/[\d.,;:]/.test(draft.text)
    if (unnumbered && looksLike(draft, first) && isCentered(draft)) levels.set(draft, 1)
  }
  return levels
}
