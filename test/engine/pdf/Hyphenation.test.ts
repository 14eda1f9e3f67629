import { assert, describe, it } from "@effect/vitest"
import { parse } from "./parse.ts"
import { lines } from "./writePdf.ts"

const markdownOf = async (texts: ReadonlyArray<string>): Promise<string> =>
  (await parse({ pages: [{ marks: lines(72, 200, texts) }] })).markdown

describe("Hyphenation", () => {
  it("makes a word whole that is divided at a line's end", async () => {
    assert.strictEqual(await markdownOf(["these are the docu-", "ments of the office"]), "these are the documents of the office")
  })

  it("keeps the hyphen of a compound that the document has within a line", async () => {
    assert.strictEqual(
      await markdownOf(["a well-known rule is a rule that is well-", "known to all of the readers of it"]),
      "a well-known rule is a rule that is well-known to all of the readers of it"
    )
  })

  it("keeps the hyphen after a word with which other compounds of the document begin", async () => {
    assert.strictEqual(
      await markdownOf(["a self-made rule, a self-taught reader and a control over self-", "control of that reader"]),
      "a self-made rule, a self-taught reader and a control over self-control of that reader"
    )
  })

  it("keeps the hyphen before a capital, without a space", async () => {
    assert.strictEqual(await markdownOf(["the flow is governed by the Navier-", "Stokes equations"]), "the flow is governed by the Navier-Stokes equations")
  })

  it("keeps hyphen and space where a conjunction follows", async () => {
    assert.strictEqual(await markdownOf(["the words for pre-", "and postfix operators"]), "the words for pre- and postfix operators")
  })
})
