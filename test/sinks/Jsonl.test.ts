import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer, Schema } from "effect"

const readChunks = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const text = yield* fs.readFileString(file)
    assert.isTrue(text === "" || text.endsWith("\n"))
    return yield* Effect.forEach(text.split("\n").slice(0, -1), (line) =>
      Schema.decode(Schema.parseJson(DocumentChunk))(line)
    )
  })

const freshStore = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped()
  const file = path.join(folder, "chunks.jsonl")
  return {
    layer: Jsonl.layer({ file }).pipe(Layer.provide(NodeContext.layer)),
    read: readChunks(file).pipe(Effect.provide(NodeContext.layer)),
    destroy: fs.remove(file)
  }
}).pipe(Effect.provide(NodeContext.layer))

SinkConformance.suite("jsonl", freshStore, { describe, it })
