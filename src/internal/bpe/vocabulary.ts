/** Tokens by rank, as gpt-tokenizer keeps them: text where the bytes are valid UTF-8, else the bytes. */
export type Ranks = ReadonlyArray<string | ReadonlyArray<number>>

export interface Vocabulary {
  /** Whether `text.slice(start, end)` is one token. Makes no string. */
  readonly has: (text: string, start: number, end: number) => boolean
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

const step = (hash: number, unit: number): number => {
  const mixed = Math.imul(hash ^ unit, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
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

/** Open addressing over one pool of UTF-16 units, so that a look-up reads the text in place. */
const textTable = (ranks: Ranks): Vocabulary["has"] => {
  let units = 0
  ranks.forEach((token) => {
    units += typeof token === "string" ? token.length : 0
  })
  let size = 1
  while (size < ranks.length * 3) {
    size *= 2
  }
  const mask = size - 1
  const pool = new Uint16Array(units)
  const offsets = new Int32Array(size).fill(-1)
  const lengths = new Uint8Array(size)
  const hashes = new Int32Array(size)
  let filled = 0
  const insert = (token: string): void => {
    let hash = 0
    const offset = filled
    for (let at = 0; at < token.length; at++) {
      const unit = token.charCodeAt(at)
      pool[filled++] = unit
      hash = step(hash, unit)
    }
    let slot = hash & mask
    while (offsets[slot] !== -1) {
      slot = (slot + 1) & mask
    }
    offsets[slot] = offset
    lengths[slot] = token.length
    hashes[slot] = hash
  }
  ranks.forEach((token) => {
    if (typeof token === "string") {
      insert(token)
    }
  })
  return (text, start, end) => {
    let hash = 0
    for (let at = start; at < end; at++) {
      hash = step(hash, text.charCodeAt(at))
    }
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const offset = offsets[slot] ?? -1
      if (offset === -1) {
        return false
      }
      if (hashes[slot] === hash && lengths[slot] === end - start) {
        let at = 0
        while (at < end - start && pool[offset + at] === text.charCodeAt(start + at)) {
          at++
        }
        if (at === end - start) {
          return true
        }
      }
    }
  }
}

export const make = (ranks: Ranks): Vocabulary => {
  const { byBytes, longest } = rankMap(ranks)
  return { has: textTable(ranks), rankOf: (bytes) => byBytes.get(bytes), longest }
}
