/** A part of a document as Markdown: of so many tokens, with tables whole. */
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { Tokenizer } from "../../Tokenizer.ts"

/** A stretch of a document, in code units of its Markdown. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

export interface Part extends Stretch {
  readonly text: string
  readonly tokens: number
  /** The chunks that it touches, in order. */
  readonly chunks: ReadonlyArray<DocumentChunk>
}

/** A line with its line end; its place in the document's Markdown. */
interface Line extends Stretch {
  readonly text: string
}

/** A table, or another line. */
interface Block {
  readonly lines: ReadonlyArray<Line>
  readonly isTable: boolean
}

const textOf = ({ lines }: Block): string => lines.map(({ text }) => text).join("")

const isRow = (line: string | undefined): boolean => line !== undefined && /^\s*\|/u.test(line)

/** Most characters of a token that is looked at, so that a part needs no more than a part of the document. */
const longestToken = 16

/** White space that no chunk holds: one character ends a line, or parts two words, and more end a paragraph. */
const gap = (length: number, inTable: boolean): string => {
  if (length <= 0) return ""
  return length === 1 || inTable ? "\n" : "\n\n"
}

/** The text of the stretch in pieces, each with what parts it from the one before; chunks may overlap. */
function* pieces(chunks: ReadonlyArray<DocumentChunk>, { end, start }: Stretch) {
  let at = start
  let isInTable = false
  for (const chunk of chunks) {
    if (chunk.end <= at) continue
    if (chunk.start >= end) break
    const from = Math.max(at, chunk.start)
    const to = Math.min(end, chunk.end)
    const text = chunk.text.slice(from - chunk.start, to - chunk.start)
    yield { before: at > start ? gap(from - at, isInTable && isRow(text)) : "", text, from }
    isInTable = isRow(text.slice(text.lastIndexOf("\n") + 1))
    at = to
  }
}

/** Lines of the stretch until enough characters were read; those that two chunks share are one. */
const linesOf = (chunks: ReadonlyArray<DocumentChunk>, stretch: Stretch, enough: number): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let length = 0
  for (const { before, from, text } of pieces(chunks, stretch)) {
    const last = lines.pop()
    if (last !== undefined) lines.push({ ...last, text: last.text + before })
    for (const [at, line] of text.split(/(?<=\n)/u).entries()) {
      const start = lines.length === 0 || at > 0 ? (lines.at(-1)?.end ?? from) : from
      const open = lines.at(-1)
      if (at === 0 && open !== undefined && !open.text.endsWith("\n")) {
        lines.splice(-1, 1, { text: open.text + line, start: open.start, end: from + line.length })
      } else lines.push({ text: line, start, end: start + line.length })
    }
    length += text.length
    // A table may go on for as long again.
    if (length > 2 * enough || (length > enough && !isRow(lines.at(-1)?.text))) break
  }
  return lines
}

/** Tables as one block each, and every other line as one. */
const blocksOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let html = false
  for (const line of lines) {
    const isTable: boolean = html || /<table[\s>]/iu.test(line.text) || isRow(line.text)
    const last = blocks.at(-1)
    const goesOn = html || (isRow(line.text) && !/\n\s*\n$/u.test(last?.lines.at(-1)?.text ?? ""))
    if (isTable && last?.isTable === true && goesOn) blocks.splice(-1, 1, { lines: [...last.lines, line], isTable })
    else blocks.push({ lines: [line], isTable })
    html = isTable && !isRow(line.text) && !/<\/table>/iu.test(line.text)
  }
  return blocks
}

/** The beginning of the table in which a stretch would begin, else its own beginning. */
const tableStart = (chunks: ReadonlyArray<DocumentChunk>, start: number): number => {
  let at = start
  const inside = chunks.find((chunk) => chunk.start <= start && start < chunk.end)
  if (inside === undefined || !isRow(inside.text.slice(start - inside.start))) return start
  for (const chunk of chunks.toReversed()) {
    if (chunk.start >= at) continue
    const before = chunk.text.slice(0, at - chunk.start)
    const rows = /(?:^|\n)((?:[^\S\n]*\|[^\n]*(?:\n|$))+)$/u.exec(before)?.[1]
    if (rows === undefined) return at
    at = Math.min(at, chunk.start + before.length - rows.length)
    if (rows.length < before.length) return at
  }
  return at
}

/** Head and delimiter row of the Markdown table that begins at `start`; empty where none does. */
const headAt = (chunks: ReadonlyArray<DocumentChunk>, start: number): string => {
  const [head, delimiter] = linesOf(chunks, { start, end: Number.MAX_SAFE_INTEGER }, 0)
  return head !== undefined && /^[\s|:-]+$/u.test(delimiter?.text ?? "") && isRow(delimiter?.text)
    ? `${head.text}${delimiter?.text ?? ""}`
    : ""
}

/**
 * Where to begin to read a stretch that begins in a table: at the table, or, where more than so many tokens are above the stretch, at the
 * stretch, below a copy of the table's head.
 */
export const beginning = (
  chunks: ReadonlyArray<DocumentChunk>,
  start: number,
  most: number,
  tokenizer: Tokenizer.Service
): { readonly start: number; readonly head: string } => {
  const table = tableStart(chunks, start)
  const above =
    table === start ? undefined : take(chunks, { start: table, end: start + 1 }, Math.floor(most / 2), tokenizer)
  return above === undefined || above.end > start ? { start: table, head: "" } : { start, head: headAt(chunks, table) }
}

/** The longest beginning of a text that has no more tokens, at a code point. */
const shortened = (text: string, tokens: number, { count }: Tokenizer.Service): string => {
  let [least, greatest] = [0, text.length]
  while (least < greatest) {
    const middle = Math.ceil((least + greatest) / 2)
    if (count(text.slice(0, middle)) <= tokens) least = middle
    else greatest = middle - 1
  }
  const end = /[\uD800-\uDBFF]/u.test(text.charAt(least - 1)) ? least - 1 : least
  return text.slice(0, end)
}

/**
 * The beginning of a stretch that has at most so many tokens; a table at its end may take as many again. A table that is larger still is
 * cut between rows, and a line that is larger anywhere.
 */
export const take = (
  chunks: ReadonlyArray<DocumentChunk>,
  stretch: Stretch,
  most: number,
  tokenizer: Tokenizer.Service
): Part => {
  let [text, tokens, end] = ["", 0, stretch.start]
  const add = (part: string, count: number, to: number): void => {
    text += part
    tokens += count
    end = to
  }
  for (const block of blocksOf(linesOf(chunks, stretch, most * longestToken))) {
    const count = tokenizer.count(textOf(block))
    const isFirst = text.trim() === ""
    if (tokens + count <= most || (block.isTable && isFirst && count <= 2 * most)) {
      add(textOf(block), count, block.lines.at(-1)?.end ?? end)
      continue
    }
    // What begins with something too large has a part of it.
    for (const line of isFirst ? block.lines : []) {
      const size = tokenizer.count(line.text)
      if (tokens + size <= most) {
        add(line.text, size, line.end)
        continue
      }
      if (text.trim() === "") {
        const part = shortened(line.text, most, tokenizer)
        add(part, most, line.start + part.length)
      }
      break
    }
    break
  }
  return {
    text: text.trimEnd(),
    tokens,
    start: stretch.start,
    end,
    chunks: touched(chunks, { start: stretch.start, end })
  }
}

/** Chunks of which the stretch holds something. */
export const touched = (chunks: ReadonlyArray<DocumentChunk>, { end, start }: Stretch): ReadonlyArray<DocumentChunk> =>
  chunks.filter((chunk) => chunk.start < end && chunk.end > start)
