import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as Flag from "../../src/cli/Flag.ts"

describe("Flag", () => {
  it("reads sizes in powers of 1024", () => {
    assert.deepStrictEqual(Flag.size("64MB"), Either.right(64 * 1024 * 1024))
    assert.deepStrictEqual(Flag.size("1.5 kb"), Either.right(1536))
    assert.deepStrictEqual(Flag.size("1000"), Either.right(1000))
    assert.isTrue(Either.isLeft(Flag.size("64 parsecs")))
    assert.isTrue(Either.isLeft(Flag.size("0")))
  })

  it("reads whole numbers within bounds", () => {
    const read = Flag.integer(1, 9)
    assert.deepStrictEqual(read("9"), Either.right(9))
    for (const text of ["0", "10", "1.5", "-1", "", "x"]) assert.isTrue(Either.isLeft(read(text)), text)
  })

  it("reads one of some words", () => {
    assert.deepStrictEqual(Flag.oneOf("a", "b")("b"), Either.right("b"))
    assert.deepStrictEqual(Flag.oneOf("a", "b")("c"), Either.left("one of a, b"))
  })
})
