/** The text of bytes, in the encoding that they are found to have. */
import * as Effect from "effect/Effect"
import * as ByteOrderMark from "../base/byteOrderMark.ts"
import * as Windows1252 from "../base/windows1252.ts"

export interface Decoded {
  /** Without its byte order mark, line ends kept; no lone surrogates. */
  readonly text: string
  /** A sentence when the encoding was guessed, or bytes of it are invalid. */
  readonly warning: string | null
}

const marks: ReadonlyArray<ByteOrderMark.Mark> = [
  // Its mark begins with that of UTF-16.
  ["utf-32le", [0xff, 0xfe, 0, 0]],
  ["utf-32be", [0, 0, 0xfe, 0xff]],
  ...ByteOrderMark.marks
]

const replacement = "\u{FFFD}"

const countOf = (text: string, part: string): number => text.split(part).length - 1

const replaced = (count: number, encoding: string): string | null =>
  count === 0 ? null : `${count} bytes or byte sequences are not valid ${encoding} and were replaced by U+FFFD`

const isScalar = (code: number): boolean => code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)

const utf32 = (bytes: Uint8Array, little: boolean): string => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Array<string> = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, little)
    parts.push(isScalar(code) ? String.fromCodePoint(code) : replacement)
  }
  return parts.join("") + (bytes.length % 4 === 0 ? "" : replacement)
}

const marked = (bytes: Uint8Array): Decoded | null => {
  const found = ByteOrderMark.find(bytes, marks)
  if (found === undefined) return null
  const [encoding, mark] = found
  const body = bytes.subarray(mark.length)
  const text = encoding.startsWith("utf-32")
    ? utf32(body, encoding.endsWith("le"))
    : new TextDecoder(encoding, { ignoreBOM: true }).decode(body)
  const invalid = countOf(text, replacement) - ownReplacements(body, encoding)
  return { text, warning: replaced(invalid, encoding.toUpperCase()) }
}

/** U+FFFD that the bytes hold themselves. */
const ownReplacements = (bytes: Uint8Array, encoding: string): number => {
  if (encoding !== "utf-8") return 0
  let count = 0
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count++
  }
  return count
}

const strictly = (bytes: Uint8Array, encoding: string): string | null => {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Bytes that are looked at to tell binary data and encodings. */
const sample = 65_536

/** Largest share of control characters in a text; compressed data has a tenth. */
const mostControls = 0.02

/** Tests for a control character that texts do not contain; tab, line ends, form feed and escape are parts of texts. */
const isControl = (byte: number): boolean => (byte < 32 && (byte < 8 || byte > 13) && byte !== 27) || byte === 127

const isBinary = (bytes: Uint8Array): boolean => {
  const head = bytes.subarray(0, sample)
  let controls = 0
  for (const byte of head) controls += isControl(byte) ? 1 : 0
  return controls > head.length * mostControls || bytes.includes(0)
}

const hasControls = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) return true
  return false
}

/** UTF-16 without its mark: every second byte of Latin letters, digits, spaces and line ends is zero. */
const unmarked16 = (bytes: Uint8Array): string | null => {
  if (bytes.length % 2 === 1) return null
  const head = bytes.subarray(0, sample)
  const zeros = [0, 0]
  head.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const [encoding, few, many] = odd > even ? ["utf-16le", even, odd] : ["utf-16be", odd, even]
  if (few > 0 || many < head.length / 40) return null
  const text = strictly(bytes, encoding)
  return text === null || hasControls(text.slice(0, sample)) ? null : text
}

/** The escape sequences that begin text of two bytes a character in ISO-2022-JP, which is ASCII otherwise. */
const japanese: ReadonlyArray<string> = ["\u{1B}$@", "\u{1B}$B"]

/** Non-ASCII characters for each invalid sequence from which a text counts as damaged UTF-8 rather than as another encoding. */
const trusted = 10

const damaged = (bytes: Uint8Array): Decoded | null => {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  const invalid = countOf(text, replacement)
  const others = text.length - text.replace(/[^\0-\x7f]/gu, "").length - invalid
  return others >= trusted * invalid ? { text, warning: replaced(invalid, "UTF-8") } : null
}

/** The decoder's name of an encoding that the detector names; null for one that it does not have. */
const decoderOf = (name: string): string | null => {
  try {
    return new TextDecoder(name).encoding
  } catch {
    return null
  }
}

const guess = (text: string, encoding: string): Decoded => ({
  text,
  warning: `its encoding is not UTF-8 and was taken to be ${encoding}; save it as UTF-8 if characters are wrong`
})

/** The most likely encoding in which the bytes are valid; the detector is loaded only here. */
const guessed = (bytes: Uint8Array): Effect.Effect<Decoded> =>
  Effect.map(
    Effect.promise(() => import("chardet")),
    ({ analyse }) => {
      for (const { name } of analyse(bytes.subarray(0, sample))) {
        const encoding = decoderOf(name)
        if (encoding === "windows-1252") break
        const text = encoding === null || encoding.startsWith("utf") ? null : strictly(bytes, encoding)
        if (text !== null) return guess(text, name)
      }
      return guess(Windows1252.corrected(new TextDecoder("windows-1252").decode(bytes)), "windows-1252")
    }
  )

/** Bytes in which a format declares its encoding. */
const declaration = 1024

/** Text in the encoding that the file declares; null where it declares none that is known, or its bytes are not valid in it. */
const declared = (bytes: Uint8Array, encodingOf: (start: string) => string | undefined): string | null => {
  const name = encodingOf(String.fromCharCode(...bytes.subarray(0, declaration)))
  const encoding = name === undefined ? null : decoderOf(name)
  // Its declaration would be two bytes a character, and could not have been read.
  if (encoding === null || encoding.startsWith("utf-16")) return null
  const text = strictly(bytes, encoding)
  return text !== null && encoding === "windows-1252" ? Windows1252.corrected(text) : text
}

/**
 * Decodes by the byte order mark, else by the encoding that the file declares when the bytes are valid in it, else as UTF-8 when the bytes are valid, else as UTF-16 when their zeros say so, else by a guess from
 * their statistics, with a warning. Null for binary data.
 */
export const decode = (
  bytes: Uint8Array,
  encodingOf: (start: string) => string | undefined = () => undefined
): Effect.Effect<Decoded | null> =>
  Effect.suspend(() => {
    const known = marked(bytes)
    if (known !== null) return Effect.succeed(known)
    const utf16 = bytes.includes(0) ? unmarked16(bytes) : null
    if (utf16 !== null) return Effect.succeed({ text: utf16, warning: null })
    if (isBinary(bytes)) return Effect.succeed(null)
    const said = declared(bytes, encodingOf)
    if (said !== null) return Effect.succeed({ text: said, warning: null })
    const text = strictly(bytes, "utf-8")
    if (text === null) {
      const mended = damaged(bytes)
      return mended === null ? guessed(bytes) : Effect.succeed(mended)
    }
    const old = japanese.some((escape) => text.includes(escape)) ? strictly(bytes, "iso-2022-jp") : null
    return Effect.succeed({ text: old ?? text, warning: null })
  })
