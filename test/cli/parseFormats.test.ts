import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { listen } from "../fixtures/answering.ts"
import { runHere } from "./run.ts"

const file = "examples/documents/handbook.pdf"

const members = { html: "<p>a</p>", links: ["https://a.example", "https://b.example"], images: [], json: { a: 1 } }

describe("docsluice parse", () => {
  it.scopedLive("prints each format in its own way, and no line for an empty list", () =>
    Effect.gen(function* () {
      const service = yield* listen(() => ({ success: true, data: { ...members, markdown: "# A", metadata: {} } }))
      const parse = (...args: ReadonlyArray<string>) =>
        Effect.promise(() => runHere(["parse", file, "--service", service.base, ...args]))
      assert.strictEqual((yield* parse("--format", "html")).stdout, "<p>a</p>\n")
      assert.strictEqual((yield* parse("--format", "links")).stdout, "https://a.example\nhttps://b.example\n")
      assert.deepStrictEqual(yield* parse("--format", "images"), { status: 0, stdout: "", stderr: "no images\n" })
      assert.strictEqual((yield* parse("--format", "json")).stdout, '{\n  "a": 1\n}\n')
    })
  )

  it.scopedLive("is 1 for an answer without text, with the reason that the service gives or a word of its own", () =>
    Effect.gen(function* () {
      const parsed = (data: object, ...args: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const service = yield* listen(() => ({ success: true, data: { metadata: {}, ...data } }))
          return yield* Effect.promise(() => runHere(["parse", file, "--service", service.base, ...args]))
        })
      const scan = yield* parsed({ markdown: "", warning: "No readable text layer on page 1" })
      assert.deepStrictEqual(scan, { status: 1, stdout: "\n", stderr: "warning: No readable text layer on page 1\n" })
      assert.deepStrictEqual(yield* parsed({ markdown: " \n" }), {
        status: 1,
        stdout: " \n\n",
        stderr: "the document has no text\n"
      })
      assert.strictEqual((yield* parsed({ markdown: "" }, "--json")).status, 1)
      assert.strictEqual((yield* parsed({ markdown: "# A" })).status, 0)
    })
  )

  it.scopedLive("prints the first format of --parse-options that do not ask for that of --format", () =>
    Effect.gen(function* () {
      const service = yield* listen(() => ({ success: true, data: { ...members, metadata: {} } }))
      const options = JSON.stringify({ formats: [{ type: "json", prompt: "a" }, "links"] })
      const { stderr, stdout } = yield* Effect.promise(() =>
        runHere(["parse", file, "--service", service.base, "--parse-options", options])
      )
      assert.strictEqual(stdout, '{\n  "a": 1\n}\n', stderr)
      assert.deepNestedInclude(service.options[0], { "formats[0].prompt": "a" })
    })
  )
})
