import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Filesystem from "docsluice/sinks/Filesystem"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer, Option } from "effect"
import * as FrontMatter from "../../sinks/internal/FrontMatter.ts"

const readChunks = (directory: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const names = yield* fs.readDirectory(directory, { recursive: true })
    return yield* Effect.forEach(
      names.filter((name) => /(?:^|\/)\d+(?:~\d+)?\.md$/u.test(name)),
      (name) =>
        Effect.flatMap(fs.readFileString(path.join(directory, name)), (text) =>
          Effect.flatten(Effect.succeed(FrontMatter.parse(text)))
        )
    )
  })

const freshStore = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = path.join(yield* fs.makeTempDirectoryScoped(), "chunks")
  return {
    directory,
    layer: Filesystem.layer({ directory }).pipe(Layer.provide(NodeContext.layer)),
    read: readChunks(directory).pipe(Effect.provide(NodeContext.layer)),
    destroy: fs.remove(directory, { recursive: true })
  }
}).pipe(Effect.provide(NodeContext.layer))

SinkConformance.suite("fs", freshStore, { describe, it })

assert.isTrue(Option.isNone(FrontMatter.parse("# no front matter")))
