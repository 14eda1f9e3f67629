import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as Reader from "../../src/cli/Reader.ts"

describe("Reader", () => {
  it("reads sizes in powers of 1024", () => {
    assert.deepStrictEqual(Reader.size.read("64MB"), Either.right(64 * 1024 * 1024))
    assert.deepStrictEqual(Reader.size.read("1.5 kb"), Either.right(1536))
    assert.deepStrictEqual(Reader.size.read("1000"), Either.right(1000))
    assert.isTrue(Either.isLeft(Reader.size.read("64 parsecs")))
    assert.isTrue(Either.isLeft(Reader.size.read("0")))
  })

  it("reads whole numbers within bounds", () => {
    const read = Reader.integer(1, 9).read
    assert.deepStrictEqual(read("9"), Either.right(9))
    for (const text of ["0", "10", "1.5", "-1", "", "x"]) assert.isTrue(Either.isLeft(read(text)), text)
  })

  it("reads one of some words", () => {
    assert.deepStrictEqual(Reader.oneOf("a", "b").read("b"), Either.right("b"))
    assert.deepStrictEqual(Reader.oneOf("a", "b").read("c"), Either.left("one of a, b"))
  })
})
