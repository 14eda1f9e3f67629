/** The chunker of a name, with its budget. */
import * as Either from "effect/Either"
import * as AutoChunker from "../../AutoChunker.ts"
import * as BlockChunker from "../../BlockChunker.ts"
import type { Chunker } from "../../Chunker.ts"
import * as MarkdownChunker from "../../MarkdownChunker.ts"
import { OptionError } from "../../OptionError.ts"
import * as PageChunker from "../../PageChunker.ts"

const strategies = {
  auto: AutoChunker.make,
  pages: PageChunker.make,
  blocks: BlockChunker.make,
  markdown: MarkdownChunker.make
} as const

/** Names of the strategies. */
export type Name = keyof typeof strategies

export interface ChunkerTarget {
  readonly chunker: Name
  readonly maxTokens: number
  readonly overlap: number
}

/** Refuses an overlap that leaves a chunk no room for text of its own. */
export const make = ({ chunker, maxTokens, overlap }: ChunkerTarget): Either.Either<Chunker, OptionError> =>
  overlap < maxTokens
    ? Either.right(strategies[chunker]({ maxTokens, overlapTokens: overlap }))
    : Either.left(
        new OptionError({
          option: "overlap",
          problem: `expected a whole number from 0 to ${maxTokens - 1}, below \`maxTokens\` ${maxTokens}, got ${overlap}`
        })
      )

const isName = (name: string): name is Name => Object.hasOwn(strategies, name)

/** The chunker of a name, with its defaults. */
export const ofName = (name: string): Either.Either<Chunker, OptionError> =>
  isName(name)
    ? Either.right(strategies[name]())
    : Either.left(
        new OptionError({
          option: "chunker",
          problem: `expected ${Object.keys(strategies).join(", ")}, got ${JSON.stringify(name)}`
        })
      )
