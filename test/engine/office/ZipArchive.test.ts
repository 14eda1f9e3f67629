import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { strToU8, unzipSync, zipSync } from "fflate"
import * as Archive from "../../../src/engine/office/mend/Archive.ts"
import * as ZipArchive from "../../../src/engine/office/ZipArchive.ts"

const texts: Readonly<Record<string, Uint8Array>> = {
  empty: new Uint8Array(0),
  "word/short.xml": strToU8("<a/>"),
  "word/länger.xml": strToU8(Array.from({ length: 30_000 }, (_, at) => `<n>${at}</n>`).join(""))
}

const archives = ([0, 6, 9] as const).map((level) => zipSync(texts, { level }))

/** The members that the reader returns, or that it throws. */
const outcome = (read: () => object): unknown => {
  try {
    return read()
  } catch {
    return "damaged"
  }
}

describe("ZipArchive", () => {
  it("reads members of any size, stored and deflated", () => {
    for (const archive of archives)
      assert.deepStrictEqual(
        ZipArchive.read(archive, () => true),
        unzipSync(archive)
      )
  })

  it("reads the wanted members only, and tells their declared sizes", () => {
    const [archive = new Uint8Array(0)] = archives
    const found = ZipArchive.read(archive, ({ name, originalSize }) => name === "word/short.xml" && originalSize === 4)
    assert.deepStrictEqual(found, { "word/short.xml": strToU8("<a/>") })
  })

  it("reads an archive in a larger buffer", () => {
    const [, archive = new Uint8Array(0)] = archives
    const larger = new Uint8Array(archive.length + 20)
    larger.set(archive, 10)
    assert.deepStrictEqual(
      ZipArchive.read(larger.subarray(10, 10 + archive.length), () => true),
      unzipSync(archive)
    )
  })

  it("cuts a member off that declares too little", () => {
    const [, archive = new Uint8Array(0)] = archives
    const file = Buffer.from(archive)
    const entry = file.lastIndexOf("word/länger.xml") - 46
    file.writeUInt32LE(20_000, entry + 24)
    const found = ZipArchive.read(file, () => true)["word/länger.xml"]
    assert.deepStrictEqual(found, texts["word/länger.xml"]?.slice(0, 20_000))
  })

  it("reads what the general reader reads of a damaged archive, or throws", () => {
    const archive = zipSync({ a: texts["word/short.xml"] ?? new Uint8Array(0), b: strToU8("xyz".repeat(9000)) })
    const differing = Array.from(archive.keys()).filter((at) => {
      const damaged = archive.slice()
      damaged[at] = (damaged[at] ?? 0) ^ 0x15
      const own = outcome(() => ZipArchive.read(damaged, () => true))
      const general = outcome(() => unzipSync(damaged))
      return own !== "damaged" && general !== "damaged" && !isDeepStrictEqual(own, general)
    })
    assert.deepStrictEqual(differing, [])
  })
})

describe("a copy of an archive with contents that are known", () => {
  const large = strToU8("<p>text</p>".repeat(30_000))
  const archive = zipSync({ first: strToU8("1"), large, last: strToU8("2") })
  const known = new Map([["large", large]])

  it("holds the same members in the same order, those uncompressed", () => {
    const copy = Archive.inflated(archive, known)
    assert.isAbove(copy.length, large.length)
    assert.deepStrictEqual(Object.entries(unzipSync(copy)), Object.entries(unzipSync(archive)))
  })

  it("is not made for small contents, for a large archive, or where two members have one name", () => {
    const twice = Buffer.from(zipSync({ one: strToU8("1"), two: strToU8("2"), large }))
    for (let at = twice.indexOf("two"); at >= 0; at = twice.indexOf("two")) twice.write("one", at)
    const pictures = zipSync({ large, picture: new Uint8Array(400_000) }, { level: 0 })
    assert.strictEqual(Archive.inflated(archive, new Map([["first", strToU8("1")]])), archive)
    assert.strictEqual(Archive.inflated(pictures, known), pictures)
    assert.strictEqual(Archive.inflated(twice, known), twice)
  })

  it("keeps a member whose content is not what the archive says", () => {
    const other = large.slice()
    other[7] = 0x78
    for (const content of [other, large.slice(1)])
      assert.deepStrictEqual(unzipSync(Archive.inflated(archive, new Map([["large", content]]))), unzipSync(archive))
  })
})
