/** Finds values again wherever they occur: in any case, with other spaces and separators. */
import { PiiEntity } from "../../service/ParseOptions.ts"
import * as Person from "./Person.ts"
import * as Signs from "./Signs.ts"
import type { Entity, Span } from "./Span.ts"

/** A value to be found again. */
export interface Term {
  readonly entity: Entity
  readonly text: string
}

export interface TermSearch {
  /** Occurrences in the order of the text, none overlapping another; the longest where several begin. */
  readonly find: (text: string) => ReadonlyArray<Span>
}

/** A text without white space and separators, in lower case. */
interface Folded {
  readonly codes: Uint16Array
  /** Place of each code in the text. */
  readonly places: Uint32Array
  readonly length: number
}

const separator = /[\s\u00AD\u200B\u2060\uFEFF\-–—._/()'’,:;|\\]/

const space = /[\s\u00AD\u200B\u2060\uFEFF]/

const wordSign = /[\p{L}\p{N}]/u

/** Folded code of each UTF-16 unit; 0 for one that is left out. */
const codeOf: Uint16Array = Uint16Array.from({ length: 65_536 }, (_, code) => {
  const sign = Signs.plain(String.fromCharCode(code))
  if (separator.test(sign)) return 0
  const lower = sign.toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : code
})

const fold = (text: string): Folded => {
  const codes = new Uint16Array(text.length)
  const places = new Uint32Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = codeOf[text.charCodeAt(at)] ?? 0
    if (code === 0) continue
    codes[length] = code
    places[length] = at
    length += 1
  }
  return { codes, places, length }
}

const withoutSpace = (text: string): string =>
  Array.from(Signs.plain(text).toLowerCase())
    .filter((sign) => !space.test(sign))
    .join("")

/** Terms that are the same once folded. */
interface Group {
  readonly codes: Uint16Array
  /** Single words, found as whole words in the same case. */
  readonly exact: Map<string, Entity>
  /** Other terms, in lower case without white space. */
  readonly loose: Map<string, Entity>
  /** Those of `loose` with a digit or an `@`, and secrets: found inside other words, too. */
  readonly anywhere: Set<string>
}

/** Length of the part of a term that is looked up; the rest is compared. */
const longestKey = 128

const shortestKey = 3

/** Length from which two words are found where they are written as one inside of another. */
const longWords = 8

const factor = 0x01000193

/** Words of the replacements themselves. */
const tags: ReadonlySet<string> = new Set(PiiEntity.literals)

const ideographic = /^\p{Lo}{2}/u

/** True if a term is more than a single word. */
const isLoose = ({ entity, text }: Term): boolean =>
  /[\d@]|\S\s+\S/.test(text) || (entity === "SECRET" && text.length >= 6)

/** True if the term may be looked for outside of its place: some single words mean something else most of the time. */
const spreads = (term: Term, length: number): boolean =>
  !tags.has(term.text) &&
  (length >= shortestKey
    ? isLoose(term) || !Person.isAmbiguous(term.text)
    : length === 2 && (isLoose(term) || ideographic.test(term.text)))

const prefixOf = (codes: Uint16Array, at: number): number =>
  ((codes[at] ?? 0) * 65_536 + (codes[at + 1] ?? 0)) * 65_536 + (codes[at + 2] ?? 0)

/** Hash of each beginning, modulo 2^32: that of a part is the difference of two. */
const hashes = (codes: Uint16Array, length: number): Int32Array => {
  const all = new Int32Array(length + 1)
  for (let at = 0; at < length; at++) all[at + 1] = (Math.imul(all[at] ?? 0, factor) + (codes[at] ?? 0)) | 0
  return all
}

const powers: Int32Array = (() => {
  const all = new Int32Array(longestKey + 1).fill(1)
  for (let at = 1; at <= longestKey; at++) all[at] = Math.imul(all[at - 1] ?? 1, factor)
  return all
})()

const hashOf = (all: Int32Array, at: number, length: number): number =>
  ((all[at + length] ?? 0) - Math.imul(all[at] ?? 0, powers[length] ?? 1)) | 0

const equal = (text: Folded, at: number, codes: Uint16Array): boolean => {
  if (at + codes.length > text.length) return false
  for (let index = 0; index < codes.length; index++) if (text.codes[at + index] !== codes[index]) return false
  return true
}

