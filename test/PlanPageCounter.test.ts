import { assert, describe } from "@effect/vitest"
import * as Plan from "docsluice/Plan"
import { PageCounter } from "docsluice/Plan"
import { Effect, Option } from "effect"
import { text, write } from "./engine/pdf/writePdf.ts"
import { sharing } from "./fixtures/sharing.ts"

const pdf = (texts: ReadonlyArray<string>) => write({ pages: texts.map((one) => ({ marks: [text(72, 72, one)] })) })

describe("PageCounter", () => {
  const test = sharing(Plan.layerPageCounter)

  test("counts the pages of a PDF", () =>
    Effect.gen(function* () {
      const counter = yield* PageCounter
      for (const pages of [1, 3]) {
        const texts = Array.from({ length: pages }, (_, index) => `Page ${index + 1}`)
        assert.deepStrictEqual(yield* counter.pages(pdf(texts)), Option.some(pages))
      }
    }))

  test("gives none for a file that is not a PDF, and counts the next one", () =>
    Effect.gen(function* () {
      const counter = yield* PageCounter
      assert.isTrue(Option.isNone(yield* counter.pages(new TextEncoder().encode("%PDF-1.7 nothing"))))
      assert.isTrue(Option.isNone(yield* counter.pages(new Uint8Array(0))))
      assert.deepStrictEqual(yield* counter.pages(pdf(["again"])), Option.some(1))
    }))
})
