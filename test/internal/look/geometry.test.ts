import { assert, describe, it } from "@effect/vitest"
import * as Embedded from "docsluice/service/Embedded"
import { Engine } from "docsluice/service/Engine"
import * as ParseOptions from "docsluice/service/ParseOptions"
import { Effect } from "effect"
import * as Picture from "../../../src/engine/ocr/Picture.ts"
import * as PageDrawing from "../../../src/engine/PageDrawing.ts"
import { write } from "./shownPdf.ts"

const upright =
  "BT /F1 14 Tf 150 500 Td (Gauges are calibrated every second May) Tj 0 -16 Td (and cleaned in the weeks before that) Tj ET"
const sideways =
  "BT /F1 14 Tf 0 1 -1 0 300 200 Tm (Gauges are calibrated every second May) Tj 0 -16 Td (and cleaned in the weeks before that) Tj ET"

const crop = "/CropBox [50.3 100 450 700.7]"

/** Pages by their kind, with their size as they are shown. */
const kinds: ReadonlyArray<readonly [kind: string, entries: string, content: string, width: number, height: number]> = [
  ["as it is", "", upright, 612, 792],
  ["turned by 90", "/Rotate 90", upright, 792, 612],
  ["turned by 180", "/Rotate 180", upright, 612, 792],
  ["turned by 270", "/Rotate 270", upright, 792, 612],
  ["cropped", crop, upright, 399.7, 600.7],
  ["cropped and turned by 90", `${crop} /Rotate 90`, upright, 600.7, 399.7],
  ["cropped and turned by 180", `${crop} /Rotate 180`, upright, 399.7, 600.7],
  ["cropped and turned by 270", `${crop} /Rotate 270`, upright, 600.7, 399.7],
  ["cropped beyond its sheet", "/CropBox [-50 -40 450 700]", upright, 450, 700],
  ["in units of two points", "/UserUnit 2", upright, 1224, 1584],
  ["with text that runs upwards", "", sideways, 612, 792],
  ["turned, with text that runs upwards", "/Rotate 90", sideways, 792, 612]
]

type Box = readonly [x0: number, y0: number, x1: number, y1: number]

/** The smallest box around several. */
const around = (boxes: ReadonlyArray<Box>): Box => [
  Math.min(...boxes.map(([x0]) => x0)),
  Math.min(...boxes.map(([, y0]) => y0)),
  Math.max(...boxes.map(([, , x1]) => x1)),
  Math.max(...boxes.map(([, , , y1]) => y1))
]

/** The box around the dark pixels of a picture. */
const ink = ({ height, pixels, width }: Picture.Picture): Box => {
  const dark: Array<Box> = []
  for (let y = 0; y < height; y++) {
    const row = pixels.subarray(y * width, (y + 1) * width)
    const first = row.findIndex((value) => value < 128)
    if (first >= 0) dark.push([first, y, row.findLastIndex((value) => value < 128) + 1, y + 1])
  }
  return around(dark)
}

describe("pages of the page", () => {
  it.scopedLive("have blocks where the text is on their pictures, however they are turned and cropped", () =>
    Effect.gen(function* () {
      const bytes = write(kinds.map(([, entries, content]) => ({ entries, content })))
      const engine = yield* Engine
      const drawing = yield* PageDrawing.make
      const options = ParseOptions.resolve({ parsers: [{ type: "pdf", blocks: true }] })
      const { data } = yield* engine.parse({ filename: "pages.pdf", extension: "pdf", bytes }, options)
      const sizes = yield* drawing.sizes(bytes)
      for (const [at, [kind, , , width, height]] of kinds.entries()) {
        const page = data.blocks?.[at]
        assert.closeTo(page?.width ?? 0, width, 0.01, kind)
        assert.closeTo(page?.height ?? 0, height, 0.01, kind)
        assert.closeTo(sizes[at]?.width ?? 0, width, 0.01, kind)
        assert.closeTo(sizes[at]?.height ?? 0, height, 0.01, kind)

        const picture = Picture.fromPng(yield* drawing.draw(bytes, at + 1, 400))
        assert.strictEqual(picture.width, 400, kind)
        assert.closeTo(picture.height, (400 * height) / width, 1, kind)
        const [x0, y0, x1, y1] = around((page?.items ?? []).flatMap(({ bbox }) => (bbox === null ? [] : [bbox])))
        const box: Box = [x0 * picture.width, y0 * picture.height, x1 * picture.width, y1 * picture.height]
        // A box has the height of a line, with room above and below the letters, and no room at its sides.
        const line = (14 * 400) / width
        const drawn = ink(picture)
        for (const [side, place] of drawn.entries()) {
          const room = (side < 2 ? 1 : -1) * (place - (box[side] ?? 0))
          assert.isAtLeast(room, -2, `${kind}: side ${side} of ${box.join(" ")} around ${drawn.join(" ")}`)
          assert.isAtMost(room, line / 2 + 2, `${kind}: side ${side} of ${box.join(" ")} around ${drawn.join(" ")}`)
        }
      }
    }).pipe(Effect.provide(Embedded.layerNative))
  )

  it.scopedLive("are refused one by one where they cannot be drawn, and the next document is drawn", () =>
    Effect.gen(function* () {
      const drawing = yield* PageDrawing.make
      const bytes = write([{ content: upright }])
      const damaged = yield* Effect.flip(drawing.draw(Buffer.from("%PDF-1.7\nnothing"), 1, 400))
      assert.strictEqual(damaged.reason, "Undrawable")
      const beyond = yield* Effect.flip(drawing.draw(bytes, 2, 400))
      assert.strictEqual(beyond.reason, "Undrawable")
      assert.isNull(yield* drawing.count(Buffer.from("no PDF")))
      assert.strictEqual(yield* drawing.count(bytes), 1)
      assert.strictEqual(Picture.fromPng(yield* drawing.draw(bytes, 1, 400)).width, 400)
    })
  )

  it.scopedLive("are drawn smaller where they would have too many pixels", () =>
    Effect.gen(function* () {
      const drawing = yield* PageDrawing.make
      const strip = write([{ entries: "/CropBox [0 0 20 792]", content: upright }])
      const { height, width } = Picture.fromPng(yield* drawing.draw(strip, 1, 2400))
      assert.isAtMost(width * height, 12_100_000)
    })
  )
})
