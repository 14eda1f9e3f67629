import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chunksOf, parse } from "./reading.ts"

describe("a text file", () => {
  it.effect("is its own text, byte order mark apart, line ends kept, and costs nothing", () =>
    Effect.gen(function* () {
      const document = yield* parse("a.txt", "\u{FEFF}one\r\n\r\ntwo\rthree\n")
      assert.strictEqual(document.markdown, "one\r\n\r\ntwo\rthree\n")
      assert.strictEqual(document.origin, "local")
      assert.isUndefined(document.metadata.creditsUsed)
      assert.deepEqual(document.metadata, { sourceURL: "a.txt", contentType: "text/plain" })
    })
  )

  it.effect("has no headings, lists, tables or code where Markdown would see some", () =>
    Effect.gen(function* () {
      const text =
        "#include <stdio.h>\n\n# not a heading\n\n- item\n\n    indented\n\n| a |\n|---|\n\n<!-- page 2 -->\n"
      const [chunk, ...more] = yield* chunksOf("a.txt", text)
      assert.lengthOf(more, 0)
      assert.deepEqual(chunk?.headingPath, [])
      assert.deepEqual(chunk?.kinds, ["paragraph"])
      assert.strictEqual(chunk?.text, text.trim())
    })
  )

  it.effect("has a heading where one line stands alone over an underline of its own length", () =>
    Effect.gen(function* () {
      const text = "Change log\n==========\n\nVersion 2\n---------\n\nFaster.\n\nName  Age\n---------\n\nAnn   7\n"
      const chunks = yield* chunksOf("CHANGES.txt", text)
      assert.deepEqual(
        chunks.map(({ kinds }) => kinds),
        [["heading", "paragraph"]]
      )
      const small = yield* chunksOf("CHANGES.txt", text.replace("Faster.", "Faster. ".repeat(60)), { maxTokens: 60 })
      assert.deepEqual(small.at(-1)?.headingPath, [
        { depth: 1, text: "Change log" },
        { depth: 2, text: "Version 2" }
      ])
    })
  )

  it.effect("is cut within one very long line", () =>
    Effect.gen(function* () {
      const text = "word ".repeat(20_000).trim()
      const chunks = yield* chunksOf("a.txt", text)
      assert.isAbove(chunks.length, 30)
      assert.isTrue(chunks.every(({ tokens }) => tokens <= 512))
      assert.strictEqual(chunks.map((chunk) => chunk.text.trim()).join(" "), text)
    })
  )

  it.effect("is cut between lines when it is a log", () =>
    Effect.gen(function* () {
      const lines = Array.from({ length: 400 }, (_, at) => `2026-11-22T10:00:${at} INFO request ${at} done. took 3 ms`)
      const chunks = yield* chunksOf("server.log", lines.join("\n"))
      assert.isAbove(chunks.length, 5)
      assert.deepEqual(
        chunks.flatMap(({ text }) => text.split("\n")),
        lines
      )
      assert.deepEqual(chunks[0]?.kinds, ["lines"])
    })
  )

  it.effect("without any byte is a document without chunks", () =>
    Effect.gen(function* () {
      const document = yield* parse("empty.txt", "")
      assert.strictEqual(document.markdown, "")
      assert.deepEqual(document.warnings, ["the document has no text"])
      assert.lengthOf(yield* chunksOf("empty.txt", ""), 0)
    })
  )
})
