import { assert, describe, it } from "@effect/vitest"
import { isFound } from "./found.ts"
import { different, same } from "./pairs.ts"

describe("words of texts and questions", () => {
  it.each(same)("in %s, %s is found by %s", (language, text, question) => {
    assert.isTrue(isFound(language, text, question, 2))
  })

  it.each(different)("in %s, %s is not found by %s", (language, text, question) => {
    assert.isFalse(isFound(language, text, question, 2))
  })
})
