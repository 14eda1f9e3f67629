import * as Chunker from "../../Chunker.ts"
import type { DocumentChunk } from "../../DocumentChunk.ts"
import { promise } from "./promise.ts"

/** See `Async.split`. */
export const split = (markdown: string, options: Chunker.TextOptions): Promise<ReadonlyArray<DocumentChunk>> =>
  promise(Chunker.text(markdown, options), undefined)
