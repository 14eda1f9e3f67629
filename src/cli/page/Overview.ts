/** Head of the page: the document and its figures. */
import type { Chunked } from "../../Chunker.ts"
import type { Gap } from "../../internal/chunking/gaps.ts"
import { pageCount, type ParsedDocument } from "../../ParsedDocument.ts"

/** Settings that the document was split with. */
export interface Terms {
  /** Value of `--chunker`. */
  readonly chunker: string
  readonly maxTokens: number
  readonly overlap: number
  readonly tokenizer: string
}

export interface Overview {
  readonly chunks: number
  /** Tokens of `embedText`: least, median, most and sum; 0 without chunks. */
  readonly tokens: { readonly min: number; readonly median: number; readonly max: number; readonly sum: number }
  /** 0 for a format without pages. */
  readonly pages: number
  /** UTF-16 code units of the Markdown: all, in chunks, in two chunks, and in gaps that are not white space. */
  readonly characters: { readonly all: number; readonly held: number; readonly repeated: number; readonly left: number }
  readonly warnings: ReadonlyArray<string>
}

const median = (ascending: ReadonlyArray<number>): number => {
  const middle = ascending.length >> 1
  const upper = ascending[middle] ?? 0
  return ascending.length % 2 === 1 ? upper : Math.round(((ascending[middle - 1] ?? upper) + upper) / 2)
}

/** Warnings of the parser and the chunker, one line each. */
export const warnings = (document: ParsedDocument, { ambiguousMarkers, unplaced }: Chunked): ReadonlyArray<string> => [
  ...document.warnings,
  ...(unplaced.length > 0 ? [`${unplaced.length} blocks without a place in the Markdown`] : []),
  ...(ambiguousMarkers.length > 0 ? [`${ambiguousMarkers.length} lines may or may not be page markers`] : [])
]

export const make = (document: ParsedDocument, chunked: Chunked, gaps: ReadonlyArray<ReadonlyArray<Gap>>): Overview => {
  const { chunks } = chunked
  const ascending = chunks.map(({ tokens }) => tokens).toSorted((left, right) => left - right)
  let repeated = 0
  let held = 0
  let end = 0
  for (const chunk of chunks) {
    const twice = Math.max(0, end - chunk.start)
    repeated += twice
    held += chunk.end - chunk.start - twice
    end = chunk.end
  }
  return {
    chunks: chunks.length,
    tokens: {
      min: ascending[0] ?? 0,
      median: median(ascending),
      max: ascending.at(-1) ?? 0,
      sum: ascending.reduce((sum, tokens) => sum + tokens, 0)
    },
    pages: pageCount(document),
    characters: {
      all: document.markdown.length,
      held,
      repeated,
      left: gaps.flat().reduce((sum, gap) => sum + gap.end - gap.start, 0)
    },
    warnings: warnings(document, chunked)
  }
}
