import { hashOf, TextTable } from "./TextTable.ts"
import { write } from "./units.ts"

/** Tokens by rank, as gpt-tokenizer keeps them: text where the bytes are valid UTF-8, else the bytes. */
export type Ranks = ReadonlyArray<string | ReadonlyArray<number>>

export interface Vocabulary {
  /** Rank + 1 of every token that is valid UTF-8. */
  readonly texts: TextTable
  /** Rank of a token by its bytes, as Latin-1 text. */
  readonly rankOf: (bytes: string) => number | undefined
  /** Bytes of the longest token. */
  readonly longest: number
}

const encoder = new TextEncoder()

const nonAscii = /[^\0-\x7f]/

/** The UTF-8 bytes of a text as Latin-1 text; a lone surrogate becomes U+FFFD. */
export const latin1 = (text: string): string => {
  if (!nonAscii.test(text)) {
    return text
  }
  const bytes = encoder.encode(text)
  let result = ""
  for (let at = 0; at < bytes.length; at += 4096) {
    result += String.fromCharCode(...bytes.subarray(at, at + 4096))
  }
  return result
}

const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

/** Bytes of the longest token. A character has at most three bytes for each code unit, so most tokens need no second look. */
const longestOf = (ranks: Ranks): number => {
  let longest = 0
  for (const token of ranks) {
    if (token.length * 3 > longest) {
      longest = Math.max(longest, typeof token === "string" ? Buffer.byteLength(token) : token.length)
    }
  }
  return longest
}

const textTable = (ranks: Ranks): TextTable => {
  let count = 0
  let characters = 0
  let longest = 0
  for (const token of ranks) {
    if (typeof token !== "string") continue
    count++
    characters += token.length
    longest = Math.max(longest, token.length)
  }
  const table = new TextTable(count, characters)
  const units = new Uint16Array(longest)
  ranks.forEach((token, rank) => {
    if (typeof token !== "string") return
    write(units, token)
    table.add(units, 0, token.length, hashOf(units, 0, token.length), rank + 1)
  })
  return table
}

/** Tokens with bytes outside of ASCII, by those bytes. */
const byBytes = (ranks: Ranks): ReadonlyMap<string, number> => {
  const map = new Map<string, number>()
  ranks.forEach((token, rank) => {
    if (typeof token !== "string") map.set(String.fromCharCode(...token), rank)
    else if (!isAscii(token)) map.set(latin1(token), rank)
  })
  return map
}

/**
 * The table of texts serves the merging of ASCII as well: its bytes are its text. The map of the other tokens, some 15 MB, is made
 * when the first piece of them is merged.
 */
export const make = (ranks: Ranks): Vocabulary => {
  const texts = textTable(ranks)
  const longest = longestOf(ranks)
  const units = new Uint16Array(longest)
  let others: ReadonlyMap<string, number> | null = null
  const rankOf = (bytes: string): number | undefined => {
    const { length } = bytes
    if (length > longest) return undefined
    let all = 0
    for (let at = 0; at < length; at++) {
      const unit = bytes.charCodeAt(at)
      units[at] = unit
      all |= unit
    }
    if (all > 0x7f) return (others ??= byBytes(ranks)).get(bytes)
    const value = texts.get(units, 0, length, hashOf(units, 0, length))
    return value === 0 ? undefined : value - 1
  }
  return { texts, rankOf, longest }
}
