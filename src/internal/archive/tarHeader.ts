/** Headers of tar: the block before each member, and the records of the extended ones. */
import { Damaged } from "./damaged.ts"

/** Bytes of a block, to which everything is padded. */
export const block = 512

export interface TarHeader {
  readonly name: Buffer
  /** Bytes that follow, without padding. */
  readonly size: number
  /** Seconds since the epoch. */
  readonly modified: number
  /** One character: `0` a file, `5` a folder, `x` and `g` extended headers, `L` a long name. */
  readonly type: string
}

/** Fields of an extended header that replace those of the next one. */
export interface Extension {
  readonly name?: Buffer | undefined
  readonly size?: number | undefined
  readonly modified?: number | undefined
  /** True for a member that is stored with holes. */
  readonly sparse?: boolean | undefined
}

const ascii = (field: Buffer): string =>
  field
    .toString("latin1")
    .replace(/[\0 ]+$/u, "")
    .trim()

/** The bytes before the first zero. */
const text = (field: Buffer): Buffer => {
  const end = field.indexOf(0)
  return end < 0 ? field : field.subarray(0, end)
}

/** A number in octal, or in binary where its first bit is set; -1 for anything else. */
const number = (field: Buffer): number => {
  const first = field[0] ?? 0
  if (first === 0x80) {
    const value = field.subarray(1).reduce((all, byte) => all * 256 + byte, 0)
    return Number.isSafeInteger(value) ? value : -1
  }
  const octal = ascii(field)
  return /^[0-7]*$/u.test(octal) ? Number.parseInt(octal === "" ? "0" : octal, 8) : -1
}

const checksum = (bytes: Buffer): number => {
  let sum = 0
  for (const [at, byte] of bytes.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  return sum
}

const prefixed = (prefix: Buffer, name: Buffer): Buffer =>
  prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from("/"), name])

/** Reads a block; null for one of zeros, which ends the archive. */
export const read = (bytes: Buffer): TarHeader | null => {
  if (bytes.every((byte) => byte === 0)) return null
  if (number(bytes.subarray(148, 156)) !== checksum(bytes)) {
    throw new Damaged("a header of a member has a wrong checksum; check that it is a tar archive, or make it again")
  }
  const size = number(bytes.subarray(124, 136))
  if (size < 0) throw new Damaged("a member has a size that is no number; make the archive again")
  const name = text(bytes.subarray(0, 100))
  // The prefix is of POSIX; GNU's format, with a space after the mark, has times in its place.
  const posix = bytes.toString("latin1", 257, 263) === "ustar\0"
  return {
    name: posix ? prefixed(text(bytes.subarray(345, 500)), name) : name,
    size,
    modified: Math.max(0, number(bytes.subarray(136, 148))),
    type: String.fromCharCode(bytes[156] ?? 0)
  }
}

/** Reads the records `LENGTH KEY=VALUE` of an extended header. */
export const extension = (bytes: Buffer): Extension => {
  const found: { name?: Buffer; size?: number; modified?: number; sparse?: boolean } = {}
  for (let at = 0; at < bytes.length && bytes[at] !== 0;) {
    const space = bytes.indexOf(0x20, at)
    const length = Number(bytes.toString("latin1", at, space))
    const equals = bytes.indexOf(0x3d, space)
    if (space < 0 || !Number.isInteger(length) || at + length > bytes.length || equals < 0 || equals >= at + length) {
      throw new Damaged("an extended header cannot be read; make the archive again")
    }
    const key = bytes.toString("latin1", space + 1, equals)
    const value = bytes.subarray(equals + 1, at + length - 1)
    if (key === "path") found.name = Buffer.from(value)
    if (key === "size") found.size = Number(value.toString("latin1"))
    if (key === "mtime") found.modified = Number(value.toString("latin1"))
    if (key.startsWith("GNU.sparse.")) found.sparse = true
    at += length
  }
  if (found.size !== undefined && !(Number.isSafeInteger(found.size) && found.size >= 0)) {
    throw new Damaged("a member has a size that is no number; make the archive again")
  }
  return found
}
