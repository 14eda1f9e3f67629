/** The chunker of a name, with its budget. */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as AutoChunker from "../../AutoChunker.ts"
import * as BlockChunker from "../../BlockChunker.ts"
import type { Chunker, ChunkOptions } from "../../Chunker.ts"
import * as MarkdownChunker from "../../MarkdownChunker.ts"
import * as PageChunker from "../../PageChunker.ts"
import { type Message, option, problem, text } from "../base/message.ts"
import { OptionError } from "../base/optionError.ts"
import { show } from "../base/rules.ts"
import * as Kept from "../chunking/kept.ts"
import { reserved } from "../chunking/metadata.ts"
import { defaultMaxTokens } from "../chunking/Settings.ts"

const strategies = {
  auto: AutoChunker.make,
  pages: PageChunker.make,
  blocks: BlockChunker.make,
  markdown: MarkdownChunker.make
} as const

/** Names of the strategies. */
export const Name = Schema.Literal("auto", "pages", "blocks", "markdown")

export type Name = typeof Name.Type

/** The strategy where none is told. */
export const defaultName = "auto"

const boundaries = Schema.Literal("soft", "hard")

/** A strategy with its budget; what is missing is as the root of a run was split before, or has its default. */
export const Settings = Schema.Struct({
  /** Default `auto`. */
  kind: Schema.optional(Name),
  maxTokens: Schema.optional(Schema.Int),
  /** Most tokens of a chunk that the next one repeats. */
  overlap: Schema.optional(Schema.Int),
  minTokens: Schema.optional(Schema.Int),
  pageBoundaries: Schema.optional(boundaries),
  /** `KEY=VALUE` each, for the metadata of every chunk. */
  metadata: Schema.optional(Schema.Array(Schema.String))
})

export type Settings = typeof Settings.Type

/** True for an object with one of their members. */
export const isSettings = (given: unknown): given is Settings =>
  Predicate.isRecord(given) && Object.keys(Settings.fields).some((member) => member in given)

const wrong = (name: string, message: Message) => Either.left(new OptionError({ option: name, ...problem(message) }))

/** Refuses values that a program may give whatever their types say, and budgets that contradict one another. */
export const make = (settings: Settings): Either.Either<Chunker, OptionError> => {
  const { kind, metadata = [], pageBoundaries } = settings
  const { maxTokens = defaultMaxTokens, minTokens = 0, overlap = 0 } = settings
  if (kind !== undefined && !isName(kind)) return unknownName(kind)
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
  return Either.map(metadataOf(metadata), (pairs) => {
    const told = {
      maxTokens: settings.maxTokens,
      minTokens: settings.minTokens,
      metadata: pairs,
      overlapTokens: settings.overlap,
      pageBoundaries
    }
    return kind === undefined ? unnamed(told) : strategies[kind](told)
  })
}

/** The default strategy, which gives way to the one of the configuration that is kept. */
const unnamed = (told: ChunkOptions): Chunker => {
  const chunker = strategies[defaultName](told)
  return {
    ...chunker,
    keeping: (configuration) => {
      const kept = Kept.strategyOf(configuration)
      const made = kept !== undefined && isName(kept) ? strategies[kept](told) : chunker
      return made.keeping?.(configuration) ?? made
    }
  }
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
