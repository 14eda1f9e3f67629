/** Figures of a document's chunks. */
import type { Chunk, Gap } from "../../internal/look/messages.ts"

export interface ChunkFigures {
  readonly chunks: number
  /** Tokens of `embedText`: least, median, most and sum; 0 without chunks. */
  readonly tokens: { readonly min: number; readonly median: number; readonly max: number; readonly sum: number }
  /** UTF-16 code units of the Markdown: all, in chunks, in two chunks, and in gaps that are not white space. */
  readonly characters: { readonly all: number; readonly held: number; readonly repeated: number; readonly left: number }
}

const median = (ascending: ReadonlyArray<number>): number => {
  const middle = ascending.length >> 1
  const upper = ascending[middle] ?? 0
  return ascending.length % 2 === 1 ? upper : Math.round(((ascending[middle - 1] ?? upper) + upper) / 2)
}

export const figuresOf = (
  markdown: string,
  chunks: ReadonlyArray<Pick<Chunk, "start" | "end" | "tokens">>,
  gaps: ReadonlyArray<Gap>
): ChunkFigures => {
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
    characters: {
      all: markdown.length,
      held,
      repeated,
      left: gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0)
    }
  }
}
