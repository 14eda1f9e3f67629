/** Pictures on the pages of a PDF, which is recognised as a scan is. Pixels are decoded where PDFs are read, but those of transparent PNGs. */
import * as Either from "effect/Either"
import { jpeg } from "./jpeg.ts"
import { pdfOf, type Picture, Unfit } from "./page.ts"
import { png } from "./png.ts"
import { tiff } from "./tiff.ts"

const picturesOf = (bytes: Buffer): ReadonlyArray<Picture> => {
  switch (bytes.toString("hex", 0, 4)) {
    case "89504e47":
      return [png(bytes)]
    case "49492a00":
    case "4d4d002a":
      return tiff(bytes)
    default:
      if (bytes.toString("hex", 0, 2) === "ffd8") return [jpeg(bytes)]
      throw new Unfit("it is no PNG, JPEG or TIFF, whatever its name says; save it as one of them")
  }
}

/** The PDF of a picture by its first bytes, the same for the same picture; on the left the reason why there is none, and what helps. */
export const toPdf = (bytes: Uint8Array): Either.Either<Uint8Array<ArrayBuffer>, string> =>
  Either.try({
    try: () => pdfOf(picturesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))),
    catch: (cause) => (cause instanceof Unfit ? cause.message : "it is a damaged picture; save it again")
  })
