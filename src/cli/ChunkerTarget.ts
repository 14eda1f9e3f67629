/** `--chunker`, `--max-tokens` and `--overlap`: how documents are split. */
import * as Either from "effect/Either"
import * as AutoChunker from "../AutoChunker.ts"
import * as BlockChunker from "../BlockChunker.ts"
import type { Chunker } from "../Chunker.ts"
import * as MarkdownChunker from "../MarkdownChunker.ts"
import * as PageChunker from "../PageChunker.ts"
import { UsageError } from "./UsageError.ts"

const strategies = {
  auto: AutoChunker.make,
  pages: PageChunker.make,
  blocks: BlockChunker.make,
  markdown: MarkdownChunker.make
} as const

export interface ChunkerTarget {
  readonly chunker: keyof typeof strategies
  readonly maxTokens: number
  readonly overlap: number
}

/** Refuses an overlap that leaves a chunk no room for text of its own. */
export const make = ({ chunker, maxTokens, overlap }: ChunkerTarget): Either.Either<Chunker, UsageError> =>
  overlap < maxTokens
    ? Either.right(strategies[chunker]({ maxTokens, overlapTokens: overlap }))
    : Either.left(
        new UsageError({
          problem: `--overlap: expected a whole number from 0 to ${maxTokens - 1}, below --max-tokens ${maxTokens}, got ${overlap}`
        })
      )
