import { assert, describe, it } from "@effect/vitest"
import * as Chunker from "docsluice/Chunker"
import * as DeadLetter from "docsluice/DeadLetter"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Source from "docsluice/Source"
import * as State from "docsluice/State"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect, Layer, Stream } from "effect"
import { byLine, characters, file } from "./pipeline/fakes.ts"

const parser = Parser.layerFunction("upper", (_file, bytes) =>
  Effect.map(bytes, (all) => new TextDecoder().decode(all).toUpperCase())
)

const live = Layer.mergeAll(parser, characters, DeadLetter.layerMemory).pipe(Layer.provideMerge(State.layerMemory))

describe("Chunker.mapChunks", () => {
  const documents = [0, 1].map((at) => file(`${at}.md`))
  const own = Source.make({ name: "own", files: Stream.fromIterable(documents) })
  const shouting = (name: string, end: string) =>
    Chunker.mapChunks(byLine, {
      name,
      f: (chunks) => Effect.succeed(chunks.map((chunk) => ({ ...chunk, text: `${chunk.text}${end}` })))
    })

  it.effect("gives a changed text another id, its tokens, and the text that is embedded", () =>
    Effect.gen(function* () {
      const document = yield* Parser.parse(file("a.tex"))
      const [before] = (yield* byLine.chunk(document)).chunks
      const [after] = (yield* shouting("one", "!").chunk(document)).chunks
      const [other] = (yield* shouting("one", "?").chunk(document)).chunks
      assert.deepInclude(after, { text: "A.TEX!", embedText: "A.TEX!", tokens: 6, start: 0, end: 5, index: 0 })
      assert.strictEqual(new Set([before?.id, after?.id, other?.id]).size, 3)
      const [same] = (yield* shouting("one", "!").chunk(document)).chunks
      assert.strictEqual(same?.id, after?.id)
    }).pipe(Effect.provide(live))
  )

  it.effect("chunks stored documents again under another name", () =>
    Effect.gen(function* () {
      const store = MemorySink.emptyStore()
      const sinks = [yield* MemorySink.make(store)]
      const run = (chunker: Chunker.Chunker) =>
        Effect.map(Pipeline.run({ source: own, chunker, sinks, state: {} }), ({ stored }) => stored)
      assert.strictEqual(yield* run(shouting("one", "!")), 2)
      assert.strictEqual(yield* run(shouting("one", "!")), 0)
      assert.strictEqual(yield* run(shouting("two", "?")), 2)
      assert.sameMembers(
        [...store.chunks.values()].map(({ text }) => text),
        ["0.MD?", "1.MD?"]
      )
    }).pipe(Effect.provide(live))
  )

  it.effect("leaves chunks out, counts on without gaps, and keeps children with their parents", () =>
    Effect.gen(function* () {
      const text = Array.from({ length: 6 }, (_, at) => `# Part ${at}\n\n${"Some words here. ".repeat(8)}`).join("\n\n")
      const document = yield* (yield* Parser.fromFunction("text", () => Effect.succeed(text))).parse(file("a.pdf"), {})
      const inner = MarkdownChunker.make({ maxTokens: 150, children: { maxTokens: 40 } })
      const outer = Chunker.mapChunks(inner, {
        name: "fewer",
        f: (chunks) => Effect.succeed(chunks.filter((chunk) => !chunk.text.includes("Part 0")))
      })
      const before = (yield* inner.chunk(document)).chunks
      const { chunks } = yield* outer.chunk(document)
      assert.isBelow(chunks.length, before.length)
      assert.deepStrictEqual(
        chunks.map(({ index }) => index),
        chunks.map((_, at) => at)
      )
      const ids = new Set(chunks.map(({ id }) => id))
      assert.strictEqual(ids.size, chunks.length)
      for (const { parentId } of chunks) assert.isTrue(parentId === undefined || ids.has(parentId))
      assert.isTrue(chunks.some(({ parentId }) => parentId !== undefined))
    }).pipe(Effect.provide(live))
  )

  it.effect("fails the document with the message of its function", () =>
    Effect.gen(function* () {
      const chunker = Chunker.mapChunks(byLine, { name: "never", f: () => Effect.fail({ message: "too few" }) })
      const error = yield* Effect.flip(Effect.flatMap(Parser.parse(file("a.tex")), chunker.chunk))
      assert.deepInclude(error, { _tag: "ChunkingError", reason: "Failed" })
      assert.include(error.message, "never: too few")
    }).pipe(Effect.provide(live))
  )
})
