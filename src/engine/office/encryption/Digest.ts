/** Hashes of passwords, as Office computes them. */
import { createHash } from "node:crypto"

export const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le")

export const littleEndian = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export const hash = (algorithm: string, ...parts: ReadonlyArray<Uint8Array>): Buffer =>
  parts.reduce((digest, part) => digest.update(part), createHash(algorithm)).digest()
