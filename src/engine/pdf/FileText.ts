/** The bytes of a file as a text of Latin-1, whose characters are its bytes. */

/** Offsets are in bytes; -1 is none. */
export interface FileText {
  readonly bytes: Uint8Array
  /** The first occurrence of a mark at or after an offset; default 0. */
  readonly indexOf: (mark: string, from?: number) => number
  /** The last occurrence that starts at or before an offset; default the end. */
  readonly lastIndexOf: (mark: string, from?: number) => number
  readonly text: (start: number, end: number) => string
}

/** Browsers and workers have none. */
const hasBuffer = "Buffer" in globalThis

/** The bytes of a text whose characters are below U+0100. */
export const bytesOf = (text: string): Uint8Array =>
  hasBuffer ? Buffer.from(text, "latin1") : Uint8Array.from(text, (character) => character.charCodeAt(0))

export const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Most arguments of a call. */
const widest = 4096

const textOf = (bytes: Uint8Array): string => {
  let text = ""
  for (let at = 0; at < bytes.length; at += widest)
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + widest))
  return text
}

/** For browsers and workers: marks end with a byte that is rarer than the one they start with. */
export const portable = (bytes: Uint8Array): FileText => {
  const isAt = (mark: Uint8Array, at: number): boolean =>
    at >= 0 && at + mark.length <= bytes.length && mark.every((byte, offset) => bytes[at + offset] === byte)
  return {
    bytes,
    indexOf: (mark, from = 0) => {
      const wanted = bytesOf(mark)
      const last = wanted.length - 1
      let end = bytes.indexOf(wanted[last] ?? 0, from + last)
      while (end >= 0 && !isAt(wanted, end - last)) end = bytes.indexOf(wanted[last] ?? 0, end + 1)
      return end < 0 ? -1 : end - last
    },
    lastIndexOf: (mark, from = bytes.length) => {
      const wanted = bytesOf(mark)
      const last = wanted.length - 1
      let end = Math.min(bytes.length - 1, from + last)
      while (end >= last && !isAt(wanted, end - last)) end = bytes.lastIndexOf(wanted[last] ?? 0, end - 1)
      return end < last ? -1 : end - last
    },
    text: (start, end) => textOf(bytes.subarray(start, end))
  }
}

/** For Node, whose buffers are searched several times as fast. */
const ofNode = (bytes: Uint8Array): FileText => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    bytes,
    indexOf: (mark, from) => file.indexOf(mark, from, "latin1"),
    lastIndexOf: (mark, from) => file.lastIndexOf(mark, from, "latin1"),
    text: (start, end) => file.toString("latin1", start, end)
  }
}

/** A view of the bytes, which are not copied. */
export const of: (bytes: Uint8Array) => FileText = hasBuffer ? ofNode : portable
