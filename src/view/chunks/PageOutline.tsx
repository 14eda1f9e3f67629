// @jsxRuntime automatic @jsxImportSource preact
/** Drawings of the pages to scale, with the blocks of the layout and the chunks that hold them, for a page without pictures. */
import type { ComponentChildren, JSX } from "preact"
import { counted } from "../../internal/base/figures.ts"
import type { PageBlocks } from "../../internal/base/parseResponse.ts"
import { type Bbox, placed, ratioOf } from "../pages/PageSheet.tsx"
import type { CardChunk } from "./ChunkCard.tsx"
import { hue } from "./chunkColour.ts"

/** Width of a page in units of the drawing; its height follows from its proportions. */
const width = 1000

const heightOf = (page: PageBlocks): number => Math.round(width * ratioOf(page.width, page.height))

const Area = ({ bbox, height, kind }: { bbox: Bbox; height: number; kind: string }): JSX.Element => {
  const [left, top, across, down] = placed(bbox)
  return (
    <rect
      class={kind}
      x={Math.round(left * width)}
      y={Math.round(top * height)}
      width={Math.max(4, Math.round(across * width))}
      height={Math.max(4, Math.round(down * height))}
    />
  )
}

/** A page with boxes, and its place among them. */
export interface Outline {
  readonly page: PageBlocks
  readonly index: number
}

/** The pages with boxes, by their physical number. */
export type Outlines = ReadonlyMap<number, Outline>

export const outlinesOf = (pages: ReadonlyArray<PageBlocks>): Outlines =>
  new Map(
    pages
      .filter(({ items }) => items.some(({ bbox }) => bbox !== null))
      .map((page, index) => [page.pageNumber, { page, index }])
  )

const sheetId = (index: number): string => `sheet-${index + 1}`

/** Layout of every page, drawn once and referenced by the other drawings. */
export const Sheets = ({ outlines }: { outlines: Outlines }): JSX.Element | null =>
  outlines.size === 0 ? null : (
    <svg class="sheets" aria-hidden="true" width={0} height={0}>
      {Array.from(outlines.values(), ({ index, page }) => {
        const height = heightOf(page)
        return (
          <symbol key={index} id={sheetId(index)} viewBox={`0 0 ${width} ${height}`}>
            <rect class="leaf" width={width} height={height} />
            {page.items.map(({ bbox, id }) =>
              bbox === null ? null : <Area key={id} bbox={bbox} height={height} kind="held-by-none" />
            )}
          </symbol>
        )
      })}
    </svg>
  )

const Figure = ({
  children,
  label,
  outline: { index, page },
  role
}: {
  children: ComponentChildren
  label: string
  outline: Outline
  role: "img" | "group"
}): JSX.Element => (
  <figure class="outline">
    <svg viewBox={`0 0 ${width} ${heightOf(page)}`} role={role} aria-label={label}>
      <use href={`#${sheetId(index)}`} width={width} height={heightOf(page)} />
      {children}
    </svg>
    <figcaption>p. {page.pageNumber}</figcaption>
  </figure>
)

const NumberAt = ({ bbox, height, number }: { bbox: Bbox; height: number; number: number }): JSX.Element => {
  const [left, top] = placed(bbox)
  return (
    <text x={Math.round(left * width) + 12} y={Math.round(top * height) + 66}>
      {number}
    </text>
  )
}

/** Every page with the boxes of its chunks, each a link to its chunk; empty when chunks carry no boxes. */
export const pageMap = (outlines: Outlines, chunks: ReadonlyArray<CardChunk>): ReadonlyArray<JSX.Element> => {
  const found = new Map<number, Array<JSX.Element>>()
  for (const chunk of chunks) {
    let named = -1
    for (const { bbox, page: number } of chunk.boxes) {
      const outline = outlines.get(number)
      if (outline === undefined) continue
      const height = heightOf(outline.page)
      const first = named !== outline.index
      named = outline.index
      const drawn = found.get(outline.index) ?? []
      found.set(outline.index, drawn)
      drawn.push(
        <a href={`#c${chunk.index + 1}`} class={hue(chunk.index)}>
          <title>Chunk {chunk.index + 1}</title>
          <Area bbox={bbox} height={height} kind="held" />
          {first && <NumberAt bbox={bbox} height={height} number={chunk.index + 1} />}
        </a>
      )
    }
  }
  if (found.size === 0) return []
  return Array.from(outlines.values(), (outline) => (
    <Figure
      key={outline.index}
      outline={outline}
      label={`Page ${outline.page.pageNumber} and the chunks on it`}
      role="group"
    >
      {found.get(outline.index) ?? []}
    </Figure>
  ))
}

/** The pages of one chunk with its boxes. */
export const chunkPages = (outlines: Outlines, chunk: CardChunk): ReadonlyArray<JSX.Element> =>
  Array.from(new Set(chunk.boxes.map(({ page }) => page))).flatMap((number) => {
    const outline = outlines.get(number)
    if (outline === undefined) return []
    const own = chunk.boxes.filter((box) => box.page === number)
    return [
      <Figure
        key={number}
        outline={outline}
        label={`Page ${number}: ${counted(own.length, "box", "boxes")} of this chunk`}
        role="img"
      >
        {own.map(({ bbox }, at) => (
          <Area key={at} bbox={bbox} height={heightOf(outline.page)} kind="held" />
        ))}
      </Figure>
    ]
  })
