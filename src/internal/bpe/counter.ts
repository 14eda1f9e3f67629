import type { Tokenizer } from "../../Tokenizer.ts"
import { inPair } from "../chunking/cluster.ts"
import { mergedLength } from "./merge.ts"
import { PieceMemo } from "./PieceMemo.ts"
import type { Split } from "./split.ts"
import { hashOf, TextTable } from "./TextTable.ts"
import { latin1, make as makeVocabulary, type Ranks } from "./vocabulary.ts"

export interface Counter {
  readonly count: (text: string, start?: number, end?: number) => number
  /** End of the first piece of `text.slice(start, end)`. */
  readonly next: Split
  /** Tokens of one piece. */
  readonly piece: (text: string, start: number, end: number) => number
  /** Tokens of `text.slice(start, end)`, start of its last piece and tokens before that. */
  readonly tally: (text: string, start: number, end: number, tally: Tokenizer.Tally) => void
}

/** Pieces that are no token are merged once and remembered, up to so many characters each, and so many of both in all. */
const memory = { longest: 4096, pieces: 100_000, characters: 1_000_000 } as const

/** Counts exactly, in n log n of the longest piece; special tokens such as `<|endoftext|>` are counted as plain text. */
export const make = (split: Split, ranks: Ranks): Counter => {
  const { texts, rankOf, longest } = makeVocabulary(ranks)
  const known = new TextTable(memory.pieces, memory.characters)
  const merged = (text: string): number => {
    const bytes = latin1(text)
    return rankOf(bytes) === undefined ? mergedLength(bytes, rankOf, longest) : 1
  }
  const remember = (text: string, start: number, end: number, hash: number): number => {
    const tokens = merged(text.slice(start, end))
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
    return texts.get(text, start, end, hash) || known.get(text, start, end, hash) || remember(text, start, end, hash)
  })
  const piece = (text: string, start: number, end: number): number =>
    end - start === 1 && text.charCodeAt(start) < 128 ? 1 : memo.tokens(text, start, end)
  const next: Split = (text, start, end) =>
    inPair(text, end) ? start + split(text.slice(start, end), 0, end - start) : split(text, start, end)
  const tally = (text: string, start: number, end: number, tally: Tokenizer.Tally): void => {
    let last = start
    let before = 0
    let tokens = 0
    for (let at = start; at < end;) {
      last = at
      before = tokens
      at = split(text, at, end)
      tokens += piece(text, last, at)
    }
    tally.last = last
    tally.before = before
    tally.tokens = tokens
  }
  const result: Tokenizer.Tally = { tokens: 0, last: 0, before: 0 }
  const count = (text: string, start = 0, end = text.length): number => {
    if (inPair(text, end)) {
      return count(text.slice(start, end))
    }
    tally(text, start, end, result)
    return result.tokens
  }
  return { count, next, piece, tally }
}
