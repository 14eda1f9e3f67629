import { mergedEnds } from "./merge.ts"
import { type ByBytes, latin1 } from "./vocabulary.ts"

const widthOf = (codePoint: number): number =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4

/** End of each token of one piece, in code units; -1 for a token that ends inside a code point. */
export const tokenEnds = (piece: string, { longest, rankOf }: ByBytes): Int32Array => {
  const text = latin1(piece)
  if (rankOf(text) !== undefined) {
    return Int32Array.of(piece.length)
  }
  const ends = mergedEnds(text, rankOf, longest)
  if (ends[ends.length - 1] === piece.length) {
    return ends
  }
  let at = 0
  let bytes = 0
  return ends.map((end) => {
    while (bytes < end) {
      const codePoint = piece.codePointAt(at) ?? 0
      bytes += widthOf(codePoint)
      at += codePoint < 0x10000 ? 1 : 2
    }
    return bytes === end ? at : -1
  })
}
