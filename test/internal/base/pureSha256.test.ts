import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as pure from "../../../src/internal/base/pureSha256.ts"
import * as sha256 from "../../../src/internal/base/sha256.ts"

const expected = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex")

const texts = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.constantFrom("", "\ud800", "a\udc00b"))

describe("SHA-256 without Node", () => {
  it("is Node's, of bytes of every length around a block, whole and in parts", () => {
    for (let length = 0; length < 200; length++) {
      const data = Uint8Array.from({ length }, (_, at) => at * 7)
      assert.strictEqual(pure.sha256(data), expected(data))
      const hash = pure.incremental()
      hash.update(data.subarray(0, length >> 1))
      hash.update(data.subarray(length >> 1))
      assert.strictEqual(hash.digest(), expected(data))
    }
  })

  it("is Node's of any text, in every form that it is given in", () => {
    fc.assert(
      fc.property(texts, (text) => {
        assert.strictEqual(pure.sha256(text), expected(text))
        assert.strictEqual(pure.digest(text), sha256.digest(text))
        assert.deepEqual(Array.from(pure.bytes(text)), Array.from(sha256.bytes(text)))
      })
    )
  })
})
