import { createReadStream, createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { crc32, createGunzip, createGzip, gunzip, gunzipSync, gzip, gzipSync } from "node:zlib"
import * as Either from "effect/Either"
import type { ParseData } from "../../base/parseResponse.ts"
import { decodeEnvelope } from "../../client/decodeData.ts"

/**
 * An answer as lines of JSON, compressed with gzip at level 1; a very short one is the single stored block of a gzip file.
 *
 * The first line is the key. After it a short answer stands as the service sent it. Otherwise, for each member, `[name, value]`; a list that is not empty is `[name]` and its items, one per
 * line as `{"": item}`. So writing and reading block the event loop for one item at most, and the text of a large answer is never
 * in memory as a whole. gzip's own CRC-32 and length, checked off the main thread, reveal a damaged record, and the key an
 * exchanged one.
 */
const encode = promisify<Uint8Array, { readonly level: number }, Buffer>(gzip)
const decode = promisify<Uint8Array, Buffer>(gunzip)

const level = { level: 1 }

/** Size up to which the trip to another thread (some 200 µs) costs more than the compression. */
const shortBytes = 32_768

/** A compressor with less state (48 KB instead of 268): creating it is most of the cost of a short text. */
const short = { level: 1, memLevel: 6, windowBits: 13, chunkSize: 4096 }

/** Size up to which a text is stored as it is: it takes a page of the database either way, and a compressor costs more than the rest of a look-up. */
const plainBytes = 4096

/** Header of gzip without a name and a time, then that of one last, stored block. */
const storedHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1])

/** Bytes of the header, of the length and its complement. */
const storedFrom = storedHead.length + 4

/** The text as a gzip file of one stored block. */
const asStored = (plain: Uint8Array): Uint8Array => {
  const end = storedFrom + plain.length
  const packed = Buffer.allocUnsafe(end + 8)
  packed.set(storedHead)
  packed.writeUInt16LE(plain.length, storedHead.length)
  packed.writeUInt16LE(0xffff - plain.length, storedHead.length + 2)
  packed.set(plain, storedFrom)
  packed.writeUInt32LE(crc32(plain), end)
  packed.writeUInt32LE(plain.length, end + 4)
  return packed
}

/** The text of {@link asStored}; null for another record, and for a damaged one, which gzip itself reports. */
const fromStored = (packed: Uint8Array): Buffer | null => {
  const file = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const end = file.length - 8
  if (end < storedFrom || file.compare(storedHead, 0, storedHead.length, 0, storedHead.length) !== 0) return null
  const plain = file.subarray(storedFrom, end)
  const told = file.readUInt16LE(storedHead.length) === plain.length && file.readUInt32LE(end + 4) === plain.length
  return told && file.readUInt32LE(end) === crc32(plain) ? plain : null
}

const packedNow = (plain: Uint8Array): Uint8Array =>
  plain.length <= plainBytes ? asStored(plain) : gzipSync(plain, short)

const lines = function* (key: string, data: ParseData): Generator<string> {
  yield `${JSON.stringify(key)}\n`
  for (const [name, value] of Object.entries(data)) {
    if (value === undefined) continue
    if (Array.isArray(value) && value.length > 0) {
      yield `${JSON.stringify([name])}\n`
      for (const item of value) yield `{"":${JSON.stringify(item) ?? "null"}}\n`
    } else yield `${JSON.stringify([name, value])}\n`
  }
}

const joined = function* (parts: Iterable<string>, size: number): Generator<string> {
  let held: Array<string> = []
  let length = 0
  for (const part of parts) {
    held.push(part)
    length += part.length
    if (length < size) continue
    yield held.join("")
    held = []
    length = 0
  }
  if (held.length > 0) yield held.join("")
}

/** UTF-16 code units passed to the compressor at once; also the largest answer kept in the index. */
export const step = 131_072

/** A record encoded in memory, or the parts of one that is too large for that. */
export type Encoded =
  | { readonly _tag: "Small"; readonly packed: Uint8Array }
  | { readonly _tag: "Large"; readonly parts: Iterable<string> }

const resumed = function* (first: ReadonlyArray<string>, rest: Iterator<string>): Generator<string> {
  yield* first
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value
}

/** First byte after the key of an answer that stands as it came; that of a line is `[`. */
const openingBrace = 0x7b

/** An answer to be kept, and the text that it was decoded from, if there is one. */
export interface Content {
  readonly data: ParseData
  readonly text?: string | undefined
}

/** Encodes a short answer as it came, at once; null for another one. */
export const packShort = (key: string, { text }: Content): Encoded | null => {
  if (text === undefined || text.length > shortBytes || text.charCodeAt(0) !== openingBrace) return null
  const plain = Buffer.from(`${JSON.stringify(key)}\n${text}`)
  return plain.length <= shortBytes ? { _tag: "Small", packed: packedNow(plain) } : null
}

