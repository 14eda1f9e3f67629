/** Scans: pages that are drawn to pictures, and PDFs that hold nothing but pictures. */
import { Buffer } from "node:buffer"
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import * as OcrPackages from "../../../src/engine/ocr/OcrPackages.ts"
import * as PageDrawing from "../../../src/engine/ocr/PageDrawing.ts"
import type { OcrSettings } from "../../../src/engine/ocr/PageOcr.ts"
import * as Picture from "../../../src/engine/ocr/Picture.ts"
import * as Skew from "../../../src/engine/ocr/Skew.ts"
import type { Turn } from "../../../src/engine/pdf/PageTurn.ts"
import * as PdfReader from "../../../src/engine/pdf/PdfReader.ts"
import * as PdfModule from "../../../src/engine/PdfModule.ts"
import { type PageSpec, write } from "../pdf/writePdf.ts"

const module = await PdfModule.load()

/** Draws a page at 150 dots to the inch. */
export const drawn = async (page: PageSpec): Promise<Picture.Picture> => {
  const bytes = write({ pages: [page] })
  await PdfReader.open(module, bytes, 1)
  return Picture.fromPng(await PageDrawing.draw(bytes, 1, 150))
}

/** The picture of a page that lies clockwise by `turn` on the glass, and by that slope. */
export const scanned = async (page: PageSpec, turn: Turn = 0, slope = 0): Promise<Picture.Picture> => {
  const back = turn === 90 ? 270 : turn === 270 ? 90 : turn
  return Picture.upright(Skew.levelled(await drawn(page), -slope), back)
}

const font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"

/** A PDF of one page for each picture, and for each text one with nothing but its letters. */
export const pdfOf = (pages: ReadonlyArray<Picture.Picture | string>): Uint8Array => {
  const kids = pages.map((_, at) => `${3 + at * 3} 0 R`).join(" ")
  const objects = [
    Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"),
    Buffer.from(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`)
  ]
  pages.forEach((page, at) => {
    const first = 3 + at * 3
    const { height, pixels, width } =
      typeof page === "string" ? { height: 1650, pixels: new Uint8Array(1), width: 1275 } : page
    const [wide, high] = [(width * 72) / 150, (height * 72) / 150]
    const content =
      typeof page === "string" ? `BT /F 12 Tf 72 700 Td (${page}) Tj ET` : `q ${wide} 0 0 ${high} 0 0 cm /I Do Q`
    const data = deflateSync(pixels)
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Resources << ${font} /XObject << /I ${first + 1} 0 R >> >> /Contents ${first + 2} 0 R >>`
      ),
      Buffer.concat([
        Buffer.from(
          `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode /Length ${data.length} >> stream\n`
        ),
        data,
        Buffer.from("\nendstream")
      ]),
      Buffer.from(`<< /Length ${content.length} >> stream\n${content}\nendstream`)
    )
  })
  const parts = [Buffer.from("%PDF-1.4\n")]
  const offsets: Array<number> = []
  let end = 9
  objects.forEach((object, at) => {
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj `), object, Buffer.from(" endobj\n")])
    offsets.push(end)
    end += part.length
    parts.push(part)
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${end}\n%%EOF`
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}${trailer}`))
  return Buffer.concat(parts)
}

/** The packages of this project. */
export const settings = (): OcrSettings => {
  const packages = OcrPackages.find(import.meta.url)
  if (packages === undefined) throw new Error("tesseract.js is not installed")
  return { packages, languages: ["eng"] }
}

/** A package whose worker runs this code in place of the recogniser's. */
export const faulty = (code: string): OcrSettings => {
  const folder = mkdtempSync(join(tmpdir(), "docsluice-ocr-"))
  const worker = join(folder, "src", "worker-script", "node")
  mkdirSync(worker, { recursive: true })
  writeFileSync(join(worker, "index.js"), code)
  return { packages: { folder, version: "7.0.0", languages: { eng: folder } }, languages: ["eng"] }
}

/**
 * A package whose worker answers each picture after 200 ms with a word at its middle, `light` or `dark` by its ink, and writes `+` and `-`
 * into `log` when it begins and ends; a dark picture is answered in `dark` milliseconds.
 */
export const scripted = (dark: number): { readonly settings: OcrSettings; readonly log: string } => {
  const log = join(mkdtempSync(join(tmpdir(), "docsluice-ocr-log-")), "log")
  const code = `
    const { parentPort } = require("node:worker_threads")
    const { appendFileSync } = require("node:fs")
    const write = (sign) => appendFileSync(${JSON.stringify(log)}, sign)
    parentPort.on("message", ({ action, jobId, payload }) => {
      const resolve = (data) => parentPort.postMessage({ jobId, status: "resolve", data })
      if (action !== "recognize") return resolve({})
      write("+")
      const ink = payload.image.reduce((sum, value) => sum + (value < 128 ? 1 : 0), 0)
      const isDark = ink > payload.image.length / 10
      const bbox = { x0: 500, y0: 700, x1: 700, y1: 730 }
      const words = [{ text: isDark ? "dark" : "light", confidence: 95, bbox }]
      setTimeout(() => {
        write("-")
        resolve({ blocks: [{ paragraphs: [{ lines: [{ words, bbox, rowAttributes: { rowHeight: 30 } }] }] }] })
      }, isDark ? ${dark} : 200)
    })`
  return { settings: faulty(code), log }
}

/** Most pictures that were recognised at the same time. */
export const mostAtOnce = (log: string): number => {
  let running = 0
  let most = 0
  for (const sign of readFileSync(log, "utf8")) {
    running += sign === "+" ? 1 : -1
    most = Math.max(most, running)
  }
  return most
}
