/** Options of the page: those of a parse, and those of chunks. */
import type { ChunkRequest } from "../../internal/look/messages.ts"
import type { FormatType, ParseOptions, PdfParser } from "../../service/ParseOptions.ts"

/** Formats next to Markdown, which the page always asks for. */
export const formats = ["html", "rawHtml", "links", "images", "summary"] as const

export type Extra = Extract<FormatType, (typeof formats)[number]>

export const modes = ["auto", "fast", "ocr"] as const

export interface ParseChoice {
  readonly formats: ReadonlyArray<Extra>
  readonly mode: NonNullable<PdfParser["mode"]>
  /** 1 to 10000; null for all pages. */
  readonly maxPages: number | null
  readonly onlyMainContent: boolean
}

export interface Choices {
  readonly parse: ParseChoice
  readonly chunks: ChunkRequest
}

export const defaults: Choices = {
  parse: { formats: [], mode: "auto", maxPages: null, onlyMainContent: true },
  chunks: { chunker: "auto", maxTokens: 512, overlap: 0, minTokens: 0, tokenizer: "o200k_base" }
}

export const chunkers: ReadonlyArray<ChunkRequest["chunker"]> = ["auto", "blocks", "markdown", "pages"]

export const tokenizers = ["o200k_base", "cl100k_base", "chars"] as const

/** The options of a parse; members at their default are left out, so that examples stay short. */
export const parseOptions = (choice: ParseChoice): ParseOptions => ({
  ...(choice.formats.length > 0 && {
    formats: [{ type: "markdown" as const }, ...choice.formats.map((type) => ({ type }))]
  }),
  ...(!choice.onlyMainContent && { onlyMainContent: false }),
  parsers: [
    {
      type: "pdf",
      ...(choice.mode !== "auto" && { mode: choice.mode }),
      ...(choice.maxPages !== null && { maxPages: choice.maxPages }),
      pages: true,
      blocks: true
    }
  ]
})

/** Why the options of chunks cannot be meant; null when they can. */
export const problem = ({ maxTokens, minTokens, overlap }: ChunkRequest): string | null => {
  const whole = [maxTokens, minTokens, overlap].every((value) => Number.isInteger(value))
  if (!whole || maxTokens < 1 || minTokens < 0 || overlap < 0) return "Sizes are whole numbers; a chunk has at least 1."
  if (overlap >= maxTokens) return "The overlap is less than the largest chunk."
  return minTokens > maxTokens ? "The smallest chunk is at most the largest." : null
}

export const equal = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)
