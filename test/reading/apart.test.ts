import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { extensionOf } from "../../src/internal/base/fileType.ts"
import { ofExtension } from "../../src/internal/reading/formats.ts"
import { readingOf } from "../../src/internal/reading/readBytes.ts"
import { turnsOf } from "../fixtures/turns.ts"
import { parse } from "./reading.ts"

const rows = Array.from({ length: 40_000 }, (_, at) => ({ gauge: `North ${at}`, level: at, note: "calibrated in May" }))

/** Texts of some megabytes. */
const texts = {
  "a.json": JSON.stringify(rows, null, 2),
  "a.yaml": rows.map(({ gauge, level }) => `- gauge: ${gauge}\n  level: ${level}\n`).join(""),
  "a.xml": `<rows>${rows.map(({ gauge, level }) => `<row level="${level}">${gauge}</row>\n`).join("")}</rows>`,
  "a.eml": `Subject: Gauges\r\n\r\n${rows.map(({ gauge }) => `${gauge} is calibrated in May.\r\n`).join("")}`,
  "bad.jsonl": "{\n".repeat(150_000)
}

describe("a large text", () => {
  for (const [name, text] of Object.entries(texts)) {
    it.live(`is read as a small one is, and leaves the event loop its turns: ${name}`, () =>
      Effect.gen(function* () {
        const format = ofExtension(extensionOf(name)) ?? assert.fail("there is no such format")
        const here = yield* readingOf({ path: name }, new TextEncoder().encode(text), format)
        const { turns, value } = yield* turnsOf(parse(name, text))
        assert.strictEqual(value.markdown, here.markdown)
        assert.deepEqual(value.structure, here.blocks)
        assert.includeMembers([...value.warnings], [...(here.warnings ?? [])])
        // Reading it in this process takes one turn, or a few.
        assert.isAbove(turns, 50)
      })
    )
  }

  it.live("is given up at once, and the next one is read", () =>
    Effect.gen(function* () {
      const endless = yield* Effect.fork(parse("a.xml", texts["a.xml"].repeat(8)))
      yield* Effect.sleep("100 millis")
      yield* Fiber.interrupt(endless)
      assert.include((yield* parse("a.json", texts["a.json"])).markdown, "North 39999")
    })
  )
})
