import * as Pdf from "../../../src/engine/pdf/PdfEngine.ts"
import * as PdfModule from "../../../src/engine/PdfModule.ts"
import { type DocumentSpec, write } from "./writePdf.ts"

const runtime = { module: await PdfModule.load() }

export const everything: Pdf.PdfOptions = { mode: "auto", pages: true, blocks: true, pageMarkers: false }

export const parseBytes = (bytes: Uint8Array, options: Partial<Pdf.PdfOptions> = {}): Promise<Pdf.PdfResult> =>
  Pdf.parsePdf(bytes, { ...everything, ...options }, runtime)

/** Parses a document that must succeed. */
export const parse = async (spec: DocumentSpec, options: Partial<Pdf.PdfOptions> = {}): Promise<Pdf.PdfSuccess> => {
  const result = await parseBytes(write(spec), options)
  if (result.kind === "failure") throw new Error(result.error)
  return result
}

/** Parses bytes that must fail. */
export const parseFailing = async (
  bytes: Uint8Array,
  options: Partial<Pdf.PdfOptions> = {}
): Promise<Pdf.PdfFailure> => {
  const result = await parseBytes(bytes, options)
  if (result.kind === "success") throw new Error(`parsed: ${result.markdown}`)
  return result
}
