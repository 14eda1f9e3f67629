/** How many bytes a text is in UTF-8: no encoding makes more tokens of it. */
import { inPair } from "./cluster.ts"

/** Most bytes of a UTF-16 code unit. */
export const widest = 3

/** Greatest end behind `start` up to which the bytes are within the limit; no pair is torn. */
export const bytesEnd = (text: string, start: number, limit: number): number => {
  let bytes = 0
  let at = start
  while (at < text.length) {
    const unit = text.charCodeAt(at)
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : inPair(text, at + 1) ? 4 : 3
    if (bytes > limit) {
      return at
    }
    at += inPair(text, at + 1) ? 2 : 1
  }
  return at
}

/** Whether the bytes of `[start, end)` are above the limit. */
export const exceedsBytes = (text: string, start: number, end: number, limit: number): boolean =>
  (end - start) * widest > limit && bytesEnd(text, start, limit) < end
