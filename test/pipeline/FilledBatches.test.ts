import { EmbeddingModel } from "@effect/ai"
import { assert, it } from "@effect/vitest"
import * as Embedder from "docsluice/Embedder"
import * as EmbeddingCache from "docsluice/EmbeddingCache"
import type { Parser } from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import type { SourceFile } from "docsluice/SourceFile"
import { Clock, Effect, Fiber, Layer, Stream, TestClock } from "effect"
import { around, byLine, file, numbered, parsed, parser, sink } from "./fakes.ts"

/** A run over the files whose parses take these times; gives the time and the texts of each request, and the time of the end. */
const run = (
  files: ReadonlyArray<SourceFile>,
  millis: (path: string) => number,
  options: Partial<Embedder.Options & { readonly maxBytesInFlight: number }> = {}
) =>
  Effect.gen(function* () {
    const requests: Array<{ readonly at: number; readonly texts: ReadonlyArray<string> }> = []
    const embedMany = (texts: ReadonlyArray<string>) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        requests.push({ at, texts })
        return texts.map(() => [1, 0])
      })
    const model = EmbeddingModel.EmbeddingModel.of({
      embed: (text) => Effect.map(embedMany([text]), ([vector = []]) => vector),
      embedMany
    })
    const embedder = yield* Embedder.make({ model: "counted", dimensions: 2, ...options }).pipe(
      Effect.provide([Layer.succeed(EmbeddingModel.EmbeddingModel, model), EmbeddingCache.layerMemory()])
    )
    const slow: Layer.Layer<Parser> = parser((source) =>
      Effect.delay(Effect.succeed(parsed(source)), millis(source.path))
    )
    const memory = sink()
    const fiber = yield* Pipeline.run({
      source: Stream.fromIterable(files),
      chunker: byLine,
      embedder,
      sinks: [memory.service],
      maxBytesInFlight: options.maxBytesInFlight
    }).pipe(Effect.provide(around(slow)), Effect.zipRight(Clock.currentTimeMillis), Effect.fork)
    for (let step = 0; step < 90; step += 1) yield* TestClock.adjust("10 millis")
    const ended = yield* Fiber.join(fiber)
    assert.lengthOf(new Set(memory.sources()), files.length)
    return { requests, ended }
  })

const inTurn = (path: string) => 20 * Number.parseInt(path, 10)

it.scoped("the texts of 22 small documents, parsed one after another, fill 3 requests", () =>
  Effect.gen(function* () {
    const { requests } = yield* run(numbered(22), inTurn)
    assert.strictEqual(requests.flatMap(({ texts }) => texts).length, 22)
    assert.isAtMost(requests.length, 3, JSON.stringify(requests))
  })
)

it.scoped("a full request waits for nothing", () =>
  Effect.gen(function* () {
    const { requests } = yield* run(numbered(22), inTurn, { batchSize: 4, fill: "1 minute" })
    assert.deepStrictEqual(
      requests.map(({ texts }) => texts.length),
      [4, 4, 4, 4, 4, 2]
    )
    assert.isAtMost(requests[0]?.at ?? Infinity, 80)
  })
)

it.scoped("the last texts wait for nothing more than the delay, since no document can bring others", () =>
  Effect.gen(function* () {
    const { ended, requests } = yield* run([file("1.pdf")], () => 100, { fill: "1 minute" })
    assert.lengthOf(requests, 1)
    assert.isAtMost(ended, 150)
  })
)

it.scoped("texts do not wait for a document that waits for the memory that they hold", () =>
  Effect.gen(function* () {
    const { ended, requests } = yield* run(numbered(3), () => 10, { fill: "1 minute", maxBytesInFlight: 1 })
    assert.lengthOf(requests, 3)
    assert.isAtMost(ended, 200)
  })
)

it.scoped("texts wait for a slow document no longer than `fill`", () =>
  Effect.gen(function* () {
    const { requests } = yield* run(numbered(2), (path) => (path === "0.pdf" ? 0 : 700), { fill: "250 millis" })
    assert.deepStrictEqual(
      requests.map(({ texts }) => texts),
      [["0.pdf"], ["1.pdf"]]
    )
    assert.isAtMost(requests[0]?.at ?? Infinity, 300)
  })
)
