import { assert } from "@effect/vitest"
import type { Chunked } from "docsluice/Chunker"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import type { Tokenizer } from "docsluice/Tokenizer"
import { endOf, type Node, nodes, offsetOf, parse } from "./laws.ts"

/** Inputs of the laws about structure. */
export interface Frame {
  readonly tokenizer: Tokenizer.Service
  readonly maxTokens: number
  /** Offsets at which separately parsed parts of the Markdown start: after page markers and dropped page furniture. */
  readonly starts: ReadonlyArray<number>
  /** Offsets that layout blocks say to be headings. */
  readonly titles: ReadonlySet<number>
}

/** A top-level node with its offsets in the whole Markdown. */
interface Top {
  readonly node: Node
  readonly start: number
  readonly end: number
}

const tops = ({ markdown }: ParsedDocument, starts: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<Top>> => {
  const bounds = [0, ...starts, markdown.length]
  return bounds.slice(1).map((end, index) => {
    const start = bounds[index] ?? 0
    return (parse(markdown.slice(start, end)).children ?? []).map((node) => ({
      node,
      start: start + offsetOf(node),
      end: start + endOf(node)
    }))
  })
}

const isFence = (markdown: string, { node, start }: Top): boolean =>
  node.type === "code" && /^(```|~~~)/.test(markdown.slice(start, start + 3))

/** The least that may stand in a chunk of what follows a heading. */
const smallestPart = (markdown: string, { end, node, start }: Top): string => {
  const text = markdown.slice(start, end)
  // o200k has tokens of a line break and slashes: such lines cannot be counted apart from the one before.
  const lines = (count: number): string =>
    text.match(new RegExp(`^(?:.*\\n?(?:[/\u0085].*\\n?|[ \\t]*\\n)*){${count}}`))?.[0].trimEnd() ?? text
  switch (node.type) {
    case "table":
      return lines(3)
    case "code":
      return /^[`~]/.test(text) ? `${lines(2)}\n${text.slice(0, 3)}` : lines(1)
    case "heading":
      return text
    case "html":
      return text.slice(0, text.indexOf("<tr", text.indexOf("<tr") + 1) + 1) || lines(1)
    default:
      return text.slice(0, 16)
  }
}

const pageMarker = /^---\s+<!-- page \d+ -->/

/** True when both are headings and the second is in the section of the first. */
const above = (left: Node | undefined, right: Node | undefined): boolean =>
  left?.type === "heading" && right?.type === "heading" && (left.depth ?? 0) < (right.depth ?? 0)

/**
 * Law 7, second half: no chunk ends with a heading unless its section is empty. A fence or table that fits the budget, but not
 * together with the heading before it, stays whole, and its heading is left alone.
 */
export const assertNoBareHeading = (document: ParsedDocument, { chunks }: Chunked, frame: Frame): void => {
  const { markdown } = document
  const { maxTokens, tokenizer } = frame
  const ends = new Map<number, DocumentChunk>()
  for (const chunk of chunks) ends.set(chunk.start + chunk.text.trimEnd().length, chunk)
  for (const region of tops(document, frame.starts)) {
    region.forEach((top, index) => {
      const next = region[index + 1]
      const chunk = ends.get(top.end)
      if (top.node.type !== "heading" || chunk === undefined || next === undefined) return
      if (next.node.type === "heading" && (next.node.depth ?? 0) <= (top.node.depth ?? 0)) return
      if (frame.titles.has(next.start) || pageMarker.test(markdown.slice(next.start, next.start + 40))) return
      const both = tokenizer.count(markdown, top.start, next.end)
      const whole = next.node.type === "table" || isFence(markdown, next)
      if (whole && both > maxTokens && tokenizer.count(markdown, next.start, next.end) <= maxTokens) return
      let first = index
      while (above(region[first - 1]?.node, region[first]?.node)) first--
      let last = index + 1
      while (above(region[last - 1]?.node, region[last]?.node)) last++
      const { start } = region[first] ?? top
      const body = region[last] ?? next
      if (tokenizer.count(markdown.slice(start, body.start) + smallestPart(markdown, body)) > maxTokens) return
      assert.fail(`a heading is the end of a chunk: ${JSON.stringify(markdown.slice(top.start, next.start + 80))}`)
    })
  }
}

const lineStart = (markdown: string, at: number): boolean => at === 0 || markdown.charAt(at - 1) === "\n"

const lineAt = (markdown: string, at: number): string => {
  const from = markdown.lastIndexOf("\n", at - 1) + 1
  const to = markdown.indexOf("\n", at)
  return markdown.slice(from, to < 0 ? markdown.length : to)
}

/** Text of a chunk's `embedText` before its own. */
const before = ({ embedText, text }: DocumentChunk): string => embedText.slice(0, embedText.lastIndexOf(text))

/** Laws 5 and 6: what is above the budget is cut at line ends, with its fence or head around each part. */
export const assertCutsBetweenLines = (document: ParsedDocument, { chunks }: Chunked, frame: Frame): void => {
  const { markdown } = document
  const { maxTokens, tokenizer } = frame
  const bounds = [0, ...frame.starts, markdown.length]
  bounds.slice(1).forEach((bound, at) => {
    const base = bounds[at] ?? 0
    for (const node of nodes(parse(markdown.slice(base, bound)), ({ type }) => type === "table" || type === "code")) {
      const [start, end] = [base + offsetOf(node), base + endOf(node)]
      const fenced = node.type === "code" && /^(```|~~~)/.test(markdown.slice(start, start + 3))
      if (node.type === "code" && !fenced) continue
      for (const chunk of chunks) {
        if (chunk.start <= start || chunk.start >= end) continue
        const opening = fenced
          ? lineAt(markdown, start)
          : markdown.slice(start, markdown.indexOf("\n", markdown.indexOf("\n", start) + 1))
        const line = lineAt(markdown, chunk.start)
        const tooLong = tokenizer.count(`${opening}\n${line}\n${fenced ? opening : ""}`) > maxTokens
        if (!tooLong) assert.isTrue(lineStart(markdown, chunk.start), "a line of a fence or table is cut")
        const bare = tokenizer.count(opening) * 2 > maxTokens - 8 || chunk.notes.includes("header-not-repeated")
        if (!tooLong && !bare) {
          assert.isTrue(
            before(chunk).trimEnd().endsWith(opening.trimEnd()),
            `the head is not repeated: ${JSON.stringify(chunk.embedText.slice(0, 300))}`
          )
        }
      }
    }
  })
}

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" })

/** Law 4: no border of a chunk tears what a reader sees as one character, if that fits the budget. */
export const assertNoTornCluster = ({ markdown }: ParsedDocument, { chunks }: Chunked, frame: Frame): void => {
  for (const at of chunks.flatMap(({ end, start }) => [start, end])) {
    const from = Math.max(markdown.lastIndexOf("\n", at - 1) + 1, at - 2000)
    if (at <= from || at >= markdown.length) continue
    const found = segmenter.segment(markdown.slice(from, at + 200)).containing(at - from)
    if (found === undefined || found.index === at - from) continue
    assert.isAbove(frame.tokenizer.count(found.segment), frame.maxTokens, `a cluster is torn: ${found.segment}`)
  }
}
