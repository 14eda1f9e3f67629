/** Text as it was recognised in a picture: lines of words, with boxes in pixels and confidences. */
import type * as Box from "../pdf/Box.ts"
import * as Weighted from "../pdf/Weighted.ts"

export interface RecognisedWord {
  readonly text: string
  readonly box: Box.Box
  /** 0 to 1. */
  readonly confidence: number
}

export interface RecognisedLine {
  /** From left to right. */
  readonly words: ReadonlyArray<RecognisedWord>
  /** Height of the font in pixels, roughly. */
  readonly height: number
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const member = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)

const list = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const found = member(value, name)
  return Array.isArray(found) ? found : []
}

const number = (value: unknown, name: string): number => {
  const found = member(value, name)
  return typeof found === "number" && Number.isFinite(found) ? found : 0
}

const box = (value: unknown): Box.Box => ({
  x0: number(value, "x0"),
  y0: number(value, "y0"),
  x1: number(value, "x1"),
  y1: number(value, "y1")
})

const word = (value: unknown): ReadonlyArray<RecognisedWord> => {
  const text = member(value, "text")
  return typeof text === "string" && text.trim() !== ""
    ? [{ text: text.trim(), box: box(member(value, "bbox")), confidence: number(value, "confidence") / 100 }]
    : []
}

const line = (value: unknown): ReadonlyArray<RecognisedLine> => {
  const words = list(value, "words").flatMap(word)
  if (words.length === 0) return []
  const row = member(value, "rowAttributes")
  const own = box(member(value, "bbox"))
  const height = number(row, "rowHeight")
  return [
    {
      words: words.toSorted((left, right) => left.box.x0 - right.box.x0),
      height: height > 0 ? height : own.y1 - own.y0
    }
  ]
}

/** The lines of an answer of `tesseract.js`; what has another shape is left out. */
export const fromAnswer = (answer: unknown): ReadonlyArray<RecognisedLine> =>
  list(answer, "blocks")
    .flatMap((block) => list(block, "paragraphs"))
    .flatMap((paragraph) => list(paragraph, "lines"))
    .flatMap(line)

/** The lines in a picture above which there are that many more rows. */
export const lowered = (lines: ReadonlyArray<RecognisedLine>, rows: number): ReadonlyArray<RecognisedLine> =>
  lines.map(({ height, words }) => ({
    height,
    words: words.map((each) => ({ ...each, box: { ...each.box, y0: each.box.y0 + rows, y1: each.box.y1 + rows } }))
  }))

/** Mean confidence of the words, weighted by their letters, 0 to 1; 0 without words. */
export const confidence = (words: ReadonlyArray<Pick<RecognisedWord, "text" | "confidence">>): number =>
  Weighted.mean(words, (word) => word.confidence)

/** Scripts in which a word may be a single character. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/**
 * Number of letters and digits in words that are likely right: three characters or more, in some scripts fewer, with a confidence of at
 * least 0.7.
 */
export const soundLetters = (lines: ReadonlyArray<RecognisedLine>): number => {
  let letters = 0
  for (const { words } of lines) {
    for (const each of words) {
      const own = each.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
      if ((own >= 3 || dense.test(each.text)) && each.confidence >= 0.7) letters += own
    }
  }
  return letters
}

/** Least share of sound letters on a page of printed text; those of handwriting and photographs have less than half of it. */
const leastSound = 0.25

/** True if there are words, of which most are guesses: handwriting, or a picture without text. */
export const isIllegible = (lines: ReadonlyArray<RecognisedLine>): boolean => {
  const letters = lines.reduce((sum, { words }) => words.reduce((own, { text }) => own + text.length, sum), 0)
  return letters > 0 && soundLetters(lines) < letters * leastSound
}
