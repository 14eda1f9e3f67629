import { assert, describe, it } from "@effect/vitest"
import * as Plan from "docsluice/Plan"
import * as ParseOptions from "docsluice/service/ParseOptions"

const cost = (options: ParseOptions.ParseOptions, numPages?: number) =>
  Plan.creditsOf(ParseOptions.resolve(options), numPages === undefined ? {} : { numPages })

describe("Credits", () => {
  it.each([
    [{}, undefined, 1],
    [{}, 1, 1],
    [{}, 10, 10],
    [{}, 0, 1],
    [{ formats: [{ type: "json" }] } as const, undefined, 5],
    [{ formats: [{ type: "json" }] } as const, 3, 7],
    [{ redactPII: true }, undefined, 5],
    [{ redactPII: {} }, 3, 15],
    [{ redactPII: false }, 3, 3]
  ])("%j with %s pages costs %d", (options, pages, expected) => {
    assert.strictEqual(cost(options, pages), expected)
  })
})
