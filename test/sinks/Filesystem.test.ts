import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer, Schema } from "effect"
import { chunk } from "../fixtures/sinkChunks.ts"
import { makeStore, prepared, readChunks } from "./filesystemStore.ts"

const Manifest = Schema.Struct({
  documents: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }),
  space: Schema.Null
})

const freshStore = Effect.map(makeStore, (store) => ({
  ...store,
  layer: Layer.provide(store.layer, NodeContext.layer)
})).pipe(Effect.provide(NodeContext.layer))

SinkConformance.suite("fs", freshStore, { describe, it }, { timeout: 300_000 })

describe("the folder", () => {
  it.scopedLive("holds a file for each chunk, with the text as it is below its front matter, and a manifest", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { directory } = yield* makeStore
      const chunks = [chunk("dir/A b.pdf", 0, { text: "---\nnot front matter\n---\n" }), chunk("dir/A b.pdf", 1)]
      yield* Effect.scoped(Effect.flatMap(prepared(directory), ({ write }) => write(chunks)))
      assert.sameMembers(yield* fs.readDirectory(directory, { recursive: true }), [
        "manifest.json",
        "root",
        "root/dir",
        "root/dir/A b.pdf",
        "root/dir/A b.pdf/0.md",
        "root/dir/A b.pdf/1.md"
      ])
      assert.isTrue(
        (yield* fs.readFileString(`${directory}/root/dir/A b.pdf/0.md`)).endsWith(`---\n${chunks[0]?.text}`)
      )
      const manifest = yield* Schema.decode(Schema.parseJson(Manifest))(
        yield* fs.readFileString(`${directory}/manifest.json`)
      )
      assert.deepEqual(manifest.documents, { "root/dir/A b.pdf": chunks.map(({ id }) => id) })
      assert.isNull(manifest.space)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("gives each document a place of its own where case is ignored, whichever came first", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const names = ["Case.html", "case.html", "CASE.html"]
      for (const order of [names, names.toReversed(), [...names.slice(1), "Case.html"]]) {
        const { directory } = yield* makeStore
        for (const name of order) {
          yield* Effect.scoped(Effect.flatMap(prepared(directory), ({ write }) => write([chunk(name, 0)])))
        }
        const all = yield* fs.readDirectory(directory, { recursive: true })
        const files = all.filter((name) => name.endsWith("/0.md"))
        assert.strictEqual(new Set(files.map((name) => name.toLowerCase())).size, 3, files.join(" "))
        assert.lengthOf(yield* readChunks(directory), 3)
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("keeps documents apart whose names differ in case only, or are each other's folder or file", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { directory } = yield* makeStore
      const names = [
        "readme.md",
        "README.md",
        "Readme.md",
        "a",
        "a/b",
        "a/0.md",
        "a/0.md/1.md",
        "../up",
        "con.txt",
        "manifest.json"
      ]
      const chunks = names.map((name) => chunk(name, 0))
      yield* Effect.scoped(Effect.flatMap(prepared(directory), ({ write }) => write(chunks)))
      const files = yield* fs.readDirectory(directory, { recursive: true })
      assert.strictEqual(new Set(files.map((file) => file.toLowerCase())).size, files.length)
      assert.sameDeepMembers([...(yield* readChunks(directory))], chunks)
      yield* Effect.scoped(
        Effect.flatMap(prepared(directory), ({ remove, write }) =>
          Effect.zipRight(
            remove(chunks.filter(({ source }) => source !== "README.md").map(({ id }) => id)),
            write([chunk("README.md", 1)])
          )
        )
      )
      assert.deepEqual(
        (yield* readChunks(directory)).map(({ id }) => id),
        [chunk("README.md", 0).id, chunk("README.md", 1).id]
      )
      assert.strictEqual((yield* fs.readDirectory(directory, { recursive: true })).length, 5)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("keeps a text with a lone surrogate", () =>
    Effect.gen(function* () {
      const { directory } = yield* makeStore
      const odd = chunk("odd.md", 0, { text: "a \ud800 b" })
      yield* Effect.scoped(Effect.flatMap(prepared(directory), ({ write }) => write([odd])))
      assert.deepEqual(yield* readChunks(directory), [odd])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is refused when it holds something else, which stays as it is", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { directory } = yield* makeStore
      yield* fs.makeDirectory(directory)
      yield* fs.writeFileString(`${directory}/mine.txt`, "mine")
      const error = yield* Effect.flip(Effect.scoped(prepared(directory)))
      assert.strictEqual(error.reason, "Mismatch")
      assert.deepEqual(yield* fs.readDirectory(directory), ["mine.txt"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is held by one run at a time", () =>
    Effect.gen(function* () {
      const { directory } = yield* makeStore
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* prepared(directory)
          assert.strictEqual((yield* Effect.flip(Effect.scoped(prepared(directory)))).reason, "Unavailable")
        })
      )
      yield* Effect.scoped(prepared(directory))
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
