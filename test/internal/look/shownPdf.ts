/** PDFs whose pages are turned, cropped and scaled, with text at known places. */
import { Buffer } from "node:buffer"

export interface Shown {
  /** Entries of the page's dictionary, such as `/Rotate 90`. */
  readonly entries?: string
  /** Operators of the page. */
  readonly content: string
}

/** A document with the pages, each on a sheet of 612 × 792 points. */
export const write = (pages: ReadonlyArray<Shown>): Buffer<ArrayBuffer> => {
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(" ")
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap(({ content, entries = "" }, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${entries} /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * at} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
    ])
  ]
  let text = "%PDF-1.7\n"
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, "0")} 00000 n \n`
  })
  const end = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`
  return Buffer.from(`${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}${end}`, "latin1")
}
