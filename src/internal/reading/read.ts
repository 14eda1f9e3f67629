/** Reads one file of a text type: bytes, hash, and what {@link readingOf} makes of them. */
import * as Effect from "effect/Effect"
import type { TextBlock } from "../../ParsedDocument.ts"
import { bytes, type FileChanged, type FileUnreadable, type SourceFile, type TextUnreadable } from "../../SourceFile.ts"
import type { ParseData } from "../base/parseResponse.ts"
import { sha256 } from "../base/sha256.ts"
import * as Apart from "./apart.ts"
import { metadataOf, readingOf, type TypeReader } from "./readBytes.ts"

/** An answer as the service would give it, with what it has no members for. */
export interface Read {
  readonly data: ParseData
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly contentHash: string
  readonly structure: ReadonlyArray<TextBlock> | undefined
  readonly warnings: ReadonlyArray<string>
}

/** Reads a file; an empty one has no text, which is no failure. `onHash` is called with its hash before it is decoded. */
export const read = (
  file: SourceFile,
  reader: TypeReader,
  onHash: (contentHash: string) => void = () => undefined
): Effect.Effect<Read, FileUnreadable | FileChanged | TextUnreadable> =>
  Effect.flatMap(bytes(file), (all) => {
    const contentHash = sha256(all)
    onHash(contentHash)
    const here = readingOf(file, all, reader)
    const reading = !("read" in reader) && Apart.isLarge(all, reader) ? Apart.reading(file, all, here) : here
    return Effect.map(reading, ({ blocks, markdown, metadata, warnings = [] }) => ({
      data: { markdown, metadata: metadataOf(file.path, reader.mimeType, metadata) },
      contentHash,
      structure: blocks,
      warnings
    }))
  })
