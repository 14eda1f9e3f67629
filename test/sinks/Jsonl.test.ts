import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, it } from "@effect/vitest"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer } from "effect"
import { killedWriter } from "../fixtures/killedProcess.ts"
import { readChunks } from "./jsonlChunks.ts"

const freshStore = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped()
  const file = path.join(folder, "chunks.jsonl")
  return {
    layer: Jsonl.layer({ file }).pipe(Layer.provide(NodeContext.layer)),
    read: readChunks(file).pipe(Effect.provide(NodeContext.layer)),
    destroy: fs.remove(file),
    kill: killedWriter("jsonl", file)
  }
}).pipe(Effect.provide(NodeContext.layer))

SinkConformance.suite("jsonl", freshStore, { describe, it })
