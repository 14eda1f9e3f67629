import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { RunStopped } from "docsluice/Pipeline"
import { Client } from "docsluice/service/Client"
import * as Embedded from "docsluice/service/Embedded"
import { type Ability, Engine } from "docsluice/service/Engine"
import type { ParseOptions, Resolved } from "docsluice/service/ParseOptions"
import { DocumentUnparsable, type ServiceError, Unauthorized } from "docsluice/service/ServiceError"
import * as SourceFile from "docsluice/SourceFile"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Effect, Fiber, Layer, Stream, TestClock } from "effect"
import { CurrentRun } from "../../src/internal/client/runState.ts"

const file = (path: string, content = "%PDF a report") =>
  SourceFile.fromBytes({ root: "docs", path, bytes: new TextEncoder().encode(content) })

const parse = (source: SourceFile.SourceFile, options: ParseOptions = {}) =>
  Effect.flatMap(Client, (client) => client.parse(source, options))

const embedded = (engine: ScriptedEngine.Options = {}, options: Embedded.Options = {}) =>
  Embedded.layerEngine(options).pipe(Layer.provide(ScriptedEngine.layer(engine)))

const corrupt = new DocumentUnparsable({ status: 500, error: "It is corrupt", code: "SCRAPE_ALL_ENGINES_FAILED" })

/** A run that records the calls that it gets. */
const observedRun = () => {
  const failures: Array<string> = []
  const state = {
    counters: {
      requests: 0,
      retries: 0,
      ambiguous: 0,
      uploaded: 0,
      succeeded: 0,
      figures: { described: 0, fromCache: 0, failed: 0, tokens: 0, credits: 0 }
    },
    halted: false,
    stopped: () => (state.halted ? new RunStopped({ cause: new Unauthorized({ status: 401, error: "no" }) }) : null),
    whenStopped: Effect.never,
    onStop: () => () => undefined,
    failed: (error: ServiceError) => {
      failures.push(error._tag)
      return "document" as const
    },
    succeeded: () => {
      state.counters.succeeded += 1
    }
  }
  return { state, failures }
}

describe("Embedded", () => {
  it.effect("parses in process, names the file, the cost and the hash of the bytes", () =>
    Effect.gen(function* () {
      const answer = yield* parse(file("sub/report.pdf"), { parsers: [{ type: "pdf", pages: true }] })
      const hash = createHash("sha256").update("%PDF a report").digest("hex")
      assert.strictEqual(answer.contentHash, hash)
      assert.strictEqual(answer.data.metadata.sourceURL, "report.pdf")
      assert.strictEqual(answer.data.metadata.creditsUsed, 3)
      assert.strictEqual(answer.data.pages?.length, 3)
      assert.strictEqual((yield* Client).identity, "embedded scripted 1")
    }).pipe(Effect.provide(embedded()))
  )

  it.effect("asks an engine that works in parts for as long as a document takes, unless the caller gives a time", () =>
    Effect.gen(function* () {
      const asked: Array<Pick<Resolved, "timeout" | "inParts">> = []
      const engine = (abilities: ReadonlyArray<Ability>): Engine.Service => ({
        version: "1",
        abilities,
        parse: (_, { inParts, timeout }) => {
          asked.push({ timeout, inParts })
          return Effect.succeed({ success: true, data: { markdown: "a", metadata: {} } })
        }
      })
      const by = (abilities: ReadonlyArray<Ability>, options: ParseOptions) =>
        Effect.provide(
          parse(file("a.pdf"), options),
          Layer.provide(Embedded.layerEngine(), Layer.succeed(Engine, engine(abilities)))
        )
      yield* by(["parts"], {})
      yield* by(["parts"], { timeout: 30_000 })
      yield* by([], {})
      assert.deepStrictEqual(asked, [
        { timeout: 300_000, inParts: true },
        { timeout: 30_000, inParts: undefined },
        { timeout: 30_000, inParts: undefined }
      ])
    })
  )

  it.effect("refuses by name and size before a byte is read", () =>
    Effect.gen(function* () {
      const unread = (path: string, size: number) =>
        SourceFile.make({ root: "docs", path, size, open: Stream.die("it was read") })
      const refusedWith = (path: string, size: number) => Effect.flip(parse(unread(path, size)))
      assert.strictEqual((yield* refusedWith("a.exe", 5))._tag, "UnsupportedFile")
      assert.strictEqual((yield* refusedWith("a", 5))._tag, "UnsupportedFile")
      assert.deepInclude(yield* refusedWith("a.pdf", 0), { _tag: "FileUnreadable", reason: "Empty" })
      assert.deepInclude(yield* refusedWith("a.pdf", 101), { _tag: "FileTooLarge", bytes: 101, maxBytes: 100 })
    }).pipe(Effect.provide(embedded({}, { maxBytes: 100 })))
  )

  it.effect("refuses wrong options with a BadRequest that names the field, before a byte is read", () =>
    Effect.gen(function* () {
      const unread = SourceFile.make({ root: "docs", path: "a.pdf", size: 5, open: Stream.die("it was read") })
      const error = yield* Effect.flip(parse(unread, { timeout: 0 }))
      assert.deepInclude(error, { _tag: "BadRequest", status: 400 })
      assert.match(error.message, /^timeout is 0; expected an integer/)
    }).pipe(Effect.provide(embedded()))
  )

  it.effect("says so when the file changed while it was read", () =>
    Effect.gen(function* () {
      const grown = SourceFile.make({ root: "docs", path: "a.pdf", size: 2, open: Stream.make(new Uint8Array(3)) })
      assert.strictEqual((yield* Effect.flip(parse(grown)))._tag, "FileChanged")
    }).pipe(Effect.provide(embedded()))
  )

  it.effect("counts its requests on the run, and reports failures to it", () =>
    Effect.gen(function* () {
      const { failures, state } = observedRun()
      const inRun = Effect.provideService(CurrentRun, state)
      yield* inRun(parse(file("good.pdf")))
      assert.deepInclude(state.counters, { requests: 1, uploaded: 13, succeeded: 1 })
      assert.strictEqual((yield* Effect.flip(inRun(parse(file("corrupt.pdf")))))._tag, "DocumentUnparsable")
      assert.strictEqual((yield* Effect.flip(inRun(parse(file("dies.pdf")))))._tag, "InternalServerError")
      yield* Effect.flip(inRun(parse(file("a.pdf"), { timeout: 0 })))
      assert.deepStrictEqual(failures, ["DocumentUnparsable", "InternalServerError", "BadRequest"])
      assert.deepInclude(state.counters, { requests: 3, succeeded: 1 })
      state.halted = true
      assert.strictEqual((yield* Effect.flip(inRun(parse(file("good.pdf")))))._tag, "RunStopped")
      assert.deepInclude(state.counters, { requests: 3 })
    }).pipe(
      Effect.provide(embedded({ scripts: { "corrupt.pdf": { error: corrupt }, "dies.pdf": { defect: "boom" } } }))
    )
  )

  it.effect("abandons an engine that does not keep its deadline", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.flip(parse(file("slow.pdf"), { timeout: 5000 })))
      yield* TestClock.adjust("5 seconds")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "RequestTimeout")
    }).pipe(Effect.provide(embedded({ scripts: { "slow.pdf": { delay: "1 hour" } } })))
  )
})
