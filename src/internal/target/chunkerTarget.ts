/** The chunker of a name, with its budget. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as AutoChunker from "../../AutoChunker.ts"
import * as BlockChunker from "../../BlockChunker.ts"
import type { Chunker } from "../../Chunker.ts"
import * as MarkdownChunker from "../../MarkdownChunker.ts"
import * as PageChunker from "../../PageChunker.ts"
import { type Message, option, problem, text } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"
import { show } from "../base/rules.ts"
import { reserved } from "../chunking/metadata.ts"

const strategies = {
  auto: AutoChunker.make,
  pages: PageChunker.make,
  blocks: BlockChunker.make,
  markdown: MarkdownChunker.make
} as const

/** Names of the strategies. */
export const Name = Schema.Literal("auto", "pages", "blocks", "markdown")

export type Name = typeof Name.Type

const boundaries = Schema.Literal("soft", "hard")

/** A strategy with its budget; what is missing has the strategy's default. */
export const Settings = Schema.Struct({
  kind: Name,
  maxTokens: Schema.optional(Schema.Int),
  /** Most tokens of a chunk that the next one repeats. */
  overlap: Schema.optional(Schema.Int),
  minTokens: Schema.optional(Schema.Int),
  pageBoundaries: Schema.optional(boundaries),
  /** `KEY=VALUE` each, for the metadata of every chunk. */
  metadata: Schema.optional(Schema.Array(Schema.String))
})

export type Settings = typeof Settings.Type

/** Budget of a chunk where none is given, in tokens. */
const defaultMaxTokens = 512

const wrong = (name: string, message: Message) => Either.left(new OptionError({ option: name, ...problem(message) }))

/** Refuses values that a program may give whatever their types say, and budgets that contradict one another. */
export const make = ({
  kind,
  maxTokens = defaultMaxTokens,
  metadata = [],
  minTokens = 0,
  overlap = 0,
  pageBoundaries
}: Settings): Either.Either<Chunker, OptionError> => {
  if (!isName(kind)) return unknownName(kind)
  for (const [name, value, least] of [
    ["maxTokens", maxTokens, 1],
    ["overlap", overlap, 0],
    ["minTokens", minTokens, 0]
  ] as const) {
    if (!Number.isSafeInteger(value) || value < least) {
      return wrong(name, `expected a whole number of at least ${least}, got ${show(value)}`)
    }
  }
  if (pageBoundaries !== undefined && !boundaries.literals.includes(pageBoundaries)) {
    return wrong("pageBoundaries", `expected ${boundaries.literals.join(" or ")}, got ${show(pageBoundaries)}`)
  }
  if (overlap >= maxTokens) {
    return wrong(
      "overlap",
      text`expected a whole number from 0 to ${maxTokens - 1}, below ${option("maxTokens")} ${maxTokens}, got ${overlap}`
    )
  }
  if (minTokens > maxTokens) {
    return wrong(
      "minTokens",
      text`expected a whole number from 0 to ${maxTokens}, at most ${option("maxTokens")} ${maxTokens}, got ${minTokens}`
    )
  }
  return Either.map(metadataOf(metadata), (pairs) =>
    strategies[kind]({ maxTokens, minTokens, metadata: pairs, overlapTokens: overlap, pageBoundaries })
  )
}

/** Refuses keys that are given twice, and those that a chunk has already. */
const metadataOf = (given: ReadonlyArray<string>): Either.Either<Readonly<Record<string, string>>, OptionError> => {
  const pairs = new Map<string, string>()
  for (const text of given) {
    const at = text.indexOf("=")
    const key = text.slice(0, Math.max(0, at)).trim()
    if (key === "" || at === text.length - 1) {
      return wrong("metadata", `expected KEY=VALUE, such as team=legal, got ${JSON.stringify(text)}`)
    }
    if (pairs.has(key)) return wrong("metadata", `${key} is given twice; give each key once`)
    if (reserved.has(key)) {
      return wrong("metadata", `${key} is set by docsluice; use another key, such as my-${key}`)
    }
    pairs.set(key, text.slice(at + 1))
  }
  return Either.right(Object.fromEntries(pairs))
}

const isName = (name: string): name is Name => Object.hasOwn(strategies, name)

const unknownName = (name: unknown) =>
  wrong("chunker", `expected ${Object.keys(strategies).join(", ")}, got ${show(name)}`)

/** The chunker of a name, with its defaults. */
export const ofName = (name: string): Either.Either<Chunker, OptionError> =>
  isName(name) ? Either.right(strategies[name]()) : unknownName(name)
