/** Rectangles of a page, in PDF points (1/72 inch), origin top left, y downwards. */

/** Rectangle with `x0 <= x1` and `y0 <= y1`. */
export interface Box {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** Rectangle of the engine. */
export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const fromRect = (rect: Rect): Box => ({
  x0: Math.min(rect.x, rect.x + rect.width),
  y0: Math.min(rect.y, rect.y + rect.height),
  x1: Math.max(rect.x, rect.x + rect.width),
  y1: Math.max(rect.y, rect.y + rect.height)
})

export const width = (box: Box): number => box.x1 - box.x0

export const height = (box: Box): number => box.y1 - box.y0

export const area = (box: Box): number => width(box) * height(box)

export const centerX = (box: Box): number => (box.x0 + box.x1) / 2

export const centerY = (box: Box): number => (box.y0 + box.y1) / 2

/** Smallest box that contains all; a box of size 0 at the origin when there is none. */
export const around = (boxes: ReadonlyArray<Box>): Box => {
  if (boxes.length === 0) return { x0: 0, y0: 0, x1: 0, y1: 0 }
  let x0 = Number.POSITIVE_INFINITY
  let y0 = Number.POSITIVE_INFINITY
  let x1 = Number.NEGATIVE_INFINITY
  let y1 = Number.NEGATIVE_INFINITY
  for (const box of boxes) {
    if (box.x0 < x0) x0 = box.x0
    if (box.y0 < y0) y0 = box.y0
    if (box.x1 > x1) x1 = box.x1
    if (box.y1 > y1) y1 = box.y1
  }
  return { x0, y0, x1, y1 }
}

/** Area of the intersection; 0 when they are apart. */
export const shared = (left: Box, right: Box): number => {
  const w = Math.min(left.x1, right.x1) - Math.max(left.x0, right.x0)
  const h = Math.min(left.y1, right.y1) - Math.max(left.y0, right.y0)
  return w > 0 && h > 0 ? w * h : 0
}

/** True if the centre of `box` is inside `outer`, grown by `slack` points on every side. */
export const centerWithin = (box: Box, outer: Box, slack = 0): boolean => {
  const x = centerX(box)
  const y = centerY(box)
  return x > outer.x0 - slack && x < outer.x1 + slack && y > outer.y0 - slack && y < outer.y1 + slack
}

const clamp = (value: number): number => (value > 0 ? Math.min(1, value) : 0)

/** `[x0, y0, x1, y1]` relative to the page, each within 0 and 1, rounded to 5 digits. */
export const normalized = (
  box: Box,
  page: { readonly width: number; readonly height: number }
): readonly [number, number, number, number] => {
  const part = (value: number, whole: number) => Math.round(clamp(value / whole) * 1e5) / 1e5
  return [part(box.x0, page.width), part(box.y0, page.height), part(box.x1, page.width), part(box.y1, page.height)]
}
