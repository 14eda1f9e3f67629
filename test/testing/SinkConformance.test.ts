import { assert, describe, it } from "@effect/vitest"
import { ChunkSink } from "docsluice/ChunkSink"
import * as MemorySink from "docsluice/testing/MemorySink"
import * as SinkConformance from "docsluice/testing/SinkConformance"
import { Effect, Layer } from "effect"

/** A memory sink that is spoilt in one way. */
const spoilt = (spoil: (sink: ChunkSink.Service) => ChunkSink.Service) =>
  Effect.sync(() => {
    const store = MemorySink.emptyStore()
    return {
      layer: Layer.effect(ChunkSink, Effect.map(MemorySink.make(store), spoil)),
      read: Effect.sync(() => [...store.chunks.values()]),
      destroy: Effect.sync(() => {
        store.chunks.clear()
        store.stamp = null
      })
    }
  })

const failing = (spoil: (sink: ChunkSink.Service) => ChunkSink.Service) =>
  Effect.map(SinkConformance.check(spoilt(spoil)), ({ results }) =>
    results.filter(({ result }) => result !== "passed" && result !== "skipped").map(({ name }) => name)
  )

SinkConformance.suite(
  "memory",
  spoilt((sink) => sink),
  { describe, it }
)

describe("check", () => {
  it.scopedLive("passes every case on a sink that does what it says, and shows what it can", () =>
    Effect.gen(function* () {
      const report = yield* SinkConformance.check(spoilt((sink) => sink))
      assert.isTrue(report.conforms, JSON.stringify(report.results))
      assert.deepEqual(new Set(report.results.map(({ result }) => result)), new Set(["passed"]))
      assert.include(SinkConformance.table([report]), "| memory | yes | yes | yes | yes | no | no | yes |")
    })
  )

  it.scopedLive("skips what a sink does not claim", () =>
    Effect.gen(function* () {
      const { results, conforms } = yield* SinkConformance.check(
        spoilt((sink) => ({ ...sink, capabilities: { ...sink.capabilities, remove: false, replace: false } }))
      )
      assert.isTrue(conforms)
      assert.isAbove(results.filter(({ result }) => result === "skipped").length, 3)
    })
  )

  it.scopedLive("finds a sink that loses the last chunk of a batch", () =>
    Effect.gen(function* () {
      const names = yield* failing((sink) => ({ ...sink, write: (batch) => sink.write(batch.slice(0, -1)) }))
      assert.include(names, "stores what is written, and finds it in a new session")
      assert.include(names, "takes batches of none, one, the maximum and one more")
    })
  )

  it.scopedLive("finds a sink that ignores removals and one that ignores an id written again", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* failing((sink) => ({ ...sink, remove: () => Effect.void })), [
        "removes chunks by id, and does not mind those that are not there",
        "converges when it is closed between any two steps of the write order"
      ])
      const seen = new Set<string>()
      const names = yield* failing((sink) => ({
        ...sink,
        write: (batch) =>
          sink.write(
            batch.filter(({ id, text }) => {
              const changed = text.startsWith("changed") && seen.has(id)
              seen.add(id)
              return !changed
            })
          )
      }))
      assert.deepEqual(names, ["keeps what was written last under an id"])
    })
  )

  it.scopedLive("finds a sink that takes any embedding space, and one that always gives a new stamp", () =>
    Effect.gen(function* () {
      let stamps = 0
      assert.include(
        yield* failing((sink) => ({ ...sink, prepare: () => sink.prepare(null) })),
        "refuses another embedding space and keeps what it holds"
      )
      assert.include(
        yield* failing((sink) => ({ ...sink, prepare: (space) => Effect.as(sink.prepare(space), `${stamps++}`) })),
        "gives the same stamp each time it is opened"
      )
    })
  )
})
