import { Buffer } from "node:buffer"
import { deflateSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Outline from "../../../src/engine/pdf/Outline.ts"
import { objectsOf } from "../../../src/engine/pdf/PdfObjects.ts"

/** Objects 1 to n of a file, the first one its catalog. */
const plain = (objects: ReadonlyArray<string>): Uint8Array =>
  Buffer.from(
    `%PDF-1.7\n${objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join("")}trailer\n<< /Root 1 0 R >>\n`,
    "latin1"
  )

/** The same objects in a compressed object stream. */
const packed = (objects: ReadonlyArray<string>): Uint8Array => {
  let offset = 0
  const directory = objects.map((object, at) => {
    const entry = `${at + 1} ${offset}`
    offset += object.length + 1
    return entry
  })
  const table = `${directory.join(" ")} `
  const body = deflateSync(Buffer.from(table + objects.join(" "), "latin1")).toString("latin1")
  const dictionary = `<< /Type /ObjStm /N ${objects.length} /First ${table.length} /Filter /FlateDecode /Length ${body.length} >>`
  return Buffer.from(
    `%PDF-1.7\n90 0 obj\n${dictionary}\nstream\n${body}\nendstream\nendobj\n91 0 obj\n<< /Type /XRef /Root 1 0 R >>\nendobj\n`,
    "latin1"
  )
}

const objects = [
  "<< /Type /Catalog /Outlines 2 0 R >>",
  "<< /Type /Outlines /First 3 0 R /Last 5 0 R /Count 3 >>",
  "<< /Title (1 First \\(old\\)) /Parent 2 0 R /Next 5 0 R /First 4 0 R /Last 4 0 R >>",
  "<< /Title <FEFF005A006F00EB> /Parent 3 0 R >>",
  "<< /Title 6 0 R /Parent 2 0 R /Prev 3 0 R >>",
  "(Second)"
]

const expected = [
  { title: "1 First (old)", depth: 1 },
  { title: "Zoë", depth: 2 },
  { title: "Second", depth: 1 }
]

describe("Outline.read", () => {
  it("reads the bookmarks in order with their depths", () => {
    assert.deepStrictEqual(Outline.read(objectsOf(plain(objects), false)), expected)
  })

  it("reads them from a compressed object stream", () => {
    assert.deepStrictEqual(Outline.read(objectsOf(packed(objects), false)), expected)
  })

  it("is empty for an encrypted file and for a file without bookmarks", () => {
    assert.deepStrictEqual(Outline.read(objectsOf(plain(objects), true)), [])
    assert.deepStrictEqual(Outline.read(objectsOf(plain(["<< /Type /Catalog >>"]), false)), [])
  })

  it("ends where bookmarks lead back to each other", () => {
    const circle = [...objects.slice(0, 4), "<< /Title (Second) /Next 3 0 R /First 3 0 R >>"]
    assert.lengthOf(Outline.read(objectsOf(plain(circle), false)), 3)
  })

  it("never throws, wherever the file is cut or changed", () => {
    for (const file of [plain(objects), packed(objects)]) {
      fc.assert(
        fc.property(fc.nat(file.length), fc.nat(file.length), fc.nat(255), (end, at, value) => {
          const damaged = Uint8Array.from(file.subarray(0, end))
          if (at < damaged.length) damaged[at] = value
          assert.isArray(Outline.read(objectsOf(damaged, false)))
        })
      )
    }
  })
})
