import { assert, describe, it } from "@effect/vitest"
import { HitIds } from "../../../src/internal/look/hitIds.ts"

describe("ids of hits", () => {
  it("cannot be guessed, and belong to the caller that they were made for", () => {
    const ids = new HitIds<string>()
    const made = Array.from({ length: 500 }, (_, at) => ids.add(`hit ${at}`, "one", 0))
    assert.strictEqual(new Set(made).size, 500)
    assert.isTrue(made.every((id) => /^[0-9a-f]{32}$/.test(id)))
    const [first = ""] = made
    assert.strictEqual(ids.get(first, "one", 1), "hit 0")
    assert.isUndefined(ids.get(first, "two", 1))
    assert.isUndefined(ids.get(first.slice(1), "one", 1))
  })

  it("are forgotten a time after their last use", () => {
    const ids = new HitIds<string>({ keptFor: 100 })
    const [used, unused] = [ids.add("used", "one", 0), ids.add("unused", "one", 0)]
    assert.strictEqual(ids.get(used, "one", 90), "used")
    assert.isUndefined(ids.get(unused, "one", 100))
    assert.strictEqual(ids.get(used, "one", 180), "used")
    assert.isUndefined(ids.get(used, "one", 280))
    assert.strictEqual(ids.size, 0)
  })

  it("are bounded in number: the one used longest ago is forgotten", () => {
    const ids = new HitIds<number>({ most: 3 })
    const made = [0, 1, 2].map((at) => ids.add(at, "one", at))
    assert.strictEqual(ids.get(made[0] ?? "", "one", 3), 0)
    ids.add(3, "one", 4)
    assert.deepStrictEqual(
      made.map((id) => ids.get(id, "one", 5)),
      [0, undefined, 2]
    )
    assert.strictEqual(ids.size, 3)
  })
})
