import type { Tokenizer } from "../../Tokenizer.ts"
import { mergedLength } from "./merge.ts"
import { PieceMemo } from "./PieceMemo.ts"
import { cutBefore, type Split } from "./split.ts"
import { hashOf, TextTable } from "./TextTable.ts"
import { textOf, type Units, unitAt, unitsOf, write } from "./units.ts"
import { latin1, make as makeVocabulary, type Ranks } from "./vocabulary.ts"

export interface Counter {
  /** Tokens of `text.slice(start, end)`. */
  readonly count: (text: string, start?: number, end?: number) => number
  readonly pieces: (text: string) => Tokenizer.Pieces
}

/** Pieces that are no token are merged once and remembered, up to so many characters each, and so many of both in all. */
const memory = { longest: 4096, pieces: 100_000, characters: 1_000_000 } as const

/** A text of at most so many characters is copied to memory that is used again. */
const short = 4096

/** Counts exactly, in n log n of the longest piece; special tokens such as `<|endoftext|>` are counted as plain text. */
export const make = (split: Split, ranks: Ranks): Counter => {
  const { texts, rankOf, longest } = makeVocabulary(ranks)
  const known = new TextTable(memory.pieces, memory.characters)
  const merged = (text: string): number => {
    const bytes = latin1(text)
    return rankOf(bytes) === undefined ? mergedLength(bytes, rankOf, longest) : 1
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
    return texts.get(text, start, end, hash) || known.get(text, start, end, hash) || remember(text, start, end, hash)
  })
  const piece = (text: Units, start: number, end: number): number =>
    end - start === 1 && unitAt(text, start) < 128 ? 1 : memo.tokens(text, start, end)
  const tallyOf = (text: Units, start: number, end: number, tally: Tokenizer.Tally): void => {
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
  const shared = new Uint16Array(short)
  const result: Tokenizer.Tally = { tokens: 0, last: 0, before: 0 }
  return {
    count: (text, start = 0, end = text.length) => {
      const part = start === 0 && end === text.length ? text : text.slice(start, end)
      const units = part.length > short ? new Uint16Array(part.length) : shared
      write(units, part)
      tallyOf(units, 0, part.length, result)
      return result.tokens
    },
    pieces: (text) => {
      const units = unitsOf(text)
      return {
        next: (start, end) => split(units, start, end),
        count: (start, end) => piece(units, start, end),
        tally: (start, end, tally) => tallyOf(units, start, end, tally),
        cut: (start, at) => cutBefore(units, start, at),
        additive: false
      }
    }
  }
}
