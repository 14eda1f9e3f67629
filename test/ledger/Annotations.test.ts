import { rmSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { Chunker } from "docsluice/Chunker"
import type { ChunkSink } from "docsluice/ChunkSink"
import type { DocumentChunk, MetadataValue } from "docsluice/DocumentChunk"
import * as Embedder from "docsluice/Embedder"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as LibSql from "docsluice/sinks/LibSql"
import { Effect, type Scope, Stream } from "effect"
import * as Workspace from "./workspace.ts"

/** As an earlier version chunked: the same chunks without any metadata. */
const former = (chunker: Chunker): Chunker => ({
  ...chunker,
  annotations: undefined,
  chunk: (document) =>
    Effect.map(chunker.chunk(document), (chunked) => ({
      ...chunked,
      chunks: chunked.chunks.map((chunk) => ({ ...chunk, metadata: {} }))
    }))
})

const chunkerWith = (metadata: Readonly<Record<string, MetadataValue>> = {}) =>
  MarkdownChunker.make({ maxTokens: 200, metadata })

const libsql = (ws: Workspace.Workspace): Effect.Effect<ChunkSink.Service, never, Scope.Scope> =>
  LibSql.make({ file: join(ws.directory, "chunks.db") }).pipe(Effect.provide(NodeContext.layer))

const stored = (ws: Workspace.Workspace): Effect.Effect<ReadonlyArray<DocumentChunk>, unknown> =>
  Effect.scoped(
    Effect.gen(function* () {
      const sink = yield* libsql(ws)
      const chunks = yield* Stream.runCollect(sink.contents ?? Stream.empty)
      return [...chunks].toSorted((left, right) => (left.id < right.id ? -1 : 1))
    })
  )

const teams = (chunks: ReadonlyArray<DocumentChunk>) => new Set(chunks.map(({ metadata }) => metadata["team"]))

const embedding = (ws: Workspace.Workspace, chunker: Chunker): Workspace.Given => ({
  chunker,
  sinks: [libsql(ws), Workspace.jsonl(ws)],
  change: (run) => ({ ...run, embedder: Embedder.hash })
})

describe("metadata of stored chunks that a chunker would give now", () => {
  it.scopedLive(
    "reach every store with the next run, under the same ids, without a request; the run after it does nothing",
    () =>
      Effect.gen(function* () {
        const ws = yield* Workspace.make(4)
        assert.deepInclude(yield* Workspace.run(ws, embedding(ws, former(chunkerWith()))), { stored: 4, exit: 0 })
        const before = yield* stored(ws)
        assert.deepStrictEqual(teams(before), new Set([undefined]))

        const upgraded = embedding(ws, chunkerWith({ team: "legal" }))
        assert.deepInclude(yield* Workspace.run(ws, upgraded), { stored: 4, fromCache: 4, requests: 0, exit: 0 })
        const after = yield* stored(ws)
        assert.deepStrictEqual(teams(after), new Set(["legal"]))
        assert.deepStrictEqual(teams(Workspace.lines(Workspace.target(ws))), new Set(["legal"]))
        assert.deepStrictEqual(
          after.map(({ id }) => id),
          before.map(({ id }) => id)
        )
        assert.deepInclude(yield* Workspace.run(ws, upgraded), { unchanged: 4, stored: 0, requests: 0, exit: 0 })

        const other = embedding(ws, chunkerWith({ team: "sales" }))
        const summary = yield* Workspace.run(ws, other)
        assert.deepInclude(summary, { stored: 4, requests: 0, exit: 0 })
        assert.deepInclude(summary.chunks, { added: 0, deleted: 0 })
        assert.deepStrictEqual(teams(yield* stored(ws)), new Set(["sales"]))
      })
  )

  it.scopedLive("are not worth a request: a document without a cached answer stays as it is", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(3)
      yield* Workspace.run(ws, embedding(ws, former(chunkerWith())))
      rmSync(join(ws.directory, "state", "cache"), { recursive: true })
      const upgraded = embedding(ws, chunkerWith({ team: "legal" }))
      assert.deepInclude(yield* Workspace.run(ws, upgraded), { unchanged: 3, stored: 0, requests: 0, exit: 0 })
      assert.deepStrictEqual(teams(yield* stored(ws)), new Set([undefined]))
      ws.write("9/same.pdf", "document 0")
      ws.write("new.pdf", "new")
      yield* Workspace.settle
      assert.deepInclude(yield* Workspace.run(ws, upgraded), { discovered: 5, failed: 0, requests: 2, exit: 0 })
    })
  )
})
