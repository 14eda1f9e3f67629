/** Bounds of what an archive may unpack to: bombs are refused before they are unpacked. */
import { Damaged } from "./damaged.ts"

/** Bytes that a packed byte may unpack to, on the average of the archive; documents stay far below. */
const mostRatio = 200

/** Bytes that any archive may unpack to. */
const floor = 64 * 1024 * 1024

/** Fails when more was unpacked than an archive of that size may hold. */
export const check = (packed: number, unpacked: number): void => {
  if (unpacked <= floor + packed * mostRatio) return
  throw new Damaged(
    `it unpacks to more than ${mostRatio} times its size, as a bomb does; unpack it into a folder if it is none`
  )
}
