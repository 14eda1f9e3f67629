/** Quarter turns between a page as shown and the frame in which its text is upright. */
import type * as Box from "./Box.ts"

/** Clockwise turn of text on the page as shown, in degrees. */
export type Turn = 0 | 90 | 180 | 270

export interface Size {
  readonly width: number
  readonly height: number
}

/** Quarter turn nearest to an angle in degrees; undefined when none is within 2 degrees. */
export const fromAngle = (degrees: number): Turn | undefined => {
  const angle = ((degrees % 360) + 360) % 360
  if (angle <= 2 || angle >= 358) return 0
  if (Math.abs(angle - 90) <= 2) return 90
  if (Math.abs(angle - 180) <= 2) return 180
  return Math.abs(angle - 270) <= 2 ? 270 : undefined
}

/** Size in the upright frame of a page of size `shown`. */
export const uprightSize = (shown: Size, turn: Turn): Size =>
  turn === 90 || turn === 270 ? { width: shown.height, height: shown.width } : shown

/** Converts a box of the page as shown to the upright frame. */
export const upright = (box: Box.Box, shown: Size, turn: Turn): Box.Box => {
  const { width, height } = shown
  if (turn === 90) return { x0: box.y0, x1: box.y1, y0: width - box.x1, y1: width - box.x0 }
  if (turn === 180) return { x0: width - box.x1, x1: width - box.x0, y0: height - box.y1, y1: height - box.y0 }
  if (turn === 270) return { x0: height - box.y1, x1: height - box.y0, y0: box.x0, y1: box.x1 }
  return box
}

/** The inverse of {@link upright}: a box of the upright frame on the page as shown, of the size `shown`. */
export const shown = (box: Box.Box, page: Size, turn: Turn): Box.Box => {
  const { width, height } = page
  if (turn === 90) return { x0: width - box.y1, x1: width - box.y0, y0: box.x0, y1: box.x1 }
  if (turn === 270) return { x0: box.y0, x1: box.y1, y0: height - box.x1, y1: height - box.x0 }
  return upright(box, page, turn)
}
