import { assert, describe, it } from "@effect/vitest"
import { ParseResponse } from "docsluice/ParsedDocument"
import type { EngineInput } from "docsluice/service/Engine"
import * as ParseOptions from "docsluice/service/ParseOptions"
import { RequestTimeout } from "docsluice/service/ServiceError"
import { FileType } from "docsluice/SourceFile"
import * as ScriptedEngine from "docsluice/testing/ScriptedEngine"
import { Effect, FastCheck, Fiber, Schema, TestClock } from "effect"

const input = (filename: string, bytes = new Uint8Array([1, 2, 3])): EngineInput => ({
  filename,
  extension: "pdf",
  bytes
})

const isResponse = Schema.is(ParseResponse)

const options = ParseOptions.resolve({})

describe("ScriptedEngine", () => {
  it.prop(
    "answers any file and options with a well-formed document, the same each time",
    [ParseOptions.ParseOptions, FastCheck.uint8Array(), FastCheck.constantFrom(...FileType.all)],
    ([options, bytes, extension]) => {
      const file = { filename: `a.${extension}`, extension, bytes }
      const resolved = ParseOptions.resolve(options)
      const answer = ScriptedEngine.answer(file, resolved)
      assert.isTrue(isResponse(answer))
      assert.deepStrictEqual(ScriptedEngine.answer(file, resolved), answer)
      const { blocks, markdown = "", pages } = answer.data
      for (const block of blocks?.flatMap((page) => page.items) ?? []) {
        if (answer.data.markdown === undefined || block.markdownSpan === null) continue
        assert.strictEqual(markdown.slice(...block.markdownSpan), block.content)
      }
      assert.strictEqual(pages !== undefined, extension === "pdf" && resolved.pdf.pages)
      assert.strictEqual(blocks !== undefined, extension === "pdf" && resolved.pdf.blocks)
    }
  )

  it("gives other bytes another document", () => {
    const one = ScriptedEngine.answer(input("a.pdf"), options)
    const other = ScriptedEngine.answer(input("a.pdf", new Uint8Array([9])), options)
    assert.notStrictEqual(one.data.markdown, other.data.markdown)
  })

  it.effect("follows a script by file name, as often as it says", () =>
    Effect.gen(function* () {
      const error = new RequestTimeout({ status: 408, error: "Request Timeout" })
      const engine = ScriptedEngine.make({ scripts: { "late.pdf": { error, times: 2 } } })
      assert.strictEqual(yield* Effect.flip(engine.parse(input("late.pdf"), options)), error)
      assert.strictEqual(yield* Effect.flip(engine.parse(input("late.pdf"), options)), error)
      assert.isTrue((yield* engine.parse(input("late.pdf"), options)).success)
      assert.isTrue((yield* engine.parse(input("other.pdf"), options)).success)
    })
  )

  it.effect("answers the members of a script in place of its own, those of metadata one by one", () =>
    Effect.gen(function* () {
      const data = { screenshot: "https://a.example", markdown: "# B", metadata: { concurrencyLimited: true } }
      const engine = ScriptedEngine.make({ scripts: { "a.pdf": { data } } })
      const answer = yield* engine.parse(input("a.pdf"), options)
      assert.deepInclude(answer.data, { screenshot: "https://a.example", markdown: "# B" })
      assert.deepInclude(answer.data.metadata, { concurrencyLimited: true, sourceURL: "a.pdf" })
    })
  )

  it.effect("waits as long as its script says", () =>
    Effect.gen(function* () {
      const engine = ScriptedEngine.make({ scripts: { "slow.pdf": { delay: "5 seconds", pages: 7 } } })
      const fiber = yield* Effect.fork(engine.parse(input("slow.pdf"), options))
      yield* TestClock.adjust("4 seconds")
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(fiber)).data.metadata.numPages, 7)
    })
  )
})
