import { deflateSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as MarkdownChunker from "docsluice/MarkdownChunker"
import * as Parser from "docsluice/Parser"
import * as Readers from "docsluice/Readers"
import * as Embedded from "docsluice/service/Embedded"
import { Effect, Either, FastCheck as fc, Layer } from "effect"
import * as PageDrawing from "../../src/engine/ocr/PageDrawing.ts"
import * as Picture from "../../src/engine/ocr/Picture.ts"
import * as PdfReader from "../../src/engine/pdf/PdfReader.ts"
import * as PdfModule from "../../src/engine/PdfModule.ts"
import { toPdf } from "../../src/internal/reading/picture/picture.ts"
import { drawn } from "../engine/ocr/scans.ts"
import { lines } from "../engine/pdf/writePdf.ts"
import { runs } from "../fixtures/seed.ts"
import { fileOf } from "./reading.ts"

const crcOf = (bytes: Buffer): number => {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  crc.writeUInt32BE(crcOf(named))
  return Buffer.concat([length, named, crc])
}

interface Form {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly type: number
  readonly interlaced?: boolean
  readonly palette?: Buffer
}

/** A PNG of rows that have no filter. */
const png = (
  { depth, height, interlaced = false, palette, type, width }: Form,
  rows: ReadonlyArray<Buffer>
): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, type, 0, 0, interlaced ? 1 : 0], 8)
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    ...(palette === undefined ? [] : [chunk("PLTE", palette)]),
    chunk("IDAT", deflateSync(Buffer.concat(rows.flatMap((row) => [Buffer.of(0), row])))),
    chunk("IEND", Buffer.alloc(0))
  ])
}

const size = { width: 64, height: 32 }

/** The test picture: its upper left quarter is black. Each pixel is one of the two values. */
const quarter = (black: ReadonlyArray<number>, white: ReadonlyArray<number>): ReadonlyArray<Buffer> =>
  Array.from({ length: size.height }, (_, y) =>
    Buffer.from(Array.from({ length: size.width }, (_, x) => (x < 32 && y < 16 ? black : white)).flat())
  )

const bits = (): ReadonlyArray<Buffer> =>
  Array.from({ length: size.height }, (_, y) =>
    Buffer.from(Array.from({ length: size.width / 8 }, (_, x) => (x < 4 && y < 16 ? 0 : 255)))
  )

const pngs: Readonly<Record<string, Buffer>> = {
  "PNG of grey values": png({ ...size, depth: 8, type: 0 }, quarter([0], [255])),
  "PNG of colours": png({ ...size, depth: 8, type: 2 }, quarter([0, 0, 0], [255, 255, 255])),
  "PNG of bits": png({ ...size, depth: 1, type: 0 }, bits()),
  "PNG of 16 bits": png({ ...size, depth: 16, type: 0 }, quarter([0, 0], [255, 255])),
  "PNG of a palette": png(
    { ...size, depth: 8, type: 3, palette: Buffer.of(255, 255, 255, 0, 0, 0) },
    quarter([1], [0])
  ),
  "transparent PNG": png({ ...size, depth: 8, type: 6 }, quarter([0, 0, 0, 255], [0, 0, 0, 0])),
  "transparent PNG of grey values": png({ ...size, depth: 16, type: 4 }, quarter([0, 0, 255, 255], [0, 0, 0, 0]))
}

/** The same picture as other programs write it. */
const others: Readonly<Record<string, string>> = {
  "JPEG":
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAAgAEABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAj/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/AJ/AX+AgABf4AAAAAA//2Q==",
  "JPEG of four inks":
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAIBgYHBgUIBwcHCQkICgwUDQwLCwwZEhMPFB0aHx4dGhwcICQuJyAiLCMcHCg3KSwwMTQ0NB8nOT04MjwuMzQy/8AAFAgAIABABEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAIB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAOBEMATQBZAEsAAD8A39v7f0/gAAAAL/AAAAAQAAAAAAv8AAAAAAAAAAAAAAAAAAAAAAAAAf/Z",
  "TIFF of a fax, group 4":
    "SUkqABoAAAAjYNX////5NQPDf////8AEAEAJAAABAwABAAAAQAAAAAEBAwABAAAAIAAAAAIBAwABAAAAAQAAAAMBAwABAAAABAAAAAYBAwABAAAAAQAAABEBBAABAAAACAAAABYBAwABAAAAIAAAABcBBAABAAAAEgAAABwBAwABAAAAAQAAAAAAAAA=",
  "TIFF of a fax, group 3":
    "SUkqAJgAAAAAEbBqABGwagARsGoAEbBqABGwagARsGoAEbBqABGwagARsGoAEbBqABGwagARsGoAEbBqABGwagARsGoAEbBqABNQPDcAE1A8NwATUDw3ABNQPDcAE1A8NwATUDw3ABNQPDcAE1A8NwATUDw3ABNQPDcAE1A8NwATUDw3ABNQPDcAE1A8NwATUDw3ABNQPDcJAAABAwABAAAAQAAAAAEBAwABAAAAIAAAAAIBAwABAAAAAQAAAAMBAwABAAAAAwAAAAYBAwABAAAAAQAAABEBBAABAAAACAAAABYBAwABAAAAIAAAABcBBAABAAAAkAAAABwBAwABAAAAAQAAAAAAAAA=",
  "TIFF with LZW":
    "SUkqAM4AAACAACBQOCQWDQeEQmFQuGQ2Cv+IRGJROKRWLReMRmNRuJw6PR+QSGPxySSWTSeSyKVSuWQ6US+YTGOS2aTWaTKcTmcTaeT2PTqgUGST6iUWDUKkUmKUamUWlU+k02pTyoVWgVOsS2rVuZVmvSKuWGUV+yT+xWeZ2W1Qq0W2M2u4Qe3XOK3G7QO6XmI3e73q9Xy7X7BYPCYXDYfEYnFYvGY3HY/IZHJZPKZXLZfMZnNZvOZ3PZ/QaHRaPSaXTafUanVavWZKAgAKAAABAwABAAAAQAAAAAEBAwABAAAAIAAAAAIBAwADAAAATAEAAAMBAwABAAAABQAAAAYBAwABAAAAAgAAABEBBAABAAAACAAAABUBAwABAAAAAwAAABYBAwABAAAAIAAAABcBBAABAAAAxQAAABwBAwABAAAAAQAAAAAAAAAIAAgACAA=",
  "TIFF with PackBits":
    "SUkqAGgAAADhAOH/4QDh/+EA4f/hAOH/4QDh/+EA4f/hAOH/4QDh/+EA4f/hAOH/4QDh/+EA4f/hAOH/4QDh/+EA4f/hAOH/wf/B/8H/wf/B/8H/wf/B/8H/wf/B/8H/wf/B/8H/wf8JAAABAwABAAAAQAAAAAEBAwABAAAAIAAAAAIBAwABAAAACAAAAAMBAwABAAAABYAAAAYBAwABAAAAAQAAABEBBAABAAAACAAAABYBAwABAAAAIAAAABcBBAABAAAAYAAAABwBAwABAAAAAQAAAAAAAAA="
} // prettier-ignore

