/** Properties of an office file's bytes that are known before it is parsed. */
import type { OfficeExtension } from "../jobs.ts"

/** Longest prefix, such as one of a mail gateway or an export, that may precede a header. */
const searchWindow = 4096

const separatorLine = /^(?:\xef\xbb\xbf)?sep=[,;\t|]\r?\n/i

const latin1 = (bytes: Uint8Array, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(end, bytes.length)).toString("latin1")

const fromRtfHeader = (bytes: Uint8Array): Uint8Array => {
  const at = latin1(bytes, searchWindow).indexOf("{\\rtf")
  return at > 0 ? bytes.subarray(at) : bytes
}

/** Skips the line in which spreadsheet programs declare the separator: it is not a row of the table. */
const fromFirstRow = (bytes: Uint8Array): Uint8Array => {
  const line = separatorLine.exec(latin1(bytes, 16))?.[0]
  return line === undefined ? bytes : bytes.subarray(line.length)
}

/** The bytes without anything before the document itself. */
export const clean = (bytes: Uint8Array, extension: OfficeExtension): Uint8Array => {
  if (extension === "rtf") {
    return fromRtfHeader(bytes)
  }
  return extension === "csv" ? fromFirstRow(bytes) : bytes
}

const compoundFile = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] as const

const encryptedPackage = /e\0n\0c\0r\0y\0p\0t\0e\0d\0p\0a\0c\0k\0a\0g\0e\0/i

/**
 * True for an Office Open XML document with a password: its package is a stream `EncryptedPackage` of an OLE compound file
 * ([MS-OFFCRYPTO] 2.3.1), whatever the parser reports.
 */
export const isEncryptedPackage = (bytes: Uint8Array): boolean =>
  compoundFile.every((byte, at) => bytes[at] === byte) && encryptedPackage.test(latin1(bytes, bytes.length))
