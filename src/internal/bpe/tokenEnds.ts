import { mergedEnds, type RankOf } from "./merge.ts"
import { latin1 } from "./vocabulary.ts"

/** The last pieces are remembered, of so many characters each at most. */
const memory = { pieces: 256, longest: 4096 } as const

const widthOf = (codePoint: number): number =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4

const tokenEnds = (piece: string, rankOf: RankOf, longest: number): Int32Array => {
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
    for (;;) {
      const codePoint = piece.codePointAt(at) ?? 0
      const width = widthOf(codePoint)
      if (bytes + width > end) {
        return bytes === end ? at : bytes - end - 4 * at
      }
      bytes += width
      at += codePoint < 0x10000 ? 1 : 2
    }
  })
}

/** Where each token of one piece ends, in code units; `-(4 * at + bytes)` where that is behind so many bytes of the code point at `at`. */
export const make = (rankOf: RankOf, longest: number): ((piece: string) => Int32Array) => {
  const known = new Map<string, Int32Array>()
  return (piece) => {
    const before = known.get(piece)
    if (before !== undefined) {
      return before
    }
    const ends = tokenEnds(piece, rankOf, longest)
    if (piece.length <= memory.longest) {
      if (known.size === memory.pieces) {
        known.clear()
      }
      known.set(piece, ends)
    }
    return ends
  }
}
