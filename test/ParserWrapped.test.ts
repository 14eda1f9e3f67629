import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as BlockChunker from "docsluice/BlockChunker"
import * as Chunker from "docsluice/Chunker"
import * as Corpus from "docsluice/Corpus"
import * as DeadLetter from "docsluice/DeadLetter"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Plan from "docsluice/Plan"
import * as Embedded from "docsluice/service/Embedded"
import * as Source from "docsluice/Source"
import * as SourceFile from "docsluice/SourceFile"
import * as Stage from "docsluice/Stage"
import * as State from "docsluice/State"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Chunk, Effect, Layer, Stream } from "effect"
import { characters, file } from "./pipeline/fakes.ts"

const engine = Layer.provide(Embedded.layerEngine(), ScriptedEngine.layer({ pages: 2 }))

const live = Layer.mergeAll(
  Layer.provide(Parser.layer(), engine),
  characters,
  Plan.layerPageCounter,
  DeadLetter.layerMemory
).pipe(Layer.provideMerge(State.layerMemory), Layer.provideMerge(NodeContext.layer))

/** One file of the service, and one that is read on this machine. */
const files = ["a.pdf", "b.md"].map((path) => file(path))

const secret = /order/giu

const source = Source.make({ name: "own", files: Stream.fromIterable(files) })

const chunker = MarkdownChunker.make({ maxTokens: 100 })

/** What everybody writes. */
const spread = (parser: Parser.Parser.Service): Parser.Parser.Service => ({
  ...parser,
  parse: (found, request) =>
    Effect.map(parser.parse(found, request), (document) => ({
      ...document,
      markdown: `${document.markdown.replaceAll(secret, "removed")}\n\nRemoved.\n`
    }))
})

const named = Parser.mapDocument({
  name: "removed",
  f: (document) =>
    Effect.succeed({ ...document, markdown: `${document.markdown.replaceAll(secret, "removed")}\n\nRemoved.\n` })
})

const wrapping =
  (wrap: (parser: Parser.Parser.Service) => Parser.Parser.Service) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideServiceEffect(effect, Parser.Parser, Effect.map(Parser.Parser, wrap))

/** True of chunks of both files that the wrapper has seen. */
const assertWrapped = (chunks: ReadonlyArray<DocumentChunk>) => {
  const texts = (path: string) => chunks.flatMap(({ source, text }) => (source === path ? [text] : [])).join("\n")
  for (const { path } of files) assert.include(texts(path), "Removed.", path)
  for (const { embedText } of chunks) assert.notMatch(embedText, secret)
}

describe.each([
  ["a spread", spread],
  ["mapDocument", named]
] as const)("a parser that is wrapped by %s is used", (_name, wrap) => {
  it.effect("by stages, with a chunker and without", () =>
    Effect.gen(function* () {
      for (const options of [{ concurrency: 2 }, { concurrency: 2, chunker }]) {
        const chunks = yield* Stream.fromIterable(files).pipe(
          Parser.parseAll(options),
          Chunker.chunkAll({ chunker }),
          Stream.filter(Stage.isChunked),
          Stream.mapConcat((one) => one.chunks),
          Stream.runCollect
        )
        assertWrapped(Chunk.toReadonlyArray(chunks))
      }
    }).pipe(wrapping(wrap), Effect.provide(live))
  )

  it.effect("by a parse, one with options, and an extraction", () =>
    Effect.gen(function* () {
      const [first = file("a.pdf")] = files
      const documents = [
        yield* Parser.parse(first),
        yield* Parser.parseWith(first, { formats: [{ type: "markdown" }, { type: "links" }] })
      ]
      for (const { markdown } of documents) assert.include(markdown, "Removed.")
    }).pipe(wrapping(wrap), Effect.provide(live))
  )

  it.effect("by a run, and by one with a state, also from cached answers", () =>
    Effect.gen(function* () {
      const states = [undefined, {}, { redo: "writes" }] as const
      for (const state of states) {
        const store = MemorySink.emptyStore()
        const sinks = [yield* MemorySink.make(store)]
        const parts = { source, chunker, sinks }
        const summary = yield* state === undefined ? Pipeline.run(parts) : Pipeline.run({ ...parts, state })
        assert.deepInclude(summary, { stored: 2, failed: 0 })
        assertWrapped([...store.chunks.values()])
      }
    }).pipe(wrapping(wrap), Effect.provide(live))
  )

  it.effect("by a plan, which counts the tokens that the run stores", () =>
    Effect.gen(function* () {
      const store = MemorySink.emptyStore()
      const sink = yield* MemorySink.make(store)
      const plan = Plan.make({ source, chunker, sinks: [{ sink: sink.id, store: null }], redo: "writes" })
      // Answers of the service are exact once they are cached.
      yield* Pipeline.run({ source, chunker: BlockChunker.make(), sinks: [sink], state: {} })
      const planned = yield* plan
      store.chunks.clear()
      yield* Pipeline.run({ source, chunker, sinks: [sink], state: { redo: "writes" } })
      const tokens = [...store.chunks.values()].reduce((sum, one) => sum + one.tokens, 0)
      assert.deepInclude(planned, { tokens, estimated: [] })
    }).pipe(wrapping(wrap), Effect.provide(live))
  )

  it.scopedLive("by a corpus: an ingestion, an upload, a parse, and chunks", () =>
    Effect.gen(function* () {
      const store = MemorySink.emptyStore()
      const docs = yield* Corpus.makeParts({ to: MemorySink.make(store), chunker })
      yield* docs.ingest(source)
      yield* docs.add(SourceFile.fromBytes({ root: "up", path: "c.md", bytes: new TextEncoder().encode("An order.") }))
      const chunks = [...store.chunks.values()]
      assertWrapped(chunks)
      assert.isTrue(chunks.some((one) => one.source === "c.md" && one.text.includes("An removed.")))
      const [, text = file("b.md")] = files
      assert.include((yield* docs.parse(text)).markdown, "Removed.")
      assertWrapped(Chunk.toReadonlyArray(yield* Stream.runCollect(docs.chunks(source))))
    }).pipe(wrapping(wrap), Effect.provide(live))
  )
})

