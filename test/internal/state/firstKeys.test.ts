import { assert, describe, it } from "@effect/vitest"
import * as FirstKeys from "../../../src/internal/state/firstKeys.ts"

const key = (at: number): string => `${at.toString(16).padStart(13, "0")}${"f".repeat(51)} text/html`

describe("the keys of a store that was empty", () => {
  it("are those that were added, until there are too many to remember", () => {
    const keys = FirstKeys.make(true)
    assert.isFalse(keys.mayHave(key(7)))
    for (let at = 0; at < 50_000; at++) keys.add(key(at))
    assert.isTrue(keys.mayHave(key(7)))
    assert.isFalse(keys.mayHave(key(50_000)))
    keys.add(key(50_001))
    assert.isTrue(keys.mayHave(key(50_000)))
  })

  it("may be all, where the store had some", () => {
    assert.isTrue(FirstKeys.make(false).mayHave(key(7)))
  })
})
