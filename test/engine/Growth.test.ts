import { assert, describe, it } from "@effect/vitest"
import { cases } from "./growth.ts"

/** The benches measure their time and memory; here only that each is answered, with all of it. */
describe("a document that grows", () => {
  for (const { document, name, parse, size } of cases) {
    it(`has Markdown that grows no faster: ${name}`, async () => {
      const small = Math.ceil(size / 64 / 8) * 8
      const [one, two] = [await parse(document(small)), await parse(document(2 * small))]
      assert.isAbove(one.length, 0)
      assert.isAbove(two.length, one.length)
      assert.isAtMost(two.length, 2.2 * one.length)
    })
  }
})
