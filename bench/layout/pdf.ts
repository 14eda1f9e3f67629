import type { PageItems } from "../../src/engine/pdf/PageItem.ts"
/** The text layer of a PDF, as the embedded engine reads it before any layout. */
import * as Pdf from "../../src/engine/pdf/PdfEngine.ts"
import * as PdfReader from "../../src/engine/pdf/PdfReader.ts"
import * as PdfModule from "../../src/engine/PdfModule.ts"

const runtime = { module: await PdfModule.load() }

export const pages = async (bytes: Uint8Array): Promise<ReadonlyArray<PageItems>> => {
  const reader = await Pdf.open(bytes, 10_000, runtime)
  if (PdfReader.isFailure(reader)) throw new Error(reader.message)
  const pages: Array<PageItems> = []
  for (;;) {
    const batch = await reader.next()
    if (batch === undefined) return pages
    if (PdfReader.isFailure(batch)) throw new Error(batch.message)
    pages.push(...batch.pages)
  }
}

export const countPages = async (bytes: Uint8Array): Promise<number> => {
  const count = await Pdf.countPages(bytes, runtime)
  return typeof count === "number" ? count : 0
}

export const parse = (bytes: Uint8Array): Promise<Pdf.PdfResult> =>
  Pdf.parsePdf(bytes, { mode: "auto", pages: true, blocks: true, pageMarkers: false }, runtime)
