import { assert, describe, it } from "@effect/vitest"
import * as AutoChunker from "docsluice/AutoChunker"
import * as BlockChunker from "docsluice/BlockChunker"
import type { Chunker, ChunkingError, ChunkOptions } from "docsluice/Chunker"
import { DocumentChunk } from "docsluice/DocumentChunk"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as PageChunker from "docsluice/PageChunker"
import type { ParsedDocument } from "docsluice/ParsedDocument"
import * as Pipeline from "docsluice/Pipeline"
import { Effect, Stream } from "effect"
import * as asyncChunker from "../../src/internal/async/chunker.ts"
import { byLine, characters, collect, file, parsing, sink } from "../pipeline/fakes.ts"
import { markdownDocument } from "./markdownDocument.ts"

type Metadata = DocumentChunk["metadata"]

/** A value as a program without types makes it. */
const untyped = (json: string): Metadata => JSON.parse(json)
const made = (value: object): Metadata => Object(value)

const wrong: ReadonlyArray<readonly [metadata: Metadata, field: string, problem: string]> = [
  [
    untyped('{"title":null}'),
    "metadata.title",
    "metadata.title is null instead of a string, a number, a boolean or a list"
  ],
  [untyped('{"a":1,"author":{"name":"x"}}'), "metadata.author", "an object"],
  [untyped('{"pages":[1,2]}'), "metadata.pages[0]", "a number instead of a string"],
  [untyped('{"tags":["a",null]}'), "metadata.tags[1]", "null instead of a string"],
  [untyped('{"tags":[["a"]]}'), "metadata.tags[0]", "a list"],
  [untyped('{"key with blanks":null}'), 'metadata["key with blanks"]', "null"],
  [untyped('{"__proto__":null}'), "metadata.__proto__", "null"],
  [untyped("null"), "metadata", "metadata is null instead of a plain object"],
  [untyped('["a"]'), "metadata", "a list"],
  [untyped('"text"'), "metadata", "a string"],
  [made({ at: new Date(0) }), "metadata.at", "an object (Date)"],
  [made({ many: new Map() }), "metadata.many", "an object (Map)"],
  [made(new Map([["a", "b"]])), "metadata", "an object (Map)"],
  [made(Promise.resolve({ a: "b" })), "metadata", "an object (Promise)"],
  [made({ big: BigInt(1) }), "metadata.big", "a bigint"],
  [made({ call: () => 1 }), "metadata.call", "a function"],
  [made({ list: Object.assign(["a"], { length: 2 }) }), "metadata.list[1]", "undefined instead of a string"]
]

const chunk = (chunker: Chunker, document: ParsedDocument = markdownDocument("# A\n\nText.")) =>
  chunker.chunk(document).pipe(Effect.provide(characters))

const strategies: Readonly<Record<string, (options: ChunkOptions) => Chunker>> = {
  auto: AutoChunker.make,
  pages: PageChunker.make,
  blocks: BlockChunker.make,
  markdown: MarkdownChunker.make
}

const check = (error: ChunkingError, field: string, problem: string, index?: number) => {
  assert.strictEqual(error.reason, "InvalidChunk")
  assert.strictEqual(error.field, field)
  assert.strictEqual(error.index, index)
  assert.include(error.message, "a.md")
  assert.include(error.message, field)
  assert.include(error.message, problem)
}

describe("metadata of an option", () => {
  for (const [name, make] of Object.entries(strategies)) {
    it.effect(`are refused by ${name} where the schema forbids them, by the field's name`, () =>
      Effect.gen(function* () {
        for (const [metadata, field, problem] of wrong) {
          check(yield* Effect.flip(chunk(make({ metadata: () => metadata }))), field, problem)
        }
      })
    )
  }

  it.effect("are what they were, whatever their names; members that are undefined are left out", () =>
    Effect.gen(function* () {
      const metadata = untyped('{"__proto__":"kept","constructor":["x"],"":true,"n":0}')
      const given = made({ ...metadata, absent: undefined })
      const { chunks } = yield* chunk(MarkdownChunker.make({ metadata: () => given }))
      const entries = Object.entries(chunks[0]?.metadata ?? {}).filter(([name]) => name !== "headings")
      assert.deepEqual(entries, Object.entries(metadata))
      const { chunks: none } = yield* chunk(MarkdownChunker.make({ metadata: () => JSON.parse("{}").absent }))
      assert.deepEqual(none[0]?.metadata, { headings: ["A"] })
    })
  )

  it.effect("that throw fail the chunker, with the cause", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        chunk(
          MarkdownChunker.make({
            metadata: () => {
              throw new Error("no tenant")
            }
          })
        )
      )
      assert.strictEqual(error.reason, "Failed")
      assert.include(String(error.cause), "no tenant")
    })
  )
})

