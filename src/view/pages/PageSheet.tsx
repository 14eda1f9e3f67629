// @jsxRuntime automatic @jsxImportSource preact
/** A page: its picture, or an empty sheet of its proportions, and boxes over it. */
import type { ComponentChildren, JSX } from "preact"
import type { DocumentChunk } from "../../DocumentChunk.ts"

export type Bbox = DocumentChunk["boxes"][number]["bbox"]

/** The nearest number from 0 to 1, in the same order as before. */
const clamped = (value: number): number => (Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value)))

/** Left, top, width and height of a box as shares of the page; corners may be swapped and lie outside. */
export const placed = ([x0, y0, x1, y1]: Bbox): readonly [number, number, number, number] => {
  const [left, right] = [clamped(Math.min(x0, x1)), clamped(Math.max(x0, x1))]
  const [top, bottom] = [clamped(Math.min(y0, y1)), clamped(Math.max(y0, y1))]
  return [left, top, right - left, bottom - top]
}

/** A share as a percentage that SVG takes; four decimals are a tenth of a pixel of a page 100 screens wide. */
export const part = (share: number): string => `${Number((share * 100).toFixed(4))}%`

/** A box of a page; percentages, so that it stays where it is at every size. */
export const Box = ({ bbox, kind }: { bbox: Bbox; kind: string }): JSX.Element => {
  const [x, y, width, height] = placed(bbox)
  return <rect class={kind} x={part(x)} y={part(y)} width={part(width)} height={part(height)} />
}

/** Height by width of a page whose size is not known: that of A4. */
export const paper = Math.SQRT2

/** Height by width, bounded so that a defective size makes no endless page. */
export const ratioOf = (width: number | null, height: number | null): number => {
  const ratio = (height ?? 0) / (width ?? 0)
  return Number.isFinite(ratio) && ratio > 0.02 && ratio < 50 ? ratio : paper
}

/** `children` are SVG elements in percentages of the sheet. */
export const PageSheet = ({
  children,
  label,
  note,
  number,
  picture,
  ratio
}: {
  children?: ComponentChildren
  /** What a screen reader says of the boxes. */
  label: string
  /** Shown on a sheet without a picture. */
  note?: string | undefined
  number: number
  /** Address of the picture; undefined until it is drawn. */
  picture?: string | undefined
  ratio: number
}): JSX.Element => (
  <div class="sheet" data-page={number} style={{ aspectRatio: `1 / ${ratio}` }}>
    {picture !== undefined && <img src={picture} alt={`Page ${number}`} decoding="async" draggable={false} />}
    {picture === undefined && note !== undefined && <p class="sheet-note">{note}</p>}
    <svg class="boxes" role="group" aria-label={label} width="100%" height="100%">
      {children}
    </svg>
  </div>
)
