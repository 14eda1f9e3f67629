import * as AutoChunker from "../AutoChunker.ts"
import * as BlockChunker from "../BlockChunker.ts"
/** `--chunker`, `--max-tokens` and `--tokenizer`: how documents are split. */
import type { Chunker, Strategy } from "../Chunker.ts"
import * as MarkdownChunker from "../MarkdownChunker.ts"
import * as PageChunker from "../PageChunker.ts"

const strategies = {
  auto: AutoChunker.make,
  pages: PageChunker.make,
  blocks: BlockChunker.make,
  markdown: MarkdownChunker.make
} as const

export const make = (given: { readonly chunker: Strategy; readonly maxTokens: number }): Chunker =>
  strategies[given.chunker]({ maxTokens: given.maxTokens })
