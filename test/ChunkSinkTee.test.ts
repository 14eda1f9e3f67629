import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ChunkSink from "docsluice/ChunkSink"
import * as Jsonl from "docsluice/sinks/Jsonl"
import * as LibSql from "docsluice/sinks/LibSql"
import { Effect, Option, Stream } from "effect"
import { chunk, generation } from "./fixtures/sinkChunks.ts"

const five = generation("a.md", "g", 5)
const space: ChunkSink.EmbeddingSpace = { model: "two", dimensions: 2, normalized: true, metric: "cosine" }
const embedded = five.map((one) => chunk(one.source, one.index, { id: one.id, embedding: [1, 0] }))

const unstamped = (id: string) =>
  ChunkSink.make({ id, name: "plain", open: () => Effect.succeed(null), write: () => Effect.void })

describe("a pair of sinks", () => {
  it.scoped("keeps a stamp where both sinks keep one, and reads from the left one", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const left = yield* LibSql.make({ file: `${folder}/left.db` })
      const right = yield* Jsonl.make({ file: `${folder}/right.jsonl` })
      const both = ChunkSink.tee(left, right)
      assert.isTrue(both.capabilities.stamp)
      assert.deepEqual(yield* both.look?.() ?? Effect.die("no look"), Option.none())

      const prepared = yield* both.prepare(space)
      yield* prepared.write(embedded)
      yield* prepared.finish
      assert.deepEqual(yield* ChunkSink.stampedSpace(both), Option.some(space))
      const stamp = Option.getOrThrow(yield* both.stamp ?? Effect.succeedNone)
      const seen = Option.getOrThrow(yield* both.look?.() ?? Effect.succeedNone)
      assert.deepEqual([Option.some(stamp.storeId), seen.storeId], [prepared.storeId, prepared.storeId])
      assert.deepEqual([Option.some(stamp), seen.stamp], [prepared.stamp, prepared.stamp])
      assert.strictEqual(yield* both.count ?? Effect.succeed(0), 5)
      assert.strictEqual(yield* Stream.runCount(both.contents ?? Stream.empty), 5)

      const half = ChunkSink.tee(left, yield* unstamped("plain"))
      assert.isFalse(half.capabilities.stamp)
      assert.doesNotHaveAnyKeys(half, ["stamp", "look"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.effect("gives each sink the store ids that are its own, in pairs of pairs and with any characters", () =>
    Effect.gen(function* () {
      const claimed: Array<readonly [string, ReadonlyArray<string>]> = []
      const sinks = yield* Effect.forEach(["a+b", "100%2B", "c"], (id) =>
        Effect.map(unstamped(id), (sink): ChunkSink.ChunkSink.Service => ({
          ...sink,
          prepare: (space, claim) => {
            if (claim !== undefined) claimed.push([id, claim.stores])
            return Effect.map(sink.prepare(space), (prepared) => ({ ...prepared, storeId: Option.some(id) }))
          }
        }))
      )
      const [one, two, three] = sinks
      assert.isDefined(one)
      assert.isDefined(two)
      assert.isDefined(three)
      const claim = { state: "s", how: "own", roots: [], knows: () => Effect.succeed(false) } as const
      for (const all of [
        ChunkSink.tee(ChunkSink.tee(one, two), three),
        ChunkSink.tee(one, ChunkSink.tee(two, three))
      ]) {
        claimed.length = 0
        const { storeId } = yield* all.prepare(null)
        yield* all.prepare(null, { ...claim, stores: [Option.getOrThrow(storeId)] })
        assert.deepEqual(
          claimed,
          ["a+b", "100%2B", "c"].map((id) => [id, [id]])
        )
      }
      assert.notStrictEqual(
        ChunkSink.tee(one, three).id,
        ChunkSink.tee({ ...one, id: "a" }, { ...three, id: "b+c" }).id
      )
    })
  )
})
