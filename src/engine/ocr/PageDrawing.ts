/** Pages as pictures, and recognised words as a page. */
import type { OcrResult } from "@llamaindex/liteparse-wasm"
import type * as Box from "../pdf/Box.ts"
import * as LeanPage from "../pdf/LeanPage.ts"
import type { PageItems } from "../pdf/PageItem.ts"
import * as PdfCall from "../pdf/PdfCall.ts"

/** Draws a page as a PNG of `dpi` dots to the inch, as a viewer shows it. Rejects when the page cannot be drawn. */
export const draw = async (bytes: Uint8Array, pageNumber: number, dpi: number): Promise<Uint8Array> => {
  let drawn: Uint8Array | undefined
  const page = { quiet: true, targetPages: `${pageNumber}`, dpi }
  const recognize = (picture: Uint8Array) => {
    drawn = picture.slice()
    return Promise.resolve([])
  }
  // The picture for a recogniser takes a fifth of the time of a screenshot, but there is none of a page with text.
  await PdfCall.parsed(bytes, { ...page, ocrEnabled: true, ocrEngine: { recognize } })
  if (drawn !== undefined) return drawn
  const { screenshots } = await PdfCall.parsed(bytes, { ...page, ocrEnabled: false, extractScreenshots: true })
  const [picture] = screenshots
  if (picture === undefined) throw new RangeError(`page ${pageNumber} cannot be drawn`)
  return Uint8Array.from(picture.imageBytes)
}

/** Reads a page without text, with words laid on it in points from its left upper corner: each is text as high as its box. */
export const readSheet = async (
  sheet: Uint8Array,
  words: ReadonlyArray<{ readonly text: string; readonly box: Box.Box }>
): Promise<PageItems> => {
  const recognize = () =>
    Promise.resolve(
      words.map(({ box, text }): OcrResult => ({ text, bbox: [box.x0, box.y0, box.x1, box.y1], confidence: 1 }))
    )
  // One pixel is one point.
  const ocr = { ocrEnabled: true, dpi: 72, ocrEngine: { recognize } }
  const { pages } = await PdfCall.parsed(sheet, { ...PdfCall.settings, ...ocr })
  const [page] = pages
  if (page === undefined) throw new RangeError("the recognised words cannot be laid out")
  return LeanPage.fromParsed(page, undefined)
}
