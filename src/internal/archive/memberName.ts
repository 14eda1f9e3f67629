/** Names of members: their bytes as text, and the path below the archive that they mean. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text; null where the bytes are not UTF-8. */
export const decoded = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** The text with a replacement for each wrong byte, for messages. */
export const shown = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The path without `./` before it, which archives of a working directory have. */
export const pathOf = (name: string): string => name.replace(/^(?:\.\/+)+/, "")

/** A text as one segment of a path: without slashes, control characters, halves of characters, and dots and blanks at its ends. */
export const segment = (text: string): string =>
  text
    .replace(/[/\\\p{Cc}\p{Surrogate}]+/gu, "_")
    .replace(/\s+/gu, " ")
    .replace(/^[\s.]+|[\s.]+$/gu, "")
