/** `--chunker` and the flags next to it: how documents are split, and what the metadata of every chunk holds. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as AutoChunker from "../AutoChunker.ts"
import * as BlockChunker from "../BlockChunker.ts"
import type { Chunker } from "../Chunker.ts"
import { reserved } from "../internal/chunking/metadata.ts"
import * as MarkdownChunker from "../MarkdownChunker.ts"
import * as PageChunker from "../PageChunker.ts"
import type { RunRequest } from "./RunRequest.ts"
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
  readonly minTokens: number
  readonly pageBoundaries: Option.Option<"soft" | "hard">
  /** Values of `--metadata`, `KEY=VALUE` each. */
  readonly metadata: ReadonlyArray<string>
}

const wrong = (problem: string) => Either.left(new UsageError({ problem }))

/** Refuses an overlap that leaves a chunk no room for text of its own, and a least size above the greatest. */
export const make = (target: ChunkerTarget): Either.Either<Chunker, UsageError> => {
  const { chunker, maxTokens, minTokens, overlap, pageBoundaries } = target
  if (overlap >= maxTokens) {
    return wrong(
      `--overlap: expected a whole number from 0 to ${maxTokens - 1}, below --max-tokens ${maxTokens}, got ${overlap}`
    )
  }
  if (minTokens > maxTokens) {
    return wrong(
      `--min-tokens: expected a whole number from 0 to ${maxTokens}, at most --max-tokens ${maxTokens}, got ${minTokens}`
    )
  }
  return Either.map(metadataOf(target.metadata), (metadata) =>
    strategies[chunker]({
      maxTokens,
      minTokens,
      metadata,
      overlapTokens: overlap,
      pageBoundaries: Option.getOrUndefined(pageBoundaries)
    })
  )
}

/** The chunker of a recorded run. */
export const again = (request: RunRequest): Either.Either<Chunker, UsageError> =>
  make({
    ...request,
    minTokens: request.minTokens ?? 0,
    pageBoundaries: Option.fromNullable(request.pageBoundaries),
    metadata: request.metadata ?? []
  })

/** Refuses keys that are given twice, and those that a chunk has already. */
const metadataOf = (given: ReadonlyArray<string>): Either.Either<Readonly<Record<string, string>>, UsageError> => {
  const pairs = new Map<string, string>()
  for (const text of given) {
    const at = text.indexOf("=")
    const key = text.slice(0, Math.max(0, at)).trim()
    if (key === "" || at === text.length - 1) {
      return wrong(`--metadata: expected KEY=VALUE, such as team=legal, got ${JSON.stringify(text)}`)
    }
    if (pairs.has(key)) return wrong(`--metadata: ${key} is given twice; give each key once`)
    if (reserved.has(key)) {
      return wrong(`--metadata: ${key} is set by docsluice; use another key, such as my-${key}`)
    }
    pairs.set(key, text.slice(at + 1))
  }
  return Either.right(Object.fromEntries(pairs))
}
