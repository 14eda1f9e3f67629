/** Drawings of the pages to scale, with the blocks of the layout and the chunks that hold them. */
import type { DocumentChunk } from "../../DocumentChunk.ts"
import type { ParsedDocument } from "../../ParsedDocument.ts"
import type { PageBlocks } from "../../service/ParseResponse.ts"
import { counted, html, type Html, nothing } from "./Markup.ts"
import { hue } from "./theme.ts"

/** Width of a page in units of the drawing; its height follows from its proportions. */
const width = 1000

/** Proportions of A4, for a page whose size is unknown. */
const paper = Math.SQRT2

type Bbox = DocumentChunk["boxes"][number]["bbox"]

const heightOf = (page: PageBlocks): number => {
  const ratio = (page.height ?? 0) / (page.width ?? 0)
  return Math.round(width * (Number.isFinite(ratio) && ratio > 0.02 && ratio < 50 ? ratio : paper))
}

const within = (value: number): number => (Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0)

const rect = ([x0, y0, x1, y1]: Bbox, height: number, kind: string): Html => {
  const [left, right] = [within(Math.min(x0, x1)), within(Math.max(x0, x1))]
  const [top, bottom] = [within(Math.min(y0, y1)), within(Math.max(y0, y1))]
  const across = Math.max(4, Math.round((right - left) * width))
  const down = Math.max(4, Math.round((bottom - top) * height))
  return html`<rect
    class="${kind}"
    x="${Math.round(left * width)}"
    y="${Math.round(top * height)}"
    width="${across}"
    height="${down}"
  />`
}

const sheetId = (index: number): string => `sheet-${index + 1}`

/** All pages with boxes, ready to be drawn. */
export class PageOutlines {
  private readonly byPage = new Map<number, number>()
  private readonly pages: ReadonlyArray<PageBlocks>

  constructor(document: ParsedDocument) {
    this.pages = (document.blocks ?? []).filter(({ items }) => items.some(({ bbox }) => bbox !== null))
    this.pages.forEach(({ pageNumber }, index) => this.byPage.set(pageNumber, index))
  }

  /** Layout of every page, drawn once and referenced by the other drawings. */
  get sheets(): Html {
    if (this.pages.length === 0) return nothing
    const symbols = this.pages.map((page, index) => {
      const height = heightOf(page)
      const boxes = page.items.flatMap(({ bbox }) => (bbox === null ? [] : [rect(bbox, height, "block")]))
      return html`<symbol id="${sheetId(index)}" viewBox="0 0 ${width} ${height}"
        ><rect class="sheet" width="${width}" height="${height}" />${boxes}</symbol
      > `
    })
    return html`<svg class="sheets" aria-hidden="true" width="0" height="0">${symbols}</svg> `
  }

  /** Every page with the boxes of its chunks, each a link to its chunk; empty when chunks carry no boxes. */
  map(chunks: ReadonlyArray<DocumentChunk>): ReadonlyArray<Html> {
    const found: Array<Array<Html>> = this.pages.map(() => [])
    for (const chunk of chunks) {
      let named = -1
      for (const { bbox, page } of chunk.boxes) {
        const index = this.byPage.get(page)
        const sheet = index === undefined ? undefined : this.pages[index]
        if (index === undefined || sheet === undefined) continue
        const height = heightOf(sheet)
        const number = named === index ? nothing : numberAt(bbox, height, chunk.index + 1)
        named = index
        found[index]?.push(
          html`<a href="#c${chunk.index + 1}" class="${hue(chunk.index)}"
            ><title>Chunk ${chunk.index + 1}</title>${rect(bbox, height, "held")}${number}</a
          >`
        )
      }
    }
    if (found.every((drawn) => drawn.length === 0)) return []
    return this.pages.map((page, index) => {
      const drawn = found[index] ?? []
      return this.figure(page, index, drawn, `Page ${page.pageNumber} and the chunks on it`, "group")
    })
  }

  /** The pages of one chunk with its boxes. */
  of(chunk: DocumentChunk): ReadonlyArray<Html> {
    const pages = [...new Set(chunk.boxes.map(({ page }) => page))]
    return pages.flatMap((number) => {
      const index = this.byPage.get(number)
      const page = index === undefined ? undefined : this.pages[index]
      if (index === undefined || page === undefined) return []
      const own = chunk.boxes.filter((box) => box.page === number)
      const drawn = own.map(({ bbox }) => rect(bbox, heightOf(page), "held"))
      const label = `Page ${number}: ${counted(own.length, "box", "boxes")} of this chunk`
      return [this.figure(page, index, drawn, label, "img")]
    })
  }

  private figure(
    page: PageBlocks,
    index: number,
    drawn: ReadonlyArray<Html>,
    label: string,
    role: "img" | "group"
  ): Html {
    const view = `0 0 ${width} ${heightOf(page)}`
    return html`<figure class="page">
      <svg viewBox="${view}" role="${role}" aria-label="${label}">
        <use href="#${sheetId(index)}" width="${width}" height="${heightOf(page)}" />
        ${drawn}
      </svg>
      <figcaption>p. ${page.pageNumber}</figcaption>
    </figure>`
  }
}

const numberAt = ([x0, y0]: Bbox, height: number, number: number): Html =>
  html`<text x="${Math.round(within(x0) * width) + 12}" y="${Math.round(within(y0) * height) + 66}">${number}</text>`
