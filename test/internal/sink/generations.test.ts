import { assert, describe, it } from "@effect/vitest"
import * as ChunkSink from "docsluice/ChunkSink"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Effect } from "effect"
import * as Generations from "../../../src/internal/sink/generations.ts"

describe("a sink with generations", () => {
  it.effect("that was changed by hand does what it says for the one that serves, and fills no other one", () =>
    Effect.gen(function* () {
      const sink = yield* MemorySink.make()
      yield* sink.prepare(null)
      const refusing = { ...sink, prepare: () => Effect.dieMessage("by hand") }
      const serving = yield* Generations.serving(refusing)
      assert.strictEqual(serving.id, sink.id)
      const exit = yield* Effect.exit(serving.prepare(null))
      assert.include(String(exit), "by hand")
      const refused = yield* Effect.flip(Generations.held(refusing)?.fill ?? Effect.dieMessage("no generations"))
      assert.strictEqual(refused.reason, "Unsupported")
      assert.include(refused.message, "mapPrepared")
    })
  )

  it.effect("that was changed by `mapPrepared` is changed in each of them", () =>
    Effect.gen(function* () {
      const counts = { writes: 0 }
      const sink = ChunkSink.mapPrepared(yield* MemorySink.make(), (prepared) => ({
        ...prepared,
        write: (batch) =>
          Effect.suspend(() => {
            counts.writes += 1
            return prepared.write(batch)
          })
      }))
      yield* (yield* sink.prepare(null)).write([])
      const { fill } = Generations.held(sink) ?? {}
      const other = yield* fill ?? Effect.dieMessage("no generations")
      yield* (yield* other.sink.prepare(null)).write([])
      assert.strictEqual(counts.writes, 2)
    })
  )
})
