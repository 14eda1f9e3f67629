/** Text strings of a PDF file (ISO 32000-1, 7.3.4 and 7.9.2). */
import * as ByteOrderMark from "../../internal/base/byteOrderMark.ts"

/** PDFDocEncoding where it differs from Latin-1: 0x18 to 0x1f and 0x80 to 0xa0. */
const low = "\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc"
const high =
  "\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e\ufffd\u20ac"

const fromDocEncoding = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) {
    if (byte >= 0x18 && byte <= 0x1f) text += low[byte - 0x18] ?? ""
    else if (byte >= 0x80 && byte <= 0xa0) text += high[byte - 0x80] ?? ""
    else text += String.fromCharCode(byte)
  }
  return text
}

const fromUtf16 = (bytes: Uint8Array, littleEndian: boolean): string => {
  let text = ""
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const one = bytes[at] ?? 0
    const two = bytes[at + 1] ?? 0
    text += String.fromCharCode(littleEndian ? one | (two << 8) : (one << 8) | two)
  }
  // Two escape characters may enclose a language code (7.9.2.2).
  return text
    .split("\u001b")
    .filter((_, at) => at % 2 === 0)
    .join("")
}

/** Decodes by byte order mark: UTF-16, UTF-8, otherwise PDFDocEncoding. Control characters become spaces. */
export const decode = (bytes: Uint8Array): string => {
  const encoding = ByteOrderMark.find(bytes)?.[0]
  let text: string
  if (encoding === undefined) text = fromDocEncoding(bytes)
  else if (encoding === "utf-8") text = new TextDecoder().decode(bytes)
  else text = fromUtf16(bytes.subarray(2), encoding === "utf-16le")
  return text.replace(/[\p{Cc}\s]+/gu, " ").trim()
}

const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

/** Bytes of the literal string whose opening parenthesis is at `start`. */
const literal = (source: string, start: number): Uint8Array => {
  const bytes: Array<number> = []
  let depth = 1
  for (let at = start + 1; at < source.length; at++) {
    const char = source.charAt(at)
    if (char === "\\") {
      const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))
      if (octal !== null) {
        bytes.push(Number.parseInt(octal[0], 8) & 255)
        at += octal[0].length
        continue
      }
      const next = source.charAt(++at)
      if (next === "\r" && source.charAt(at + 1) === "\n") at++
      else if (next !== "\r" && next !== "\n") bytes.push(escapes[next] ?? next.charCodeAt(0))
      continue
    }
    if (char === "(") depth++
    else if (char === ")" && --depth === 0) break
    bytes.push(char.charCodeAt(0))
  }
  return Uint8Array.from(bytes)
}

const hexadecimal = (source: string, start: number): Uint8Array => {
  const end = source.indexOf(">", start)
  const digits = source.slice(start + 1, end < 0 ? undefined : end).replace(/[^0-9a-f]/gi, "")
  const bytes: Array<number> = []
  for (let at = 0; at < digits.length; at += 2) bytes.push(Number.parseInt(digits.slice(at, at + 2).padEnd(2, "0"), 16))
  return Uint8Array.from(bytes)
}

/** The text string under a key of a dictionary, given as Latin-1; undefined when there is none or it is empty. */
export const entry = (dictionary: string, key: string): string | undefined => {
  const match = new RegExp(`/${key}\\s*([(<])(?!<)`).exec(dictionary)
  if (match === null) return undefined
  const start = match.index + match[0].length - 1
  const text = decode(match[1] === "(" ? literal(dictionary, start) : hexadecimal(dictionary, start))
  return text === "" ? undefined : text
}