describe("Parser.mapDocument", () => {
  it.effect("chunks stored documents again under another name, and sends nothing for it", () =>
    Effect.gen(function* () {
      const store = MemorySink.emptyStore()
      const sinks = [yield* MemorySink.make(store)]
      const run = (step: string, word: string) =>
        Pipeline.run({ source, chunker, sinks, state: {} }).pipe(
          wrapping(
            Parser.mapDocument({
              name: step,
              f: (document) => Effect.succeed({ ...document, markdown: `${document.markdown}\n\n${word}\n` })
            })
          ),
          Effect.map(({ requests, stored, unchanged }) => ({ requests, stored, unchanged }))
        )
      const ids = () => new Set(store.chunks.keys())
      assert.deepStrictEqual(yield* run("one", "gnu"), { requests: 1, stored: 2, unchanged: 0 })
      const first = ids()
      assert.deepStrictEqual(yield* run("one", "gnu"), { requests: 0, stored: 0, unchanged: 2 })
      assert.deepStrictEqual(yield* run("two", "emu"), { requests: 0, stored: 2, unchanged: 0 })
      const texts = [...store.chunks.values()].map(({ text }) => text).join("\n")
      assert.include(texts, "emu")
      assert.notInclude(texts, "gnu")
      // What did not change is the chunk that it was; a changed text has another id.
      const second = ids()
      const kept = [...first].filter((id) => second.has(id))
      assert.isNotEmpty(kept)
      assert.isBelow(kept.length, second.size)
    }).pipe(Effect.provide(live))
  )

  it.effect("keeps the document that it is, and leaves out a structure whose offsets no longer fit", () =>
    Effect.gen(function* () {
      const parser = Parser.mapDocument(Parser.texts(), {
        name: "shorter",
        f: (document) =>
          Effect.succeed({
            ...document,
            documentId: SourceFile.documentId("x", "y"),
            contentHash: "",
            markdown: "short"
          })
      })
      const found = SourceFile.fromBytes({
        root: "any",
        path: "a.org",
        bytes: new TextEncoder().encode("* Part\n\nText.\n")
      })
      const before = yield* Parser.texts().parse(found, {})
      const after = yield* parser.parse(found, {})
      assert.isDefined(before.structure)
      assert.isUndefined(after.structure)
      assert.deepStrictEqual([after.documentId, after.contentHash], [found.documentId, before.contentHash])
    })
  )

  it.effect("fails the document for which its function fails, and no other", () =>
    Effect.gen(function* () {
      const summary = yield* Pipeline.run({ source, chunker, sinks: [yield* MemorySink.make()] }).pipe(
        wrapping(
          Parser.mapDocument({
            name: "checked",
            f: (document) =>
              document.source === "b.md" ? Effect.fail({ message: "no heading" }) : Effect.succeed(document)
          })
        )
      )
      assert.deepInclude(summary, { stored: 1, failed: 1 })
      assert.deepInclude(summary.failures[0], { source: "b.md", tag: "checked", message: "no heading" })
    }).pipe(Effect.provide(live))
  )

  it.effect("counts what was paid for a document for which its function fails", () =>
    Effect.gen(function* () {
      const failing = Parser.mapDocument({ name: "failing", f: () => Effect.fail({ message: "no" }) })
      const summary = yield* Pipeline.run({ source, chunker, sinks: [yield* MemorySink.make()] }).pipe(
        wrapping(failing)
      )
      assert.deepInclude(summary, { failed: 2, parsed: 1 })
    }).pipe(Effect.provide(live))
  )
})
