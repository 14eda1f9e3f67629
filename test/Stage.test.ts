import { assert, describe, it } from "@effect/vitest"
import * as BlockChunker from "docsluice/BlockChunker"
import * as Chunker from "docsluice/Chunker"
import * as ChunkSink from "docsluice/ChunkSink"
import * as Discovery from "docsluice/Discovery"
import * as Embedder from "docsluice/Embedder"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as Embedded from "docsluice/service/Embedded"
import * as SourceFile from "docsluice/SourceFile"
import * as Stage from "docsluice/Stage"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as Tokenizer from "docsluice/Tokenizer"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Option, Stream, Struct } from "effect"
import { tree } from "./fixtures/discovered.ts"
import { notReplacing } from "./fixtures/notReplacing.ts"

const live = Layer.mergeAll(
  Layer.provide(Parser.layer(), Embedded.layer()),
  Tokenizer.layer("o200k_base"),
  Embedder.layerHash
)

const chunker = MarkdownChunker.make()

const note = (path: string, text = "Read it daily.") =>
  SourceFile.fromBytes({ root: "notes", path, bytes: new TextEncoder().encode(text) })

const sources = (store: MemorySink.Store) =>
  [...new Set([...store.chunks.values()].map(({ source }) => source))].toSorted()

describe("stages", () => {
  it.scoped("fit into one another from a folder to two stores, and let pass what they are not for", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.html": "<p>North Quay</p>", "b.psd": "?", "c.md": "# South Quay" })
      const [one, other] = [MemorySink.emptyStore(), MemorySink.emptyStore()]
      const space = yield* (yield* Embedder.Embedder).space
      const all = yield* Discovery.discover({ root }).pipe(
        Parser.parseAll({ concurrency: 2, chunker }),
        Chunker.chunkAll({ chunker }),
        Embedder.embedAll({ concurrency: 2 }),
        ChunkSink.store(yield* MemorySink.make(one), { space }),
        ChunkSink.store(yield* MemorySink.make(other), { space }),
        Stream.runCollect
      )
      const found = Array.from(all, (value) =>
        "_tag" in value ? `${value._tag} ${value.path}` : `${value.documentId.split("/").at(-1)} ${value.chunks.length}`
      )
      assert.deepStrictEqual(found.toSorted(), ["Unsupported b.psd", "a.html 1", "c.md 1"])
      for (const store of [one, other]) {
        assert.deepStrictEqual(sources(store), ["a.html", "c.md"])
        assert.isTrue([...store.chunks.values()].every(({ embedding }) => embedding !== undefined))
      }
    }).pipe(Effect.provide(live))
  )

  it.effect(
    "keep what a step throws as Foreign where failures are kept, and end with the defect where they are not",
    () =>
      Effect.gen(function* () {
        const broken = (failures: Stage.Failures) =>
          Stage.make(
            Stage.isFile,
            (file) => {
              if (file.path === "b.md") throw new TypeError("no text")
              return Effect.as(file.path === "c.md" ? Effect.dieMessage("worn out") : Effect.void, {
                ...file,
                seen: true
              })
            },
            { concurrency: 1, failures }
          )
        const files = Stream.make(note("a.md"), note("b.md"), note("c.md"), note("d.md"))
        const kept = Array.from(yield* Stream.runCollect(broken("keep")(files)), (one) =>
          Stage.isRejected(one) ? `${one.documentId} ${one.error.tag}: ${one.error.message}` : one.path
        )
        assert.deepStrictEqual(kept, [
          "a.md",
          "notes/b.md Defect: TypeError: no text",
          "notes/c.md Defect: RuntimeException: worn out",
          "d.md"
        ])
        const ended = yield* Effect.exit(Stream.runDrain(broken("fail")(files)))
        assert.isTrue(Exit.isFailure(ended) && Cause.isDie(ended.cause))
      })
  )

  it.effect("are the same with the stream first", () =>
    Effect.gen(function* () {
      const parsed = Parser.parseAll(Stream.make(note("gauge.md")), { concurrency: 1 })
      const chunked = Chunker.chunkAll(parsed, { chunker })
      const store = MemorySink.emptyStore()
      yield* Stream.runDrain(
        ChunkSink.store(Embedder.embedAll(chunked, { concurrency: 1 }), yield* MemorySink.make(store), {
          space: yield* (yield* Embedder.Embedder).space
        })
      )
      assert.deepStrictEqual(sources(store), ["gauge.md"])
    }).pipe(Effect.provide(live))
  )

  it.effect("end with the first failure, or give it as a value and go on", () =>
    Effect.gen(function* () {
      const files = Stream.make(note("a.md"), note("b.psd"), note("c.md"))
      const error = yield* Effect.flip(Stream.runDrain(Parser.parseAll(files, { concurrency: 1 })))
      assert.strictEqual(error._tag, "UnsupportedFile")
      const kept = yield* files.pipe(
        Parser.parseAll({ concurrency: 1, failures: "keep" }),
        Chunker.chunkAll({ chunker }),
        Stream.runCollect
      )
      assert.deepStrictEqual(
        Array.from(kept, (value) => (Stage.isRejected(value) ? value.error._tag : value.chunks.length)),
        [1, "UnsupportedFile", 1]
      )
    }).pipe(Effect.provide(live))
  )

  it.scoped("give all that failed apart from the rest, with the id of each document", () =>
    Effect.gen(function* () {
      const root = yield* tree({ "a.md": "one", "b.html": "", "c.psd": "3", "d.md": "four" })
      const [rest, failures] = yield* Discovery.discover({
        root,
        name: "notes",
        patterns: ["*.{md,html}", "c.psd"]
      }).pipe(
        Stage.make(
          Stage.isFile,
          (file) =>
            file.path === "d.md"
              ? Effect.fail(new Chunker.ChunkingError({ source: "d.md", reason: "Failed" }))
              : Effect.succeed(file),
          { concurrency: 1, failures: "keep" }
        ),
        Stream.partition(Stage.isFailure)
      )
      const [good, bad] = yield* Effect.zip(Stream.runCollect(rest), Stream.runCollect(failures), { concurrent: true })
      assert.deepStrictEqual(
        Array.from(good, ({ path }) => path),
        ["a.md"]
      )
      assert.deepStrictEqual(Array.from(bad, ({ documentId, error }) => `${documentId} ${error._tag}`).toSorted(), [
        "notes/b.html FileUnreadable",
        "notes/c.psd UnsupportedFile",
        "notes/d.md ChunkingError"
      ])
    })
  )

  it.effect(
    "ask the parser for what the chunker needs, and fail before the first file where its options refuse that",
    () =>
      Effect.gen(function* () {
        const chunker = BlockChunker.make()
        const refused = yield* Stream.make(note("a.md")).pipe(
          Parser.parseAll({ concurrency: 1, chunker }),
          Stream.runDrain,
          Effect.provide(Layer.provide(Parser.layer({ parsers: [{ type: "pdf", blocks: false }] }), Embedded.layer())),
          Effect.flip
        )
        assert.strictEqual(refused._tag, "InvalidOptions")
      }).pipe(Effect.provide(live))
  )

  it.effect("take a stage of one's own, which changes what comes after it", () =>
    Effect.gen(function* () {
      const withoutNotices = Stage.make(
        Stage.isParsed,
        (document) => Effect.succeed({ ...document, markdown: document.markdown.replaceAll("Confidential", "") }),
        { concurrency: 1 }
      )
      const [first] = yield* Stream.make(note("a.md", "Confidential: read it daily.")).pipe(
        Parser.parseAll({ concurrency: 1 }),
        withoutNotices,
        Chunker.chunkAll({ chunker }),
        Stream.runCollect
      )
      assert.strictEqual(first?.chunks[0]?.text, ": read it daily.")
    }).pipe(Effect.provide(live))
  )

  it.effect(
    "take a value that has both a Markdown and chunks for a document that was split, and an outcome for none",
    () =>
      Effect.gen(function* () {
        const parsed = yield* Parser.parse(note("a.md"))
        const split = { ...parsed, chunks: [] }
        assert.deepStrictEqual([Stage.isParsed(parsed), Stage.isChunked(parsed)], [true, false])
        assert.deepStrictEqual([Stage.isParsed(split), Stage.isChunked(split)], [false, true])
        const counted = {
          _tag: "Stored",
          documentId: parsed.documentId,
          chunks: { added: 1, deleted: 0, unchanged: 0 }
        }
        assert.isFalse(Stage.isChunked(counted))
      }).pipe(Effect.provide(live))
  )

  it.scoped("take a stage of one's own between any two, and let what it is not for pass it", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const noting = <T extends { readonly documentId: SourceFile.DocumentId }>(
        name: string,
        takes: (value: unknown) => value is T
      ) =>
        Stage.make(
          takes,
          (value) =>
            Effect.as(
              Effect.sync(() => seen.push(name)),
              value
            ),
          { concurrency: 1 }
        )
      const space = yield* (yield* Embedder.Embedder).space
      const all = yield* Discovery.discover({ root: yield* tree({ "a.md": "# North Quay", "b.psd": "?" }) }).pipe(
        noting("found", Stage.isFile),
        Parser.parseAll({ concurrency: 1 }),
        noting("parsed", Stage.isParsed),
        Chunker.chunkAll({ chunker }),
        noting("chunked", Stage.isChunked),
        Embedder.embedAll({ concurrency: 1 }),
        noting("embedded", Stage.isChunked),
        ChunkSink.store(yield* MemorySink.make(), { space }),
        noting("stored", Stage.isChunked),
        Stream.runCollect
      )
      assert.deepStrictEqual(seen, ["found", "parsed", "chunked", "embedded", "stored"])
      assert.deepStrictEqual(Array.from(all, (value) => ("_tag" in value ? value._tag : "Stored")).toSorted(), [
        "Stored",
        "Unsupported"
      ])
    }).pipe(Effect.provide(live))
  )

  it.effect(
    "hold two documents more than their concurrency, or three in any order, while the next one takes none",
    () =>
      Effect.gen(function* () {
        for (const [ordered, most] of [
          [true, 6],
          [false, 7]
        ] as const) {
          let pulled = 0
          const files = Stream.range(1, 100).pipe(
            Stream.rechunk(1),
            Stream.map((number) => {
              pulled += 1
              return note(`${number}.md`)
            })
          )
          const stage = Stage.make(Stage.isFile, (file) => Effect.as(Effect.yieldNow(), file), {
            concurrency: 4,
            ordered
          })
          const fiber = yield* Effect.fork(Stream.runForEach(stage(files), () => Effect.never))
          yield* Effect.repeatN(Effect.yieldNow(), 5000)
          assert.strictEqual(pulled, most)
          yield* Fiber.interrupt(fiber)
        }
      })
  )

  it.effect("store no more documents at a time than asked for while the sink is slow, and stop with the stream", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const slow = ChunkSink.mapPrepared(notReplacing(yield* MemorySink.make()), (prepared) => ({
        ...Struct.omit(prepared, "replace", "replaceAll"),
        write: () => Deferred.await(gate)
      }))
      let pulled = 0
      const { chunks } = yield* chunker.chunk(yield* Parser.parse(note("a.md")))
      const documents = Stream.range(1, 1000).pipe(
        Stream.rechunk(1),
        Stream.map((number) => {
          pulled += 1
          return { documentId: SourceFile.documentId("notes", `${number}.md`), chunks }
        })
      )
      const fiber = yield* Effect.fork(Stream.runDrain(ChunkSink.store(documents, slow, { concurrency: 4 })))
      yield* Effect.repeatN(Effect.yieldNow(), 5000)
      assert.isAtMost(pulled, 4 + 2)
      assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)))
      yield* Fiber.interrupt(fiber)
      assert.isAtMost(pulled, 4 + 2)
    }).pipe(Effect.provide(live))
  )

  it.effect("store the last of a document that comes twice, as sinks get each document once in a call", () =>
    Effect.gen(function* () {
      const store = MemorySink.emptyStore()
      const sink = yield* MemorySink.make(store)
      const called: Array<number> = []
      const batching = ChunkSink.mapPrepared(sink, (prepared): ChunkSink.ChunkSink.Prepared => {
        const replaceAll = (all: ReadonlyArray<ChunkSink.DocumentChunks>) =>
          Effect.gen(function* () {
            called.push(all.length)
            // Meanwhile the others come.
            yield* Effect.repeatN(Effect.yieldNow(), 100)
            assert.strictEqual(new Set(all.map(({ documentId }) => documentId)).size, all.length)
            for (const { chunks, documentId } of all) {
              const before = [...store.chunks.values()].filter((chunk) => chunk.documentId === documentId)
              yield* prepared.remove(before.map(({ id }) => id))
              yield* prepared.write(chunks)
            }
          })
        return { ...prepared, replaceAll, replace: (documentId, chunks) => replaceAll([{ documentId, chunks }]) }
      })
      const texts = ["first", "second", "third"]
      const documents = yield* Effect.forEach(texts, (text) =>
        Effect.map(Effect.flatMap(Parser.parse(note("a.md", text)), chunker.chunk), ({ chunks }) => ({
          documentId: SourceFile.documentId("notes", "a.md"),
          chunks
        }))
      )
      const other = { ...documents[0], documentId: SourceFile.documentId("notes", "b.md"), chunks: [] }
      yield* Stream.runDrain(ChunkSink.store(Stream.make(other, ...documents), batching))
      assert.deepStrictEqual(
        [...store.chunks.values()].map(({ text }) => text),
        ["third"]
      )
      assert.strictEqual(
        called.reduce((sum, count) => sum + count, 0),
        4
      )
    }).pipe(Effect.provide(live))
  )

  it.live(
    "try a store again that is away when it is opened, and end where it cannot be used, whatever fails later",
    () =>
      Effect.gen(function* () {
        const sink = yield* MemorySink.make()
        const away = (reason: "Unavailable" | "Mismatch") =>
          new ChunkSink.SinkError({ sink: sink.id, reason, problem: "it is away" })
        let calls = 0
        const returning: ChunkSink.ChunkSink.Service = {
          ...sink,
          prepare: (space, claim) =>
            Effect.suspend(() => ((calls += 1) < 3 ? away("Unavailable") : sink.prepare(space, claim)))
        }
        const parsed = Stream.make(note("a.md")).pipe(
          Parser.parseAll({ concurrency: 1 }),
          Chunker.chunkAll({ chunker })
        )
        const retry = { base: 1 }
        yield* Stream.runDrain(ChunkSink.store(parsed, returning, { retry }))
        assert.strictEqual(calls, 3)
        const unfit: ChunkSink.ChunkSink.Service = { ...(yield* MemorySink.make()), prepare: () => away("Mismatch") }
        const error = yield* Effect.flip(Stream.runDrain(ChunkSink.store(parsed, unfit, { retry, failures: "keep" })))
        assert.deepInclude(error, { _tag: "SinkError", reason: "Mismatch" })
      }).pipe(Effect.provide(live))
  )
})
