/** The readable text of a source, with the place of each character: markup is left out, character references are decoded. */
import * as Bisection from "./Bisection.ts"

export interface TextView {
  readonly text: string
  /** Pieces of the source that the characters from `start` to `end` of the text stand for: `[start, end)` each, in order, none empty. */
  readonly ranges: (start: number, end: number) => ReadonlyArray<readonly [number, number]>
}

export interface Builder {
  /** Takes the source from `start` to `end` unchanged. */
  readonly copy: (start: number, end: number) => void
  /** Writes `text`, which stands for the source from `start` to `end`; for nothing when they are equal. */
  readonly put: (text: string, start: number, end: number) => void
  readonly build: () => TextView
}

/** Pieces are copied (source as long as text, character by character) or written (all of the text for all of the source). */
interface Pieces {
  readonly text: Array<number>
  readonly source: Array<number>
  readonly sourceEnd: Array<number>
  readonly copied: Array<boolean>
}

/** Index of the last piece that begins at or before `at`. */
const pieceAt = (starts: ReadonlyArray<number>, at: number): number =>
  Bisection.leading(starts.length, (index) => (starts[index] ?? 0) <= at) - 1

const rangesOf = (
  pieces: Pieces,
  length: number,
  start: number,
  end: number
): ReadonlyArray<readonly [number, number]> => {
  const found: Array<[number, number]> = []
  for (let index = Math.max(0, pieceAt(pieces.text, start)); index < pieces.text.length; index++) {
    const from = pieces.text[index] ?? length
    if (from >= end) break
    const to = pieces.text[index + 1] ?? length
    const source = pieces.source[index] ?? 0
    const copied = pieces.copied[index] === true
    const first = copied ? source + Math.max(0, start - from) : source
    const last = copied ? source + Math.min(end, to) - from : (pieces.sourceEnd[index] ?? source)
    if (last <= first || to <= start) continue
    const before = found.at(-1)
    if (before !== undefined && before[1] === first) before[1] = last
    else found.push([first, last])
  }
  return found
}

/** Builds a view of `source` from left to right. */
export const builder = (source: string): Builder => {
  const pieces: Pieces = { text: [], source: [], sourceEnd: [], copied: [] }
  const parts: Array<string> = []
  let length = 0
  const push = (text: string, start: number, end: number, copied: boolean): void => {
    const last = pieces.text.length - 1
    if (copied && pieces.copied[last] === true && pieces.sourceEnd[last] === start) {
      pieces.sourceEnd[last] = end
    } else {
      pieces.text.push(length)
      pieces.source.push(start)
      pieces.sourceEnd.push(end)
      pieces.copied.push(copied)
    }
    parts.push(text)
    length += text.length
  }
  return {
    copy: (start, end) => {
      if (end > start) push(source.slice(start, end), start, end, true)
    },
    put: (text, start, end) => {
      if (text !== "") push(text, start, end, false)
    },
    build: () => ({ text: parts.join(""), ranges: (start, end) => rangesOf(pieces, length, start, end) })
  }
}

/** The source as it is. */
export const plain = (source: string): TextView => ({
  text: source,
  ranges: (start, end) => (start < end ? [[start, end]] : [])
})
