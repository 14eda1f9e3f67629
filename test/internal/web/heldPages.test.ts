import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as HeldPages from "../../../src/internal/web/heldPages.ts"

describe("heldPages", () => {
  it.scopedLive("holds documents that arrive at the same time apart, the first ones too", () =>
    Effect.gen(function* () {
      const held = yield* HeldPages.make
      const texts = ["one", "two, longer", "three"]
      const all = yield* Effect.forEach(texts, (text) => held.hold(Stream.make(Buffer.from(text)), 1000), {
        concurrency: "unbounded"
      })
      const read = yield* Effect.forEach(all, ({ bytes }) => Stream.runCollect(bytes() ?? Stream.empty))
      assert.deepEqual(
        read.map((parts) => Buffer.concat([...parts]).toString()),
        texts
      )
    })
  )
})
