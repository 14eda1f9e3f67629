import * as fs from "node:fs"
import * as path from "node:path"
import * as LanguageModel from "@effect/ai/LanguageModel"
import { assert, describe, it } from "@effect/vitest"
import * as Async from "docsluice/Async"
import * as DocumentChunk from "docsluice/DocumentChunk"
import * as Parser from "docsluice/Parser"
import * as SourceFile from "docsluice/SourceFile"
import * as Tools from "docsluice/Tools"
import * as Verification from "docsluice/Verification"
import { Deferred, Effect, Fiber, Layer, Schema, Stream } from "effect"
import * as PageDrawing from "../src/engine/PageDrawing.ts"
import { caption, fake, isPng, pageOf, picture, sentence, world } from "./fixtures/figures.ts"
import * as Asked from "./internal/look/askedStore.ts"

const decodeFound = Schema.decodeUnknown(
  Schema.Struct({ hits: Schema.Array(Schema.Struct({ figures: Schema.Array(DocumentChunk.Box) })) })
)

describe("Corpus.figure", () => {
  it.scopedLive("gives the picture in a box of a stored PDF, by chunk, by document and by id", () =>
    Effect.gen(function* () {
      const { opened, put, root } = yield* world
      put("a.pdf", pageOf("Flows"))
      const docs = yield* opened()
      yield* docs.ingest({ root })
      const parsed = yield* docs.parse(SourceFile.fromBytes({ root: "docs", path: "a.pdf", bytes: pageOf("Flows") }))
      const block = parsed.blocks?.[0]?.items.find(({ type }) => type === "figure")
      const bbox = block?.bbox ?? [0, 0, 0, 0]
      const found = yield* docs.figure(parsed, { page: 1, bbox })
      assert.isTrue(isPng(found.bytes))
      assert.deepInclude(found, { mediaType: "image/png", page: 1, bbox })
      assert.approximately(found.width, 1000, 8)
      assert.approximately(found.height / found.width, 150 / 200, 0.01)
      const small = yield* docs.figure("docs/a.pdf", { page: 1, bbox }, { width: 100 })
      assert.approximately(small.width, 100, 3)
      const [hit] = yield* docs.search("Figure 1. Flow against pressure", { mode: "words", limit: 1 })
      const [box] = hit?.chunk.boxes ?? []
      assert.isTrue(hit !== undefined && box !== undefined)
      if (hit !== undefined && box !== undefined) assert.isTrue(isPng((yield* docs.figure(hit.chunk, box)).bytes))
    })
  )

  it.scopedLive("tells why there is none", () =>
    Effect.gen(function* () {
      const { opened, put, root } = yield* world
      put("a.pdf", pageOf("Flows"))
      put("b.html", new TextEncoder().encode("<p>Words of a page</p>"))
      const docs = yield* opened()
      yield* docs.ingest({ root })
      const bbox = [0.1, 0.1, 0.5, 0.5] as const
      const reason = (...asked: Parameters<typeof docs.figure>) =>
        Effect.map(Effect.flip(docs.figure(...asked)), (error) => ("reason" in error ? error.reason : error._tag))
      assert.strictEqual(yield* reason("docs/none.pdf", { page: 1, bbox }), "Gone")
      assert.strictEqual(yield* reason("other/a.pdf", { page: 1, bbox }), "Gone")
      assert.strictEqual(yield* reason("docs/b.html", { page: 1, bbox }), "NoPicture")
      assert.strictEqual(yield* reason("docs/a.pdf", { page: 2, bbox }), "OutsidePage")
      for (const wrong of [
        [0.5, 0.1, 0.1, 0.5],
        [0, 0, 1.1, 1],
        [Number.NaN, 0, 1, 1]
      ] as const) {
        assert.strictEqual(yield* reason("docs/a.pdf", { page: 1, bbox: wrong }), "OutsidePage")
      }
      put("a.pdf", pageOf("Other"))
      assert.strictEqual(yield* reason("docs/a.pdf", { page: 1, bbox }), "Changed")
      fs.rmSync(path.join(root, "a.pdf"))
      assert.strictEqual(yield* reason("docs/a.pdf", { page: 1, bbox }), "Gone")
      put("c.pdf", pageOf("New"))
      assert.strictEqual(yield* reason("docs/c.pdf", { page: 1, bbox }), "UnknownDocument")
    })
  )
})

