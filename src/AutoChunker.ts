/**
 * The best strategy that an answer allows.
 *
 * @since 0.1.0
 */
import * as BlockChunker from "./BlockChunker.ts"
import type { Chunker } from "./Chunker.ts"
import type { ChunkOptions } from "./internal/chunking/chunkOptions.ts"
import { layout } from "./internal/chunking/strategy.ts"
import * as MarkdownChunker from "./MarkdownChunker.ts"
import * as PageChunker from "./PageChunker.ts"
import type { ParsedDocument } from "./ParsedDocument.ts"

/**
 * Each strategy keeps its own defaults for `sections` and `pageBoundaries` unless they are set here.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends ChunkOptions {}

/**
 * Splits by blocks when the answer has any, else by pages when it has `data.pages`, else by Markdown.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Chunker =>
  choosing(BlockChunker.make(options), PageChunker.make(options), MarkdownChunker.make(options))

const choosing = (blocks: Chunker, pages: Chunker, markdown: Chunker): Chunker => {
  const choose = (document: ParsedDocument): Chunker =>
    document.blocks?.some(({ items }) => items.length > 0) === true
      ? blocks
      : (document.pages?.length ?? 0) > 0
        ? pages
        : markdown
  return {
    name: "auto",
    needs: { asks: layout },
    configuration: JSON.stringify(["auto", blocks.configuration, pages.configuration, markdown.configuration]),
    annotations: markdown.annotations,
    keeping: (configuration) => {
      const [first, second, third] = [blocks, pages, markdown].map((one) => one.keeping?.(configuration) ?? one)
      return choosing(first ?? blocks, second ?? pages, third ?? markdown)
    },
    chunk: (document) => choose(document).chunk(document)
  }
}
