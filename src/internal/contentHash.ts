import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { FileChanged, FileUnreadable, SourceFile } from "../SourceFile.ts"
import { incremental } from "./sha256.ts"

/** SHA-256 of a file's bytes, lower-case hexadecimal; holds a part of it at a time. */
export const contentHash = (file: SourceFile): Effect.Effect<string, FileUnreadable | FileChanged> =>
  Effect.suspend(() => {
    const hash = incremental()
    return Effect.map(
      Stream.runForEachChunk(file.open, (parts) =>
        Effect.sync(() => {
          for (const part of parts) hash.update(part)
        })
      ),
      hash.digest
    )
  })
