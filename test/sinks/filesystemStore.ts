/** Stores of the sink `Filesystem`, for its suites. */
import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as Filesystem from "docsluice/sinks/Filesystem"
import { Effect, Schema } from "effect"
import { parse as parseYaml } from "yaml"
import { killedWriter } from "../fixtures/killedProcess.ts"

const FrontMatter = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** Reads a chunk's file as any reader of front matter would. */
const readChunk = (text: string) =>
  Effect.gen(function* () {
    const end = text.indexOf("\n---\n")
    const members = yield* Schema.decodeUnknown(FrontMatter)(parseYaml(text.slice(4, end)))
    return yield* Schema.decodeUnknown(DocumentChunk)({ text: text.slice(end + 5), ...members })
  })

/** All chunks of a folder, read as a stranger would. */
export const readChunks = (directory: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const names = yield* fs.readDirectory(directory, { recursive: true })
    return yield* Effect.forEach(
      names.filter((name) => /(?:^|\/)\d+(?:~\d+)?\.md$/u.test(name)),
      (name) => Effect.flatMap(fs.readFileString(path.join(directory, name)), readChunk)
    )
  })

/** A folder of one's own, and what the suites ask of it. */
export const makeStore = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = path.join(yield* fs.makeTempDirectoryScoped(), "chunks")
  return {
    directory,
    layer: Filesystem.layer({ directory }),
    read: readChunks(directory).pipe(Effect.provide(NodeContext.layer)),
    destroy: fs.remove(directory, { recursive: true }),
    kill: killedWriter("fs", directory),
    leftovers: Effect.map(fs.readDirectory(directory, { recursive: true }), (names) =>
      names.filter((name) => !/^(?:manifest\.json|root(?:\/[a-c]\.md(?:\/\d\.md)?)?)$/u.test(name))
    )
  }
})

/** The sink of a folder, prepared. */
export const prepared = (directory: string) =>
  Effect.flatMap(Filesystem.make({ directory }), (sink) => sink.prepare(null))
