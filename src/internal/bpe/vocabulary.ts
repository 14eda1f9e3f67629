import { hashOf, TextTable } from "./TextTable.ts"
import { write } from "./units.ts"

/** Tokens by rank, as gpt-tokenizer keeps them: text where the bytes are valid UTF-8, else the bytes. */
export type Ranks = ReadonlyArray<string | ReadonlyArray<number>>

export interface Vocabulary {
  /** Has 1 for every token that is valid UTF-8. */
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

const rankMap = (ranks: Ranks): { readonly byBytes: Map<string, number>; readonly longest: number } => {
  const byBytes = new Map<string, number>()
  let longest = 0
  ranks.forEach((token, rank) => {
    const bytes = typeof token === "string" ? latin1(token) : String.fromCharCode(...token)
    byBytes.set(bytes, rank)
    longest = Math.max(longest, bytes.length)
  })
  return { byBytes, longest }
}

const textTable = (ranks: Ranks): TextTable => {
  const texts = ranks.filter((token) => typeof token === "string")
  let characters = 0
  let longest = 0
  for (const { length } of texts) {
    characters += length
    longest = Math.max(longest, length)
  }
  const table = new TextTable(texts.length, characters)
  const units = new Uint16Array(longest)
  for (const text of texts) {
    write(units, text)
    table.add(units, 0, text.length, hashOf(units, 0, text.length), 1)
  }
  return table
}

export const make = (ranks: Ranks): Vocabulary => {
  const { byBytes, longest } = rankMap(ranks)
  return { texts: textTable(ranks), rankOf: (bytes) => byBytes.get(bytes), longest }
}
