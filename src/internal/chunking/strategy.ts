import * as Effect from "effect/Effect"
import { type Chunker, ChunkingError, type Needs } from "../../Chunker.ts"
import type { ParseOptions } from "../../service/ParseOptions.ts"
import { Tokenizer } from "../../Tokenizer.ts"
import { chunkDocument } from "./chunkDocument.ts"
import type { Settings } from "./Settings.ts"
import { TooSmall } from "./tokens/cut.ts"

/** Pages and blocks never change the Markdown and cost nothing extra, so that every strategy asks for them. */
export const layout: ParseOptions = { parsers: [{ type: "pdf", pages: true, blocks: true }] }

/** A chunker that runs the common steps with its settings. */
export const strategy = (name: string, settings: Settings, needs: Needs = { asks: layout }): Chunker => ({
  name,
  needs,
  configuration: settings.configuration,
  chunk: (document) =>
    Effect.flatMap(Tokenizer, (tokenizer) =>
      Effect.flatMap(
        Effect.try({
          try: () => chunkDocument(document, tokenizer, settings),
          catch: (cause) => new ChunkingError({ source: document.source, reason: "Failed", cause })
        }),
        (result) =>
          result instanceof TooSmall
            ? new ChunkingError({ source: document.source, reason: "BudgetTooSmall", offset: result.offset })
            : Effect.succeed(result)
      )
    )
})
