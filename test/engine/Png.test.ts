import { deflateSync, inflateSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { boxed } from "../../src/engine/Png.ts"

const part = (type: string, body: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(12 + body.length)
  bytes.writeUInt32BE(body.length, 0)
  bytes.write(type, 4, "latin1")
  bytes.set(body, 8)
  return bytes
}

/** A grey picture in RGB, each row with another filter: none, sub, up, average, Paeth. */
const grey = (width: number, height: number, depth = 8): Uint8Array => {
  const stride = width * 3
  const rows = Array.from({ length: height }, (_, row) => {
    const filter = row % 5
    const bytes = Buffer.alloc(stride + 1)
    bytes[0] = filter
    for (let at = 0; at < stride; at++) {
      const left = at < 3 ? 0 : 200
      const up = row === 0 ? 0 : 200
      const average = (left + up) >> 1
      const guess = [0, left, up, average, row === 0 ? left : up][filter] ?? 0
      bytes[at + 1] = (200 - guess) & 255
    }
    return bytes
  })
  const head = Buffer.from([0, 0, 0, width, 0, 0, 0, height, depth, 2, 0, 0, 0])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    part("IHDR", head),
    part("IDAT", deflateSync(Buffer.concat(rows))),
    part("IEND", Buffer.alloc(0))
  ])
}

/** The colour of a pixel of a picture whose rows have no filter. */
const pixel = (png: Uint8Array, width: number, x: number, y: number): ReadonlyArray<number> => {
  const bytes = Buffer.from(png)
  const at = bytes.indexOf("IDAT")
  const raw = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))
  const from = y * (width * 3 + 1) + 1 + x * 3
  return [...raw.subarray(from, from + 3)]
}

describe("boxed", () => {
  it("draws the outline of a box and leaves all else, whatever filter a row has", () => {
    const png = boxed(grey(100, 50), [[0.2, 0.2, 0.8, 0.8]])
    assert.deepEqual(pixel(png, 100, 50, 9), [217, 30, 24])
    assert.deepEqual(pixel(png, 100, 19, 25), [217, 30, 24])
    for (const [x, y] of [
      [50, 25],
      [5, 5],
      [99, 49],
      [0, 0]
    ] as const) {
      assert.deepEqual(pixel(png, 100, x, y), [200, 200, 200], `${x}, ${y}`)
    }
  })

  it("stays inside of the picture", () => {
    const png = boxed(grey(100, 50), [[-1, -1, 2, 2]])
    assert.deepEqual(pixel(png, 100, 0, 0), [200, 200, 200])
  })

  it("leaves a picture without boxes, and one of another form, as it is", () => {
    const [plain, deep] = [grey(10, 10), grey(10, 10, 16)]
    assert.strictEqual(boxed(plain, []), plain)
    assert.strictEqual(boxed(deep, [[0, 0, 1, 1]]), deep)
    assert.deepEqual(boxed(new TextEncoder().encode("no picture"), [[0, 0, 1, 1]]).length, 10)
  })
})
