import { assert, it } from "@effect/vitest"
import * as Chunk from "docsluice/DocumentChunk"
import { Effect, ParseResult, Schema } from "effect"
import { chunk } from "./embedding/chunks.ts"

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
