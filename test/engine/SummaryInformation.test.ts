import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as CompoundFile from "../../src/engine/content/CompoundFile.ts"
import * as SummaryInformation from "../../src/engine/office/SummaryInformation.ts"
import { runs } from "../fixtures/seed.ts"

const name = "\u0005SummaryInformation"

/** A compound file whose one stream has the name of the property set. */
const container = (): Uint8Array => {
  const bytes = readFileSync("test/fixtures/encrypted/plain.xls")
  const at = bytes.indexOf(Buffer.from("Workbook", "utf16le"))
  bytes.write(name, at, "utf16le")
  bytes.writeUInt16LE(2 * name.length + 2, at + 64)
  return new Uint8Array(bytes)
}

const workbook = container()

const stream = (bytes: Uint8Array) => {
  const file = CompoundFile.open(bytes)
  const entry = file?.entries.find((found) => found.name === name)
  assert(file !== undefined && entry !== undefined)
  return { file, entry }
}

/** The workbook with a property set that has these values, by property, in a code page. */
const withSet = (codePage: number, values: ReadonlyArray<readonly [property: number, value: Buffer]>): Uint8Array => {
  const { entry, file } = stream(workbook)
  const page = Buffer.alloc(8)
  page.writeUInt16LE(2)
  page.writeUInt16LE(codePage, 4)
  const all = [[1, page] as const, ...values]
  const head = Buffer.alloc(48)
  head.writeUInt32LE(48, 44)
  const index = Buffer.alloc(8 + 8 * all.length)
  index.writeUInt32LE(all.length, 4)
  let at = index.length
  for (const [number, [property, value]] of all.entries()) {
    index.writeUInt32LE(property, 8 + 8 * number)
    index.writeUInt32LE(at, 12 + 8 * number)
    at += value.length
  }
  const set = Buffer.concat([head, index, ...all.map(([, value]) => value)])
  return file.replaced(entry, Buffer.concat([set, Buffer.alloc(Math.max(0, entry.size - set.length))]))
}

const ansi = (bytes: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt16LE(30)
  head.writeUInt32LE(bytes.length + 1, 4)
  return Buffer.concat([head, bytes, Buffer.from([0])])
}

const time = (iso: string): Buffer => {
  const value = Buffer.alloc(12)
  value.writeUInt16LE(64)
  value.writeBigUInt64LE((BigInt(Date.parse(iso)) + 11_644_473_600_000n) * 10_000n, 4)
  return value
}

describe("SummaryInformation", () => {
  it("reads texts in the code page of the set, dates and counts", () => {
    const cyrillic = withSet(1251, [
      [2, ansi(Buffer.from([0xcf, 0xeb, 0xe0, 0xed]))],
      [12, time("2003-01-16T10:24:45.000Z")],
      [14, Buffer.from([3, 0, 0, 0, 7, 0, 0, 0])]
    ])
    assert.deepStrictEqual(SummaryInformation.of(cyrillic), {
      title: "План",
      created: "2003-01-16T10:24:45.000Z",
      pageCount: "7"
    })
    assert.deepStrictEqual(SummaryInformation.of(withSet(65_001, [[4, ansi(Buffer.from("Ада"))]])), { author: "Ада" })
  })

  it("has no properties for other files and damaged sets, and never throws", () => {
    assert.deepStrictEqual(SummaryInformation.of(new Uint8Array(600)), {})
    const { entry, file } = stream(workbook)
    fc.assert(
      fc.property(fc.uint8Array({ minLength: entry.size, maxLength: entry.size }), (content) => {
        SummaryInformation.of(file.replaced(entry, content))
      }),
      { numRuns: runs(200) }
    )
  })
})
