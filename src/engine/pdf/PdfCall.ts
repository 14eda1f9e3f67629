/** One call of the engine that reads PDFs, `@llamaindex/liteparse-wasm` (PDFium). */
import { LiteParse, type ParseResult } from "@llamaindex/liteparse-wasm"

/** All that the layout of a page needs. */
export const settings = {
  ocrEnabled: false,
  preserveVerySmallText: true,
  quiet: true,
  continueOnPageError: true,
  keepHeadersFooters: true,
  emitWordBoxes: true,
  extractAnnotations: true,
  extractBlocks: true,
  extractContentBounds: true,
  extractLinks: false,
  extractStructureTree: true,
  extractTextMetadata: true,
  extractVectorGraphics: true
} as const

/** Frees an object of the engine. After a trap nothing can be freed: the lane is discarded with its memory. */
export const freely = (free: () => void): void => {
  try {
    free()
  } catch {
    // A trap: nothing can be freed.
  }
}

/** Parses a document at once. Rejects with what the engine says. */
export const parsed = async (
  bytes: Uint8Array,
  options: ConstructorParameters<typeof LiteParse>[0]
): Promise<ParseResult> => {
  const parser = new LiteParse(options)
  try {
    return await parser.parse(bytes)
  } finally {
    freely(() => parser.free())
  }
}
