import { Buffer } from "node:buffer"
import { deflateSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { PdfObjects } from "../../../src/engine/pdf/PdfObjects.ts"

const packed = (number: number, text: string): string => {
  const data = deflateSync(Buffer.from(text, "latin1")).toString("latin1")
  return `${number} 0 obj\n<< /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream\nendobj\n`
}

const objectsOf = (...objects: ReadonlyArray<string>): PdfObjects =>
  new PdfObjects(Buffer.from(`%PDF-1.7\n${objects.join("")}`, "latin1"))

describe("the objects of a PDF", () => {
  it("holding a key are found once, the last of a number, without those of other keys", () => {
    const objects = objectsOf(
      "1 0 obj\n<< /BaseFont /Old >>\nendobj\n",
      "2 0 obj\n<< /Kids [] >>\nendobj\n",
      "1 0 obj\n<< /BaseFont /New /Also /BaseFont >>\nendobj\n",
      "/BaseFont between\n",
      "3 0 obj << /BaseFont /Third >> endobj\n"
    )
    assert.deepStrictEqual(
      Array.from(objects.holding("BaseFont"), ([number, text]) => [number, /\/\w+ \/(\w+)/.exec(text)?.[1]]),
      [
        [1, "New"],
        [3, "Third"]
      ]
    )
  })

  it("are unpacked up to a bound for each stream, and for all of them", () => {
    const objects = objectsOf(packed(1, "short"), packed(2, "x".repeat(3_000_000)), packed(3, "last"))
    assert.strictEqual(objects.stream(1, 1000), "short")
    assert.strictEqual(objects.stream(2, 1000), "")
    for (let time = 0; time < 40; time++) assert.strictEqual(objects.stream(2, 2_000_000), "")
    assert.strictEqual(objects.stream(3, 1000), "")
  })
})
