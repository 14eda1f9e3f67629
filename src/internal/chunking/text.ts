import * as Effect from "effect/Effect"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { fromData } from "../../ParsedDocument.ts"
import { documentId } from "../../SourceFile.ts"
import * as Tokenizer from "../../Tokenizer.ts"
import { sha256 } from "../base/sha256.ts"
import type { ChunkingError } from "./chunkingError.ts"
import type { ChunkOptions } from "./chunkOptions.ts"
import { markdown } from "./kinds.ts"
import { strategy } from "./strategy.ts"

interface Options extends ChunkOptions {
  readonly source?: string | undefined
  readonly root?: string | undefined
  readonly tokenizer?: Tokenizer.Name | Tokenizer.Tokenizer.Service | undefined
}

/** The chunks of a text that was never a file. */
export const text = (
  given: string,
  { root = "text", source = "text.md", tokenizer = "o200k_base", ...options }: Options = {}
): Effect.Effect<ReadonlyArray<DocumentChunk>, ChunkingError> => {
  const file = { documentId: documentId(root, source), path: source }
  const document = fromData(file, sha256(given), { markdown: given, metadata: {} })
  const chunked = Effect.map(
    strategy({ name: "markdown", options, kind: markdown }).chunk(document),
    ({ chunks }) => chunks
  )
  return typeof tokenizer === "string"
    ? Effect.provide(chunked, Tokenizer.layer(tokenizer))
    : Effect.provideService(chunked, Tokenizer.Tokenizer, tokenizer)
}
