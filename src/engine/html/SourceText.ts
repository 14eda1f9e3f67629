/**
 * Decodes the text of a web page in any character encoding.
 *
 * Source: HTML Living Standard, "Determining the character encoding" (byte order mark, then the page's own declaration), with the XML
 * declaration, and the bytes themselves for a page without a declaration.
 */
import * as ByteOrderMark from "../../internal/base/byteOrderMark.ts"
import * as Windows1252 from "../../internal/base/windows1252.ts"

/** Length of the prefix that is searched for a declaration of the encoding; the standard asks for 1024 bytes, real pages need more. */
const prescanBytes = 4096

const xmlDeclaration = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/

const metaCharset = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, prescanBytes))

/** Encoding of UTF-16 without a byte order mark: every other byte of its markup is 0. */
const ofZeros = (bytes: Uint8Array): string | undefined => {
  const [first, second, third, fourth] = bytes
  if (first === 0x3c && second === 0 && fourth === 0) {
    return "utf-16le"
  }
  return first === 0 && second === 0x3c && third === 0 ? "utf-16be" : undefined
}

/**
 * Corrects a declared encoding: a page whose declaration could be read is not UTF-16, and `x-user-defined` means windows-1252 (both by
 * the standard).
 */
const corrected = (label: string): string => {
  const lower = label.toLowerCase()
  if (lower.startsWith("utf-16") || lower.startsWith("utf16")) {
    return "utf-8"
  }
  return lower === "x-user-defined" ? "windows-1252" : lower
}

const stated = (bytes: Uint8Array): string | undefined => {
  const head = latin1(bytes)
  const label = xmlDeclaration.exec(head)?.[1] ?? metaCharset.exec(head)?.[1]
  return label === undefined ? undefined : corrected(label)
}

const decodeAs = (label: string, bytes: Uint8Array, fatal: boolean): string | undefined => {
  try {
    const decoder = new TextDecoder(label, { fatal })
    const text = decoder.decode(bytes)
    return decoder.encoding === "windows-1252" ? Windows1252.corrected(text) : text
  } catch {
    return undefined
  }
}

/**
 * Text without a byte order mark. A page without a declaration, or with an unknown encoding, is read as UTF-8 if it is valid UTF-8,
 * otherwise as windows-1252. Never fails.
 */
export const decode = (bytes: Uint8Array): string => {
  const label = ByteOrderMark.find(bytes)?.[0] ?? ofZeros(bytes) ?? stated(bytes)
  return (
    (label === undefined ? undefined : decodeAs(label, bytes, false)) ??
    decodeAs("utf-8", bytes, true) ??
    decodeAs("windows-1252", bytes, false) ??
    ""
  )
}
