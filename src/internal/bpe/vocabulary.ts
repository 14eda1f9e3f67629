import { isText, lengthOf } from "./packed.ts"
import { hashOf, TextTable } from "./TextTable.ts"
import { textOf, type Units, unitAt, unitsOf } from "./units.ts"

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

const endOf = (units: Units, at: number): number => at + 1 + lengthOf(unitAt(units, at))

const countOf = (units: Units): number => {
  let tokens = 0
  for (let at = 0; at < units.length; at = endOf(units, at)) tokens++
  return tokens
}

/** Tokens with bytes outside of ASCII, by those bytes. */
const byBytes = (units: Units): ReadonlyMap<string, number> => {
  const map = new Map<string, number>()
  for (let at = 0, rank = 0; at < units.length; at = endOf(units, at), rank++) {
    const token = textOf(units, at + 1, endOf(units, at))
    if (!isText(unitAt(units, at))) map.set(token, rank)
    else if (nonAscii.test(token)) map.set(latin1(token), rank)
  }
  return map
}

/**
 * The vocabulary of packed ranks. The table of texts serves the merging of ASCII as well: its bytes are its text. The map of the other
 * tokens, some 15 MB, is made when the first piece of them is merged.
 */
export const make = (packed: string): Vocabulary => {
  const tokens = unitsOf(packed)
  const texts = new TextTable(countOf(tokens), tokens)
  let longest = 0
  for (let at = 0, rank = 0; at < tokens.length; rank++) {
    const head = unitAt(tokens, at)
    const start = at + 1
    const end = endOf(tokens, at)
    // A character has at most three bytes for each code unit, so most tokens need no second look.
    if ((end - start) * 3 > longest) {
      longest = Math.max(longest, isText(head) ? encoder.encode(textOf(tokens, start, end)).length : end - start)
    }
    if (isText(head)) texts.point(start, end, hashOf(tokens, start, end), rank + 1)
    at = end
  }
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
    if (all > 0x7f) return (others ??= byBytes(tokens)).get(bytes)
    const value = texts.get(units, 0, length, hashOf(units, 0, length))
    return value === 0 ? undefined : value - 1
  }
  return { texts, rankOf, longest }
}
