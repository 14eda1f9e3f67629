import { hashOf, TextTable } from "./TextTable.ts"
import { write } from "./units.ts"

/** Tokens by rank, as gpt-tokenizer keeps them: text where the bytes are valid UTF-8, else the bytes. */
export type Ranks = ReadonlyArray<string | ReadonlyArray<number>>

export interface Vocabulary {
  /** Has 1 for every token that is valid UTF-8. */
  readonly texts: TextTable
  /** The same tokens by their bytes, for merging; indexed on the first call. */
  readonly merging: () => ByBytes
}

export interface ByBytes {
  /** Rank of a token by its bytes, as Latin-1 text. */
  readonly rankOf: (bytes: string) => number | undefined
  /** Bytes of the longest token. */
  readonly longest: number
}

const nonAscii = /[^\0-\x7f]/

/** The UTF-8 bytes of a text as Latin-1 text; a lone surrogate becomes U+FFFD. */
export const latin1 = (text: string): string =>
  nonAscii.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text

const rankMap = (ranks: Ranks): ByBytes => {
  const byBytes = new Map<string, number>()
  let longest = 0
  ranks.forEach((token, rank) => {
    const bytes = typeof token === "string" ? latin1(token) : String.fromCharCode(...token)
    byBytes.set(bytes, rank)
    longest = Math.max(longest, bytes.length)
  })
  return { rankOf: (bytes) => byBytes.get(bytes), longest }
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
  let byBytes: ByBytes | undefined
  return {
    texts: textTable(ranks),
    merging: () => {
      byBytes ??= rankMap(ranks)
      return byBytes
    }
  }
}
