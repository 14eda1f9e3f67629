/** Pages of a PDF as they are shown: their sizes and their pictures. Runs in a lane; reads no page but those that are asked for. */
import { initSync, type LiteParseConfig, type ParseResult } from "@llamaindex/liteparse-wasm"
import type { PictureJob, PictureResult, SizesResult } from "../jobs.ts"
import * as Png from "../Png.ts"
import * as PdfCall from "./PdfCall.ts"
import { readable } from "./PdfEngine.ts"
import * as WasmModule from "./WasmModule.ts"

/** A result, and true when the WebAssembly instance broke: this lane must not be used again. */
export interface Outcome<A> {
  readonly result: A
  readonly fatal: boolean
}

/** Most pixels of a picture: one of a very long page has fewer dots to the inch. */
const mostPixels = 12_000_000

const shown = { quiet: true, ocrEnabled: false, continueOnPageError: true, renderFormFields: true } as const

const parsed = (file: Uint8Array, pages: string | undefined, config: LiteParseConfig = {}): Promise<ParseResult> =>
  PdfCall.parsed(file, { ...shown, ...(pages !== undefined && { targetPages: pages }), ...config })

const attempted = async <A>(
  module: WasmModule.WasmModule,
  attempt: () => Promise<A>
): Promise<Outcome<A | { readonly kind: "failure"; readonly error: string }>> => {
  try {
    initSync({ module })
    return { result: await attempt(), fatal: false }
  } catch (cause) {
    const error = cause instanceof Error ? cause.message : String(cause)
    return { result: { kind: "failure", error }, fatal: WasmModule.isTrap(cause) }
  }
}

/**
 * Draws a page, or the part of it in a box, as a PNG that is `width` pixels wide; a page of more than 12 million pixels is drawn smaller, and
 * its part too. Never rejects.
 */
export const draw = (
  bytes: Uint8Array,
  { box, page, width }: Pick<PictureJob, "box" | "page" | "width">,
  module: WasmModule.WasmModule
): Promise<Outcome<PictureResult>> =>
  attempted(module, async (): Promise<PictureResult> => {
    const { bytes: file } = readable(bytes)
    const [size] = (await parsed(file, String(page))).pages
    if (size === undefined) return { kind: "failure", error: `page ${page} cannot be read` }
    const whole = box === undefined ? width : width / (box[2] - box[0])
    const pixels = Math.min(whole, Math.sqrt((mostPixels * size.width) / size.height))
    const dpi = (72 * pixels) / size.width
    const { screenshots } = await parsed(file, String(page), { extractScreenshots: true, dpi })
    const [picture] = screenshots
    const drawn = picture && Uint8Array.from(picture.imageBytes)
    const png = drawn && box ? Png.cropped(drawn, box) : drawn
    return png ? { kind: "success", png } : { kind: "failure", error: `page ${page} cannot be drawn` }
  })

/** Sizes of pages in points, turned and cropped as they are shown; all pages where none are named. Never rejects. */
export const sizes = (
  bytes: Uint8Array,
  pages: ReadonlyArray<number> | undefined,
  module: WasmModule.WasmModule
): Promise<Outcome<SizesResult>> =>
  attempted(module, async (): Promise<SizesResult> => {
    const { bytes: file } = readable(bytes)
    const found = (await parsed(file, pages?.join(","))).pages
    return { kind: "success", pages: found.map(({ height, pageNum, width }) => ({ number: pageNum, width, height })) }
  })
