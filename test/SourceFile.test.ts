import { assert, describe, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import * as Source from "docsluice/Source"
import * as SourceFile from "docsluice/SourceFile"
import * as State from "docsluice/State"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Context, Data, Effect, Layer, Stream } from "effect"
import { byLine, characters, file } from "./pipeline/fakes.ts"

class RowError extends Data.TaggedError("NotFound")<{ readonly message: string }> {}

const parser = Parser.layerFunction("upper", (_file, bytes) =>
  Effect.map(bytes, (all) => new TextDecoder().decode(all).toUpperCase())
)

const live = Layer.mergeAll(parser, characters, DeadLetter.layerMemory).pipe(Layer.provideMerge(State.layerMemory))

describe("SourceFile.fromStream", () => {
  class Store extends Context.Tag("Store")<
    Store,
    { readonly get: (key: string) => Effect.Effect<Uint8Array, RowError> }
  >() {}
  const asked: Array<string> = []
  const store = Layer.succeed(Store, {
    get: (key) =>
      key === "gone"
        ? Effect.fail(new RowError({ message: "no row" }))
        : Effect.sync(() => {
            asked.push(key)
            return new TextEncoder().encode(key)
          })
  })
  const row = (path: string, size?: number) =>
    SourceFile.fromStream({
      root: "rows",
      path,
      size,
      fingerprint: { _tag: "Etag", value: path },
      open: Stream.fromEffect(Effect.flatMap(Store, ({ get }) => get(path)))
    })

  it.effect("opens with services of its own, and counts its bytes where their number is not known", () =>
    Effect.gen(function* () {
      const counted = yield* Effect.provide(row("abc"), store)
      const given = yield* Effect.provide(row("abcd", 4), store)
      assert.deepStrictEqual([counted.size, given.size], [3, 4])
      for (const one of [counted, given]) {
        assert.strictEqual(new TextDecoder().decode(yield* SourceFile.bytes(one)), one.path)
      }
      assert.deepStrictEqual(asked, ["abc", "abc", "abcd"])
    })
  )

  it.effect("fails its own document by the message of its own error, with a known size and without", () =>
    Effect.gen(function* () {
      const rows = yield* Effect.provide(Effect.all([row("gone"), row("gone", 4)]), store)
      for (const one of rows) {
        const error = yield* Effect.flip(SourceFile.bytes(one))
        assert.deepInclude(error, { _tag: "FileUnreadable", reason: "Io", problem: "no row" })
        assert.instanceOf("cause" in error ? error.cause : null, RowError)
      }
      const [gone] = rows
      const summary = yield* Pipeline.run({
        source: Source.make({ name: "rows", files: Stream.make(gone, file("here.pdf")) }),
        chunker: byLine,
        sinks: [yield* MemorySink.make()],
        state: { mode: "sync" }
      })
      assert.deepInclude(summary, { stored: 1, failed: 1 })
      assert.match(summary.failures[0]?.message ?? "", /no row/)
    }).pipe(Effect.provide(live))
  )
})
