/**
 * Properties of Office documents before 2007, from the property set of their compound file.
 *
 * Source: [MS-OLEPS] 2.21, [MS-OSHARED] 2.3.3.2.1.1. Everything is read within the bounds of the stream.
 */
import type { TextDecoder } from "node:util"
import { dateOf, decoderOf } from "../../internal/base/windowsValues.ts"
import * as CompoundFile from "../content/CompoundFile.ts"
import type { Properties } from "../jobs.ts"

const streamName = "\u0005SummaryInformation"

const keys: ReadonlyMap<number, string> = new Map([
  [2, "title"],
  [3, "subject"],
  [4, "author"],
  [5, "keywords"],
  [6, "description"],
  [12, "created"],
  [13, "modified"],
  [14, "pageCount"],
  [15, "wordCount"]
])

const codePage = 1

/** Types of values. */
const short = 2
const integer = 3
const ansiText = 30
const text = 31
const fileTime = 64

/** Longest text that is read. */
const longest = 65_536

const tidy = (value: string): string | undefined => value.replaceAll("\0", "").trim() || undefined

const valueAt = (set: Buffer, at: number, decoder: TextDecoder): string | undefined => {
  const type = set.readUInt16LE(at)
  switch (type) {
    case integer: {
      const count = set.readInt32LE(at + 4)
      return count > 0 ? String(count) : undefined
    }
    case ansiText:
      return tidy(decoder.decode(set.subarray(at + 8, at + 8 + Math.min(longest, set.readUInt32LE(at + 4)))))
    case text:
      return tidy(set.subarray(at + 8, at + 8 + 2 * Math.min(longest, set.readUInt32LE(at + 4))).toString("utf16le"))
    case fileTime:
      return dateOf(set.readBigUInt64LE(at + 4))
    default:
      return undefined
  }
}

/** Positions of the values of a property set, by property. */
const placesOf = (set: Buffer, start: number): ReadonlyMap<number, number> => {
  const count = Math.min(set.readUInt32LE(start + 4), 64)
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = start + 8 + 8 * index
      return [set.readUInt32LE(at), start + set.readUInt32LE(at + 4)] as const
    })
  )
}

const read = (stream: Uint8Array): Properties => {
  const set = Buffer.from(stream.buffer, stream.byteOffset, stream.length)
  const places = placesOf(set, set.readUInt32LE(44))
  const page = places.get(codePage)
  const decoder = decoderOf(page === undefined || set.readUInt16LE(page) !== short ? 1252 : set.readUInt16LE(page + 4))
  const found: Record<string, string> = {}
  for (const [property, at] of places) {
    const key = keys.get(property)
    const value = key === undefined ? undefined : valueAt(set, at, decoder)
    if (key !== undefined && value !== undefined) found[key] = value
  }
  return found
}

/** The document's properties; none when it has no property set, or a damaged one. Never fails. */
export const of = (bytes: Uint8Array): Properties => {
  const stream = CompoundFile.streamOf(CompoundFile.open(bytes), streamName)
  if (stream === undefined) return {}
  try {
    return read(stream.content)
  } catch (cause) {
    // A position outside of the stream: the set is damaged.
    if (cause instanceof RangeError) return {}
    throw cause
  }
}
