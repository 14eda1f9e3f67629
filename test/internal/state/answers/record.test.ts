import { gunzipSync } from "node:zlib"
import { assert, it } from "@effect/vitest"
import * as AnswerRecord from "../../../../src/internal/state/answers/record.ts"

const data = { markdown: "# A title\n\nSome words.", metadata: { title: "A title" } }
const text = JSON.stringify({ success: true, data })

const packed = (): Uint8Array => {
  const encoded = AnswerRecord.packShort("a key", { data: { markdown: "", metadata: {} }, text })
  assert(encoded?._tag === "Small")
  return encoded.packed
}

it("stores a very short answer as it came, in a file that gzip reads", () => {
  assert.deepStrictEqual(AnswerRecord.unpackShort("a key", packed()), data)
  assert.strictEqual(gunzipSync(packed()).toString(), `"a key"\n${text}`)
})

it("gives no other answer for a damaged record, whichever bit of it is damaged", () => {
  const read = (record: Uint8Array) => {
    try {
      return AnswerRecord.unpackShort("a key", record)
    } catch {
      return null
    }
  }
  for (let bit = 0; bit < 8 * packed().length; bit++) {
    const damaged = packed()
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    const found = read(damaged)
    if (found !== null) assert.deepStrictEqual(found, data)
  }
  for (let end = 0; end < packed().length; end++) assert.isNull(read(packed().subarray(0, end)))
})

it("compresses an answer that takes more than a page of the database", () => {
  const long = JSON.stringify({ success: true, data: { ...data, markdown: "many words ".repeat(1000) } })
  const encoded = AnswerRecord.packShort("a key", { data, text: long })
  assert(encoded?._tag === "Small")
  assert.isBelow(encoded.packed.length, 1000)
})
