/** The text of a hit, in parts that match words of the query and parts that do not. */
import type { Hit } from "../../internal/look/messages.ts"

export interface Part {
  readonly text: string
  /** True when it matches words of the query. */
  readonly match: boolean
}

export interface Passage {
  readonly parts: ReadonlyArray<Part>
  /** True when text was left out before, or after. */
  readonly cutBefore: boolean
  readonly cutAfter: boolean
}

type Text = Pick<Hit, "highlights"> & { readonly chunk: Pick<Hit["chunk"], "text"> }

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** The nearest place at or before `at` that is not inside of a character. */
const whole = (text: string, at: number): number => (isLow(text.charCodeAt(at)) ? at - 1 : at)

/** The place of the last blank before `at` within a few characters, so that no word is cut. */
const wordStart = (text: string, at: number): number => {
  if (at <= 0) return 0
  const blank = text.slice(at, at + 24).search(/\s/u)
  return whole(text, blank < 0 ? at : at + blank + 1)
}

const cut = (text: string, highlights: Hit["highlights"], from: number, to: number): Passage => {
  const parts: Array<Part> = []
  let end = from
  for (const highlight of highlights) {
    const [start, stop] = [Math.max(end, highlight.start), Math.min(to, highlight.end)]
    if (stop <= start) continue
    if (start > end) parts.push({ text: text.slice(end, start), match: false })
    parts.push({ text: text.slice(start, stop), match: true })
    end = stop
  }
  if (end < to) parts.push({ text: text.slice(end, to), match: false })
  return { parts, cutBefore: from > 0, cutAfter: to < text.length }
}

/** All of the text. */
export const full = ({ chunk: { text }, highlights }: Text): Passage => cut(text, highlights, 0, text.length)

/** At most about `most` characters, from a little before the first match. */
export const around = ({ chunk: { text }, highlights }: Text, most: number): Passage => {
  if (text.length <= most) return cut(text, highlights, 0, text.length)
  const first = highlights[0]?.start ?? 0
  const from = wordStart(text, Math.max(0, Math.min(first - Math.floor(most / 5), text.length - most)))
  return cut(text, highlights, from, whole(text, Math.min(text.length, from + most)))
}
