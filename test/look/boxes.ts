/** Boxes lie where the text is: the place that is known from the file, the box over the page and the ink of its picture agree. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { visiting } from "../fixtures/chromium.ts"
import { type PlacedPage, placedPdf, rectangleOf, shownSize } from "../fixtures/placedPdf.ts"
import { Stand, type Tests } from "./stand.ts"
import { boxes, drop, edges, type Edges, picture, ready, sheet, until } from "./visitor.ts"

/** Pixels of the window by which two edges may differ. */
const tolerance = 2

const lines: PlacedPage["lines"] = [
  { text: "A title in large letters", x: 72, y: 90, size: 24 },
  { text: "One line of text that stands alone.", x: 72, y: 180 },
  { text: "Another one further to the right.", x: 190, y: 300, size: 14 },
  { text: "The last one near the foot.", x: 40, y: 430, size: 10 }
]

const pages: ReadonlyArray<PlacedPage & { readonly is: string }> = [
  { is: "upright", lines },
  { is: "turned by 90 degrees", lines, turn: 90 },
  { is: "turned by 180 degrees", lines, turn: 180 },
  { is: "turned by 270 degrees", lines, turn: 270 },
  { is: "cropped", lines, margins: [31, 52, 73, 114], origin: [-20, 15] },
  { is: "cropped and turned by 90 degrees", lines, margins: [31, 52, 73, 114], turn: 90 },
  { is: "cropped and turned by 270 degrees", lines, margins: [60, 10, 5, 90], origin: [100, -40], turn: 270 },
  { is: "wide", lines, width: 900, height: 500 },
  { is: "small", lines, width: 480, height: 460 },
  { is: "of large units", lines, unit: 2.5 },
  {
    is: "wide, turned by 180 degrees, cropped, of large units",
    lines,
    width: 800,
    height: 480,
    turn: 180,
    margins: [9, 8, 7, 6],
    unit: 1.5
  }
]

const assertNear = (found: Edges, known: Edges, what: string) => {
  const rounded = (all: Edges) => all.map((edge) => edge.toFixed(1)).join(" ")
  assert.isTrue(
    found.every((edge, at) => Math.abs(edge - (known[at] ?? Number.NaN)) <= tolerance),
    `${what}: ${rounded(found)}, known ${rounded(known)}`
  )
}

/** Edges of the dark points of a picture inside a part of the window. */
const ink = (page: Page, number: number, [left, top, right, bottom]: Edges): Promise<Edges> =>
  picture(page, number).evaluate(
    (image, region) => {
      if (!(image instanceof HTMLImageElement)) throw new Error("no picture")
      const canvas = document.createElement("canvas")
      canvas.width = image.naturalWidth
      canvas.height = image.naturalHeight
      const context = canvas.getContext("2d")
      if (context === null) throw new Error("no canvas")
      context.drawImage(image, 0, 0)
      const place = image.getBoundingClientRect()
      const [across, down] = [canvas.width / place.width, canvas.height / place.height]
      const x0 = Math.max(0, Math.floor((region.left - place.left) * across))
      const y0 = Math.max(0, Math.floor((region.top - place.top) * down))
      const width = Math.ceil((region.right - region.left) * across)
      const height = Math.ceil((region.bottom - region.top) * down)
      const { data } = context.getImageData(x0, y0, width, height)
      const found = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
      for (let at = 0; at < width * height; at++) {
        if ((data[4 * at] ?? 255) > 127 || (data[4 * at + 3] ?? 0) < 128) continue
        const [x, y] = [at % width, Math.floor(at / width)]
        found.left = Math.min(found.left, x)
        found.right = Math.max(found.right, x + 1)
        found.top = Math.min(found.top, y)
        found.bottom = Math.max(found.bottom, y + 1)
      }
      return [
        place.left + (x0 + found.left) / across,
        place.top + (y0 + found.top) / down,
        place.left + (x0 + found.right) / across,
        place.top + (y0 + found.bottom) / down
      ] as const
    },
    { left, top, right, bottom }
  )

/** Compares each line of a page with its box and with its ink. */
const assertPage = async (page: Page, number: number, placed: PlacedPage & { readonly is: string }) => {
  const shown = picture(page, number)
  await sheet(page, number).scrollIntoViewIfNeeded()
  await shown.waitFor()
  const found = boxes(page, number)
  await until(async () => (await found.count()) > 0)
  assert.strictEqual(await found.count(), lines.length, `${placed.is}: boxes`)
  const [left, top, right, bottom] = await edges(shown)
  const [width, height] = shownSize(placed)
  const [across, down] = [(right - left) / width, (bottom - top) / height]
  assert.approximately(across / down, 1, 0.01, `${placed.is}: the picture is stretched`)
  for (const [at, line] of placed.lines.entries()) {
    const [x0, y0, x1, y1] = rectangleOf(line, placed)
    const known: Edges = [left + x0 * across, top + y0 * down, left + x1 * across, top + y1 * down]
    const around: Edges = [known[0] - 12, known[1] - 12, known[2] + 12, known[3] + 12]
    // oxlint-disable-next-line eslint/no-await-in-loop -- one page in one browser
    assertNear(await edges(found.nth(at).locator("rect").first()), known, `${placed.is}, box of "${line.text}"`)
    // oxlint-disable-next-line eslint/no-await-in-loop -- as above
    assertNear(await ink(page, number, around), known, `${placed.is}, ink of "${line.text}"`)
  }
}

export const boxesTests = (test: Tests): void => {
  test("boxes, ink and the file agree to 2 pixels on turned, cropped, scaled and mixed pages, at each size", () =>
    Effect.gen(function* () {
      const { address, browser } = yield* Stand
      yield* visiting(browser, address, async ({ page }) => {
        await drop(page, [{ name: "placed.pdf", bytes: placedPdf(pages) }])
        await ready(page)
        for (const [at, placed] of pages.entries()) {
          // oxlint-disable-next-line eslint/no-await-in-loop -- one page in one browser
          await assertPage(page, at + 1, placed)
        }
        const larger = page.getByRole("button", { name: "Larger" })
        await larger.click()
        await larger.click()
        for (const at of [1, 4]) {
          const placed = pages[at]
          // oxlint-disable-next-line eslint/no-await-in-loop -- as above
          if (placed !== undefined) await assertPage(page, at + 1, placed)
        }
      })
    }))
}
