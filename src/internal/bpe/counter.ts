/** Byte pair encoding: the tokens of a text, and where each of them ends. */
import { mergedLength } from "./merge.ts"
import { PieceMemo } from "./PieceMemo.ts"
import type { PieceList, PieceReader } from "./PieceReader.ts"
import type { Split } from "./split.ts"
import { hashOf, TextTable } from "./TextTable.ts"
import { tokenEnds } from "./tokenEnds.ts"
import { textOf, type Units, unitAt, unitsOf, write } from "./units.ts"
import { latin1, make as makeVocabulary } from "./vocabulary.ts"

export interface Counter {
  /** Tokens of `text.slice(start, end)`. */
  readonly count: (text: string, start?: number, end?: number) => number
  readonly read: (text: string) => PieceReader
}

/** Pieces that are no token are merged once and remembered, within these limits. */
const memory = { longest: 4096, pieces: 100_000, characters: 1_000_000 } as const

/** Code units of a range after which a list ends: its pieces may be long, and their merging takes longer than their number tells. */
const listed = 4096

/** Most characters of a text that is copied to reused memory. */
const short = 4096

const ascii = 128

/** Tokens of each two characters of ASCII: two pieces of five are no longer. */
const pairTokens = (texts: TextTable): Uint8Array =>
  Uint8Array.from({ length: ascii * ascii }, (_, pair) => {
    const text = Uint16Array.of(Math.floor(pair / ascii), pair % ascii)
    return texts.get(text, 0, 2, hashOf(text, 0, 2)) === 0 ? 2 : 1
  })

/** Counts exactly, in n log n of the longest piece; special tokens such as `<|endoftext|>` are counted as plain text. `packed`: its ranks. */
export const make = (split: Split, packed: string): Counter => {
  const { texts, rankOf, longest: longestToken } = makeVocabulary(packed)
  const known = new TextTable(memory.pieces, memory.characters)
  const merged = (text: string): number => {
    const bytes = latin1(text)
    return rankOf(bytes) === undefined ? mergedLength(bytes, rankOf, longestToken) : 1
  }
  const remember = (text: Units, start: number, end: number, hash: number): number => {
    const tokens = merged(textOf(text, start, end))
    if (end - start <= memory.longest) {
      if (!known.fits(end - start)) {
        known.clear()
      }
      known.add(text, start, end, hash, tokens)
    }
    return tokens
  }
  const memo = new PieceMemo((text, start, end) => {
    const hash = hashOf(text, start, end)
    if (texts.get(text, start, end, hash) !== 0) return 1
    return known.get(text, start, end, hash) || remember(text, start, end, hash)
  })
  const pairs = pairTokens(texts)
  const piece = (text: Units, start: number, end: number): number => {
    const first = unitAt(text, start)
    if (end - start === 1 && first < ascii) {
      return 1
    }
    if (end - start === 2 && (first | unitAt(text, start + 1)) < ascii) {
      return pairs[first * ascii + unitAt(text, start + 1)] ?? 0
    }
    return memo.tokens(text, start, end)
  }
  const countOf = (text: Units, start: number, end: number): number => {
    let tokens = 0
    for (let at = start; at < end;) {
      const next = split(text, at, end)
      tokens += piece(text, at, next)
      at = next
    }
    return tokens
  }
  const listTo = (text: Units, start: number, end: number, list: PieceList): number => {
    const { ends, sums } = list
    let { length } = list
    let sum = length === 0 ? 0 : (sums[length - 1] ?? 0)
    let at = start
    while (at < end && at - start < listed && length < ends.length) {
      const next = split(text, at, end)
      sum += piece(text, at, next)
      ends[length] = next
      sums[length] = sum
      length++
      at = next
    }
    list.length = length
    return at
  }
  const shared = new Uint16Array(short)
  return {
    count: (text, start = 0, end = text.length) => {
      const part = start === 0 && end === text.length ? text : text.slice(start, end)
      const units = part.length > short ? new Uint16Array(part.length) : shared
      write(units, part)
      return countOf(units, 0, part.length)
    },
    read: (text) => {
      const units = unitsOf(text)
      return {
        next: (start, end) => split(units, start, end),
        count: (start, end) => countOf(units, start, end),
        list: (start, end, list) => listTo(units, start, end, list),
        tokenEnds: (start, end) => tokenEnds(textOf(units, start, end), rankOf, longestToken)
      }
    }
  }
}
