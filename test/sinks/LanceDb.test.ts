import { type Error as PlatformError, FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as lancedb from "@lancedb/lancedb"
import type { EmbeddingSpace } from "docsluice/ChunkSink"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as LanceDb from "docsluice/sinks/LanceDb"
import { DocumentId } from "docsluice/SourceFile"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer, Predicate, Schema, type Scope } from "effect"
import * as ChunkRecord from "../../sinks/internal/ChunkRecord.ts"
import { generation } from "../fixtures/sinkChunks.ts"
import { space } from "../fixtures/vectorChunks.ts"
import { vectorStoreTests } from "./vectorStore.ts"

const openTable = (directory: string, table = "chunks") =>
  Effect.acquireRelease(
    Effect.promise(async () => (await lancedb.connect(directory)).openTable(table)),
    (table) => Effect.sync(() => table.close())
  )

const Rows = Schema.Array(
  Schema.Struct({ text: Schema.String, chunk: Schema.String, vector: Schema.optional(Schema.Unknown) })
)

/** Reads the table as a stranger would, with its own connection. */
const readChunks = (directory: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const table = yield* openTable(directory)
      const rows: unknown = yield* Effect.promise(() => table.query().toArray())
      return yield* Effect.forEach(yield* Schema.decodeUnknown(Rows)(rows), (row) =>
        Effect.map(ChunkRecord.decode({ text: row.text, record: row.chunk }), (found) =>
          Predicate.isIterable(row.vector)
            ? new DocumentChunk({ ...found, embedding: Array.from(row.vector, Number) })
            : found
        )
      )
    })
  )

const freshFolder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return path.join(yield* fs.makeTempDirectoryScoped(), "folder", "lance")
}).pipe(Effect.provide(NodeContext.layer))

const target = (
  space: EmbeddingSpace | null,
  atomicReplace: boolean
): Effect.Effect<SinkConformance.Target, PlatformError.PlatformError, Scope.Scope> =>
  Effect.map(freshFolder, (directory) => ({
    layer: LanceDb.layer({ directory, atomicReplace }).pipe(Layer.provide(NodeContext.layer)),
    read: readChunks(directory),
    destroy: Effect.flatMap(FileSystem.FileSystem, (fs) => fs.remove(directory, { recursive: true })).pipe(
      Effect.provide(NodeContext.layer)
    ),
    space
  }))

SinkConformance.suite("lancedb without vectors, in batches", target(null, false), { describe, it })
SinkConformance.suite("lancedb with vectors, a commit a document", target(space, true), { describe, it })

const open = (directory: string, options: Partial<LanceDb.Options> = {}) =>
  LanceDb.make({ directory, atomicReplace: true, ...options }).pipe(Effect.provide(NodeContext.layer))

describe("lancedb", () => {
  vectorStoreTests(Effect.flatMap(freshFolder, (directory) => open(directory)))

  it.scopedLive("replaces a document in one version of the table", () =>
    Effect.gen(function* () {
      const directory = yield* freshFolder
      const sink = yield* open(directory)
      yield* sink.prepare(null)
      yield* sink.write([...generation("a.md", "old", 4), ...generation("b.md", "old", 2)])
      const table = yield* openTable(directory)
      const before = yield* Effect.promise(() => table.version())
      const next = generation("a.md", "new", 3)
      yield* sink.replace?.(DocumentId.make("root/a.md"), next) ?? Effect.void
      yield* Effect.promise(() => table.checkoutLatest())
      assert.strictEqual(yield* Effect.promise(() => table.version()), before + 1)
      const stored = yield* readChunks(directory)
      assert.sameDeepMembers([...stored], [...next, ...generation("b.md", "old", 2)])
    })
  )
})
