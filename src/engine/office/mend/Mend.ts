/** Documents with what the parser leaves out put where it belongs. */
import * as ZipPackage from "../../content/ZipPackage.ts"
import type { OfficeExtension } from "../../jobs.ts"
import { Inserted } from "./Inserted.ts"
import { type Mended, nothing } from "./Mended.ts"
import * as OpenPackage from "./OpenPackage.ts"
import * as Package from "./Package.ts"
import * as Publication from "./Publication.ts"
import * as RichText from "./RichText.ts"
import * as SlidePackage from "./SlidePackage.ts"
import * as SlideShow from "./SlideShow.ts"
import * as WordDocument from "./WordDocument.ts"
import * as WordPackage from "./WordPackage.ts"

const inserting = (mended: (inserted: Inserted) => Package.Mended): Mended => {
  const inserted = new Inserted()
  return {
    ...mended(inserted),
    pieces: (text) => inserted.pieces(text),
    completed: (markdown) => inserted.restored(markdown)
  }
}

const archive =
  (mender: Package.Mender) =>
  (bytes: Uint8Array): Mended =>
    ZipPackage.isZip(bytes) ? inserting((inserted) => Package.mended(bytes, inserted, mender)) : nothing(bytes)

const menders: Partial<Record<OfficeExtension, (bytes: Uint8Array) => Mended>> = {
  docx: archive(WordPackage.mender),
  docm: archive(WordPackage.mender),
  pptx: archive(SlidePackage.mender),
  pptm: archive(SlidePackage.mender),
  doc: WordDocument.mended,
  odt: archive(OpenPackage.text),
  odp: archive(OpenPackage.presentation),
  epub: (bytes) => {
    const mended = archive(Publication.mender)(bytes)
    return { ...mended, completed: (markdown) => Publication.titledOnce(mended.completed(markdown)) }
  },
  rtf: (bytes) => inserting((inserted) => RichText.mended(bytes, inserted)),
  ppt: SlideShow.mended
}

/** The document, mended as far as its format is known; as it is where its structure is damaged, which the parser judges. Never fails. */
export const of = (bytes: Uint8Array, extension: OfficeExtension): Mended => {
  try {
    return (menders[extension] ?? nothing)(bytes)
  } catch {
    return nothing(bytes)
  }
}
