import * as WorkbookRecords from "../sparse/WorkbookRecords.ts"
/**
 * Excel 97 workbooks with a password: the records of one stream, encrypted except for their headers.
 *
 * Source: [MS-XLS] 2.2.10 and 2.4.117 (`FilePass`), [MS-OFFCRYPTO] 2.3.5 to 2.3.7.
 */
import { hash, littleEndian, utf16 } from "./Digest.ts"
import * as Rc4 from "./Rc4.ts"
import * as XorObfuscation from "./XorObfuscation.ts"

const filePass = 0x2f

/** Records that are never encrypted. */
const plainRecords = new Set([WorkbookRecords.startOfStream, filePass, 0x194, 0x195, 0xe1, 0x196, 0x138])

/** Number of leading bytes of a record that are never encrypted: the offset of a sheet's stream. */
const plainStart = ({ size, type }: WorkbookRecords.WorkbookRecord): number =>
  plainRecords.has(type) ? size : type === WorkbookRecords.boundSheet ? Math.min(4, size) : 0

/** Decrypts the byte at an offset of the stream. */
type Cipher = (byte: number, record: WorkbookRecords.WorkbookRecord, offset: number) => number

/** Block size. Each block of the stream, unencrypted bytes included, has its key. */
const blockBytes = 1024

const exclusiveOr = (data: Uint8Array, stream: Uint8Array): Buffer =>
  Buffer.from(data.map((byte, at) => byte ^ (stream[at] ?? 0)))

interface Verifier {
  readonly keyOf: (block: number) => Uint8Array
  readonly algorithm: "md5" | "sha1"
  readonly input: Uint8Array
  readonly expected: Uint8Array
}

const rc4 = ({ algorithm, expected, input, keyOf }: Verifier): Cipher | undefined => {
  const stream = Rc4.keyStream(keyOf(0), input.length + expected.length)
  const plain = exclusiveOr(Buffer.concat([input, expected]), stream)
  if (!hash(algorithm, plain.subarray(0, input.length)).equals(plain.subarray(input.length))) {
    return undefined
  }
  let block = -1
  let keys = new Uint8Array()
  return (byte, { at }, offset) => {
    const place = at + offset
    const own = Math.floor(place / blockBytes)
    if (own !== block) {
      block = own
      keys = new Uint8Array(Rc4.keyStream(keyOf(own), blockBytes))
    }
    return byte ^ (keys[place % blockBytes] ?? 0)
  }
}

const basic = (info: Buffer, password: string): Cipher | undefined => {
  const salt = info.subarray(4, 20)
  const start = hash("md5", utf16(password)).subarray(0, 5)
  const mixed = hash("md5", ...Array.from({ length: 16 }, () => [start, salt]).flat()).subarray(0, 5)
  return rc4({
    keyOf: (block) => hash("md5", mixed, littleEndian(block)),
    algorithm: "md5",
    input: info.subarray(20, 36),
    expected: info.subarray(36, 52)
  })
}

const rc4Algorithm = 0x6801

const cryptoApi = (info: Buffer, password: string): Cipher | undefined => {
  const headerBytes = info.readUInt32LE(8)
  if (info.readUInt32LE(12 + 8) !== rc4Algorithm) {
    return undefined
  }
  const bits = info.readUInt32LE(12 + 16) || 40
  const verifier = info.subarray(12 + headerBytes)
  const start = hash("sha1", verifier.subarray(4, 20), utf16(password))
  const keyOf = (block: number): Uint8Array => {
    const key = hash("sha1", start, littleEndian(block)).subarray(0, bits >> 3)
    return bits === 40 ? Buffer.concat([key, Buffer.alloc(11)]) : key
  }
  return rc4({ keyOf, algorithm: "sha1", input: verifier.subarray(20, 36), expected: verifier.subarray(40, 60) })
}

const exclusive = (info: Buffer, password: string): Cipher | undefined => {
  if (XorObfuscation.verifier(password) !== info.readUInt16LE(2)) {
    return undefined
  }
  const pattern = XorObfuscation.pattern(password)
  return (byte, { at, size }, offset) => XorObfuscation.plain(byte, pattern[(at + size + offset) % 16] ?? 0)
}

const cipherOf = (data: Buffer, password: string): Cipher | undefined => {
  if (data.readUInt16LE(0) === 0) {
    return exclusive(data.subarray(2), password)
  }
  const info = data.subarray(2)
  return info.readUInt16LE(2) === 1 ? basic(info, password) : cryptoApi(info, password)
}

/**
 * Stream of a workbook without its encryption; undefined when it is not encrypted, or with another password. Throws when the record of
 * the password is damaged.
 */
export const open = (workbook: Uint8Array, password: string): Uint8Array | undefined => {
  const stream = Buffer.from(workbook)
  let cipher: Cipher | undefined
  for (const record of WorkbookRecords.of(stream)) {
    const { at, size, type } = record
    if (type === filePass && cipher === undefined) {
      cipher = cipherOf(stream.subarray(at, at + size), password)
      if (cipher === undefined) {
        return undefined
      }
      // Without a password record, a reader takes the stream as unencrypted.
      stream.fill(0, at, at + size)
      stream.writeUInt16LE(0, at - 4)
    } else if (cipher !== undefined) {
      for (let offset = plainStart(record); offset < size; offset++) {
        stream[at + offset] = cipher(stream[at + offset] ?? 0, record, offset)
      }
    }
  }
  return cipher === undefined ? undefined : stream
}
