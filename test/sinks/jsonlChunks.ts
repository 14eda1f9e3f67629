import { FileSystem } from "@effect/platform"
import { assert } from "@effect/vitest"
import { DocumentChunk } from "docsluice/DocumentChunk"
import { Effect, Schema } from "effect"

/** All chunks of a file, read as a stranger would. */
export const readChunks = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const text = yield* fs.readFileString(file)
    assert.isTrue(text === "" || text.endsWith("\n"))
    return yield* Effect.forEach(text.split("\n").slice(0, -1), (line) =>
      Schema.decode(Schema.parseJson(DocumentChunk))(line)
    )
  })
