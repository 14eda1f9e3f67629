import { deflateSync, inflateSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { stripTags } from "../../../bench/layout/stripTags.ts"

describe("stripTags", () => {
  it("removes the name of the structure tree from plain and compressed objects, and keeps every offset", () => {
    const packed = deflateSync(Buffer.from(`1 0 << /Type /Catalog /StructTreeRoot 5 0 R /Pages 2 0 R >>`))
    const file = Buffer.concat([
      Buffer.from(
        "%PDF-1.7\n3 0 obj\n<< /StructTreeRoot 4 0 R >>\nendobj\n7 0 obj\n<< /Type /ObjStm /Filter /FlateDecode >>\nstream\n"
      ),
      packed,
      Buffer.from("\nendstream\nendobj\n%%EOF\n")
    ])
    const stripped = Buffer.from(stripTags(file))
    assert.strictEqual(stripped.length, file.length)
    assert.isFalse(stripped.includes("/StructTreeRoot"))
    const start = stripped.indexOf("stream\n") + 7
    const content = inflateSync(stripped.subarray(start, stripped.indexOf("\nendstream"))).toString()
    assert.notInclude(content, "StructTreeRoot")
    assert.include(content, "/Type /Catalog")
    assert.include(content, "/Pages 2 0 R")
    assert.strictEqual(stripped.indexOf("endstream"), file.indexOf("endstream"))
  })
})