it.effect("metadata of a parsed document are flattened, never refused", () =>
  Effect.gen(function* () {
    const document = Object.assign(markdownDocument("text"), {
      metadata: JSON.parse(
        '{"title":["a",null,"b",{"c":1}],"keywords":[1],"language":null,"description":{"d":1},"own":{"e":1}}'
      )
    })
    const { chunks } = yield* chunk(MarkdownChunker.make(), document)
    assert.deepEqual(chunks[0]?.metadata, { title: ["a", "b"] })
  })
)

describe("a chunker of a program without Effect", () => {
  const pieces = (...given: ReadonlyArray<asyncChunker.Piece>) =>
    asyncChunker.chunker({ name: "own", split: () => given })

  it.effect("is refused its metadata where the schema forbids them, by chunk and field", () =>
    Effect.gen(function* () {
      for (const [metadata, field, problem] of wrong.filter(([metadata]) => metadata !== null)) {
        const own = pieces({ start: 0, end: 1 }, { start: 1, end: 2, metadata })
        check(yield* Effect.flip(chunk(own)), field, problem, 1)
      }
      const { chunks } = yield* chunk(pieces({ start: 0, end: 1, metadata: untyped('{"__proto__":"kept"}') }))
      assert.deepEqual(Object.entries(chunks[0]?.metadata ?? {}), [["__proto__", "kept"]])
    })
  )

  it.effect("is refused a piece that is no stretch of the document", () =>
    Effect.gen(function* () {
      const outside: ReadonlyArray<readonly [string, string, string]> = [
        ['{"start":-1,"end":2}', "start", "start is -1 instead of an offset from 0 to 10"],
        ['{"start":0,"end":99}', "end", "end is 99"],
        ['{"start":0.5,"end":2}', "start", "start is 0.5"],
        ['{"end":2}', "start", "start is undefined"],
        ['{"start":"0","end":2}', "start", "start is 0 instead of an offset"],
        ['{"start":3,"end":2}', "end", "before start"],
        ['{"start":0,"end":2,"embedText":7}', "embedText", "embedText is a number instead of a string"]
      ]
      for (const [json, field, problem] of outside) {
        check(yield* Effect.flip(chunk(pieces(JSON.parse(json)))), field, problem, 0)
      }
      check(yield* Effect.flip(chunk(pieces(JSON.parse("null")))), "piece", "the piece is null", 0)
    })
  )
})

describe("a run", () => {
  it.effect(
    "fails the document of an own chunker whose metadata are not flat, names chunk and field, and stores the others",
    () =>
      Effect.gen(function* () {
        const own: Chunker = {
          ...byLine,
          chunk: (document) =>
            Effect.map(byLine.chunk(document), (chunked) => ({
              ...chunked,
              chunks: chunked.chunks.map((one) =>
                document.source === "bad.pdf"
                  ? new DocumentChunk({ ...one, metadata: untyped('{"tags":{"a":"b"}}') }, { disableValidation: true })
                  : one
              )
            }))
        }
        const store = sink()
        const source = Stream.make(file("bad.pdf"), file("good.pdf"))
        const outcomes = yield* collect(Pipeline.outcomes({ source, chunker: own, sinks: [store.service] }))
        assert.deepEqual(store.sources(), ["good.pdf"])
        const failure = outcomes.find((outcome) => outcome._tag === "Failed")
        assert.strictEqual(failure?.tag, "ChunkingError")
        assert.include(failure?.message, "bad.pdf: chunk 0 is refused: metadata.tags is an object instead of a string")
      }).pipe(Effect.provide(parsing))
  )
})
