import { assert, describe, it } from "@effect/vitest"
import type { ChunkSink } from "docsluice/ChunkSink"
import * as Qdrant from "docsluice/sinks/Qdrant"
import * as UndiciHttpClient from "docsluice/UndiciHttpClient"
import { Effect, Layer } from "effect"
import { chunk } from "../fixtures/sinkChunks.ts"
import { library, space } from "../fixtures/vectorChunks.ts"
import { qdrantDouble } from "./qdrantDouble.ts"

const withVectors = library.filter(({ embedding }) => embedding !== undefined)

const open = (options: Qdrant.Options) =>
  Effect.flatMap(Layer.build(UndiciHttpClient.layer()), (context) => Effect.provide(Qdrant.make(options), context))

const search = (sink: ChunkSink.Service, query: Parameters<NonNullable<ChunkSink.Service["search"]>>[0]) =>
  Effect.suspend(() => sink.search?.(query) ?? Effect.die("it cannot search"))

describe("words in qdrant", () => {
  it.scopedLive(
    "ranks by words, inflected forms too, with and without vectors, and rare words before frequent ones",
    () =>
      Effect.gen(function* () {
        const texts = [
          "the lantern on the pier",
          "lanterns, lanterns, a mast",
          "a mast and a pier",
          "a brass sextant by a mast"
        ]
        for (const given of [null, space]) {
          const { url } = yield* qdrantDouble()
          const sink = yield* open({ url })
          const prepared = yield* sink.prepare(given)
          const at = (index: number) => ({ embedding: [Math.cos(index), Math.sin(index), 0, 0] })
          yield* prepared.write(texts.map((text, index) => chunk("a.md", index, { text, ...(given && at(index)) })))
          const found = (text: string, vector?: ReadonlyArray<number>) =>
            Effect.map(search(sink, { text, vector, limit: 9 }), (hits) => hits.map((hit) => hit.chunk.index))
          assert.deepEqual(yield* found("lanterns"), [1, 0])
          assert.strictEqual((yield* found("sextants of masts"))[0], 3)
          assert.deepEqual(yield* found("zebra"), [])
          if (given === null) continue
          const [first, second] = yield* found("sextant", [1, 0, 0, 0])
          assert.sameMembers([first, second], [3, 0])
          const hits = yield* search(sink, { text: "sextant", vector: [1, 0, 0, 0], limit: 9 })
          assert.isTrue(hits.every(({ similarity }) => typeof similarity === "number"))
        }
      })
  )

  it.scopedLive(
    "searches a collection of an earlier version by vectors, writes to it as before, and rebuilds it with words",
    () =>
      Effect.gen(function* () {
        const double = yield* qdrantDouble()
        const prepared = yield* (yield* open({ url: double.url })).prepare(space)
        yield* prepared.write(withVectors)
        const [, made] = [...double.collections][0] ?? []
        assert.isDefined(made)
        const points = [...made.points].map(([id, point]) => [id, { ...point, sparse: new Map() }] as const)
        double.collections.set("chunks", { ...made, sparse: new Map(), points: new Map(points) })
        const old = yield* open({ url: double.url })
        const nearest = yield* search(old, { text: "tea", vector: [1, 0, 0, 0], limit: 2 })
        assert.lengthOf(nearest, 2)
        const refused = yield* Effect.flip(search(old, { text: "tea", limit: 2 }))
        assert.include(refused.problem, "searched by vectors only")
        const again = yield* old.prepare(space)
        yield* again.write(withVectors)
        yield* old.clear ?? Effect.void
        const rebuilt = yield* old.prepare(space)
        yield* rebuilt.write(withVectors)
        assert.isAbove((yield* search(old, { text: "tea", limit: 2 })).length, 0)
      })
  )
})
