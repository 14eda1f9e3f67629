import { PackedVector } from "../../DocumentChunk.ts"

/** Number of components, a power of two: the low bits of a feature's hash are its index. */
export const dimensions = 1024

/** Version of the features, increased with every change: vectors of two versions do not mix. */
export const version = 1

const shortest = 3
const longest = 5
const wordWeight = 1
const gramWeight = 0.5

const separator = 0
const inWord = 1
/** A character that is a word, and forms a pair with its neighbour: scripts without spaces. */
const ideograph = 2

const start = 2
const end = 3

const basis = 0x811c9dc5 | 0
const prime = 0x01000193

/** Character class of each UTF-16 code unit; surrogates count as letters. */
const classesOf = (): Uint8Array => {
  const classes = new Uint8Array(65_536)
  const alone =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
  const word = /[\p{L}\p{N}\p{M}_]/u
  for (let code = 0; code < 65_536; code++) {
    const character = String.fromCharCode(code)
    if (code >= 0xd800 && code < 0xe000) classes[code] = inWord
    else if (alone.test(character)) classes[code] = ideograph
    else if (word.test(character)) classes[code] = inWord
  }
  return classes
}

let known: Uint8Array | null = null

/** Spreads a hash over all of its bits. */
const mixed = (hash: number): number => {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return mix ^ (mix >>> 16)
}

/** Adds a feature. Its sign comes from a bit that is not part of its index, so that collisions tend to cancel out. */
const add = (sums: Float64Array, hash: number, weight: number): void => {
  const mix = mixed(hash)
  const place = mix & (dimensions - 1)
  sums[place] = (sums[place] ?? 0) + (mix < 0 ? -weight : weight)
}

/** Adds the substrings of 3 to 5 characters of a word between its two marks; the word itself is another feature. */
const addGrams = (sums: Float64Array, codes: Uint16Array, length: number): void => {
  for (let from = 0; from + shortest <= length; from++) {
    let hash = basis
    const stop = Math.min(from + longest, length)
    for (let at = from; at < stop; at++) {
      hash = Math.imul(hash ^ (codes[at] ?? 0), prime)
      if (at - from >= shortest - 1) add(sums, hash, gramWeight)
    }
  }
}

/** Longest word in code units; longer ones are taken in parts. */
const longestWord = 256

const addWord = (sums: Float64Array, text: string, from: number, to: number, codes: Uint16Array): void => {
  let hash = ~basis
  codes[0] = start
  let length = 1
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    hash = Math.imul(hash ^ code, prime)
    codes[length++] = code
  }
  codes[length++] = end
  add(sums, hash, wordWeight)
  addGrams(sums, codes, length)
}

const addIdeograph = (sums: Float64Array, text: string, at: number, classes: Uint8Array): void => {
  const code = text.charCodeAt(at)
  const single = Math.imul(~basis ^ code, prime)
  add(sums, single, gramWeight)
  const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0
  if (classes[next] === ideograph) add(sums, Math.imul(single ^ next, prime), wordWeight)
}

const addAll = (sums: Float64Array, text: string, classes: Uint8Array): void => {
  const codes = new Uint16Array(longestWord + 2)
  let from = 0
  while (from < text.length) {
    const kind = classes[text.charCodeAt(from)] ?? separator
    if (kind === separator) {
      from += 1
      continue
    }
    if (kind === ideograph) {
      addIdeograph(sums, text, from, classes)
      from += 1
      continue
    }
    let to = from + 1
    while (to < text.length && to - from < longestWord && classes[text.charCodeAt(to)] === inWord) to += 1
    addWord(sums, text, from, to, codes)
    from = to
  }
}

/** Unit vector of the damped sums: a word that occurs ten times does not count ten times. */
const unit = (sums: Float64Array): PackedVector => {
  let size = 0
  for (const sum of sums) size += Math.abs(sum)
  const vector = new PackedVector(dimensions)
  if (size === 0) {
    // A text without features: all such texts get the same vector.
    vector[0] = 1
    return vector
  }
  // Before the division by `length`, the squares of the components add up to `size`.
  const length = Math.sqrt(size)
  for (let place = 0; place < dimensions; place++) {
    const sum = sums[place] ?? 0
    vector[place] = (Math.sign(sum) * Math.sqrt(Math.abs(sum))) / length
  }
  return vector
}

/** Embeds a text. The same text gives the same vector on every machine. Linear; holds no state. */
export const embed = (text: string): PackedVector => {
  known ??= classesOf()
  const sums = new Float64Array(dimensions)
  addAll(sums, text.normalize("NFKC").toLowerCase(), known)
  return unit(sums)
}
