import { inPair } from "../chunking/cluster.ts"
import { mergedLength } from "./merge.ts"
import type { Split } from "./split.ts"
import { latin1, make as makeVocabulary, type Ranks } from "./vocabulary.ts"

export interface Counter {
  readonly count: (text: string, start?: number, end?: number) => number
  /** End of the first piece of `text.slice(start, end)`. */
  readonly next: Split
  /** Tokens of one piece. */
  readonly piece: (text: string, start: number, end: number) => number
}

/** Pieces that are no token are merged once and remembered, up to so many characters each and in all. */
const memory = { longest: 4096, characters: 1_000_000 } as const

/** Counts exactly, in n log n of the longest piece; special tokens such as `<|endoftext|>` are counted as plain text. */
export const make = (split: Split, ranks: Ranks): Counter => {
  const vocabulary = makeVocabulary(ranks)
  const known = new Map<string, number>()
  let held = 0
  const merged = (text: string): number => {
    const remembered = known.get(text)
    if (remembered !== undefined) {
      return remembered
    }
    const bytes = latin1(text)
    const tokens =
      vocabulary.rankOf(bytes) === undefined ? mergedLength(bytes, vocabulary.rankOf, vocabulary.longest) : 1
    if (text.length <= memory.longest) {
      held += text.length
      if (held > memory.characters) {
        known.clear()
        held = text.length
      }
      known.set(text, tokens)
    }
    return tokens
  }
  const piece = (text: string, start: number, end: number): number =>
    (end - start === 1 && text.charCodeAt(start) < 128) || vocabulary.has(text, start, end)
      ? 1
      : merged(text.slice(start, end))
  const next: Split = (text, start, end) =>
    inPair(text, end) ? start + split(text.slice(start, end), 0, end - start) : split(text, start, end)
  const count = (text: string, start = 0, end = text.length): number => {
    if (inPair(text, end)) {
      return count(text.slice(start, end))
    }
    let tokens = 0
    for (let at = start; at < end;) {
      const next = split(text, at, end)
      tokens += piece(text, at, next)
      at = next
    }
    return tokens
  }
  return { count, next, piece }
}
