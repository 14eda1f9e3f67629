import { assert, describe, it } from "@effect/vitest"
import { of, withoutReferences } from "../../../src/internal/quotation/sentences.ts"

describe("sentences of an answer", () => {
  it("are those of paragraphs, points and headings, without their marks", () => {
    const answer = [
      "## Calibration",
      "",
      "Every gauge is calibrated in",
      "spring. It takes two days.",
      "1. Dr. Kurz does it, e.g. in May.",
      "- Fig. 3 shows it",
      "- 5 °C is too cold",
      "",
      "```",
      "***"
    ].join("\n")
    assert.deepStrictEqual(of(answer), [
      "Calibration",
      "Every gauge is calibrated in\nspring.",
      "It takes two days.",
      "Dr. Kurz does it, e.g. in May.",
      "Fig. 3 shows it",
      "- 5 °C is too cold"
    ])
  })

  it("are none of a text without words", () => assert.deepStrictEqual(of(" \n***\n"), []))

  it.each([
    ["It is so [1].", "It is so."],
    ["It is so. [1, 2]", "It is so."],
    ["It is so.[^3][4]", "It is so."],
    ["It is so [1]", "It is so"]
  ])("are without the references of %s", (sentence, without) =>
    assert.strictEqual(withoutReferences(sentence), without)
  )

  it("have no references where brackets stand within them", () => {
    assert.isUndefined(withoutReferences("It is so [1] in May."))
    assert.isUndefined(withoutReferences("It is [sic]."))
  })
})
