import { assert, describe, it } from "@effect/vitest"
import { fromData } from "docsluice/ParsedDocument"
import * as Pipeline from "docsluice/Pipeline"
import { Effect, Stream } from "effect"
import { around, byLine, file, parser, sink } from "./pipeline/fakes.ts"

/** Two of seven pages, and a warning of another kind. */
const cut = around(
  parser((source) =>
    Effect.succeed(
      fromData(source, "hash", { markdown: "a", warning: "a word", metadata: { numPages: 2, totalPages: 7 } })
    )
  )
)

const run = (truncated?: "store" | "warn" | "fail") => {
  const store = sink()
  const options = { source: Stream.make(file("a.pdf")), chunker: byLine, sinks: [store.service] }
  return Effect.map(Pipeline.run(truncated === undefined ? options : { ...options, truncated }), (summary) => ({
    summary,
    stored: store.sources()
  }))
}

describe("a document that was parsed in part", () => {
  it.effect("is stored with a warning by default", () =>
    Effect.gen(function* () {
      for (const policy of [undefined, "warn"] as const) {
        const { stored, summary } = yield* run(policy)
        assert.deepStrictEqual(stored, ["a.pdf"])
        assert.deepInclude(summary, { stored: 1, truncated: 1, exit: 0 })
        assert.deepStrictEqual(
          summary.warnings.map(({ message }) => message),
          ["a word", "only 2 of 7 pages were parsed"]
        )
      }
    }).pipe(Effect.provide(cut))
  )

  it.effect("is stored and counted without a word", () =>
    Effect.gen(function* () {
      const { summary } = yield* run("store")
      assert.deepInclude(summary, { stored: 1, truncated: 1, exit: 0 })
      assert.deepStrictEqual(
        summary.warnings.map(({ message }) => message),
        ["a word"]
      )
    }).pipe(Effect.provide(cut))
  )

  it.effect("fails", () =>
    Effect.gen(function* () {
      const { stored, summary } = yield* run("fail")
      assert.deepStrictEqual(stored, [])
      assert.deepInclude(summary, { stored: 0, failed: 1, exit: 1 })
      assert.deepInclude(summary.failures[0], { tag: "DocumentTruncated", retryable: false })
    }).pipe(Effect.provide(cut))
  )
})
