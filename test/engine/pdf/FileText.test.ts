import { deflateSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as FileText from "../../../src/engine/pdf/FileText.ts"
import { inflated, inflatedParts } from "../../../src/engine/pdf/PdfObjects.ts"

/** Few kinds of bytes, so that marks occur, whole and in part. */
const letters = fc.array(fc.constantFrom(0x2f, 0x61, 0x62, 0xe9), { maxLength: 40 })
const marks = fc.array(fc.constantFrom("/", "a", "b", "é"), { minLength: 1, maxLength: 4 }).map((all) => all.join(""))

describe("the text of a file", () => {
  it("is the same with and without Node's buffers", () => {
    fc.assert(
      fc.property(letters, marks, fc.nat(45), fc.nat(45), (bytes, mark, from, to) => {
        // Not at the start of its memory.
        const own = Uint8Array.from([0x61, ...bytes]).subarray(1)
        const [node, portable] = [FileText.of(own), FileText.portable(own)]
        assert.strictEqual(portable.indexOf(mark), node.indexOf(mark))
        assert.strictEqual(portable.indexOf(mark, from), node.indexOf(mark, from))
        assert.strictEqual(portable.lastIndexOf(mark), node.lastIndexOf(mark))
        assert.strictEqual(portable.lastIndexOf(mark, from), node.lastIndexOf(mark, from))
        assert.strictEqual(portable.text(from, to), node.text(from, to))
      })
    )
  })

  it("holds a long part", () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => at % 256)
    assert.strictEqual(FileText.portable(bytes).text(1, 290_000), FileText.of(bytes).text(1, 290_000))
  })
})

describe("packed data without Node", () => {
  const text = (bytes: Uint8Array): string => FileText.of(bytes).text(0, bytes.length)

  it("is unpacked as with it: whole, cut off, with bytes behind it", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), fc.nat(100), (content, cut) => {
        const data = deflateSync(Buffer.from(content, "latin1"))
        for (const part of [data, Buffer.concat([data, Buffer.from("\n more")])]) {
          assert.strictEqual(text(inflatedParts(part, 1_000_000)), inflated(part, 1_000_000))
        }
        // Where the end is missing, what is there counts; how much of it that is differs by some bytes.
        const short = text(inflatedParts(data.subarray(0, data.length - Math.min(cut, data.length - 2)), 1_000_000))
        assert.isTrue(content.startsWith(short) || short === "")
      })
    )
  })

  it("is refused when it is none, and when it is longer than allowed, soon", () => {
    assert.throws(() => inflatedParts(Buffer.from("no packed data"), 1000))
    const bomb = deflateSync(Buffer.alloc(20_000_000))
    const begun = performance.now()
    assert.throws(() => inflatedParts(bomb, 1_000_000), RangeError)
    assert.isBelow(performance.now() - begun, 5000)
  })
})
