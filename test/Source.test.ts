import { assert, describe, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Discovery from "docsluice/Discovery"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Source from "docsluice/Source"
import * as SourceFile from "docsluice/SourceFile"
import * as State from "docsluice/State"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Chunk, Effect, Layer, Stream } from "effect"
import * as Workspace from "./ledger/workspace.ts"
import { byLine, collect, file, numbered, parsing } from "./pipeline/fakes.ts"

describe("a source", () => {
  it.scopedLive("that is narrowed removes nothing in mode sync, whatever is left of it", () =>
    Effect.gen(function* () {
      const ws = yield* Workspace.make(6)
      yield* Workspace.run(ws, { mode: "sync" })
      const before = Workspace.inFile(ws)
      const narrow = (count: number) =>
        Workspace.run(ws, {
          mode: "sync",
          change: (options) => ({ ...options, source: Source.part(options.source, Stream.take(count)) })
        })
      for (const count of [0, 3]) {
        assert.deepInclude(yield* narrow(count), { discovered: count, unchanged: count, removed: 0, exit: 0 })
        assert.deepStrictEqual(Workspace.inFile(ws), before)
      }
      ws.remove("0/0.pdf")
      assert.deepInclude(yield* Workspace.run(ws, { mode: "sync" }), { unchanged: 5, removed: 1 })
    })
  )

  it.effect("of a folder has the files of a discovery and their scope", () =>
    Effect.gen(function* () {
      const options = { root: "examples/documents", patterns: ["*.csv", "*.html"], ordered: true }
      const folder = Discovery.folder(options)
      assert.deepStrictEqual(folder.scope, Discovery.scope(options))
      assert.isFalse(folder.partial)
      const paths = Stream.map(folder.files, ({ path }) => path)
      assert.deepStrictEqual(yield* collect(paths), ["network.html", "stations.csv"])
    })
  )

  it.effect("of one's own gives every file its name, and keeps what is found next to files", () =>
    Effect.gen(function* () {
      const unsupported = { _tag: "Unsupported", path: "a.png", extension: "png" } as const
      const own = Source.make({ name: "articles", files: Stream.make(file("a.pdf"), unsupported) })
      const ids = yield* Stream.runCollect(
        Stream.map(own.files, (found) => (found._tag === "SourceFile" ? found.documentId : found._tag))
      )
      assert.deepStrictEqual(Chunk.toReadonlyArray(ids), [SourceFile.documentId("articles", "a.pdf"), "Unsupported"])
      assert.deepInclude(own.scope, { root: "articles", path: null })
    })
  )

  it.effect("keeps its scope, and that it is a part, when its files are changed one by one", () =>
    Effect.sync(() => {
      const own = Source.make({ name: "articles", files: Stream.fromIterable(numbered(2)) })
      const changed = Source.map(Source.part(own, Stream.take(1)), (found) => found)
      assert.strictEqual(changed.scope, own.scope)
      assert.isTrue(changed.partial)
      assert.isFalse(Source.map((found) => found)(own).partial)
    })
  )

  it.effect("that gives two files of one name has the first of them, in runs without a state too", () =>
    Effect.gen(function* () {
      const text = (root: string, path: string, content: string) =>
        SourceFile.fromBytes({ root, path, bytes: new TextEncoder().encode(content) })
      const [first, second] = [text("a", "x.pdf", "first"), text("b", "x.pdf", "second")]
      const run = (files: ReadonlyArray<Discovery.Found>, name: string | null) =>
        Effect.gen(function* () {
          const store = MemorySink.emptyStore()
          const stream = Stream.fromIterable(files)
          const summary = yield* Pipeline.run({
            source: name === null ? stream : Source.make({ name, files: stream }),
            chunker: byLine,
            sinks: [yield* MemorySink.make(store)]
          })
          const failures = summary.failures.map(({ source, tag }) => `${source} ${tag}`)
          return { stored: summary.stored, failures, chunks: [...store.chunks.values()].map(({ source }) => source) }
        })
      const refused = { stored: 1, failures: ["x.pdf DuplicateDocument"], chunks: ["x.pdf"] }
      assert.deepStrictEqual(yield* run([first, second], "articles"), refused)
      assert.deepStrictEqual(yield* run([first, first], null), refused)
      const unusable: Discovery.Found = {
        _tag: "Unusable",
        path: "x.pdf",
        error: new SourceFile.UnsupportedFile({ path: "x.pdf", extension: "pdf" }),
        folder: false
      }
      assert.deepStrictEqual(yield* run([first, unusable], "articles"), refused)
      // Roots of their own.
      assert.deepInclude(yield* run([first, second], null), { stored: 2, failures: [] })
      const letters = yield* Effect.flatMap(DeadLetter.DeadLetter, ({ entries }) => entries)
      assert.deepStrictEqual(letters, [])
    }).pipe(Effect.provide(parsing))
  )

  it.effect("of a store is asked for the bytes of a changed file once", () =>
    Effect.gen(function* () {
      let reads = 0
      const run = (value: string, text: string) => {
        const bytes = new TextEncoder().encode(text)
        const open = Stream.sync(() => {
          reads += 1
          return bytes
        })
        const fingerprint = { _tag: "Etag", value } as const
        const only = SourceFile.make({ root: "articles", path: "a.md", size: bytes.length, fingerprint, open })
        const source = Source.make({ name: "articles", files: Stream.make(only) })
        return Pipeline.run({ source, chunker: byLine, sinks, state: { mode: "sync" } })
      }
      const sinks = [yield* MemorySink.make(MemorySink.emptyStore())]
      assert.deepInclude(yield* run("1", "one"), { stored: 1 })
      assert.strictEqual(reads, 1)
      assert.deepInclude(yield* run("2", "two"), { stored: 1 })
      assert.strictEqual(reads, 2)
      assert.deepInclude(yield* run("3", "two"), { unchanged: 1 })
      assert.strictEqual(reads, 3)
    }).pipe(
      Effect.scoped,
      Effect.provide(Layer.mergeAll(State.layerMemory, parsing, Layer.succeed(Parser.Parser, Parser.texts())))
    )
  )

  it.effect("that gives a value which cannot be used loses that document alone, and the field is named", () =>
    Effect.gen(function* () {
      const good = numbered(20)
      const wrong: ReadonlyArray<readonly [field: string, file: SourceFile.SourceFile]> = [
        ...[Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, undefined, "12", 3n].map(
          (size, index) => ["size", Object.assign(file(`size ${index}.pdf`), { size })] as const
        ),
        ...["", "/etc/a.pdf", "../a.pdf", "a/../../b.pdf", "a/..", "a\0.pdf", undefined, 7].map(
          (path) => ["path", Object.assign(file("a.pdf"), { path })] as const
        ),
        ...[{ _tag: "Etag", value: 7 }, { _tag: "Stat", modified: 1 }, "v1"].map(
          (fingerprint, index) => ["fingerprint", Object.assign(file(`print ${index}.pdf`), { fingerprint })] as const
        ),
        ["documentId", Object.assign(file("id.pdf"), { documentId: undefined })]
      ]
      const run = (files: ReadonlyArray<Discovery.Found>) =>
        Effect.gen(function* () {
          const sinks = [yield* MemorySink.make(store)]
          const source = Source.within(
            { root: "test", path: null, patterns: "own" },
            Stream.rechunk(Stream.fromIterable(files), 7)
          )
          return yield* Pipeline.run({ source, chunker: byLine, sinks, state: { mode: "sync", allowRemovals: true } })
        })
      const store = MemorySink.emptyStore()
      assert.deepInclude(yield* run(good), { stored: 20, exit: 0 })
      const summary = yield* run([...wrong.map(([, one]) => one), ...good])
      assert.deepInclude(summary, { discovered: 20 + wrong.length, failed: wrong.length, removed: 0, exit: 1 })
      assert.strictEqual(store.chunks.size, 20)
      for (const { message, tag } of summary.failures) assert.strictEqual(tag, "FileUnreadable", message)
      const fields = summary.failures.map(({ message }) => /: (\w+): expected/u.exec(message)?.[1])
      assert.deepStrictEqual(
        fields,
        wrong.map(([field]) => field)
      )
      const known = Object.assign(file("0.pdf"), { size: Number.NaN })
      assert.deepInclude(yield* run([known, ...good.slice(1)]), { failed: 1, removed: 0 })
      assert.strictEqual(store.chunks.size, 20)
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(State.layerMemory, parsing)))
  )

  it.effect("of one's own is remembered, and in mode sync what is not in it any more goes", () =>
    Effect.gen(function* () {
      const store = MemorySink.emptyStore()
      const sinks = [yield* MemorySink.make(store)]
      const run = (count: number) =>
        Pipeline.run({
          source: Source.make({ name: "articles", files: Stream.fromIterable(numbered(count)) }),
          chunker: byLine,
          sinks,
          state: { mode: "sync" }
        })
      assert.deepInclude(yield* run(3), { stored: 3, removed: 0 })
      assert.deepInclude(yield* run(2), { stored: 2, removed: 1 })
      assert.deepStrictEqual(
        [...store.chunks.values()].map(({ documentId }) => documentId),
        [SourceFile.documentId("articles", "0.pdf"), SourceFile.documentId("articles", "1.pdf")]
      )
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(State.layerMemory, parsing)))
  )
})
