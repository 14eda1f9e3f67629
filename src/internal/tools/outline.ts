/** The sections of a document, from the headings that its chunks carry. */
import type { DocumentChunk, Heading } from "../../DocumentChunk.ts"
import type { Document } from "./documents.ts"
import { pagesIn } from "./places.ts"

export interface Section {
  readonly heading: Heading
  /** Texts of the headings from the outermost to its own. */
  readonly path: ReadonlyArray<string>
  /** The chunk in which it begins. */
  readonly chunk: DocumentChunk
  /** In the document's Markdown; the end is that of the last section below it. */
  readonly start: number
  readonly end: number
  /** Those of its blocks, else of the chunks that it touches. */
  readonly pages: ReadonlyArray<number>
  /** By its share of the characters of its chunks. */
  readonly tokens: number
}

interface Open {
  readonly heading: Heading
  readonly path: ReadonlyArray<string>
  readonly chunk: DocumentChunk
  readonly start: number
  end: number
  tokens: number
  readonly pages: Set<number>
}

interface Mark {
  readonly heading: Heading
  /** In the chunk's text. */
  readonly at: number
}

const words = (text: string): string => text.replaceAll(/[\s#*_`~\\]+/gu, " ").trim()

/** The headings that begin inside a chunk: their places where they stand in its text, else the place of the one before. */
const marksOf = ({ headingPath, metadata, text }: DocumentChunk): ReadonlyArray<Mark> => {
  const named = metadata["headings"]
  const texts = Array.isArray(named) ? named : []
  const marks: Array<Mark> = []
  let from = 0
  for (const heading of texts) {
    let [at, end] = [from, from]
    let signs = 0
    for (let line = from; line < text.length;) {
      const next = text.indexOf("\n", line)
      const stop = next < 0 ? text.length : next
      const whole = text.slice(line, stop)
      if (words(whole) === words(heading)) {
        ;[at, end, signs] = [line, stop, /^ {0,3}(#{1,6})\s/u.exec(whole)?.[1]?.length ?? 0]
        break
      }
      line = stop + 1
    }
    const above = headingPath.find((one) => one.text === heading)?.depth
    const depth = signs > 0 ? signs : (above ?? (marks.length === 0 ? 1 : 2))
    marks.push({ heading: { depth, text: heading }, at })
    from = end
  }
  return marks
}

/** In the order of the document. */
export const sections = ({ passages }: Document): ReadonlyArray<Section> => {
  const found: Array<Open> = []
  const stack: Array<Open> = []
  const begin = (heading: Heading, chunk: DocumentChunk, start: number): void => {
    while ((stack.at(-1)?.heading.depth ?? 0) >= heading.depth) stack.pop()
    const path = [...stack.map((open) => open.heading.text), heading.text]
    const section: Open = { heading, path, chunk, start, end: start, tokens: 0, pages: new Set() }
    found.push(section)
    stack.push(section)
  }
  for (const chunk of passages) {
    const marks = marksOf(chunk)
    const own = new Set(marks.map(({ heading }) => heading.text))
    // Headings that stand in no text, such as the keys of a JSON file.
    const above = chunk.headingPath.filter(({ text }) => !own.has(text))
    const known = above.findIndex((heading, at) => stack[at]?.heading.text !== heading.text)
    if (known >= 0) {
      stack.length = known
      for (const heading of above.slice(known)) begin(heading, chunk, chunk.start)
    } else if (marks.length === 0) stack.length = Math.min(stack.length, above.length)
    const length = Math.max(1, chunk.text.length)
    const cover = (from: number, to: number): void => {
      if (to <= from) return
      for (const open of stack) {
        open.end = chunk.start + to
        open.tokens += (chunk.tokens * (to - from)) / length
        for (const page of pagesIn(chunk, { start: chunk.start + from, end: chunk.start + to })) open.pages.add(page)
      }
    }
    let from = 0
    for (const { at, heading } of marks) {
      cover(from, at)
      begin(heading, chunk, chunk.start + at)
      from = at
    }
    cover(from, chunk.text.length)
  }
  return found.map(({ chunk, end, heading, pages: touched, path, start, tokens }) => ({
    chunk,
    end,
    heading,
    pages: [...touched].toSorted((left, right) => left - right),
    path,
    start,
    tokens: Math.round(tokens)
  }))
}

/** Tokens of each page; a chunk on several pages counts for each of them alike. */
export const pages = ({ passages }: Document): ReadonlyArray<{ readonly page: number; readonly tokens: number }> => {
  const tokens = new Map<number, number>()
  for (const chunk of passages) {
    for (const page of chunk.pages) tokens.set(page, (tokens.get(page) ?? 0) + chunk.tokens / chunk.pages.length)
  }
  return Array.from(tokens, ([page, count]) => ({ page, tokens: Math.round(count) })).toSorted(
    (left, right) => left.page - right.page
  )
}
