import { assert, describe, it } from "@effect/vitest"
import * as AutoChunker from "docsluice/AutoChunker"
import * as BlockChunker from "docsluice/BlockChunker"
import type { Chunker } from "docsluice/Chunker"
import type { DocumentChunk } from "docsluice/DocumentChunk"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as PageChunker from "docsluice/PageChunker"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Embedded from "docsluice/service/Embedded"
import type { InvalidOptions, ParseOptions } from "docsluice/service/ParseOptions"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Effect, Layer, Stream } from "effect"
import { around, byLine, characters, file, numbered, parsed } from "./pipeline/fakes.ts"

const engine = Layer.provide(Embedded.layerEngine(), ScriptedEngine.layer({ pages: 2, blocksPerPage: 3 }))

const pdf = (options: Omit<NonNullable<ParseOptions["parsers"]>[number], "type">): ParseOptions => ({
  parsers: [{ type: "pdf", ...options }]
})

/** A run over two PDFs: the chunks, or why it did not begin, and the number of requests. */
const ran = (chunker: Chunker, parser: Layer.Layer<Parser.Parser, InvalidOptions>) =>
  Effect.gen(function* () {
    const inner = yield* Parser.Parser
    let requests = 0
    const counting: Parser.Parser.Service = {
      ...inner,
      parse: (file, request) => {
        requests += 1
        return inner.parse(file, request)
      }
    }
    const store = MemorySink.emptyStore()
    const sinks = [yield* MemorySink.make(store)]
    const source = Stream.fromIterable(numbered(2))
    const error = yield* Pipeline.run({ source, chunker, sinks }).pipe(
      Effect.provideService(Parser.Parser, counting),
      Effect.as(null),
      Effect.catchTag("InvalidOptions", (error) => Effect.succeed(error))
    )
    const chunks: ReadonlyArray<DocumentChunk> = [...store.chunks.values()]
    return { chunks, issues: error?.issues ?? [], requests }
  }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(around(Layer.orDie(parser)), characters)))

const asking = (options: ParseOptions = {}) => Layer.provide(Parser.layer(options), engine)

describe("what a chunker needs of an answer", () => {
  it.effect("is asked of a parser without options: chunks by blocks have their pages and boxes", () =>
    Effect.gen(function* () {
      const { chunks, requests } = yield* ran(BlockChunker.make(), asking())
      assert.strictEqual(requests, 2)
      assert.isNotEmpty(chunks)
      for (const chunk of chunks) {
        assert.isNotEmpty(chunk.pages)
        assert.isNotEmpty(chunk.boxes)
        assert.isNotEmpty(chunk.blockIds)
      }
    })
  )

  it.effect("is asked by the strategy's own options: only pages ask for page markers", () =>
    Effect.gen(function* () {
      const { parse } = yield* Parser.make()
      const markers = (chunker: Chunker) =>
        Effect.map(parse(file("a.pdf"), { chunker }), ({ blocks, markdown, pages }) => [
          pages?.length,
          blocks?.length,
          markdown.includes("<!-- page 2 -->")
        ])
      assert.deepStrictEqual(yield* markers(PageChunker.make()), [2, 2, true])
      assert.deepStrictEqual(yield* markers(BlockChunker.make()), [2, 2, false])
      assert.deepStrictEqual(yield* markers(MarkdownChunker.make()), [2, 2, false])
      assert.deepStrictEqual(yield* markers(AutoChunker.make()), [2, 2, false])
      assert.deepStrictEqual(yield* markers(byLine), [undefined, undefined, false])
      assert.isNull((yield* parse(file("a.pdf"), {})).pages)
    }).pipe(Effect.provide(engine))
  )

  it.effect("goes below the user's own options, member by member", () =>
    Effect.gen(function* () {
      const { chunks } = yield* ran(AutoChunker.make(), asking(pdf({ blocks: false, maxPages: 1 })))
      assert.isTrue(chunks.every(({ blockIds, pages }) => blockIds.length === 0 && pages.join() === "1"))
    })
  )

  const refusals: ReadonlyArray<readonly [string, Chunker, ParseOptions, string, string]> = [
    ["blocks without blocks", BlockChunker.make(), pdf({ blocks: false }), "parsers[0].blocks", "true"],
    [
      "pages without pages and markers",
      PageChunker.make(),
      pdf({ pages: false, pageMarkers: false }),
      "parsers[0].pages",
      "true, or pageMarkers"
    ],
    [
      "pages by markers without markers",
      PageChunker.make({ source: "markers" }),
      pdf({ pageMarkers: false }),
      "parsers[0].pageMarkers",
      "true"
    ],
    [
      "a chunker of one's own without Markdown",
      byLine,
      { formats: [{ type: "html" }] },
      "formats",
      "markdown among the formats"
    ]
  ]
  for (const [name, chunker, options, field, bound] of refusals) {
    it.effect(`fails before anything is sent where the options contradict it: ${name}`, () =>
      Effect.gen(function* () {
        const { chunks, issues, requests } = yield* ran(chunker, asking(options))
        assert.strictEqual(requests, 0)
        assert.lengthOf(chunks, 0)
        assert.lengthOf(issues, 1)
        assert.deepInclude(issues[0], { field, bound })
        assert.include(issues[0]?.message, `the chunker ${chunker.name} works on it; change the parse options`)
      })
    )
  }

  it.effect("fails where the answers of a parser of one's own do not have it, and not where they do", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const own = (answers: ReadonlyArray<"pages" | "blocks">) =>
        Parser.layerFunction(
          "own",
          (source) =>
            Effect.sync(() => {
              asked.push(source.path)
              return parsed(source)
            }),
          { answers }
        )
      const refused = yield* ran(BlockChunker.make(), own(["pages"]))
      assert.deepInclude(refused.issues[0], { field: "parser", bound: "a parser whose answers have blocks" })
      assert.lengthOf(asked, 0)
      assert.lengthOf((yield* ran(AutoChunker.make(), own([]))).chunks, 2)
      assert.lengthOf((yield* ran(BlockChunker.make(), own(["blocks"]))).chunks, 2)
    })
  )
})