/** Encodes an answer of less than `limit` code units in memory. */
export const pack = async (key: string, data: ParseData, limit: number): Promise<Encoded> => {
  const parts = joined(lines(key, data), step)
  const first: Array<string> = []
  let length = 0
  for (let next = parts.next(); next.done !== true; next = parts.next()) {
    first.push(next.value)
    length += next.value.length
    if (length >= limit) return { _tag: "Large", parts: resumed(first, parts) }
  }
  const plain = Buffer.from(first.join(""))
  return { _tag: "Small", packed: plain.length <= shortBytes ? packedNow(plain) : await encode(plain, level) }
}

/** Writes a large record to a file that must not exist. */
export const writeFile = (parts: Iterable<string>, file: string): Promise<void> =>
  pipeline(Readable.from(parts), createGzip(level), createWriteStream(file, { flags: "wx", mode: 0o600 }))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A record that passes the checksum was written from a `ParseData`, so only its shape is checked, not every block. */
const isData = (value: unknown): value is ParseData => {
  if (!isObject(value) || !isObject(value["metadata"])) return false
  const { blocks, markdown, pages } = value
  const listed = (list: unknown) => list === undefined || list === null || Array.isArray(list)
  return (markdown === undefined || typeof markdown === "string") && listed(pages) && listed(blocks)
}

interface Reader {
  readonly line: (source: string) => void
  readonly result: () => ParseData | null
}

const reader = (key: string): Reader => {
  const members: Array<[string, unknown]> = []
  let list: Array<unknown> | null = null
  let known: boolean | null = null
  const member = (value: unknown): void => {
    if (isObject(value) && list !== null) {
      list.push(value[""])
      return
    }
    if (!Array.isArray(value) || typeof value[0] !== "string") throw new Error("a line is not a member or an item")
    list = value.length === 1 ? [] : null
    members.push([value[0], list ?? value[1]])
  }
  return {
    line: (source) => {
      const value: unknown = JSON.parse(source)
      if (known === null) known = value === key
      else if (known) member(value)
    },
    result: () => {
      // `fromEntries` defines members, so one named `__proto__` is a member too.
      const data: unknown = Object.fromEntries(members)
      return known === true && isData(data) ? data : null
    }
  }
}

interface Feed {
  readonly push: (part: Buffer) => void
  readonly end: () => ParseData | null
}

const feed = (key: string): Feed => {
  const read = reader(key)
  let held: Array<Buffer> = []
  return {
    push: (part) => {
      let from = 0
      for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, from)) {
        const tail = part.subarray(from, end)
        read.line((held.length === 0 ? tail : Buffer.concat([...held, tail])).toString())
        held = []
        from = end + 1
      }
      if (from < part.length) held.push(part.subarray(from))
    },
    end: () => {
      if (held.length > 0) throw new Error("the last line is cut")
      return read.result()
    }
  }
}

const asItCame = (key: string, plain: Buffer, from: number): ParseData | null => {
  if (JSON.parse(plain.toString("utf8", 0, from)) !== key) return null
  const body: unknown = JSON.parse(plain.toString("utf8", from))
  return Either.getOrNull(decodeEnvelope(body, { markdownRequested: false }))
}

const whole = (key: string, plain: Buffer): ParseData | null => {
  const from = plain.indexOf(10) + 1
  if (plain[from] === openingBrace) return asItCame(key, plain, from)
  const lines = feed(key)
  lines.push(plain)
  return lines.end()
}

/** True when {@link unpackShort} blocks the event loop only briefly. */
export const isShort = (packed: Uint8Array): boolean => packed.length <= shortBytes

/** Synchronous {@link unpack}; throws where that rejects. */
export const unpackShort = (key: string, packed: Uint8Array): ParseData | null =>
  whole(key, fromStored(packed) ?? gunzipSync(packed))

/** Reads a record from memory; null or a rejection when it is damaged or has another key. */
export const unpack = async (key: string, packed: Uint8Array): Promise<ParseData | null> =>
  whole(key, await decode(packed))

/** Reads a record from a file, as {@link unpack}. */
export const readFile = async (key: string, file: string): Promise<ParseData | null> => {
  const source = createReadStream(file, { highWaterMark: 65_536 })
  const plain = createGunzip({ chunkSize: 65_536 })
  source.once("error", (error) => plain.destroy(error))
  plain.once("close", () => source.destroy())
  source.pipe(plain)
  const lines = feed(key)
  for await (const part of plain) lines.push(Buffer.from(part))
  return lines.end()
}
