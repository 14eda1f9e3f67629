import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as DeadLetter from "docsluice/DeadLetter"
import * as Parser from "docsluice/Parser"
import * as Pipeline from "docsluice/Pipeline"
import { Unauthorized } from "docsluice/service/ServiceError"
import * as Source from "docsluice/Source"
import * as Stage from "docsluice/Stage"
import * as State from "docsluice/State"
import * as MemorySink from "docsluice/testing/MemorySink"
import { Context, Data, Effect, Layer, Stream } from "effect"
import { byLine, characters, collect, file, numbered } from "./pipeline/fakes.ts"

class Reader extends Context.Tag("Reader")<Reader, { readonly read: (bytes: Uint8Array) => string }>() {}

class ReaderError extends Data.TaggedError("NotFound")<{ readonly message: string }> {}

const reader = Layer.succeed(Reader, { read: (bytes) => new TextDecoder().decode(bytes).toUpperCase() })

const parser = Parser.layerFunction("upper", (_file, bytes) =>
  Effect.gen(function* () {
    const { read } = yield* Reader
    return read(yield* bytes)
  })
).pipe(Layer.provide(reader))

const live = Layer.mergeAll(parser, characters, DeadLetter.layerMemory).pipe(Layer.provideMerge(State.layerMemory))

const source = Source.make({ name: "own", files: Stream.fromIterable(numbered(2)) })

describe("a parser that is a function", () => {
  it.effect("may use services, and gives no more than Markdown: ids and the hash of the bytes are added", () =>
    Effect.gen(function* () {
      const found = file("a.tex")
      const document = yield* Parser.parse(found)
      assert.strictEqual(document.markdown, "A.TEX")
      assert.deepInclude(document, { documentId: found.documentId, source: "a.tex", pages: null, truncated: false })
      assert.strictEqual(document.contentHash, createHash("sha256").update("a.tex").digest("hex"))
    }).pipe(Effect.provide(live))
  )

  it.effect("that does not read the file has its hash all the same, and gives pages where it knows them", () =>
    Effect.gen(function* () {
      const parsing = yield* Parser.fromFunction("pages", () =>
        Effect.succeed({ markdown: "a", pages: [{ pageNumber: 1, markdown: "a" }], warnings: ["odd"] })
      )
      const document = yield* parsing.parse(file("a.pdf"), {})
      assert.deepInclude(document, { contentHash: createHash("sha256").update("a.pdf").digest("hex") })
      assert.deepStrictEqual([document.pages?.length, document.warnings], [1, ["odd"]])
    })
  )

  it.effect("fails a document with an error of its own, whatever its tag, and goes on", () =>
    Effect.gen(function* () {
      const failing = Parser.layerFunction("failing 1", ({ path }) =>
        path === "0.pdf" ? Effect.fail(new ReaderError({ message: "no text layer" })) : Effect.succeed(path)
      )
      const sinks = [yield* MemorySink.make()]
      const summary = yield* Effect.provide(Pipeline.run({ source, chunker: byLine, sinks }), failing)
      assert.deepInclude(summary, { stored: 1, failed: 1, notAttempted: 0 })
      assert.deepInclude(summary.failures[0], { source: "0.pdf", tag: "NotFound", message: "no text layer" })
      const all = yield* Stream.fromIterable(numbered(2)).pipe(
        Parser.parseAll({ concurrency: 1, failures: "keep" }),
        Stream.filter(Stage.isRejected),
        collect,
        Effect.provide(failing)
      )
      assert.lengthOf(all, 1)
    }).pipe(Effect.provide(live))
  )

  it.effect("stops a run by an error of the service that concerns every document", () =>
    Effect.gen(function* () {
      const refused = Parser.layerFunction("refused", () =>
        Effect.fail(new Unauthorized({ status: 401, error: "no key" }))
      )
      const sinks = [yield* MemorySink.make()]
      const summary = yield* Effect.provide(Pipeline.run({ source, chunker: byLine, sinks }), refused)
      assert.deepInclude(summary, { stored: 0, notAttempted: 2, exit: 2 })
      assert.strictEqual(summary.stopped?.tag, "Unauthorized")
    }).pipe(Effect.provide(live))
  )

  it.effect("is asked again by a later run under another name only", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const sinks = [yield* MemorySink.make()]
      const run = (name: string) =>
        Pipeline.run({ source, chunker: byLine, sinks, state: {} }).pipe(
          Effect.provide(
            Parser.layerFunction(name, ({ path }) =>
              Effect.sync(() => {
                asked.push(`${name} ${path}`)
                return path
              })
            )
          )
        )
      for (const name of ["one", "one", "two"]) yield* run(name)
      assert.sameMembers(asked, ["one 0.pdf", "one 1.pdf", "two 0.pdf", "two 1.pdf"])
    }).pipe(Effect.provide(live))
  )

  it.effect("refuses a file whose values nothing can be done with, before it is called", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Parser.parse({ ...file("a.pdf"), size: -1 }))
      assert.deepInclude(error, { _tag: "FileUnreadable", reason: "Invalid" })
    }).pipe(Effect.provide(live))
  )
})
