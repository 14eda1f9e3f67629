import { randomUUID } from "node:crypto"

/** Bytes before and after those of the file in a `multipart/form-data` body. */
export interface Frame {
  readonly head: Uint8Array
  readonly tail: Uint8Array
  readonly contentType: string
}

/** Characters of RFC 5987's `attr-char`; every other byte of a `filename*` is percent-encoded. */
const plain = /[A-Za-z0-9!#$&+.^_`|~-]/

const percentEncoded = (name: string): string => {
  let encoded = ""
  for (const byte of Buffer.from(name, "utf8")) {
    const character = String.fromCharCode(byte)
    encoded += plain.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
  }
  return encoded
}

/** Parameters of the file name. A raw UTF-8 `filename` arrives garbled at the service, `filename*` does not. */
const fileNameOf = (name: string): string => {
  const fallback = name.replaceAll(/[^\x20-\x7e]|["\\]/gu, "_")
  return fallback === name ? `filename="${name}"` : `filename="${fallback}"; filename*=UTF-8''${percentEncoded(name)}`
}

/**
 * A frame with a new boundary of 122 random bits, so that it occurs in no document. The part `options` carries no file name, since the
 * service refuses one there; without options the part is left out.
 */
export const frame = (file: {
  readonly name: string
  readonly mimeType: string
  readonly options: string | undefined
}): Frame => {
  const boundary = `docsluice-${randomUUID()}`
  const options =
    file.options === undefined
      ? ""
      : `--${boundary}\r\nContent-Disposition: form-data; name="options"\r\nContent-Type: application/json\r\n\r\n${file.options}\r\n`
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="file"; ${fileNameOf(file.name)}\r\nContent-Type: ${file.mimeType}\r\n\r\n`
  return {
    head: Buffer.from(options + part, "utf8"),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`, "latin1"),
    contentType: `multipart/form-data; boundary=${boundary}`
  }
}

/** A whole body in one array. */
export const body = (frame: Frame, bytes: Uint8Array): Uint8Array => Buffer.concat([frame.head, bytes, frame.tail])