const module = await PdfModule.load()

/** Grey values in the middle of the upper quarters and of the lower left one. */
const quarters = async (pdf: Uint8Array): Promise<ReadonlyArray<boolean>> => {
  await PdfReader.open(module, pdf, 1)
  const { height, pixels, width } = Picture.fromPng(await PageDrawing.draw(pdf, 1, 72))
  const isBlack = (x: number, y: number): boolean =>
    (pixels[Math.floor(y * height) * width + Math.floor(x * width)] ?? 0) < 128
  assert.approximately(width / height, 2, 0.01)
  return [isBlack(0.25, 0.25), isBlack(0.75, 0.25), isBlack(0.25, 0.75)]
}

const pdfOf = (bytes: Uint8Array): Uint8Array => Either.getOrThrow(toPdf(bytes))

/** The picture of a page with text as a PNG. */
const page = Effect.promise(async () => {
  const { height, pixels, width } = await drawn({
    marks: lines(72, 100, ["The quick brown fox jumps over", "the lazy dog."], { size: 14 }, 18)
  })
  const rows = Array.from({ length: height }, (_, y) => Buffer.from(pixels.subarray(y * width, (y + 1) * width)))
  return png({ width, height, depth: 8, type: 0 }, rows)
})

describe("a picture", () => {
  for (const [name, bytes] of [
    ...Object.entries(pngs),
    ...Object.entries(others).map(([name, base64]) => [name, Buffer.from(base64, "base64")] as const)
  ]) {
    it(`is put on a page as it is: a ${name}`, async () => {
      assert.deepEqual(await quarters(pdfOf(bytes)), [true, false, false])
    })
  }

  it("that cannot be put on a page says why", () => {
    const problem = (bytes: Uint8Array): string => Either.getOrThrow(Either.flip(toPdf(bytes)))
    assert.include(problem(Buffer.from("RIFF....WEBP")), "no PNG, JPEG or TIFF")
    assert.include(problem(png({ ...size, depth: 8, type: 0, interlaced: true }, quarter([0], [255]))), "interlaced")
    assert.include(problem(png({ width: 100_000, height: 100_000, depth: 8, type: 6 }, [])), "100 million pixels")
    assert.include(problem(Buffer.of(0xff, 0xd8, 0xff, 0xd9)), "damaged JPEG")
    assert.include(problem(Buffer.from("II*\0\xff\xff\xff\xff", "latin1")), "damaged")
  })

  it("that is damaged gives a page or a reason, and ends", () => {
    const all = [...Object.values(pngs), ...Object.values(others).map((base64) => Buffer.from(base64, "base64"))]
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { maxLength: 10 }),
        fc.nat(2000),
        (sound, changes, end) => {
          const bytes = Buffer.from(sound)
          for (const [at, byte] of changes) bytes[4 + (at % (bytes.length - 4))] = byte
          for (const content of [bytes, bytes.subarray(0, end)]) assert.isDefined(Either.merge(toPdf(content)))
        }
      ),
      { numRuns: runs(300) }
    )
  })

  it.live("is read as a scan where it is asked for, and cited as the picture", () =>
    Effect.gen(function* () {
      const parser = yield* Parser.make({ timeout: 60_000 })
      const document = yield* parser.parse(fileOf("in/scan.png", yield* page), { chunker: MarkdownChunker.make() })
      assert.strictEqual(document.markdown, "The quick brown fox jumps over the lazy dog.")
      assert.strictEqual(`${document.documentId} ${document.source}`, "root/in/scan.png in/scan.png")
      assert.deepEqual(document.warnings, [])
      assert.strictEqual(document.metadata.sourceURL, "scan.png")
      const failed = yield* Effect.flip(parser.parse(fileOf("a.png", "none"), {}))
      assert.include(failed.message, "a.png: its reader failed: it is no PNG, JPEG or TIFF")
    }).pipe(Effect.provide(Layer.merge(Embedded.layer(), Readers.layer([Readers.picture("png")]))), Effect.scoped)
  )

  it("is of no type of its own: readers of one extension twice are refused", () => {
    const twice = Readers.make([Readers.picture("png"), Readers.plainText("png")])
    assert.deepInclude(Either.getOrThrow(Either.flip(twice)), { extension: "png", reason: "Twice" })
  })
})
