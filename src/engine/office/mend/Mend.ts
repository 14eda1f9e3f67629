/**
 * Documents with what the parser leaves out put where it belongs, before it reads them.
 *
 * @since 0.1.0
 */
import * as ZipPackage from "../../content/ZipPackage.ts"
import type { OfficeExtension } from "../../jobs.ts"
import { Inserted } from "./Inserted.ts"
import * as OpenPackage from "./OpenPackage.ts"
import * as Package from "./Package.ts"
import * as RichText from "./RichText.ts"
import * as SlidePackage from "./SlidePackage.ts"
import * as WordPackage from "./WordPackage.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Mended extends Package.Mended {
  /** Texts that the document got as words. */
  readonly inserted: Inserted
}

const menders: Partial<Record<OfficeExtension, Package.Mender>> = {
  docx: WordPackage.mender,
  docm: WordPackage.mender,
  pptx: SlidePackage.mender,
  pptm: SlidePackage.mender,
  odt: OpenPackage.text,
  odp: OpenPackage.presentation
}

/**
 * The document as the parser is to read it; the same bytes where there is nothing to mend. Never fails.
 *
 * @since 0.1.0
 * @category transformations
 */
export const of = (bytes: Uint8Array, extension: OfficeExtension): Mended => {
  const inserted = new Inserted()
  const mender = menders[extension]
  if (extension === "rtf") return { ...RichText.mended(bytes), inserted }
  return mender === undefined || !ZipPackage.isZip(bytes)
    ? { bytes, inserted, warnings: [] }
    : { ...Package.mended(bytes, inserted, mender), inserted }
}
