import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer, Schema, Scope } from "effect"
import { parse as parseYaml } from "yaml"
import { killEverywhere } from "../fixtures/killedSink.ts"

const FrontMatter = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** Reads a chunk's file as any reader of front matter would. */
const readChunk = (text: string) =>
  Effect.gen(function* () {
    const end = text.indexOf("\n---\n")
    const members = yield* Schema.decodeUnknown(FrontMatter)(parseYaml(text.slice(4, end)))
    return yield* Schema.decodeUnknown(DocumentChunk)({ text: text.slice(end + 5), ...members })
  })

const readChunks = (directory: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const names = yield* fs.readDirectory(directory, { recursive: true })
    return yield* Effect.forEach(
      names.filter((name) => /(?:^|\/)\d+(?:~\d+)?\.md$/u.test(name)),
      (name) => Effect.flatMap(fs.readFileString(path.join(directory, name)), readChunk)
    )
  })

const makeStore = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = path.join(yield* fs.makeTempDirectoryScoped(), "chunks")
  return {
    directory,
    layer: Filesystem.layer({ directory }),
    read: readChunks(directory).pipe(Effect.provide(NodeContext.layer)),
    destroy: fs.remove(directory, { recursive: true }),
    leftovers: Effect.map(fs.readDirectory(directory, { recursive: true }), (names) =>
      names.filter((name) => !/^(?:manifest\.json|root(?:\/[a-c]\.md(?:\/\d\.md)?)?)$/u.test(name))
    )
  }
})

const freshStore = Effect.map(makeStore, (store) => ({
  ...store,
  layer: Layer.provide(store.layer, NodeContext.layer)
})).pipe(Effect.provide(NodeContext.layer))

SinkConformance.suite("fs", freshStore, { describe, it }, { timeout: 60_000 })

describe("a killed run", () => {
  for (const done of [false, true]) {
    it.scopedLive(
      `keeps what it acknowledged, its last call ${done ? "done or half done" : "not done"}`,
      () =>
        Effect.gen(function* () {
          const scope = yield* Effect.scope
          const fresh = makeStore.pipe(Scope.extend(scope), Effect.provide(NodeContext.layer))
          assert.isAbove(yield* killEverywhere(fresh, done), 20)
        }),
      240_000
    )
  }
})
