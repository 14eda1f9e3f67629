/** Answers for tests, built from pages of blocks: Markdown, pages, blocks, spans and markers are consistent with each other. */
import type { Block, PageBlocks, ParseData } from "../base/parseResponse.ts"

/**
 * A block without a position.
 *
 * @since 0.1.0
 * @category models
 */
export interface SampleBlock {
  readonly type: string
  /** Markdown of at least one character. */
  readonly content: string
}

/**
 * A physical page that is not yet joined with the others.
 *
 * @since 0.1.0
 * @category models
 */
export interface SamplePage {
  /** 1-based, ascending; numbers may be skipped. */
  readonly pageNumber: number
  readonly blocks: ReadonlyArray<SampleBlock>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface SampleOptions {
  readonly pages: ReadonlyArray<SamplePage>
  /** Fill `data.pages`; default false. */
  readonly withPages?: boolean | undefined
  /** Fill `data.blocks`; default false. */
  readonly withBlocks?: boolean | undefined
  /** Join the pages by markers instead of blank lines; default false. */
  readonly pageMarkers?: boolean | undefined
  /** Further members of `metadata`. */
  readonly metadata?: ParseData["metadata"] | undefined
}

const blankLine = "\n\n"

/**
 * Separator of two pages: a blank line, `---`, a blank line, the comment, a blank line.
 *
 * Source: interface document, "PDF parser object", `pageMarkers`.
 *
 * @since 0.1.0
 * @category accessors
 */
export const marker = (pageNumber: number): string => `\n\n---\n\n<!-- page ${pageNumber} -->\n\n`

/**
 * The `data` of a document with these pages. Every block's span, in UTF-16 code units, is its content's position in the Markdown; every
 * page's Markdown is a slice of it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: SampleOptions): ParseData => {
  let markdown = ""
  const pages: Array<{ readonly pageNumber: number; readonly markdown: string }> = []
  const blocks: Array<PageBlocks> = []
  for (const [index, page] of options.pages.entries()) {
    if (index > 0) markdown += options.pageMarkers === true ? marker(page.pageNumber) : blankLine
    const start = markdown.length
    const items = page.blocks.map((block, order): Block => {
      if (order > 0) markdown += blankLine
      markdown += block.content
      return blockOf(page, order, markdown.length)
    })
    pages.push({ pageNumber: page.pageNumber, markdown: markdown.slice(start) })
    blocks.push({ pageNumber: page.pageNumber, width: 1224, height: 1584, status: "ok", items })
  }
  return {
    markdown,
    ...(options.withPages === true ? { pages } : {}),
    ...(options.withBlocks === true ? { blocks } : {}),
    metadata: { ...options.metadata }
  }
}

const blockOf = (page: SamplePage, order: number, end: number): Block => {
  const block = page.blocks[order] ?? { type: "text", content: "" }
  const height = 1 / page.blocks.length
  return {
    id: `p${page.pageNumber}.b${order}`,
    type: block.type,
    label: null,
    bbox: [0.1, order * height, 0.9, Math.min(1, (order + 1) * height)],
    content: block.content,
    markdownSpan: [end - block.content.length, end],
    readingOrder: order,
    source: "native_text",
    confidence: { layout: 0.98, ocr: null }
  }
}
