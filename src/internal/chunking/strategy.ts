import * as Effect from "effect/Effect"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import { Tokenizer } from "../../Tokenizer.ts"
import { chunkDocument } from "./chunkDocument.ts"
import { ChunkingError } from "./chunkingError.ts"
import type { Chunker, Needs } from "./contract.ts"
import * as Kept from "./kept.ts"
import { given, inherited } from "./metadata.ts"
import type { Kind, Settings, Told } from "./Settings.ts"
import { settings as settingsOf } from "./Settings.ts"
import { inTurns } from "./steps.ts"
import { TooSmall } from "./tokens/cut.ts"

/** Pages and blocks never change the Markdown and cost nothing extra, so that every strategy asks for them. */
export const layout: ParseOptions = { parsers: [{ type: "pdf", pages: true, blocks: true }] }

const metadataOf = ({ metadata }: Settings, document: ParsedDocument) =>
  typeof metadata === "function" ? metadata(document) : metadata

/** Options of a strategy, its defaults, and the parts of an answer that it works on. */
export interface Strategy {
  readonly name: string
  readonly options: Told
  readonly kind: Kind
  readonly needs?: Needs | undefined
}

/** A chunker that runs the common steps with its settings. */
export const strategy = ({ kind, name, needs = { asks: layout }, options }: Strategy): Chunker => {
  const made = (kept: Kept.Kept): Chunker => ({
    ...running(name, settingsOf(name, options, kind, kept), needs),
    keeping: (configuration) => made(Kept.of(name, configuration))
  })
  return made({})
}

const running = (name: string, settings: Settings, needs: Needs): Chunker => ({
  name,
  needs,
  configuration: settings.configuration,
  annotations: settings.annotations,
  chunk: (document) => {
    const failed = (cause: unknown) => new ChunkingError({ source: document.source, reason: "Failed", cause })
    return Effect.gen(function* () {
      const tokenizer = yield* Tokenizer
      const own = yield* given(
        document.source,
        yield* Effect.try({ try: () => metadataOf(settings, document), catch: failed })
      )
      const { members, shortened } = inherited(document)
      const metadata = { ...members, ...own }
      const result = yield* inTurns(chunkDocument(document, tokenizer, settings, { metadata, shortened }), failed)
      return result instanceof TooSmall
        ? yield* new ChunkingError({ source: document.source, reason: "BudgetTooSmall", offset: result.offset })
        : result
    })
  }
})
