/**
 * The text of a web page, whatever its character encoding.
 *
 * Source: HTML Living Standard, "Determining the character encoding" (byte order mark, then the page's own statement),
 * with XML's declaration and a look at the bytes where a page says nothing.
 *
 * @since 0.1.0
 */

/** Bytes in which a page states its encoding; the standard asks for 1024, real pages need more. */
const prescanBytes = 4096

const xmlDeclaration = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/

const metaCharset = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, prescanBytes)).toString("latin1")

const ofMark = (bytes: Uint8Array): string | undefined => {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return "utf-8"
  }
  if (first === 0xff && second === 0xfe) {
    return "utf-16le"
  }
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined
}

/** UTF-16 without a mark: every other byte of the markup is 0. */
const ofZeros = (bytes: Uint8Array): string | undefined => {
  const [first, second, third, fourth] = bytes
  if (first === 0x3c && second === 0 && fourth === 0) {
    return "utf-16le"
  }
  return first === 0 && second === 0x3c && third === 0 ? "utf-16be" : undefined
}

/** A page that could be read so far is not UTF-16, whatever it says; `x-user-defined` stands for windows-1252 (the standard). */
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

/** What windows-1252 has at 80 to 9F; the five that it leaves open stay control characters. */
const western = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

/** Node 20 reads windows-1252 as ISO 8859-1, whose characters these never are in a page. */
const corrected1252 = (text: string): string =>
  text.replaceAll(/[\u0080-\u009f]/g, (character) => western.charAt(character.charCodeAt(0) - 0x80))

const decodeAs = (label: string, bytes: Uint8Array, fatal: boolean): string | undefined => {
  try {
    const decoder = new TextDecoder(label, { fatal })
    const text = decoder.decode(bytes)
    return decoder.encoding === "windows-1252" ? corrected1252(text) : text
  } catch {
    return undefined
  }
}

/**
 * The text, without a byte order mark. A page that states nothing, or an unknown encoding, is read as UTF-8 when it is
 * valid UTF-8, else as windows-1252. Never fails.
 *
 * @since 0.1.0
 * @category constructors
 */
export const decode = (bytes: Uint8Array): string => {
  const label = ofMark(bytes) ?? ofZeros(bytes) ?? stated(bytes)
  return (
    (label === undefined ? undefined : decodeAs(label, bytes, false)) ??
    decodeAs("utf-8", bytes, true) ??
    decodeAs("windows-1252", bytes, false) ??
    ""
  )
}
