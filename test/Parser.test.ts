import { assert, describe, it } from "@effect/vitest"
import * as Parser from "docsluice/Parser"
import { documentId } from "docsluice/SourceFile"
import { Chunk, Effect, Either, Layer, Stream } from "effect"
import * as faultserver from "./faultserver/server.ts"
import { file, live, scripted, stored } from "./service/collaborators.ts"

const parser = (base: string): Layer.Layer<Parser.Parser> =>
  Layer.orDie(Layer.provide(Parser.layer({ parsers: [{ type: "pdf", pages: true }] }), live(base)))

describe("Parser", () => {
  it.scopedLive("gives documents in the order of the files, with what the options asked for", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const names = ["a@ok-slow~ms=80.pdf", "b.pdf", "c@ok-slow~ms=20.pdf", "d.pdf"]
      const documents = yield* Stream.fromIterable(names).pipe(
        Stream.map((name) => file(name)),
        Parser.parseAll({ concurrency: 4 }),
        Stream.runCollect,
        Effect.provide(parser(server.base))
      )
      assert.deepStrictEqual(
        Chunk.toReadonlyArray(documents).map((document) => document.source),
        names
      )
      const [first] = Chunk.toReadonlyArray(documents)
      assert.strictEqual(first?.pages?.length, 3)
      assert.deepInclude({ ...first }, { documentId: documentId("root", "a@ok-slow~ms=80.pdf"), origin: "service" })
    })
  )

  it.scopedLive("gives documents in order of completion when order is not asked for", () =>
    Effect.gen(function* () {
      const server = yield* faultserver.start()
      const documents = yield* Stream.make("a.pdf", "b@ok-slow~ms=300.pdf", "c.pdf").pipe(
        Stream.map((name) => file(name)),
        Parser.parseAll({ concurrency: 3, ordered: false }),
        Stream.runCollect,
        Effect.provide(parser(server.base))
      )
      assert.strictEqual(Chunk.unsafeLast(documents).source, "b@ok-slow~ms=300.pdf")
    })
  )

  it.effect("fails a file with a value that cannot be used before it is read or sent", () =>
    Effect.gen(function* () {
      const sent: Array<number> = []
      const layer = Layer.provide(Parser.layer(), scripted([stored], sent))
      for (const path of ["a.pdf", "a.md"]) {
        for (const size of [Number.NaN, -1, 0.5]) {
          const odd = Object.assign(file(path), { size, open: Stream.die("read") })
          const error = yield* Effect.flip(Effect.provide(Parser.parse(odd), layer))
          assert.deepInclude({ ...error }, { _tag: "FileUnreadable", reason: "Invalid" })
        }
      }
      assert.deepStrictEqual(sent, [])
    })
  )

  it.effect("refuses options outside the interface's bounds before anything is sent", () =>
    Effect.gen(function* () {
      const sent: Array<number> = []
      const layer = Layer.provide(Parser.layer({ timeout: 300_001 }), scripted([stored], sent))
      const built = yield* Effect.either(Effect.provide(Parser.parse(file("a.pdf")), layer))
      assert.strictEqual(Either.isLeft(built) ? built.left._tag : "", "InvalidOptions")
      assert.strictEqual(sent.length, 0)
    })
  )
})
