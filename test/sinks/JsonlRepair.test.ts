import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import type { SinkError } from "docsluice/ChunkSink"
import { toLine } from "docsluice/DocumentChunk"
import * as Jsonl from "docsluice/sinks/Jsonl"
import { DocumentId } from "docsluice/SourceFile"
import { Effect, Layer, type Scope, Stream } from "effect"
import { chunk, generation } from "../fixtures/sinkChunks.ts"

const temporaryFile = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return path.join(yield* fs.makeTempDirectoryScoped(), "chunks.jsonl")
})

const prepared = (options: Jsonl.Options) => Effect.flatMap(Jsonl.make(options), (sink) => sink.prepare(null))

const note = (paths: Array<string>, path: string) => Effect.sync(() => void paths.push(path))

const lines = (...chunks: ReadonlyArray<Parameters<typeof toLine>[0]>) =>
  chunks.map((one) => `${toLine(one)}\n`).join("")

it.scopedLive("removes an incomplete last line and keeps the complete ones", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* temporaryFile
    const chunks = generation("a.md", "one", 3)
    yield* Effect.scoped(Effect.flatMap(prepared({ file }), ({ write }) => write(chunks)))
    yield* fs.writeFileString(file, lines(...chunks) + toLine(chunk("b.md", 0)).slice(0, 60))
    yield* Effect.scoped(prepared({ file }))
    assert.strictEqual(yield* fs.readFileString(file), lines(...chunks))
  }).pipe(Effect.provide(NodeContext.layer))
)

it.scopedLive("reads a file again only when it is not as the last run left it", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* temporaryFile
    const opened: Array<string> = []
    const counting = Layer.succeed(
      FileSystem.FileSystem,
      FileSystem.make({ ...fs, open: (path, options) => Effect.zipRight(note(opened, path), fs.open(path, options)) })
    )
    const reads = (run: Effect.Effect<unknown, SinkError, FileSystem.FileSystem | Path.Path | Scope.Scope>) =>
      Effect.sync(() => void opened.splice(0)).pipe(
        Effect.zipRight(Effect.scoped(run).pipe(Effect.provide(counting))),
        Effect.map(() => opened.filter((path) => path === file).length)
      )
    yield* reads(Effect.flatMap(prepared({ file }), ({ write }) => write(generation("a.md", "one", 3))))
    assert.strictEqual(yield* reads(prepared({ file })), 0)
    assert.strictEqual(yield* reads(prepared({ file })), 0)
    const held = yield* Effect.scoped(
      Effect.flatMap(Jsonl.make({ file }), (sink) => Stream.runCount(sink.list ?? Stream.empty))
    )
    assert.strictEqual(held, 3)
    yield* fs.writeFileString(file, (yield* fs.readFileString(file)).replace("a.md", "b.md"))
    assert.isAbove(yield* reads(prepared({ file })), 0)
  }).pipe(Effect.provide(NodeContext.layer))
)

it.scopedLive("ends a last line that only lacks its line feed", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* temporaryFile
    yield* fs.writeFileString(file, lines(chunk("a.md", 0)).trimEnd())
    yield* Effect.scoped(Effect.flatMap(prepared({ file }), ({ write }) => write([chunk("a.md", 1)])))
    assert.strictEqual(yield* fs.readFileString(file), lines(chunk("a.md", 0), chunk("a.md", 1)))
  }).pipe(Effect.provide(NodeContext.layer))
)

it.scopedLive("names the line of a file that holds something else, and changes nothing", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* temporaryFile
    const text = `${lines(chunk("a.md", 0))}{"not": "a chunk"}\n`
    yield* fs.writeFileString(file, text)
    const error = yield* Effect.flip(Effect.scoped(prepared({ file })))
    assert.strictEqual(error.reason, "Mismatch")
    assert.include(error.message, `line 2 of ${file}`)
    assert.strictEqual(yield* fs.readFileString(file), text)
    assert.isFalse(yield* fs.exists(`${file}.docsluice.json`))
  }).pipe(Effect.provide(NodeContext.layer))
)

it.scopedLive("refuses a folder in the file's place", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* temporaryFile
    yield* fs.makeDirectory(file)
    assert.strictEqual((yield* Effect.flip(Effect.scoped(prepared({ file })))).reason, "Mismatch")
  }).pipe(Effect.provide(NodeContext.layer))
)

it.scopedLive("lets one run only have the file, and the next one once it is closed", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* prepared({ file })
        const error = yield* Effect.flip(Effect.scoped(prepared({ file })))
        assert.strictEqual(error.reason, "Unavailable")
        assert.include(error.message, `pid ${process.pid}`)
      })
    )
    yield* Effect.scoped(prepared({ file }))
  }).pipe(Effect.provide(NodeContext.layer))
)

it.scopedLive("acquires the lock left by a process of any machine, and leaves none", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* temporaryFile
    const lock = `${file}.docsluice.lock`
    const { hostname } = yield* Effect.promise(() => import("node:os"))
    for (const host of [hostname(), "elsewhere.example"]) {
      yield* fs.writeFileString(lock, JSON.stringify({ pid: 1, host, began: "1" }))
      yield* Effect.scoped(prepared({ file }))
      yield* fs.writeFileString(lock, "")
      yield* fs.writeFileString(`${lock}.pid`, `1 ${host}\n`)
      yield* Effect.scoped(prepared({ file }))
      assert.isFalse(yield* fs.exists(lock))
      assert.isFalse(yield* fs.exists(`${lock}.pid`))
    }
  }).pipe(Effect.provide(NodeContext.layer))
)

it.scopedLive("keeps every generation in mode append, and cannot remove", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* temporaryFile
    const [one, two] = [generation("a.md", "one", 2), generation("a.md", "two", 3)]
    yield* Effect.scoped(
      Effect.gen(function* () {
        const store = yield* prepared({ file, mode: "append" })
        assert.isUndefined(store.remove)
        assert.isUndefined(store.replace)
        yield* store.write(one)
        yield* store.write(two)
        yield* store.write(one)
      })
    )
    assert.strictEqual(yield* fs.readFileString(file), lines(...one, ...two))
  }).pipe(Effect.provide(NodeContext.layer))
)

it.scopedLive(
  "keeps a replaced document's lines together and in order, and its inode when nothing was superseded",
  () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = yield* temporaryFile
      const [a, b] = [generation("a.md", "one", 3), generation("b.md", "one", 2)]
      const next = [chunk("a.md", 0), ...a.slice(1, 2), chunk("a.md", 2)]
      yield* Effect.scoped(Effect.flatMap(prepared({ file }), ({ write }) => write([...a, ...b])))
      const before = yield* fs.stat(file)
      yield* Effect.scoped(
        Effect.flatMap(prepared({ file }), ({ replace }) => replace?.(DocumentId.make("root/a.md"), a) ?? Effect.void)
      )
      assert.deepEqual((yield* fs.stat(file)).ino, before.ino)
      yield* Effect.scoped(
        Effect.flatMap(
          prepared({ file }),
          ({ replace }) => replace?.(DocumentId.make("root/a.md"), next) ?? Effect.void
        )
      )
      assert.strictEqual(yield* fs.readFileString(file), lines(...b, ...next))
    }).pipe(Effect.provide(NodeContext.layer))
)
