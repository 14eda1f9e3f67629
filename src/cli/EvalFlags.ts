/** Flags of `eval`, and what its documents are read with. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CorpusSource } from "../internal/corpus/contract.ts"
import * as Parts from "../internal/corpus/parts.ts"
import * as Tokenizer from "../Tokenizer.ts"
import * as Command from "./Command.ts"
import { flags } from "./flags.ts"
import * as OptionsText from "./OptionsText.ts"
import * as ServiceTarget from "./ServiceTarget.ts"

export const takes = {
  words: Command.some("QUESTIONS|make [DOCUMENTS…]"),
  to: flags.store,
  root: flags.root,
  by: flags.by,
  embedder: flags.embedders,
  rerank: flags.rerankers,
  vectorWeight: flags.vectorWeight,
  window: flags.window,
  diversity: flags.diversity,
  perDocument: flags.perDocument,
  chunker: flags.chunkers,
  maxTokens: flags.sizes,
  overlap: flags.overlap,
  tokenizer: flags.tokenizer,
  stores: flags.stores,
  state: flags.state,
  service: flags.service,
  apiKey: flags.apiKey,
  parseOptions: flags.parseOptions,
  ocrLanguages: flags.ocrLanguages,
  filter: flags.filter,
  minScore: flags.minScore,
  k: flags.k,
  tokens: flags.tokens,
  depth: flags.depth,
  resamples: flags.resamples,
  seed: flags.seed,
  baseline: flags.baseline,
  tolerance: flags.tolerance,
  model: flags.writer,
  count: flags.count,
  modelTokens: flags.modelTokens,
  html: flags.evaluationPage,
  json: flags.json,
  quiet: flags.quiet
}

export type Given = Command.Given<typeof takes>

/** The documents of the words, below the root where one is given. */
export const sourceOf = (given: Given, documents: ReadonlyArray<string>): CorpusSource =>
  Option.match(given.root, { onNone: () => documents, onSome: (root) => ({ root, patterns: documents }) })

/** What documents are parsed with. */
export const reading = (given: Given) =>
  Effect.gen(function* () {
    const ocrLanguages = Option.getOrUndefined(given.ocrLanguages)
    const parseOptions = yield* OptionsText.read(given.parseOptions)
    const apiKey = yield* ServiceTarget.keyOf(given.apiKey)
    const words = { service: given.service, apiKey, ocrLanguages, parseOptions }
    return {
      state: given.state,
      parser: yield* Parts.parser(words),
      service: { ...words, key: apiKey !== undefined && apiKey !== "none" },
      tokenizer: yield* Parts.tokenizer(Tokenizer.layer(given.tokenizer)),
      tokenizerName: given.tokenizer
    }
  }).pipe(Effect.catchTags({ InvalidAddress: ServiceTarget.refused, InvalidProxy: ServiceTarget.refused }))
