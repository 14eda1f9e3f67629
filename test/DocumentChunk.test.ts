import { assert, it } from "@effect/vitest"
import * as Chunk from "docsluice/DocumentChunk"
import { Tokenizer } from "docsluice/Tokenizer"
import { Effect, ParseResult, Schema } from "effect"
import * as AsyncChunkers from "../src/internal/async/chunker.ts"
import { chunk } from "./embedding/chunks.ts"
import { characters, file, parsed } from "./pipeline/fakes.ts"

const Line = Schema.parseJson(Chunk.DocumentChunk)

const packed = new Chunk.PackedVector([0.5, -0.25, 0.1])

it.effect("a packed embedding is written as the list of its numbers, by schema, line and JSON alike", () =>
  Effect.gen(function* () {
    const given = new Chunk.DocumentChunk({ ...chunk("a"), embedding: packed })
    const list = [0.5, -0.25, Math.fround(0.1)]
    const line = Chunk.toLine(given)
    assert.deepStrictEqual(Array.from((yield* Schema.decode(Line)(line)).embedding ?? []), list)
    assert.deepStrictEqual((yield* Schema.encode(Chunk.DocumentChunk)(given)).embedding, list)
    assert.strictEqual(JSON.stringify(packed), JSON.stringify(list))
    assert.strictEqual(yield* Schema.encode(Line)(given), line)
  })
)

it.effect("an embedding may be a list, packed floats, or absent, and nothing else", () =>
  Effect.gen(function* () {
    const decode = Schema.validateEither(Chunk.DocumentChunk)
    for (const embedding of [[1, 2], packed, new Float32Array([1])]) {
      assert.strictEqual(new Chunk.DocumentChunk({ ...chunk("a"), embedding }).embedding, embedding)
    }
    assert.notInclude(Chunk.toLine(chunk("a")), "embedding")
    assert.strictEqual(decode({ ...chunk("a"), embedding: ["1"] })._tag, "Left")
    const encoded = yield* Schema.encode(Chunk.DocumentChunk)(chunk("a"))
    assert.isFalse("embedding" in encoded)
  })
)

it.effect(
  "the id of a span's chunk names document, configuration, tokenizer, span and both texts, and nothing else",
  () =>
    Effect.sync(() => {
      const document = { ...parsed(file("a.pdf"), "one two one"), source: "a.pdf" }
      const tokenizer = { name: "chars", count: (text: string) => text.length }
      const configuration = { name: "own", configuration: "{}", tokenizer }
      const span: Chunk.Span = { index: 0, start: 0, end: 3 }
      const id = (...[of, at, how]: Partial<Parameters<typeof Chunk.fromSpan>>) =>
        Chunk.fromSpan(of ?? document, at ?? span, how ?? configuration).id
      assert.strictEqual(id(), id(undefined, { ...span, index: 7, metadata: { tenant: "a" }, embedText: "one" }))
      const others = [
        id(),
        id({ ...document, documentId: file("b.pdf").documentId }),
        id({ ...document, markdown: "two two one" }),
        id(undefined, { ...span, start: 8, end: 11 }),
        id(undefined, { ...span, embedText: "a > one" }),
        id(undefined, { ...span, embedText: "one > a" }),
        id(undefined, { ...span, embedText: "a summary" }),
        id({ ...document, markdown: "two two one" }, { ...span, embedText: "a summary" }),
        id(undefined, undefined, { ...configuration, name: "other" }),
        id(undefined, undefined, { ...configuration, configuration: '{"size":1}' }),
        id(undefined, undefined, { ...configuration, tokenizer: { ...tokenizer, name: "words" } })
      ]
      assert.strictEqual(new Set(others).size, others.length)
    })
)

it.effect("a span's chunk has its text, the tokens of what is embedded, and no layout", () =>
  Effect.sync(() => {
    const chunk = Chunk.fromSpan(
      parsed(file("a.pdf"), "one two"),
      { index: 1, start: 4, end: 7, embedText: "one > two", metadata: { tenant: "a" } },
      { name: "own", configuration: "{}", tokenizer: { name: "chars", count: (text) => text.length } }
    )
    assert.deepInclude(chunk, { index: 1, text: "two", embedText: "one > two", tokens: 9, start: 4, end: 7 })
    assert.deepInclude(chunk, { source: "a.pdf", metadata: { tenant: "a" }, pages: [], boxes: [] })
  })
)

it.effect("a chunker without Effect gives its chunks the same ids", () =>
  Effect.gen(function* () {
    const document = parsed(file("a.pdf"), "one two")
    const tokenizer = yield* Tokenizer
    const own = AsyncChunkers.chunker({
      name: "own",
      split: () => [
        { start: 0, end: 3 },
        { start: 4, end: 7 }
      ]
    })
    const { chunks } = yield* own.chunk(document)
    const spans = [
      { index: 0, start: 0, end: 3 },
      { index: 1, start: 4, end: 7 }
    ]
    const same = spans.map((span) => Chunk.fromSpan(document, span, { name: "own", configuration: "", tokenizer }))
    assert.deepStrictEqual(chunks, same)
  }).pipe(Effect.provide(characters))
)

it.effect("metadata keep members of any name, through the schema, a line and JSON", () =>
  Effect.gen(function* () {
    const metadata: Chunk.DocumentChunk["metadata"] = JSON.parse(
      '{"__proto__":["a"],"constructor":"b","toString":1,"":true}'
    )
    const given = new Chunk.DocumentChunk({ ...chunk("a"), metadata })
    for (const read of [
      yield* Schema.decode(Line)(Chunk.toLine(given)),
      yield* Schema.decode(Line)(yield* Schema.encode(Line)(given)),
      Chunk.DocumentChunk.make({ ...given })
    ]) {
      assert.deepEqual(Object.entries(read.metadata), Object.entries(metadata))
      assert.isTrue(Object.hasOwn(read.metadata, "__proto__"))
    }
  })
)

it.effect("metadata that are not flat are refused by the name of the member", () =>
  Effect.gen(function* () {
    const decode = Schema.decodeUnknown(Chunk.DocumentChunk)
    for (const [value, path] of [
      [null, ["metadata", "title"]],
      [{ a: 1 }, ["metadata", "title"]],
      [
        ["a", 1],
        ["metadata", "title", 1]
      ]
    ] as const) {
      const error = yield* Effect.flip(decode({ ...chunk("a"), metadata: { fine: 1, title: value } }))
      const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
      assert.deepEqual(issue?.path, path)
    }
    assert.strictEqual((yield* Effect.flip(decode({ ...chunk("a"), metadata: [] })))._tag, "ParseError")
  })
)

it.prop("arbitrary metadata are flat", [Chunk.Metadata], ([metadata]) =>
  assert.isTrue(Schema.is(Chunk.Metadata)(JSON.parse(JSON.stringify(metadata))))
)