describe("descriptions of figures", () => {
  it.scopedLive("come into a chunk with the figure's box, once for each picture, and are paid for once", () =>
    Effect.gen(function* () {
      const { opened, put, root } = yield* world
      put("a.pdf", pageOf("Flows"))
      const { asked, describer } = fake(() => Effect.succeed({ text: sentence, tokens: 900 }))
      yield* Effect.gen(function* () {
        const docs = yield* opened({ describe: describer })
        const first = yield* docs.ingest({ root })
        assert.deepInclude(first, { stored: 1, figures: { described: 1, fromCache: 0, failed: 0, tokens: 900 } })
        // One for the page, two for the figure.
        assert.strictEqual(first.credits, 2)
        assert.lengthOf(asked, 1)
        assert.isTrue(isPng(asked[0]?.bytes ?? new Uint8Array(4)))
        assert.deepInclude(asked[0], { caption: "Figure 1. Flow against pressure.", page: 1, source: "a.pdf" })
        assert.match(asked[0]?.nearby ?? "", /^Flows rise.*\n\nAfter the figure/u)
        const [hit] = yield* docs.search("line chart flow rises", { limit: 1 })
        assert.include(hit?.chunk.text, String.raw`![A line chart: flow \[m3/h\] rises from 2`)
        assert.isTrue(hit?.chunk.kinds.includes("figure"))
        assert.include(hit?.chunk.metadata["blockSources"], "figure_description")
        assert.isTrue(hit !== undefined)
        if (hit === undefined) return
        const [box] = DocumentChunk.figures(hit.chunk)
        assert.isTrue(box !== undefined)
        if (box !== undefined) assert.isTrue(isPng((yield* docs.figure(hit.chunk, box)).bytes))
        // Words of a model are no words of the document.
        assert.strictEqual(
          (yield* Verification.verify("A line chart: flow [m3/h] rises from 2 at 1 bar", docs)).stands,
          "absent"
        )
        assert.strictEqual((yield* Verification.verify("Figure 1. Flow against pressure.", docs)).stands, "exact")
        // Parsing alone describes nothing.
        const parsed = yield* docs.parse(path.join(root, "a.pdf"))
        assert.notInclude(parsed.markdown, "line chart")
        assert.deepInclude(yield* docs.ingest({ root }), { unchanged: 1 })
        const chunks = yield* Stream.runCollect(docs.chunks({ root }))
        assert.isTrue(Array.from(chunks).some(({ text }) => text.includes("A line chart")))
        assert.lengthOf(asked, 1)
      }).pipe(Effect.scoped)
      // Another document with the same picture, in another process.
      put("b.pdf", pageOf("Pressures"))
      yield* Effect.gen(function* () {
        const docs = yield* opened({ describe: describer })
        const second = yield* docs.ingest({ root })
        assert.deepInclude(second, { stored: 1, unchanged: 1 })
        assert.deepStrictEqual(second.figures, { described: 0, fromCache: 1, failed: 0, tokens: 0 })
        yield* docs.ingest({ root }, { redo: "writes" })
        assert.lengthOf(asked, 1)
      }).pipe(Effect.scoped)
    })
  )

  it.scopedLive("are of one request where two documents with the picture are described at a time", () =>
    Effect.gen(function* () {
      const { aside, opened, put, root } = yield* world
      for (const name of ["a", "b", "c"]) put(`${name}.pdf`, pageOf(name.toUpperCase()))
      const { asked, describer } = fake(() => Effect.delay(Effect.succeed(sentence), 200))
      const docs = yield* opened({ describe: describer, to: aside(), state: undefined })
      const { figures, stored } = yield* docs.ingest({ root })
      assert.strictEqual(stored, 3)
      assert.deepStrictEqual(figures, { described: 1, fromCache: 2, failed: 0, tokens: 0 })
      assert.lengthOf(asked, 1)
    })
  )

  it.scopedLive("chunk stored documents again, without a parse, when the describer is new, another, or gone", () =>
    Effect.gen(function* () {
      const { opened, put, root } = yield* world
      put("a.pdf", pageOf("Flows"))
      const run = (describe: Parser.FigureDescriber | undefined) =>
        Effect.scoped(
          Effect.gen(function* () {
            const docs = yield* opened({ describe })
            const summary = yield* docs.ingest({ root })
            const chunks = yield* docs.read({ documentId: SourceFile.documentId("docs", "a.pdf"), from: 0, to: 99 })
            return { summary, text: chunks.map(({ text }) => text).join("\n\n") }
          })
        )
      const { asked, describer } = fake()
      const plain = yield* run(undefined)
      assert.deepInclude(plain.summary, { stored: 1, parsed: 1 })
      assert.isUndefined(plain.summary.figures)
      const first = yield* run(describer)
      assert.deepInclude(first.summary, { stored: 1, parsed: 0, fromCache: 1, requests: 0 })
      assert.include(first.text, "A line chart")
      const other = yield* run({ ...describer, name: "fake 2", describe: () => Effect.succeed("Bars of a lattice.") })
      assert.deepInclude(other.summary, { stored: 1, parsed: 0 })
      assert.include(other.text, "Bars of a lattice")
      assert.notInclude(other.text, "A line chart")
      const back = yield* run(undefined)
      assert.deepInclude(back.summary, { stored: 1, parsed: 0 })
      assert.strictEqual(back.text, plain.text)
      assert.lengthOf(asked, 1)
    })
  )

  it.scopedLive("that fail lose no document, are counted and said, and are asked for again by the next run", () =>
    Effect.gen(function* () {
      const { aside, opened, put, root } = yield* world
      put("a.pdf", pageOf("Flows"))
      let broken = true
      const { asked, describer } = fake(() =>
        broken ? Effect.fail({ message: "the model is overloaded" }) : Effect.succeed(sentence)
      )
      const docs = yield* opened({ describe: describer })
      const first = yield* docs.ingest({ root })
      assert.deepInclude(first, { stored: 1, failed: 0, exit: 0 })
      assert.deepStrictEqual(first.figures, { described: 0, fromCache: 0, failed: 1, tokens: 0 })
      assert.deepStrictEqual(first.warnings, [
        {
          source: "a.pdf",
          message: "page 1: a figure has no description: the describer failed: the model is overloaded"
        }
      ])
      broken = false
      const second = yield* docs.ingest({ root })
      assert.deepInclude(second, { stored: 1, parsed: 0, warnings: [] })
      assert.deepInclude(second.figures, { described: 1, failed: 0 })
      assert.deepInclude(yield* docs.ingest({ root }), { unchanged: 1 })
      assert.lengthOf(asked, 2)
      const thrown = fake(() => {
        throw new Error("a fault")
      })
      const again = yield* opened({ describe: thrown.describer, to: aside(), state: undefined })
      assert.deepInclude((yield* again.ingest({ root })).figures, { failed: 1 })
      const silent = yield* opened({
        describe: fake(() => Effect.succeed(" ")).describer,
        to: aside(),
        state: undefined
      })
      assert.deepInclude((yield* silent.ingest({ root })).figures, { failed: 1 })
    })
  )

  it.scopedLive("are not paid for again after a run that was broken off", () =>
    Effect.gen(function* () {
      const { opened, put, root } = yield* world
      put("a.pdf", pageOf("Flows"))
      put("b.pdf", pageOf("Pressures", [{ ...picture, width: 300 }, caption]))
      const both = yield* Deferred.make<void>()
      let broken = true
      const { asked, describer } = fake(({ source }) =>
        source === "b.pdf" && broken
          ? Effect.zipRight(Deferred.succeed(both, undefined), Effect.never)
          : Effect.succeed(sentence)
      )
      const docs = yield* opened({ describe: describer, concurrency: 1 })
      const run = yield* Effect.fork(docs.ingest({ root }, { ordered: true }))
      yield* Deferred.await(both)
      while (asked.length < 2) yield* Effect.sleep(20)
      yield* Effect.sleep(300)
      yield* Fiber.interrupt(run)
      broken = false
      const { figures, parsed, stored, unchanged } = yield* docs.ingest({ root })
      assert.deepStrictEqual([stored + unchanged, parsed, figures?.described], [2, 0, 1])
      assert.deepStrictEqual(asked.map(({ source }) => source).toSorted(), ["a.pdf", "b.pdf", "b.pdf"])
    })
  )

  it.scopedLive("are charged to the budget, which stops the run as for a parse; the next run goes on", () =>
    Effect.gen(function* () {
      const { opened, put, root } = yield* world
      const { asked, describer } = fake()
      put("a.pdf", pageOf("Flows"))
      put("b.pdf", pageOf("Pressures", [{ ...picture, width: 300 }, caption]))
      const docs = yield* opened({ describe: describer, concurrency: 1 })
      const first = yield* docs.ingest({ root }, { budget: { credits: 3 } })
      assert.lengthOf(asked, 1)
      assert.deepInclude(first, { stored: 1, notAttempted: 1, exit: 1, credits: 2 })
      assert.strictEqual(first.stopped?.tag, "BudgetSpent")
      const second = yield* docs.ingest({ root }, { budget: { credits: 2 } })
      assert.lengthOf(asked, 2)
      assert.deepInclude(second, { stored: 1, unchanged: 1, parsed: 0, credits: 2, exit: 0 })
    })
  )

  it.scopedLive("are written by a language model of @effect/ai that gets the picture", () =>
    Effect.gen(function* () {
      const { opened, put, root } = yield* world
      put("a.pdf", pageOf("Flows"))
      const prompts: Array<LanguageModel.ProviderOptions["prompt"]> = []
      const model = LanguageModel.make({
        generateText: ({ prompt }) =>
          Effect.sync(() => {
            prompts.push(prompt)
            return [
              { type: "text", text: sentence },
              {
                type: "finish",
                reason: "stop",
                usage: { inputTokens: 700, outputTokens: 50, totalTokens: undefined }
              }
            ]
          }),
        streamText: () => Stream.empty
      })
      const describe = yield* Effect.provide(
        Parser.figureModel({ model: "vision-1" }),
        Layer.effect(LanguageModel.LanguageModel, model)
      )
      const docs = yield* opened({ describe })
      assert.deepInclude((yield* docs.ingest({ root })).figures, { described: 1, tokens: 750 })
      const parts = prompts[0]?.content.flatMap(({ content }) => (typeof content === "string" ? [] : content)) ?? []
      const file = parts.find((part) => part.type === "file")
      assert.isTrue(file?.type === "file" && file.mediaType === "image/png" && file.data instanceof Uint8Array)
      assert.isTrue(parts.some((part) => part.type === "text" && part.text.includes("Flow against pressure")))
    })
  )

  it.scopedLive("have pictures on the page and for agents, those of the hit alone", () =>
    Effect.gen(function* () {
      const { opened, put, root, state, store } = yield* world
      put("a.pdf", pageOf("Flows"))
      const docs = yield* opened({ describe: fake().describer })
      yield* docs.ingest({ root })
      const ask = yield* Asked.ask({ store, state }, { drawing: yield* PageDrawing.make })
      const hit = yield* ask.one("line chart flow rises")
      const [at = -1] = hit.figures
      assert.lengthOf(hit.figures, 1)
      assert.isTrue(isPng(yield* ask.figure(hit.id, at, 300, Asked.caller)))
      for (const [id, box, caller] of [
        [hit.id, at === 0 ? 1 : 0, Asked.caller],
        [hit.id, 99, Asked.caller],
        [hit.id, at, "somebody else"]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(ask.figure(id, box, 300, caller))).status, 404)
      }

      const tools = yield* Tools.make(docs, { state })
      const call = (name: string, given: object) =>
        Effect.flatMap(Effect.fromNullable(tools.find((tool) => tool.name === name)), (tool) => tool.call(given))
      const found = yield* Effect.flatMap(call("search", { query: "line chart flow rises", limit: 1 }), decodeFound)
      const { bbox: figure, page } = yield* Effect.fromNullable(found.hits[0]?.figures[0])
      const looked = yield* call("look", { source: "a.pdf", page, figure, width: 400 })
      assert.deepInclude(looked, { page: 1, boxes: [figure], mimeType: "image/png" })
      const image = Buffer.from(String(looked["image"]), "base64")
      assert.approximately(image.readUInt32BE(16), 400, 5)
      assert.approximately(image.readUInt32BE(20), 300, 5)
      const refused = yield* Effect.flip(call("look", { source: "a.pdf", page, figure: [0.5, 0.5, 0.2, 0.6] }))
      assert.deepInclude(refused, { reason: "Arguments" })
      put("a.pdf", pageOf("Other"))
      assert.strictEqual((yield* Effect.flip(ask.figure(hit.id, at, 300, Asked.caller))).status, 409)
      assert.deepInclude(yield* Effect.flip(call("look", { source: "a.pdf", page, figure })), { reason: "NoPicture" })
    })
  )

  it.scopedLive("are those of a function in a program without Effect, which gets pictures too", () =>
    Effect.gen(function* () {
      const { put, root, state, store } = yield* world
      put("a.pdf", pageOf("Flows"))
      yield* Effect.promise(async () => {
        const write = async ({ mediaType }: Parser.Figure, signal: AbortSignal) =>
          `${sentence} ${mediaType} ${String(signal.aborted)}`
        const docs = await Async.open({ to: store, state, embedder: "hash", describe: { name: "own 1", write } })
        try {
          const { credits, figures } = await docs.ingest({ root })
          assert.deepStrictEqual([credits, figures?.described], [1, 1])
          const [hit] = await docs.search("line chart flow rises image/png false", { limit: 1 })
          const [box] = hit === undefined ? [] : DocumentChunk.figures(hit.chunk)
          assert(hit !== undefined && box !== undefined, "there is no figure")
          assert.isTrue(isPng((await docs.figure(hit.chunk, box, { width: 200 })).bytes))
          const refused = await docs.figure(hit.chunk, { page: 9, bbox: box.bbox }).catch((error: unknown) => error)
          assert.deepInclude(refused, { _tag: "FigureError", reason: "OutsidePage" })
        } finally {
          await docs.close()
        }
        const { figures } = await Async.ingest({
          root,
          sinks: [`jsonl:${root}/../chunks.jsonl`],
          describe: { name: "own 2", write: () => Promise.reject(new Error("no")) }
        })
        assert.deepInclude(figures, { failed: 1 })
      })
    })
  )

  it.scopedLive("are refused with redaction and without retention, and for a model that cannot be named", () =>
    Effect.gen(function* () {
      const { opened } = yield* world
      const { describer } = fake()
      for (const parseOptions of [{ redactPII: true }, { zeroDataRetention: true }]) {
        const error = yield* Effect.flip(opened({ describe: describer, parseOptions }))
        assert.deepInclude(error, { _tag: "OptionError", option: "describe" })
      }
      assert.deepInclude(yield* Effect.flip(opened({ describe: "nonsense" })), {
        _tag: "OptionError",
        option: "describe"
      })
    })
  )
})