/** True if neither end of the part is inside a word. */
const whole = (text: string, start: number, end: number): boolean =>
  !(wordSign.test(text[start - 1] ?? "") && wordSign.test(text[start] ?? "")) &&
  !(wordSign.test(text[end] ?? "") && wordSign.test(text[end - 1] ?? ""))

/** The bucket of the group's term that stands from `start` to `end`; undefined when none does. */
const entityAt = (group: Group, text: string, start: number, end: number): Entity | undefined => {
  const part = text.slice(start, end)
  if (whole(text, start, end)) {
    const [loose] = group.loose.values()
    return loose ?? group.exact.get(part)
  }
  const plain = withoutSpace(part)
  return group.anywhere.has(plain) || plain.length >= longWords || space.test(part) ? group.loose.get(plain) : undefined
}

/** Groups by the hash of their first codes, and the lengths of those by their first three codes, longest first. */
interface Index {
  readonly groups: Map<number, Array<Group>>
  readonly lengths: Map<number, ReadonlyArray<number>>
}

const groupOf = ({ groups, lengths }: Index, { codes, length }: Folded): Group => {
  const key = Math.min(length, longestKey)
  const hash = hashOf(hashes(codes, key), 0, key)
  const own = codes.slice(0, length)
  const bucket = groups.get(hash) ?? []
  groups.set(hash, bucket)
  const known = bucket.find(
    (group) => group.codes.length === length && group.codes.every((code, at) => code === own[at])
  )
  if (known !== undefined) return known
  const prefix = prefixOf(own, 0)
  const here = lengths.get(prefix) ?? []
  if (!here.includes(key))
    lengths.set(
      prefix,
      [...here, key].toSorted((left, right) => right - left)
    )
  const group = { codes: own, exact: new Map(), loose: new Map(), anywhere: new Set<string>() }
  bucket.push(group)
  return group
}

const add = (index: Index, term: Term): void => {
  const folded = fold(term.text)
  if (!spreads(term, folded.length)) return
  const group = groupOf(index, folded)
  if (!isLoose(term)) {
    if (!group.exact.has(term.text)) group.exact.set(term.text, term.entity)
    return
  }
  const plain = withoutSpace(term.text)
  if (!group.loose.has(plain)) group.loose.set(plain, term.entity)
  if (/[\d@]/.test(plain) || term.entity === "SECRET") group.anywhere.add(plain)
}

interface Match {
  readonly span: Span
  readonly codes: number
}

/** A text that is searched. */
interface Searched extends Folded {
  readonly text: string
  /** Hashes of the beginnings, see {@link hashes}. */
  readonly hashes: Int32Array
}

const matchAt = (index: Index, searched: Searched, at: number): Match | undefined => {
  const { codes, places, text } = searched
  const prefix = prefixOf(codes, at)
  // A term of two codes has nothing after them.
  const pair = prefix - (codes[at + 2] ?? 0)
  for (const lengths of [index.lengths.get(prefix), prefix === pair ? undefined : index.lengths.get(pair)]) {
    for (const length of lengths ?? []) {
      if (at + length > searched.length) continue
      for (const group of index.groups.get(hashOf(searched.hashes, at, length)) ?? []) {
        if (!equal(searched, at, group.codes)) continue
        const start = places[at] ?? 0
        const end = (places[at + group.codes.length - 1] ?? 0) + 1
        const entity = entityAt(group, text, start, end)
        if (entity !== undefined) return { span: { entity, start, end }, codes: group.codes.length }
      }
    }
  }
  return undefined
}

/** Builds the search. Cost of a search: linear in the text, a bounded number of lookups at each place, whatever the number of terms. */
export const make = (terms: Iterable<Term>): TermSearch => {
  const index: Index = { groups: new Map(), lengths: new Map() }
  for (const term of terms) add(index, term)
  return {
    find: (text) => {
      if (index.groups.size === 0) return []
      const folded = fold(text)
      const searched = { ...folded, text, hashes: hashes(folded.codes, folded.length) }
      const found: Array<Span> = []
      for (let at = 0; at < folded.length;) {
        const match = matchAt(index, searched, at)
        if (match !== undefined) found.push(match.span)
        at += match?.codes ?? 1
      }
      return found
    }
  }
}
